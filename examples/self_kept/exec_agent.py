"""One round of a self-kept agent: load the problems, ask them one after the other, score, write the log.

python exec_agent.py --config config/problems.json --out logs/
"""

import argparse
from pathlib import Path

from fairtrial.cli.main import app

STUB = Path(__file__).with_name("stub.py")


def main() -> None:
    parser = argparse.ArgumentParser(description="Run one round of the self-kept agent.")
    parser.add_argument("--config", required=True, help="the problem file")
    parser.add_argument("--out", default="logs/", help="folder of the logs")
    options = parser.parse_args()
    app(["run", options.config, "--agent", f"python:{STUB}:answer", "--trials", "1", "--out", options.out])


if __name__ == "__main__":
    main()
