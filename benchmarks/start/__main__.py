"""How long a command takes before it does anything: `import fairtrial` and `fairtrial --help`.

    python -m benchmarks.start [--rounds 20]

Wall milliseconds, medians; in each round the bare interpreter and the two commands follow one another, and
the import is told above the interpreter of its own round.
"""

import argparse

from benchmarks.measuring import FAIRTRIAL, PYTHON, machine, met, middle, spend, table

IMPORT, HELP = 150, 400


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=20)
    rounds = parser.parse_args().rounds
    commands = [[PYTHON, "-c", ""], [PYTHON, "-c", "import fairtrial"], [FAIRTRIAL, "--help"]]
    for command in commands:  # bytecode and disk caches
        spend(command)
    found = [[spend(command) for command in commands] for _ in range(rounds)]
    bare = middle(row[0].wall for row in found) * 1000
    above = middle(row[1].wall - row[0].wall for row in found) * 1000
    shown = middle(row[2].wall for row in found) * 1000
    cpu = [middle(row[column].cpu for row in found) * 1000 for column in range(3)]
    print(f"{machine()}; {rounds} rounds, medians.\n")
    print(
        table(
            ["command", "wall ms", "CPU ms", "target", ""],
            [
                ["bare interpreter", f"{bare:.0f}", f"{cpu[0]:.0f}", "", ""],
                [
                    "`import fairtrial`, above it",
                    f"{above:.0f}",
                    f"{cpu[1] - cpu[0]:.0f}",
                    f"< {IMPORT}",
                    met(above < IMPORT),
                ],
                ["`fairtrial --help`", f"{shown:.0f}", f"{cpu[2]:.0f}", f"< {HELP}", met(shown < HELP)],
            ],
        )
    )


if __name__ == "__main__":
    main()
