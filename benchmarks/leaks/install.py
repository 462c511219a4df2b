"""Install the peer, alone, in a venv under benchmarks/.envs, which git ignores.

python -m benchmarks.leaks.install
"""

import subprocess
import sys

from benchmarks.measuring import ENVS


def main() -> None:
    folder = ENVS / "gauntlet_guard"
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    subprocess.run(
        [folder / "bin/python", "-m", "pip", "install", "--quiet", "gauntlet-guard==0.4.0"], check=True
    )


if __name__ == "__main__":
    main()
