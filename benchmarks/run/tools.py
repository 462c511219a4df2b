"""The tools that are measured: how each is installed, called and read. All do the equal job.

Each asks the mock once a case, looks for one text in the answer (fairtrial: five rules and useful), keeps
its own log if it keeps one, and talks to nobody else: telemetry and update checks are off by the
environment variables that its makers document.
"""

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.measuring import ENVS, PYTHON, fairtrial_run
from benchmarks.run import reference_cases

RUN = Path(__file__).resolve().parent
QUIET = {
    "DO_NOT_TRACK": "1",
    "NO_COLOR": "1",
    "OPENAI_API_KEY": "none",
    "DEEPEVAL_TELEMETRY_OPT_OUT": "1",
    "DEEPEVAL_NO_INSPECT_PROMPT": "1",
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "MLFLOW_GENAI_EVAL_SKIP_TRACE_VALIDATION": "true",
    "PROMPTFOO_DISABLE_TELEMETRY": "1",
    "PROMPTFOO_DISABLE_UPDATE": "1",
    "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
    "PROMPTFOO_DISABLE_SHARING": "1",
}


@dataclass(frozen=True, kw_only=True)
class Job:
    """One run to measure: `size` cases at `concurrency`, in the tool's own folder `work`."""

    size: int
    concurrency: int
    url: str
    work: Path

    @property
    def cases(self) -> Path:
        return self.work.parent / f"cases-{self.size}.jsonl"

    @property
    def tasks(self) -> Path:
        return self.work.parent / f"tasks-{self.size}.jsonl"


def _asked_passed(output: str) -> int:
    found = re.search(r"asked \d+ passed (\d+)", output)
    return int(found[1]) if found else -1


@dataclass(frozen=True, kw_only=True)
class Tool:
    """A tool. `packages` are installed into `.envs/NAME`; `largest` bounds the sizes tried."""

    name: str
    keeps: str
    command: Callable[[Job], Sequence[str]]
    packages: tuple[str, ...] = ()
    npm: bool = False
    prepare: Callable[[Job], None] = lambda _: None
    passed: Callable[[str], int] = _asked_passed
    expected: Callable[[int], int] = field(
        default=lambda size: sum(reference_cases.must(i) in reference_cases.reply(i) for i in range(size))
    )
    codes: tuple[int, ...] = (0,)
    env: Mapping[str, str] = field(default_factory=dict)
    largest: int = 10_000

    @property
    def folder(self) -> Path:
        return ENVS / self.name

    def missing(self) -> str | None:
        """Why it can not be measured here, None if it can."""
        if not self.packages or (self.folder / ".installed").exists():
            return None
        reason = self.folder / ".failed"
        if reason.exists():
            return f"not installed: {reason.read_text(encoding='utf-8').strip()}"
        return "not installed: `python -m benchmarks.run.install` was not run"


def _script(name: str, path: str, *, own: bool = True) -> Callable[[Job], Sequence[str]]:
    python = str(ENVS / name / "bin" / "python") if own else PYTHON
    script = str(RUN / path)

    def command(job: Job) -> Sequence[str]:
        return [python, script, str(job.tasks), job.url, str(job.concurrency), str(job.work)]

    return command


def _fairtrial(job: Job) -> Sequence[str]:
    return fairtrial_run(job.cases, job.url, job.work, concurrency=job.concurrency)


def _empty(job: Job) -> None:
    """Each run begins in an empty folder: earlier logs would be read for lines that light too often."""
    for log in job.work.glob("*.jsonl*"):
        log.unlink()


def _fairtrial_scored(output: str) -> int:
    start = output.find("{")
    return int(json.JSONDecoder().raw_decode(output[start:])[0]["counts"]["scored"]) if start >= 0 else -1


def _promptfoo_config(job: Job) -> None:
    rows = [json.loads(line) for line in job.tasks.read_text(encoding="utf-8").splitlines()]
    config = {
        "prompts": ["{{question}}"],
        "providers": [{"id": "openai:chat:mock", "config": {"apiBaseUrl": job.url, "apiKey": "none"}}],
        "tests": [
            {"vars": {"question": row["input"]}, "assert": [{"type": "contains", "value": row["must"]}]}
            for row in rows
        ],
    }
    (job.work / "config.json").write_text(json.dumps(config, ensure_ascii=False), encoding="utf-8")


def _promptfoo(job: Job) -> Sequence[str]:
    return [
        *("node", str(ENVS / "promptfoo" / "node_modules" / ".bin" / "promptfoo"), "eval"),
        *("-c", str(job.work / "config.json"), "--max-concurrency", str(job.concurrency)),
        *("--no-cache", "--no-progress-bar", "--no-table", "--no-share"),
    ]


def _promptfoo_passed(output: str) -> int:
    found = re.search(r"(\d+) passed", output)
    return int(found[1]) if found else -1


OPENAI = "openai==3.57.0"
BARE_AIOHTTP = Tool(
    name="bare_aiohttp", keeps="nothing", command=_script("bare_aiohttp", "bare_aiohttp.py", own=False)
)
BARE_OPENAI = Tool(
    name="bare_openai", keeps="nothing", packages=(OPENAI,), command=_script("bare_openai", "bare_openai.py")
)
FAIRTRIAL_TOOL = Tool(
    name="fairtrial",
    keeps="log, five rules and useful a session",
    command=_fairtrial,
    prepare=_empty,
    passed=_fairtrial_scored,
    expected=lambda size: size,
    codes=(0, 3),
)
PEERS = (
    Tool(
        name="pydantic_evals",
        keeps="nothing",
        packages=("pydantic-evals==2.62.0", OPENAI),
        command=_script("pydantic_evals", "peers/peer_pydantic_evals.py"),
    ),
    Tool(
        name="deepeval",
        keeps="JSON at the end",
        packages=("deepeval==4.3.1", OPENAI),
        command=_script("deepeval", "peers/peer_deepeval.py"),
    ),
    Tool(
        name="promptfoo",
        keeps="SQLite",
        packages=("promptfoo@0.121.20",),
        npm=True,
        command=_promptfoo,
        prepare=_promptfoo_config,
        passed=_promptfoo_passed,
        codes=(0, 100),
        largest=1_000,
    ),
    Tool(
        name="inspect_ai",
        keeps="log while running",
        packages=("inspect-ai==0.3.285", OPENAI),
        command=_script("inspect_ai", "peers/peer_inspect_ai.py"),
        largest=1_000,
    ),
    Tool(
        name="mlflow",
        keeps="SQLite",
        packages=("mlflow==3.17.2", OPENAI),
        command=_script("mlflow", "peers/peer_mlflow.py"),
        largest=1_000,
    ),
)
TOOLS = (BARE_AIOHTTP, BARE_OPENAI, FAIRTRIAL_TOOL, *PEERS)
