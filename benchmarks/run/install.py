"""Install the peers, each alone: a venv or an npm folder under benchmarks/.envs, which git ignores.

    python -m benchmarks.run.install [NAME …] [--seconds 300]

What can not be installed is written down with its reason, and the benchmark says so in its table.
"""

import argparse
import shutil
import subprocess
import sys
from collections.abc import Sequence

from benchmarks.run.tools import TOOLS, Tool


def install(tool: Tool, seconds: float) -> None:
    """Install one tool afresh. Raises CalledProcessError, TimeoutExpired or OSError."""
    shutil.rmtree(tool.folder, ignore_errors=True)
    tool.folder.mkdir(parents=True)
    if tool.npm:
        (tool.folder / "package.json").write_text('{"private": true}\n')
        _run(["npm", "install", "--no-audit", "--no-fund", *tool.packages], tool, seconds)
    else:
        _run([sys.executable, "-m", "venv", "."], tool, seconds)
        _run(["bin/python", "-m", "pip", "install", "--quiet", *tool.packages], tool, seconds)
    (tool.folder / ".installed").touch()


def _run(command: Sequence[str], tool: Tool, seconds: float) -> None:
    subprocess.run(
        command,
        cwd=tool.folder,
        check=True,
        timeout=seconds,
        capture_output=True,
        text=True,
        errors="replace",
    )


def _reason(error: Exception) -> str:
    said = getattr(error, "stderr", None)
    lines = said.strip().splitlines() if isinstance(said, str) else []
    return lines[-1] if lines else str(error)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--seconds", type=float, default=300, help="limit for each")
    wanted = parser.parse_args()
    for tool in TOOLS:
        if not tool.packages or (wanted.names and tool.name not in wanted.names):
            continue
        try:
            install(tool, wanted.seconds)
            print(f"{tool.name}: installed {' '.join(tool.packages)}", flush=True)
        except (subprocess.SubprocessError, OSError) as error:
            tool.folder.mkdir(parents=True, exist_ok=True)
            (tool.folder / ".failed").write_text(_reason(error) + "\n", encoding="utf-8")
            print(f"{tool.name}: not installed: {_reason(error)}", flush=True)


if __name__ == "__main__":
    main()
