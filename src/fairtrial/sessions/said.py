"""What the user says once the edits and splits of a case have been made, turn by turn."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from fairtrial.schema.case import Case
from fairtrial.schema.disturbance import Edit, Split


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
    stands there. White space is dropped where a turn is parted, and a part without words is not said. Whether
    the places are there and the steps keep apart is for `cases.steps.check_steps` to say.
    """
    shaping: dict[int, list[tuple[int, Edit | Split]]] = {turn: [] for turn in range(len(case.input))}
    for number, step in enumerate(case.disturb):
        if isinstance(step, Edit | Split):
            shaping[step.turn].append((number, step))
    found: list[Piece] = []
    for turn, text in enumerate(case.input):
        whole = Piece(turn=turn, text=text)
        found.extend(_shaped(whole, shaping[turn]) if shaping[turn] else [whole])
    return tuple(found)


def _shaped(whole: Piece, steps: Sequence[tuple[int, Edit | Split]]) -> list[Piece]:
    spoken: list[Piece] = []
    waiting: tuple[int, ...] = ()  # steps of parts that are not said: told with the next one that is
    for part in _parts(whole, steps):
        waiting += part.steps
        if part.text.strip():
            spoken.append(replace(part, steps=tuple(sorted(waiting))))
            waiting = ()
    if spoken:
        spoken[-1] = replace(spoken[-1], steps=tuple(sorted(spoken[-1].steps + waiting)))
    return spoken


def _parts(whole: Piece, steps: Sequence[tuple[int, Edit | Split]]) -> Iterator[Piece]:
    """The parts of a turn with their steps, those without words too."""
    words, shaped, done, parted = "", list[int](), 0, False
    for number, step in sorted(steps, key=_place):
        start, end = (step.start, step.end) if isinstance(step, Edit) else (step.at, step.at)
        words += whole.text[done:start]
        done = end
        if isinstance(step, Edit):
            words += step.text
            shaped.append(number)
        else:
            yield replace(whole, text=words.strip(), steps=tuple(shaped))
            words, shaped, parted = "", [number], True
    words += whole.text[done:]
    # Where nothing parts it, a turn keeps the white space that it is written with.
    yield replace(whole, text=words.strip() if parted else words, steps=tuple(shaped))


def _place(item: tuple[int, Edit | Split]) -> tuple[int, bool, int]:
    number, step = item
    if isinstance(step, Split):
        return step.at, False, number
    return step.start, step.end > step.start, number
