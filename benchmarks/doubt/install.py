"""Install the peers that audit or compare, each alone, in a venv under benchmarks/.envs, which git ignores.

    python -m benchmarks.doubt.install

limen wants Python 3.12: it is installed where `python3.12` is found. What can not be installed is said.
"""

import shutil
import subprocess
import sys

from benchmarks.measuring import ENVS

PEERS = (
    ("evaltrust", "evaltrust==0.7.0", sys.executable),
    ("holdline", "holdline==0.2.1", sys.executable),
    ("limen", "limen-eval==0.2.1", shutil.which("python3.12")),
)


def main() -> None:
    for name, package, python in PEERS:
        if python is None:
            print(f"{name}: not installed: no Python 3.12 here")
            continue
        folder = ENVS / name
        shutil.rmtree(folder, ignore_errors=True)
        try:
            subprocess.run([python, "-m", "venv", folder], check=True)
            subprocess.run([folder / "bin/python", "-m", "pip", "install", "--quiet", package], check=True)
            print(f"{name}: installed {package}")
        except subprocess.CalledProcessError as error:
            shutil.rmtree(folder, ignore_errors=True)
            print(f"{name}: not installed: {error}")


if __name__ == "__main__":
    main()
