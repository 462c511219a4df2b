"""A wrong value first, and the right one at once."""

from collections.abc import Sequence
from functools import lru_cache
from random import Random

from fairtrial.schema.case import Case
from fairtrial.schema.disturbance import Edit, Step, Utter
from fairtrial.sessions.probes.phrases import phrases, sentence
from fairtrial.sessions.probes.placing import in_front
from fairtrial.sessions.probes.probe import Disturbed, Probe, Unfit
from fairtrial.sessions.probes.spans import Fact, Kind, key_facts, tongue_of
from fairtrial.text.language import say
from fairtrial.text.normalise import fold_width
from fairtrial.text.words import Tongue

_LABELS: dict[Kind, dict[Tongue, str]] = {
    "order_number": {"zh": "订单号", "en": "order number"},
    "phone": {"zh": "手机号", "en": "phone number"},
    "amount": {"zh": "金额", "en": "amount"},
    "date": {"zh": "日期", "en": "date"},
    "number": {"zh": "数字", "en": "number"},
    "fact": {"zh": "信息", "en": "detail"},
}
_KINDS = tuple(_LABELS)
_INLINE = {1: 1, 2: 2, 3: 1}
_TRIES = 200


class Contradiction(Probe):
    """One wrong value before the right one, then two, then one in a turn of its own, taken back in the next,
    and another. The wrong ones have the form of the right one and are said nowhere else in the set.
    """

    name = "contradiction"

    @property
    def intent(self) -> str:
        """What it examines."""
        return say("whether it takes the corrected value", "说错又改正时认不认改正后的值")

    def disturb(self, case: Case, intensity: int, draw: Random, others: Sequence[Case]) -> Disturbed:
        """Wrong values before the first fact with digits, order numbers before phones, amounts and dates."""
        turn, fact = _fact(case)
        tongue = tongue_of(case, turn)
        wrongs = _wrong(case.input[turn][fact.start : fact.end], fact.kind, draw, [case, *others])
        steps: list[Step] = []
        if intensity == max(_INLINE):
            told = {"label": _LABELS[fact.kind][tongue], "wrong": wrongs.pop()}
            text = draw.choice(phrases("statement", tongue)).format_map(told)
            steps.append(Utter(do="utter", before=turn, text=text))
            taken_back = draw.choice(phrases("taken back", tongue)).format_map(told)
            steps.append(in_front(case, turn, taken_back))
        said = draw.sample(phrases("correction", tongue), _INLINE[intensity])
        for text, wrong in zip(said, wrongs, strict=False):
            words = sentence(text.format(wrong=wrong), tongue)
            steps.append(Edit(do="edit", turn=turn, start=fact.start, end=fact.start, text=words))
        return Disturbed(steps=tuple(steps), whole=intensity == max(_INLINE))


def _fact(case: Case) -> tuple[int, Fact]:
    found = [
        (_KINDS.index(fact.kind), turn, fact)
        for turn in range(len(case.input))
        for fact in key_facts(case, turn)
        if fact.kind in _LABELS and len(_digits(case.input[turn][fact.start : fact.end])) > 1
    ]
    if not found:
        raise Unfit(
            say("no key fact with digits that could be said wrongly", "没有带数字、可以先说错的关键信息")
        )
    _, turn, fact = min(found, key=lambda item: item[:2])
    return turn, fact


def _wrong(right: str, kind: Kind, draw: Random, cases: Sequence[Case]) -> list[str]:
    """Two values of the form of the right one that stand nowhere in the cases, however they are written."""
    taken = [_bare(case.model_dump_json(exclude={"id", "disturb"})) for case in cases]
    found: list[str] = []
    for _ in range(_TRIES):
        wrong = _altered(right, kind, draw)
        bare = _bare(wrong)
        if wrong not in found and not any(bare in text for text in taken):
            found.append(wrong)
        if len(found) == 2:
            return found
    raise Unfit(say(f"no value like {right} that is not taken", f"没有形如 {right} 且未被占用的值"))


@lru_cache(maxsize=10_000)  # the cases of a set come again and again
def _bare(text: str) -> str:
    return "".join(fold_width(text).casefold().split())


def _altered(right: str, kind: Kind, draw: Random) -> str:
    """The value with two digits changed, or with another day."""
    places = _digits(right)
    if kind == "date" and places[-2:] == [places[-1] - 1, places[-1]] and places[-3:-2] != [places[-1] - 2]:
        return _with(right, dict(zip(places[-2:], f"{draw.randint(1, 28):02}", strict=True)))
    changed = draw.sample(places[1:][-4:], min(2, len(places) - 1))
    return _with(right, {at: str((int(right[at]) + draw.randint(1, 9)) % 10) for at in changed})


def _digits(text: str) -> list[int]:
    return [at for at, letter in enumerate(text) if letter.isdecimal()]


def _with(text: str, digits: dict[int, str]) -> str:
    """The text with other digits, as wide as they were."""
    letters = list(text)
    for at, digit in digits.items():
        letters[at] = chr(ord(letters[at]) - int(letters[at]) + int(digit))
    return "".join(letters)


PROBES: tuple[Probe, ...] = (Contradiction(),)
