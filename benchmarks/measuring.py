"""What every benchmark needs: the cost of a command, the mock endpoint, medians and tables."""

import contextlib
import json
import os
import platform
import signal
import statistics
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
ENVS = HERE / ".envs"
OUT = HERE / ".out"
PYTHON = sys.executable
FAIRTRIAL = str(Path(PYTHON).with_name("fairtrial"))


@dataclass(frozen=True, kw_only=True)
class Spent:
    """What one command took: CPU (user + system, waited-for children included) and wall in seconds."""

    cpu: float
    wall: float
    peak_mib: float
    code: int
    killed: bool
    output: str


def spend(
    command: Sequence[str],
    *,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    timeout: float = 900,
) -> Spent:
    """Run a command to its end. Past `timeout` seconds its whole process group is killed."""
    OUT.mkdir(exist_ok=True)
    kept = OUT / f"output-{os.getpid()}.txt"
    with kept.open("wb") as sink:
        started = time.perf_counter()
        child = subprocess.Popen(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=sink,
            stderr=subprocess.STDOUT,
            env={**os.environ, **(env or {})},
            cwd=cwd or ROOT,
            start_new_session=True,
        )
        limit = threading.Timer(timeout, os.killpg, (child.pid, signal.SIGKILL))
        limit.start()
        _, status, usage = os.wait4(child.pid, 0)
        limit.cancel()
        wall = time.perf_counter() - started
        child.returncode = os.waitstatus_to_exitcode(status)
    output = kept.read_text(encoding="utf-8", errors="replace")
    kept.unlink()
    return Spent(
        cpu=usage.ru_utime + usage.ru_stime,
        wall=wall,
        peak_mib=usage.ru_maxrss / 1024,
        code=child.returncode,
        killed=wall >= timeout,
        output=output,
    )


def spend_well(
    command: Sequence[str], *, env: Mapping[str, str] | None = None, cwd: Path | None = None
) -> Spent:
    """`spend` for a command of fairtrial. Stops with its last words where it did not do its work.

    Exit 3 is an unreliable round, which the reference cases are: the work was done.
    """
    spent = spend(command, env=env, cwd=cwd)
    if spent.code not in (0, 3):
        raise SystemExit(f"exit {spent.code} of {' '.join(command)}\n{spent.output[-1000:]}")
    return spent


@dataclass(frozen=True)
class Endpoint:
    """The running mock."""

    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    def served(self) -> int:
        """Completions served since this was last asked."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/count") as reply:
            return int(json.load(reply)["served"])


@contextlib.contextmanager
def mock() -> Iterator[Endpoint]:
    """The mock endpoint in a process of its own."""
    server = subprocess.Popen(
        [PYTHON, "-m", "benchmarks.run.mock_server"], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        assert server.stdout is not None
        yield Endpoint(int(server.stdout.readline()))
    finally:
        server.kill()
        server.wait()


def fairtrial_run(
    cases: Path, endpoint_url: str, out: Path, *, concurrency: int = 8, trials: int = 1
) -> list[str]:
    """The command that runs `cases` against the mock; it exits with 0, or 3 for an unreliable round."""
    return [
        *(FAIRTRIAL, "run", str(cases), "--agent", f"openai:mock@{endpoint_url}"),
        *("--trials", str(trials), "--concurrency", str(concurrency), "--out", str(out), "--json"),
    ]


def middle(values: Iterable[float]) -> float:
    """The median."""
    return statistics.median(values)


def spread(values: Sequence[float], digits: int = 2) -> str:
    """Median with the smallest and largest beside it, where there is more than one."""
    if not values:
        return "–"
    if len(values) == 1:
        return f"{values[0]:.{digits}f}"
    return f"{middle(values):.{digits}f} ({min(values):.{digits}f}-{max(values):.{digits}f})"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def met(holds: bool) -> str:
    """How a target came out."""
    return "met" if holds else "**missed**"


def machine() -> str:
    """The kind of machine in neutral words."""
    model = next(
        (
            line.split(":", 1)[1].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ),
        platform.machine(),
    )
    return (
        f"{os.cpu_count()} cores ({model}), {platform.system()} {platform.release().split('-')[0]}, "
        f"Python {platform.python_version()}"
    )
