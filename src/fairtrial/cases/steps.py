"""Steps of `disturb` that could never take place, and words of a user that could never be said."""

from collections.abc import Iterator

from fairtrial.cases.problems import Path
from fairtrial.errors import BadInput
from fairtrial.schema.case import Case
from fairtrial.schema.disturbance import Edit, NewSession, Pause, Point, Split, Step, Utter
from fairtrial.schema.user import Table
from fairtrial.text.language import say

Complaint = tuple[Path, str, str]
"""Where in the case, what is wrong, and how to mend it."""


def check_steps(case: Case) -> None:
    """Raise BadInput for the first of the `complaints`, if there is one."""
    for path, what, how in complaints(case):
        raise BadInput(what, where=f"{case.id}: {'.'.join(map(str, path))}", how=how)


def complaints(case: Case) -> Iterator[Complaint]:
    """All that can never happen in a session of this case: places and turns that are not there, steps that
    undo each other, an answer that comes late where nothing is said before."""
    seen: list[Step] = []
    for number, step in enumerate(case.disturb):
        path: Path = ("disturb", number)
        if found := _no_such_turn(case, number, step) or _said_before(step, seen):
            yield path, *found
        seen.append(step)
    for turn in range(len(case.input)):
        yield from _shapes(case, turn)
    if isinstance(case.user, Table):
        yield from _never_said(case.user)


def _no_such_turn(case: Case, number: int, step: Step) -> tuple[str, str] | None:
    last = len(case.input) - 1
    count = say(
        f"the case has {last + 1}: they count from 0 to {last}", f"该用例有 {last + 1} 轮，从 0 数到 {last}"
    )
    match step:
        case Edit() | Split():
            turn, there = step.turn, step.turn <= last
        case Point():
            turn, there = step.after, step.after <= last
        case Utter() if step.before is not None:
            turn, there = step.before, step.before <= last + 1
        case Pause() | NewSession():
            turn, there = step.before, step.before <= last or _is_followed(case, number, step)
        case _:
            return None
    if there:
        return None
    return say(f"`{step.do}`: there is no turn {turn}", f"`{step.do}`：没有第 {turn} 轮"), count


def _is_followed(case: Case, number: int, step: Pause | NewSession) -> bool:
    """Whether something is said after the last turn and after this step."""
    later = (one for one in case.disturb[number + 1 :] if isinstance(one, Utter))
    return step.before == len(case.input) and (
        case.user is not None or any(one.before == step.before for one in later)
    )


def _said_before(step: Step, seen: list[Step]) -> tuple[str, str] | None:
    """The same words at the same moment, or a name given twice."""
    plain = step.model_copy(update={"probe": None})
    if isinstance(step, Utter) and any(plain == one.model_copy(update={"probe": None}) for one in seen):
        return (
            say("`utter`: the same is said twice at the same moment", "`utter`：同一时刻把同一句话说了两遍"),
            say("delete one", "请删去一个"),
        )
    if isinstance(step, Point) and any(isinstance(one, Point) and one.name == step.name for one in seen):
        return (
            say(f"`snapshot`: the name {step.name!r} is taken", f"`snapshot`：名称 {step.name!r} 已被使用"),
            say("name each snapshot differently", "请为每个快照取不同的名字"),
        )
    return None


def _shapes(case: Case, turn: int) -> Iterator[Complaint]:
    """Edits and splits of one turn, whose places are those of the turn as written."""
    text = case.input[turn]
    mine = [
        (_order(number, step), number, step)
        for number, step in enumerate(case.disturb)
        if isinstance(step, Edit | Split) and step.turn == turn
    ]
    here = say(f"turn {turn} has {len(text)} characters", f"第 {turn} 轮有 {len(text)} 个字符")
    done, left = 0, [""]
    for _, number, step in sorted(mine, key=lambda one: one[0]):
        path: Path = ("disturb", number)
        start, end = (step.start, step.end) if isinstance(step, Edit) else (step.at, step.at)
        if end > len(text):
            yield path, say(f"`{step.do}` past the end", f"`{step.do}` 超出末尾"), here
            return
        if start < done:
            yield path, *_overlap(step)
            return
        left[-1] += text[done:start] + (step.text if isinstance(step, Edit) else "")
        done = end
        if isinstance(step, Split):
            left.append("")
    left[-1] += text[done:]
    splits = [number for _, number, step in sorted(mine, key=lambda one: one[0]) if isinstance(step, Split)]
    if not "".join(left).strip():
        if mine:
            what = say("nothing is left of the turn", "这一轮什么也没有剩下")
            yield ("disturb", mine[-1][1]), what, say("leave some of it", "请保留一部分")
        return
    for number, before, after in zip(splits, left, left[1:], strict=False):
        if not before.strip() or not after.strip():
            what = say("`split` leaves one side without words", "`split` 之后有一边没有内容")
            yield ("disturb", number), what, here


def _order(number: int, step: Edit | Split) -> tuple[int, bool, int]:
    """Texts that are put in and splits come before what stands at their place."""
    if isinstance(step, Split):
        return step.at, False, number
    return step.start, step.end > step.start, number


def _overlap(step: Edit | Split) -> tuple[str, str]:
    return (
        say(
            f"`{step.do}` touches characters that another step changes",
            f"`{step.do}` 涉及另一步已改动的字符",
        ),
        say("steps may not overlap", "各步不可重叠"),
    )


def _never_said(user: Table) -> Iterator[Complaint]:
    if user.otherwise is None and len(user.answers) == 1 and user.answers[0].late:
        yield (
            ("user", "answers", 0, "late"),
            say(
                "it can never come late: with nothing else to say the user leaves",
                "永远等不到：没有别的话可说时用户就离开了",
            ),
            say("write `otherwise`", "请写上 `otherwise`"),
        )
