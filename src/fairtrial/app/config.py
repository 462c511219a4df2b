"""`fairtrial.toml`: read once, checked whole, paths made absolute. Secrets stay in the environment."""

import re
import tomllib
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal, get_args

from pydantic import AfterValidator, Field, ValidationError
from pydantic_core import ErrorDetails

from fairtrial.agents.config import AgentConfig
from fairtrial.cases.files import not_utf8
from fairtrial.cases.problems import nearest
from fairtrial.errors import BadInput
from fairtrial.evidence.thresholds import DoubtConfig
from fairtrial.schema.case import Kind
from fairtrial.schema.written import Written, complaint
from fairtrial.text.language import say

FILE = "fairtrial.toml"
_WIDE = frozenset("“”‘’＝［］｛｝，：")
"""Signs that an input method for Chinese writes where TOML needs its own."""
_Strings = Annotated[tuple[str, ...], Field(strict=False)]
_ASKED = ("agent", "user", "writer")
"""The tables that name somebody to ask."""


def _moment(text: str) -> str:
    """A date and time with its offset, as ISO 8601 has it."""
    try:
        aware = datetime.fromisoformat(text).tzinfo is not None
    except ValueError:
        aware = False
    if not aware:
        raise ValueError(
            say(
                f"`clock` is a time with its zone, as 2026-11-30T12:00:00Z, not {text!r}",
                f"`clock` 应为带时区的时间，如 2026-11-30T12:00:00Z，而不是 {text!r}",
            )
        )
    return text


class RunConfig(Written):
    """The `[run]` table. Times in seconds; `max_cost` in the currency of the agent's price table.

    `clock` is the time that agents are told it is, ISO 8601 with its zone; None: the time that it is.
    """

    cases: _Strings = ()
    golden: str | None = None
    out: str = "logs"
    mode: Literal["full", "quick"] = "full"
    trials: Annotated[int, Field(ge=1)] | None = None
    concurrency: Annotated[int, Field(ge=1, le=1024)] = 1
    timeout: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 60.0
    max_cost: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    max_time: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    seed: Annotated[int, Field(ge=0, lt=2**63)] = 0
    clock: Annotated[str, AfterValidator(_moment)] | None = None


class ScoreConfig(Written):
    """The `[score]` table. `minimum` is the total below which a run exits with 1.

    `series` names a JSON file with a list of two lists of numbers, whose correlation someone relies on.
    """

    useful_weight: Annotated[float, Field(ge=0, le=1)] = 0.3
    pass_at: Annotated[float, Field(gt=0, le=1)] = 1.0
    minimum: Annotated[float, Field(ge=0, le=1)] | None = None
    series: str | None = None


class FingerprintConfig(Written):
    """The `[fingerprint]` table: what fairtrial cannot see by itself. Paths are files or folders.

    `retrieval_function` (Python, `module:name`) and `retrieval_command` tell the version of the vector store.
    `agent` names code that git does not know. `image` is the digest of the container image.
    """

    prompt: _Strings = ()
    examples: _Strings = ()
    sampling: _Strings = ()
    tools: _Strings = ()
    retrieval: _Strings = ()
    retrieval_function: Annotated[str, Field(pattern=r"^.+:\w+$")] | None = None
    retrieval_command: _Strings = ()
    agent: _Strings = ()
    lock: str | None = None
    image: str | None = None


class CanariesConfig(Written):
    """The `[canaries]` table: fixed prompts, asked `times` times each before a run and never scored."""

    prompts: _Strings = ()
    times: Annotated[int, Field(ge=1, le=100)] = 3


class SetConfig(Written):
    """A `[sets.NAME]` table, of a `set` that cases are in: how old, in days, its cases may be."""

    window_days: Annotated[int, Field(ge=1)] | None = None


_WINDOWS: dict[str, int] = {"natural": 90}
"""Days by set where nothing is written: what users ask of a shop changes with its seasons."""


class SealConfig(Written):
    """The `[seal]` table: to whom is encrypted, where parts and the ledger lie, a draw's share and looks."""

    recipient: str | None = None
    folder: str = "sealed"
    ledger: str = "ledger.jsonl"
    share: Annotated[float, Field(gt=0, le=1)] = 0.1
    looks: Annotated[int, Field(ge=1)] = 10


class _Tables(Written):
    agent: AgentConfig | None = None
    user: AgentConfig | None = None
    writer: AgentConfig | None = None
    run: RunConfig = RunConfig()
    score: ScoreConfig = ScoreConfig()
    doubts: DoubtConfig = DoubtConfig()
    fingerprint: FingerprintConfig = FingerprintConfig()
    canaries: CanariesConfig = CanariesConfig()
    seal: SealConfig = SealConfig()
    sets: dict[Kind, SetConfig] = {}


