"""What the user says once the edits and splits of a case have been made, turn by turn."""

from dataclasses import dataclass, replace

from fairtrial.errors import BadInput
from fairtrial.schema.case import Case
from fairtrial.schema.disturbance import Edit, Split
from fairtrial.text.language import say


@dataclass(frozen=True, kw_only=True)
class Piece:
    """What is said at one go: all of turn number `turn` of the case's input, or a part of it.

    `steps` are the numbers, in `case.disturb`, of the edits and splits that shaped it.
    """

    turn: int
    text: str
    steps: tuple[int, ...] = ()


def said(case: Case) -> tuple[str, ...]:
    """The texts of `pieces`."""
    return tuple(piece.text for piece in pieces(case))


def pieces(case: Case) -> tuple[Piece, ...]:
    """What the user says, in order; a turn without edits and splits is said as it is written.

    Places are those of the turn as written, whatever other steps do to it, so that any of the steps can be
    left out. At one place texts are put in, and the turn is parted, in the order of the steps, before what
    stands there. White space is dropped where a turn is parted, and a part without words is not said.

    Raises BadInput where a step names a turn or a place that is not there, where two steps change the same
    characters, or where nothing is left of a turn.
    """
    steps = [(number, step) for number, step in enumerate(case.disturb) if isinstance(step, Edit | Split)]
    for number, step in steps:
        if step.turn >= len(case.input):
            raise _bad(case, number, _no_turn(step.turn, len(case.input)))
    shaped = {step.turn for _, step in steps}
    found: list[Piece] = []
    for turn, text in enumerate(case.input):
        if turn in shaped:
            mine = [(number, step) for number, step in steps if step.turn == turn]
            found.extend(_shaped(case, turn, mine))
        else:
            found.append(Piece(turn=turn, text=text))
    return tuple(found)


def _shaped(case: Case, turn: int, steps: list[tuple[int, Edit | Split]]) -> list[Piece]:
    spoken: list[Piece] = []
    waiting: tuple[int, ...] = ()  # steps of parts that are not said: told with the next one that is
    for part in _parts(case, turn, steps):
        waiting += part.steps
        if part.text.strip():
            spoken.append(replace(part, steps=tuple(sorted(waiting))))
            waiting = ()
    if not spoken:
        raise _bad(case, steps[0][0], say("nothing is left of the turn", "这一轮什么也没有剩下"))
    spoken[-1] = replace(spoken[-1], steps=tuple(sorted(spoken[-1].steps + waiting)))
    return spoken


def _parts(case: Case, turn: int, steps: list[tuple[int, Edit | Split]]) -> list[Piece]:
    """The parts of a turn with their steps, those without words too."""
    text = case.input[turn]
    parts: list[Piece] = []
    words, shaped, done = "", list[int](), 0
    for number, step in sorted(steps, key=_place):
        start, end = (step.start, step.end) if isinstance(step, Edit) else (step.at, step.at)
        if end > len(text):
            raise _bad(case, number, _past_end(end, turn, len(text)))
        if start < done:
            raise _bad(
                case,
                number,
                say("another step changes the same characters", "另有步骤改动了同样的几个字"),
            )
        words += text[done:start]
        done = end
        if isinstance(step, Edit):
            words += step.text
            shaped.append(number)
        else:
            parts.append(Piece(turn=turn, text=words.strip(), steps=tuple(shaped)))
            words, shaped = "", [number]
    words += text[done:]
    # Where nothing parts it, a turn keeps the white space that it is written with.
    last = words.strip() if parts else words
    return [*parts, Piece(turn=turn, text=last, steps=tuple(shaped))]


def _place(item: tuple[int, Edit | Split]) -> tuple[int, bool, int]:
    number, step = item
    if isinstance(step, Split):
        return step.at, False, number
    return step.start, step.end > step.start, number


def _no_turn(turn: int, turns: int) -> str:
    return say(f"there is no turn {turn}: the case has {turns}", f"没有第 {turn} 轮：用例只有 {turns} 轮")


def _past_end(end: int, turn: int, size: int) -> str:
    return say(
        f"place {end} is past the end of turn {turn}, which has {size} characters",
        f"位置 {end} 超出了第 {turn} 轮的末尾，该轮只有 {size} 个字符",
    )


def _bad(case: Case, number: int, what: str) -> BadInput:
    step = case.disturb[number]
    whose = f" ({step.probe})" if step.probe else ""
    return BadInput(
        say(f"step {number}{whose}: {what}", f"第 {number} 步{whose}：{what}"),
        where=case.id,
        how=say(
            "turns, steps and places count from 0, in the input as written",
            "轮次、步骤和位置都从 0 数起，以用例原文为准",
        ),
    )
