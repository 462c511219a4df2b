"""What the pytest plugin costs a run that examines nobody: one empty test, with the plugin and without.

    python -m benchmarks.plugin [--rounds 20]

Wall and CPU milliseconds, medians; in each round the two follow one another, and the ratio is taken within
the round. No other plugin is loaded, and bytecode is cached.
"""

import argparse
import tempfile
from pathlib import Path

from benchmarks.measuring import PYTHON, machine, met, middle, spend, table

MOST = 1.05
BARE = [PYTHON, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
WITH = [*BARE, "-p", "pytest_fairtrial"]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=20)
    rounds = parser.parse_args().rounds
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "test_empty.py").write_text("def test_it():\n    pass\n")
        commands = (BARE, WITH)
        env = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTHONDONTWRITEBYTECODE": ""}
        found = []
        for _ in range(rounds + 1):  # the first one fills bytecode and disk caches
            found.append([spend(command, env=env, cwd=Path(folder)) for command in commands])
            if failed := [spent.output for spent in found[-1] if spent.code]:
                raise SystemExit(failed[0][-1000:])
    wall = [middle(row[column].wall for row in found[1:]) * 1000 for column in (0, 1)]
    cpu = [middle(row[column].cpu for row in found[1:]) * 1000 for column in (0, 1)]
    ratio = middle(bare_with[1].cpu / bare_with[0].cpu for bare_with in found[1:])
    print(f"{machine()}; {rounds} rounds, medians.\n")
    print(
        table(
            ["one empty test", "wall ms", "CPU ms", "× without", "target", ""],
            [
                ["pytest without the plugin", f"{wall[0]:.0f}", f"{cpu[0]:.0f}", "1.00", "", ""],
                [
                    "with it",
                    f"{wall[1]:.0f}",
                    f"{cpu[1]:.0f}",
                    f"{ratio:.2f}",
                    f"< {MOST}",
                    met(ratio < MOST),
                ],
            ],
        )
    )


if __name__ == "__main__":
    main()
