"""The example project runs as it stands, from its own folder, and fails where it says that it does."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def test_the_project_passes_and_shows_one_honest_failure(tmp_path: Path) -> None:
    for name in ("shop", "pytest_shop"):
        shutil.copytree(
            EXAMPLES / name, tmp_path / name, ignore=shutil.ignore_patterns("logs", "__pycache__")
        )
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:asyncio", "-rx"],
        cwd=tmp_path / "pytest_shop",
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert "= 19 passed, 1 xfailed in" in done.stdout
    assert "test_context_pollution_recovery - the agent attends to the beginning" in done.stdout
    assert "test_refunds.py::test_refunds[set]: cases 12, sessions 36, scored 36, no answer 0" in done.stdout
    [log] = (tmp_path / "pytest_shop" / "logs").glob("*.jsonl")
    assert f"log: logs/{log.name}" in done.stdout