class Project(_Tables):
    """A whole `fairtrial.toml`, of which every table may be missing, and the folder where it lies.

    `user` plays the users of cases that are personas, as `agent` is examined; `writer` writes variants of
    cases.
    """

    folder: Path = Path()

    def window_days(self, name: Kind) -> int | None:
        """How old the cases of a `set` may be; None where they may be of any age."""
        return self.sets.get(name, SetConfig()).window_days or _WINDOWS.get(name)

    def path(self, name: str) -> Path:
        """A path of the file, which is relative to the file's own folder."""
        return self.folder / name


def load_project(path: Path | None = None) -> Project:
    """Read `path`, or `fairtrial.toml` of the current folder if there is one; defaults otherwise.

    Also reads `.env` beside it into the environment, without overriding what is set. Raises BadInput.
    """
    file = path or Path(FILE)
    if path is None and not file.is_file():
        read_env(Path())
        return Project()
    text = _text(file)
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise _broken(file, text, error) from error
    read_env(file.parent)
    try:
        tables = _Tables.model_validate(table)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        names = _names(first)
        where = f"{file}:{_line(text, names)}"
        raise BadInput(complaint(first, ".".join(names)) + _meant(first), where=where) from error
    return Project(**dict(tables), folder=file.parent)


def read_env(folder: Path) -> None:
    """Read `.env` of a folder into the environment; what is set there already stays. Raises BadInput."""
    file = folder / ".env"
    if file.is_file():
        from dotenv import load_dotenv

        try:
            load_dotenv(file, override=False)
        except UnicodeDecodeError as error:
            raise BadInput(
                not_utf8(error.object, error.start),
                where=str(file),
                how=say("save it as UTF-8", "请存为 UTF-8"),
            ) from error
        except (OSError, ValueError) as error:
            raise BadInput(str(error), where=str(file)) from error


def _meant(detail: ErrorDetails) -> str:
    """Which setting an unknown one was probably meant to be."""
    table, name = detail["loc"][:-1], str(detail["loc"][-1])
    tables: dict[tuple[int | str, ...], type[Written]] = {
        (): _Tables,
        ("run",): RunConfig,
        ("score",): ScoreConfig,
        ("fingerprint",): FingerprintConfig,
        ("canaries",): CanariesConfig,
        ("seal",): SealConfig,
        **{("sets", name): SetConfig for name in get_args(Kind)},
    }
    for model in get_args(get_args(AgentConfig)[0]):
        kind = get_args(model.model_fields["type"].annotation)
        tables |= {(asked, *kind): model for asked in _ASKED}
    if detail["type"] != "extra_forbidden" or table not in tables:
        return ""
    meant = nearest(name, tables[table].model_fields, 0.7)
    return say(f"; did you mean `{meant}`?", f"；是否想写 `{meant}`？") if meant else ""


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise BadInput(error.strerror or str(error), where=str(file)) from error
    except UnicodeDecodeError as error:
        what = not_utf8(error.object, error.start)
        raise BadInput(
            what, where=str(file), how=say("save it as UTF-8 TOML", "请存为 UTF-8 的 TOML")
        ) from error


def _broken(file: Path, text: str, error: tomllib.TOMLDecodeError) -> BadInput:
    what, _, place = str(error).partition(" (at ")
    line = re.match(r"line (\d+)", place)
    lines = text.splitlines() or [""]
    number = int(line[1]) if line else len(lines)
    if set(lines[min(number, len(lines)) - 1]) & _WIDE:
        how = say("signs and quotes are those of an English keyboard", "符号和引号须是半角的")
    else:
        how = say("mend the TOML", "请改正 TOML 语法")
    return BadInput(what, where=f"{file}:{number}", how=how)


def _names(detail: ErrorDetails) -> list[str]:
    """Where the value stands in the file: the models' own steps (an agent's type, `lines`) taken out."""
    loc = [str(part) for part in detail["loc"] if isinstance(part, str)]
    if loc[0] in _ASKED:
        loc[1:2] = ["type"] if detail["type"] == "union_tag_invalid" else []
    return [name for name in loc if name != "[key]" and not (loc[0] == "doubts" and name == "lines")]


def _line(text: str, names: list[str]) -> int:
    """The line where the faulty key is written; TOML's own reader keeps no positions."""
    table: list[str] = []
    best, found = 0, 1
    for number, line in enumerate(text.splitlines(), 1):
        if header := re.match(r"\s*\[\[?([^\]]+)\]", line):
            table = _dotted(header[1])
            path = table
        elif "=" in line:
            path = table + _dotted(line.partition("=")[0])
        else:
            continue
        shared = min(len(path), len(names))
        if path[:shared] == names[:shared] and shared > best:
            best, found = shared, number
    return found


def _dotted(key: str) -> list[str]:
    return [part.strip(" \t\"'") for part in key.split(".")]
