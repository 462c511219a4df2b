"""`fairtrial.toml`: read once, checked whole, paths made absolute. Secrets stay in the environment."""

import tomllib
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from fairtrial.agents.config import AgentConfig
from fairtrial.errors import BadInput
from fairtrial.evidence.thresholds import DoubtConfig
from fairtrial.text.language import say

FILE = "fairtrial.toml"
_Strings = Annotated[tuple[str, ...], Field(strict=False)]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, defer_build=True)


class RunConfig(_Table):
    """The `[run]` table. Times in seconds; `max_cost` in the currency of the agent's price table."""

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


class ScoreConfig(_Table):
    """The `[score]` table. `minimum` is the total below which a run exits with 1.

    `series` names a JSON file with a list of two lists of numbers, whose correlation someone relies on.
    """

    useful_weight: Annotated[float, Field(ge=0, le=1)] = 0.3
    pass_at: Annotated[float, Field(gt=0, le=1)] = 1.0
    minimum: Annotated[float, Field(ge=0, le=1)] | None = None
    series: str | None = None


class Project(_Table):
    """A whole `fairtrial.toml`; every table may be missing."""

    agent: AgentConfig | None = None
    run: RunConfig = RunConfig()
    score: ScoreConfig = ScoreConfig()
    doubts: DoubtConfig = DoubtConfig()
    folder: Path = Path()

    def path(self, name: str) -> Path:
        """A path of the file, which is relative to the file's own folder."""
        return self.folder / name


def load_project(path: Path | None = None) -> Project:
    """Read `path`, or `fairtrial.toml` of the current folder if there is one; defaults otherwise.

    Also reads `.env` beside it into the environment, without overriding what is set. Raises BadInput.
    """
    file = path or Path(FILE)
    if path is None and not file.is_file():
        _read_env(Path(".env"))
        return Project()
    try:
        text = file.read_bytes().decode("utf-8-sig")
        table = tomllib.loads(text)
    except OSError as error:
        raise BadInput(error.strerror or str(error), where=str(file)) from error
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise BadInput(
            str(error), where=str(file), how=say("save it as UTF-8 TOML", "请存为 UTF-8 的 TOML")
        ) from error
    _read_env(file.parent / ".env")
    try:
        project = Project.model_validate(table)
    except ValidationError as error:
        raise BadInput(*_first(error), where=f"{file}:{_line(text, error)}") from error
    return project.model_copy(update={"folder": file.parent})


def _read_env(file: Path) -> None:
    if file.is_file():
        from dotenv import load_dotenv

        load_dotenv(file, override=False)


def _first(error: ValidationError) -> tuple[str]:
    first = error.errors(include_url=False)[0]
    names = ".".join(str(part) for part in first["loc"])
    if first["type"] == "extra_forbidden":
        return (say(f"`{names}` is not a setting", f"没有 `{names}` 这个设置"),)
    return (f"`{names}`: {first['msg']}",)


def _line(text: str, error: ValidationError) -> int:
    """The line where the faulty key is written; TOML's own reader keeps no positions."""
    loc: tuple[Any, ...] = error.errors(include_url=False)[0]["loc"]
    names = [part for part in loc if isinstance(part, str)]
    table, found = "", 1
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if stripped.startswith("["):
            table = stripped.strip("[] ")
            if names[: table.count(".") + 1] == table.split("."):
                found = number
        elif table.split(".")[0] == names[0] and stripped.split("=")[0].strip() in names[1:]:
            return number
    return found
