"""tau-bench result files: a JSON list of runs, each with its reward and its chat messages."""

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from fairtrial.records.fingerprint import part, unknown
from fairtrial.records.interop import chat
from fairtrial.records.interop.content import Content, broken
from fairtrial.records.interop.foreign import Foreign
from fairtrial.records.interop.marks import scored
from fairtrial.records.interop.messages import of_list, system_of
from fairtrial.records.interop.shapes import as_count, as_dict, as_number, dig
from fairtrial.schema.audit import Fault
from fairtrial.schema.fingerprint import Part
from fairtrial.schema.record import Record, Status
from fairtrial.schema.score import About, Hit, Row
from fairtrial.text.language import say

_READ_ONLY = ("get_", "find_", "list_", "search_", "calculate", "think", "transfer_to_human_agents")
"""How the benchmark's tools are called that leave its database as it was; any other may write to it."""

_GIVEN = "outcome as given by the imported file"
_TAKEN = ("task_id", "trial", "reward", "traj")


def matches(content: Content) -> bool:
    """Whether it is a list of runs with a task, a reward and messages."""
    return content.kind != "object" and content.first.keys() >= {"task_id", "reward", "traj"}


def read(content: Content) -> Foreign:
    """The runs of a tau-bench file, outcome as given. Raises BadInput.

    The reward compares the database at the end with the one that the right actions leave, and looks for the
    right outputs in what was said; so a task whose actions only read, and that asks for no output, is passed
    by an agent that does nothing.
    """
    runs = [_run(item, content.where(index)) for index, item in enumerate(content.items)]
    faults: list[Fault] = []
    rows = tuple(_row(run, content.where(index), faults) for index, run in enumerate(runs))
    tasks = {str(run["task_id"]): as_dict(dig(run, "info.task")) for run in runs}
    return Foreign(
        format="tau-bench",
        rows=rows,
        faults=tuple(faults),
        parts=_parts(rows, tasks),
        nothing_passes=tuple(name for name, task in tasks.items() if _needs_nothing(task)),
        told={"user": "simulated"},
        raw_output=True,
        rules=any(hit.rule != "given" for row in rows for hit in row.score.hits),
    )


def _run(item: Any, where: str) -> dict[str, Any]:
    """Checks what a run cannot do without."""
    run = as_dict(item)
    known = isinstance(run.get("traj"), list) and isinstance(run.get("task_id"), int | str)
    if not known or as_count(run.get("trial", 0)) is None:
        what = say(
            "not a tau-bench run with task_id, trial, reward and traj",
            "不是含 task_id、trial、reward 和 traj 的 tau-bench 运行记录",
        )
        raise broken(what, where)
    return run


def _row(run: dict[str, Any], where: str, faults: list[Fault]) -> Row:
    found = of_list(run["traj"])
    record = Record(
        case=str(run["task_id"]),
        trial=int(run.get("trial", 0)),
        status=Status.completed,
        system=system_of(found),
        turns=chat.turns(found),
        extra={key: value for key, value in run.items() if key not in _TAKEN},
    )
    score = scored(run.get("reward"), _GIVEN, case=record.case, where=where, faults=faults)
    hits = tuple(_checks(run))
    about = About(calls_asked=_writes(as_dict(dig(run, "info.task"))) or None)
    return Row(record=record, score=msgspec.structs.replace(score, hits=hits) if hits else score, about=about)


def _checks(run: dict[str, Any]) -> Iterator[Hit]:
    """What made the reward; nothing where the run was cut off before it was checked."""
    found = as_dict(dig(run, "info.reward_info.info"))
    unsaid = [text for text, said in as_dict(found.get("outputs")).items() if not said]
    for key, rule, why in (
        ("r_actions", "database", ""),
        ("r_outputs", "outputs", say("not said: ", "没有说出：") + ", ".join(unsaid) if unsaid else ""),
    ):
        if (value := as_number(found.get(key))) is not None:
            yield Hit(rule=rule, met=value >= 1.0, share=1.0, why=why)


def _needs_nothing(task: dict[str, Any]) -> bool:
    """Whether the task tells its right actions and outputs, and neither is there to be done."""
    return _writes(task) == 0 and not task.get("outputs")


def _writes(task: dict[str, Any]) -> int | None:
    """How many of the task's right actions write to the database: it cannot be done with fewer calls.

    None where the task does not tell them.
    """
    actions = task.get("actions")
    names = [as_dict(action).get("name") for action in actions] if isinstance(actions, list) else [None]
    known = [name for name in names if isinstance(name, str)]
    return sum(not name.startswith(_READ_ONLY) for name in known) if len(known) == len(names) else None


def _parts(rows: Sequence[Row], tasks: dict[str, dict[str, Any]]) -> dict[str, Part]:
    prompts = {row.record.system for row in rows}
    silent = unknown(say("the file does not tell", "文件未说明"))
    asked = part(tasks, say(f"{len(tasks)} tasks", f"{len(tasks)} 个任务"))
    return {
        "model": silent,
        "prompt": part(sorted(map(str, prompts)), say(f"{len(prompts)} texts", f"{len(prompts)} 份")),
        "sampling": silent,
        "tools": silent,
        "cases": asked if all(tasks.values()) else silent,
    }
