"""Going on with a round that was stopped: only what is missing is asked, and nothing may have changed."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairtrial.app.describe import TESTS, restore, unchanged
from fairtrial.app.finish import Round
from fairtrial.app.outlook import outlook_of
from fairtrial.app.prepare import Choices, Prepared
from fairtrial.app.run import Watcher, go_on, plan_of
from fairtrial.app.settled import settled
from fairtrial.app.show import log_folder
from fairtrial.errors import BadInput
from fairtrial.records.log import LogWriter, latest_part, open_resumed, part_of, read_header
from fairtrial.schema.evidence import Header
from fairtrial.text.language import say

if TYPE_CHECKING:
    from fairtrial.app.until import Until

PROBES = "probe"
"""The folder of examinations among the logs: apart, so that none is taken for the latest round."""
_LIMITS = ("concurrency", "max_time", "max_cost")


def resume(part: Path | None, choices: Choices, watcher: Watcher) -> Round:
    """Go on with an unfinished round: `part`, or the latest one of a log folder. Runs what is missing.

    Its limits and the minimum may be others than before; what decides the result may not. Raises BadInput.
    """
    part, header, limits = unfinished(part, choices, "run")
    where = str(part)
    with (
        settled(lambda: unchanged(restore(header, where, limits), header, where)) as prepared,
        _resumed(prepared, part, header, choices) as (writer, until),
    ):
        looks = until.course.looks if until else ()
        watcher.planned(outlook_of(prepared, done=writer.done, looks=looks))
        return go_on(prepared, writer, watcher, minimum=choices.minimum, until=until)


def unfinished(part: Path | None, choices: Choices, command: str) -> tuple[Path, Header, dict[str, Any]]:
    """The part file that is meant, its header, and the limits to go on with. Raises BadInput.

    `command` is which goes on: what `probe` began, `run` cannot end.
    """
    _refuse_changes(choices)
    if part is None or part.is_dir():
        folder = part or Path(str(choices.run.get("out") or log_folder(choices.config)))
        part = _latest_part(folder / PROBES if command == "probe" and folder != part else folder)
    elif part.suffix != ".part":
        part = part_of(part)
    header = read_header(part)
    if TESTS in header.config:
        raise BadInput(
            say("pytest began it, which asks anew", "它由 pytest 开始，pytest 会重新询问"),
            where=str(part),
            how=say(
                f"look at what was asked: fairtrial show {part}", f"查看已问的部分：fairtrial show {part}"
            ),
        )
    began = "probe" if header.mode == "probe" else "run"
    if began != command:
        raise BadInput(
            say(f"`fairtrial {began}` began it", f"它由 `fairtrial {began}` 开始"),
            where=str(part),
            how=f"fairtrial {began} --resume {part}",
        )
    return part, header, {name: choices.run[name] for name in _LIMITS if choices.run.get(name) is not None}


@contextmanager
def _resumed(
    prepared: Prepared, part: Path, header: Header, choices: Choices
) -> Iterator[tuple[LogWriter, "Until | None"]]:
    until = None
    if "until" in header.config:
        from fairtrial.app.until import again

        if choices.minimum is not None:
            raise fixed("--minimum")
        until = again(prepared, header)
    with open_resumed(part, until.plan if until else plan_of(prepared)) as writer:
        yield writer, until


def _refuse_changes(choices: Choices) -> None:
    """Whatever decides the result of a round stands in its header: it is no choice any more."""
    given: dict[str, object] = {
        "--agent": choices.agent,
        "--case": choices.ids,
        "--tag": choices.tags,
        "--limit": choices.limit,
        "--until-decided": choices.until_decided,
        "--against": choices.against,
        "--failed": choices.failed,
        "a case file": choices.cases,
    }
    given |= {f"--{name}": value for name, value in choices.run.items() if name not in (*_LIMITS, "out")}
    given_anew = [name for name, value in given.items() if value is not False and value not in (None, (), [])]
    if given_anew:
        raise fixed(given_anew[0])


def fixed(name: str) -> BadInput:
    """The refusal of what stands in the header of a round that goes on."""
    return BadInput(
        say("it is fixed since the run began", "它在本轮开始时就已确定"),
        where=name,
        how=say("leave it out, or start a new run without --resume", "请去掉它，或不带 --resume 另起一轮"),
    )


def _latest_part(folder: Path) -> Path:
    part = latest_part(folder)
    if part is None:
        raise BadInput(
            say("there is no unfinished run here", "这里没有未完成的运行"),
            where=str(folder),
            how=say("start one: fairtrial run", "用 fairtrial run 开始一轮"),
        )
    return part
