"""Every benchmark, one after the other: what `make bench` runs. Names choose some: `all.py start run`.

With `--write` each table also takes its place in benchmarks/README.md, between the marks of its name.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
README = HERE / "README.md"
NAMES = (
    "start",
    "plugin",
    "rescore",
    "run",
    "memory",
    "kill",
    "bootstrap",
    "audit",
    "compare",
    "doubt",
    "interviewer",
    "personal",
    "leaks",
)


def made(name: str) -> str:
    """Run one benchmark, showing what it prints; returns what follows its lines of progress."""
    lines = []
    with subprocess.Popen(
        [sys.executable, "-u", "-m", f"benchmarks.{name}"], cwd=HERE.parent, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        for line in child.stdout:
            print(line, end="", flush=True)
            lines.append(line)
    if child.returncode:
        raise SystemExit(f"{name} failed with exit code {child.returncode}")
    return "".join(line for line in lines if not line.startswith(("  ", "skipped "))).strip()


def write(name: str, text: str) -> None:
    """Put `text` between `<!-- NAME -->` and `<!-- /NAME -->` of the README."""
    marks = re.compile(rf"(<!-- {name} -->\n).*?(<!-- /{name} -->)", re.DOTALL)
    page = README.read_text(encoding="utf-8")
    README.write_text(marks.sub(lambda m: f"{m[1]}\n{text}\n\n{m[2]}", page), encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", help=", ".join(NAMES))
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    if unknown := set(asked.names) - set(NAMES):
        parser.error(f"no such benchmark: {', '.join(sorted(unknown))}")
    for name in asked.names or NAMES:
        print(f"\n## {name}\n", flush=True)
        text = made(name)
        if asked.write:
            write(name, text)


if __name__ == "__main__":
    main()
