"""Personal details of a dialogue replaced by fictions, the same ones everywhere."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from string import ascii_letters
from typing import Any

from fairtrial.cases.fictions import Fictions, canonical, pour
from fairtrial.schema.candidate import Replacement
from fairtrial.text.language import say
from fairtrial.text.normalise import fold, squeeze
from fairtrial.text.personal import as_digits, find_personal
from fairtrial.text.personal_dates import DAY_ALONE, day_of, shifted, shifted_days, year_of
from fairtrial.text.personal_names import is_word, parts_of_chinese

_POURED = frozenset(
    ("phone", "order", "number", "card", "id_card", "passport", "plate", "qq", "code", "tail")
)
"""Kinds of one family: the number behind a label is that without one."""
_ATTEMPTS = 64
_WEEKS = 50


def likeness(texts: Sequence[str]) -> str:
    """A digest of what is said, whoever says it: personal details count by their kind alone."""
    total = hashlib.sha256()
    for text in texts:
        at = 0
        for span in find_personal(text):
            total.update(f"{_plain(text[at : span.start])}\0{span.kind}\0".encode())
            at = span.end
        total.update(_plain(text[at:]).encode() + b"\n")
    return total.hexdigest()


def _plain(between: str) -> str:
    return DAY_ALONE.sub("0", squeeze(fold(between)))


class Scrubber:
    """Replaces details by fictions under a seed, in any number of dialogues: equal details by equal ones.

    Details that occur in the texts of `keep` are test data and stay. A seed that tells nobody anything, such
    as a digest of the log, keeps what was replaced from being found by trial.
    """

    def __init__(self, seed: str, keep: Iterable[str] = ()) -> None:
        self.fictions = Fictions(seed.encode())
        self.kept = frozenset(
            _key(span.kind, text[span.start : span.end]) for text in keep for span in find_personal(text)
        )
        self.given: dict[tuple[str, str], str] = {}
        self.taken: set[tuple[str, str]] = set()

    def scrub(self, name: str, texts: Sequence[str], *, year: int) -> "Scrubbed":
        """The turns of the user in the dialogue `name`; `year` is that of dates without one."""
        return Scrubbed(self, name, texts, year)

    def fiction(self, kind: str, written: str, avoid: frozenset[tuple[str, str]]) -> str:
        """What stands for a detail; never one of `avoid` nor what stands for another."""
        key = _key(kind, written)
        if key not in self.given:
            made = ""
            for attempt in range(_ATTEMPTS):
                made = self.fictions.of(kind, key[1], written, attempt)
                known = _key(kind, made)
                if known != key and known not in avoid and known not in self.kept and known not in self.taken:
                    break
            self.given[key] = made
            self.taken.add(_key(kind, made))
        return self.given[key]


def _key(kind: str, written: str) -> tuple[str, str]:
    return ("code" if kind in _POURED else kind, canonical(kind, written))


class Scrubbed:
    """A dialogue whose details are gathered first, so that each is replaced wherever it stands.

    `texts` are without them; `doubtful` tells what a person must look at.
    """

    def __init__(self, scrubber: Scrubber, name: str, texts: Sequence[str], year: int) -> None:
        self._scrubber = scrubber
        found = [(text[span.start : span.end], span) for text in texts for span in find_personal(text)]
        own = [(written, span) for written, span in found if _key(span.kind, written) not in scrubber.kept]
        self._originals = {
            _key(span.kind, written): (span.kind, written) for written, span in own if span.sure
        }
        dates = [written for written, span in own if span.kind == "date"]
        years = [told for written in dates if (told := year_of(written)) is not None]
        self._year = years[0] if years else year
        weeks = scrubber.fictions.drawn("weeks", name).randint(2, _WEEKS)
        self._days = -7 * weeks if dates else 0
        days = (day_of(written, self._year) for written in dates)
        self._near = next((day for day in days if day is not None), None)
        self._literals = _literals(
            written for kind, written in self._originals.values() if kind in ("name", *_POURED)
        )
        self._told: dict[tuple[str, str], Replacement] = {}
        self.texts = tuple(self._rewritten(text, f"input {n}") for n, text in enumerate(texts, start=1))
        self.doubtful = tuple(dict.fromkeys(self._doubts(texts)))

    def told(self) -> tuple[Replacement, ...]:
        """What was replaced so far."""
        return tuple(self._told.values())

    def apply(self, value: Any) -> Any:
        """Texts anywhere in a value, such as the rules of a case, with the same replacements and dates."""
        if isinstance(value, str):
            return self._rewritten(value, "rules")
        if isinstance(value, Mapping):
            return {key: self.apply(one) for key, one in value.items()}
        return [self.apply(one) for one in value] if isinstance(value, Sequence) else value

    def _doubts(self, texts: Sequence[str]) -> Iterator[str]:
        for number, text in enumerate(texts, start=1):
            for span in find_personal(text):
                written = text[span.start : span.end]
                if not span.sure and not self._is_known(span.kind, written):
                    en, zh = _DOUBTS[span.kind]
                    yield say(f"input {number}: {written} ({en})", f"输入 {number}：{written}（{zh}）")

    def _is_known(self, kind: str, written: str) -> bool:
        key = _key(kind, written)
        return key in self._scrubber.kept or key in self._originals

    def _rewritten(self, text: str, where: str) -> str:
        """The text with each known detail and each date replaced."""
        pieces, at = [], 0
        for start, end, kind in self._places(text):
            written = text[start:end]
            new = self._replacement(kind, written)
            if new != written:
                self._tell(kind, written, new, where)
            pieces += [self._without_days(text[at:start]), new]
            at = end
        return "".join([*pieces, self._without_days(text[at:])])

    def _without_days(self, between: str) -> str:
        return shifted_days(between, self._days, self._near) if self._near and self._days else between

    def _places(self, text: str) -> list[tuple[int, int, str]]:
        """Where known details stand: those that are found as such, and the others that are written alike."""
        places = [
            (span.start, span.end, span.kind)
            for span in find_personal(text)
            if _key(span.kind, text[span.start : span.end]) in self._originals
            or (span.kind == "date" and self._days)
        ]
        for match in self._literals.finditer(as_digits(text)) if self._literals else ():
            if not any(start < match.end() and match.start() < end for start, end, _ in places):
                places.append((*match.span(), "name" if not any(c.isdigit() for c in match[0]) else "number"))
        return sorted(places)

    def _replacement(self, kind: str, written: str) -> str:
        if kind == "date":
            return shifted(written, self._days, self._year)
        if kind == "time":
            return written  # dates move by whole days
        if kind == "tail" and (whole := self._ending(written)):
            return pour(whole[-4:], written)
        if kind == "name" and (part := self._part(written)):
            return part
        fiction = self._fiction(kind, written)
        return pour(fiction, written) if kind in _POURED else fiction

    def _fiction(self, kind: str, written: str) -> str:
        return self._scrubber.fiction(kind, written, frozenset(self._originals))

    def _part(self, written: str) -> str:
        """What stands for a part of a name of this dialogue, "" if it is none."""
        for kind, whole in self._originals.values():
            words = whole.casefold().split()
            if kind == "name" and whole != written:
                if written.casefold() in words and parts_of_chinese(whole) is None:
                    new = self._fiction("name", whole).split()[words.index(written.casefold())]
                    return new.lower() if written.islower() else new
                if whole.endswith(written) and not written.isascii():
                    return self._fiction("name", whole)[-len(written) :]
        return ""

    def _ending(self, tail: str) -> str:
        """The fiction of the number of this dialogue that ends so, "" if there is none."""
        digits = canonical("tail", tail)
        for kind, written in self._originals.values():
            if kind in _POURED and kind != "tail" and canonical(kind, written).endswith(digits):
                return self._fiction(kind, written)
        return ""

    def _tell(self, kind: str, written: str, new: str, where: str) -> None:
        original = canonical(kind, written)
        key = (_key(kind, written)[0], original)
        if key not in self._told:
            digest = self._scrubber.fictions.digest(original)
            self._told[key] = Replacement(kind=kind, where=where, fiction=new, digest=digest)


_DOUBTS = {
    "name": ("a name?", "人名？"),
    "number": ("a number of someone?", "个人号码？"),
    "username": ("a name of an account?", "账号名？"),
}


def _literals(originals: Iterable[str]) -> re.Pattern[str] | None:
    """The details as they may stand elsewhere without a cue: names whole, numbers with any signs between."""
    ways = []
    for written in sorted(set(originals), key=len, reverse=True):
        plain = re.sub(r"[^0-9A-Za-z\u3400-\u9fff]", "", as_digits(written))
        if any(c.isdigit() for c in plain):
            ways += [
                r"(?<![0-9A-Za-z])(?i:" + "[ ,、-]?".join(one) + r")(?![0-9A-Za-z])"
                for one in dict.fromkeys((plain, plain.lstrip(ascii_letters)))
                if len(one) >= 6
            ]
        elif written.isascii():
            words = [word for word in written.split() if len(word) > 2]
            for one in (written, *words):
                any_case = "i" if len(one) > 4 else "-i"
                ways.append(rf"(?<![A-Za-z])(?{any_case}:{re.escape(one)})(?![A-Za-z])")
        elif len(plain) >= 2:
            ways.append(" ?".join(map(re.escape, written.replace(" ", ""))))
            if len(plain) == 3 and parts_of_chinese(plain) and not is_word(plain[1:]):
                ways.append(plain[1:])
    return re.compile("|".join(ways)) if ways else None
