"""What the earlier rounds of a folder say about one: its history, its canaries, the base of a quick one."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import msgspec

from fairtrial.evidence.drift import Drift, drift
from fairtrial.evidence.quick import compare_quick
from fairtrial.evidence.since import Since, since
from fairtrial.records.fingerprint import AGENTS_SIDE, changed_parts
from fairtrial.records.history import NAME, read_history, rounds, same_set
from fairtrial.records.log import read_rows
from fairtrial.records.reading import headers
from fairtrial.schema.evidence import Header, QuickOutcome, QuickVerdict, Round
from fairtrial.schema.fingerprint import PartName
from fairtrial.schema.score import Row
from fairtrial.scoring.score import Scorer
from fairtrial.text.language import say

_PAST = 10
"""How many earlier logs are looked at for lines that light too often, and for canaries that were answered."""

Rows = Callable[[], Iterable[Row]]
"""Rows that can be read more than once, so that they need not be held."""


def known_rounds(begun: Header, folder: Path) -> list[Round]:
    """The reliable full rounds of this set before it."""
    known = [past for past in rounds(read_history(folder / NAME)) if same_set(past, begun)]
    # Two rounds may begin within a second, and a resumed one long before those that ended meanwhile.
    return [past for past in known if past.run != begun.run and past.started <= begun.started]


def since_last(begun: Header, rows: Rows, folder: Path, known: Sequence[Round]) -> Since | None:
    """The cases of a round beside those of the last known one, where the set was edited in between.

    None where it was not, and where that round's log is not at hand.
    """
    if not known or not begun.set_digest or known[-1].set_digest == begun.set_digest:
        return None
    log = folder / known[-1].log
    return since(rows(), read_rows(log)) if log.is_file() else None


def lit_before(begun: Header, folder: Path) -> Iterator[set[str]]:
    """What lit in the latest earlier rounds of this set and mode, oldest first.

    Refused rounds are not in the history, so the logs themselves are asked.
    """
    same = (past for past in _logs_before(begun, folder) if past.mode == begun.mode and same_set(past, begun))
    return reversed([{doubt.name for doubt in past.doubts if doubt.lit} for past in islice(same, _PAST)])


def drift_since(header: Header, folder: Path) -> Drift | None:
    """The canaries of a round against the latest earlier ones of the same agent that they can be judged by.

    A round in which nobody answered says nothing: passed over, it hides no change. None if there is no other.
    """
    if not any(answer is not None for canary in header.canaries for answer in canary.answers):
        return None
    same = (past for past in _logs_before(header, folder) if _comparable(past, header))
    found = (drift(then=past.canaries, now=header.canaries) for past in islice(same, _PAST))
    return next((one for one in found if one.share is not None), None)


def _comparable(earlier: Header, header: Header) -> bool:
    then, now = earlier.fingerprint, header.fingerprint
    if then is None or now is None:
        return False
    one, other = ([canary.prompt for canary in side.canaries] for side in (earlier, header))
    return one == other and AGENTS_SIDE.isdisjoint(found.part for found in changed_parts(then, now))


def _logs_before(begun: Header, folder: Path) -> Iterator[Header]:
    """The headers of the finished logs before it, latest first; a log's name begins with its time."""
    for _, header in headers(sorted(folder.glob("*.jsonl"), reverse=True)):
        if header.run != begun.run and header.started <= begun.started:
            yield header


def quick_verdict(begun: Header, rows: Rows, folder: Path, scorer: Scorer) -> QuickVerdict:
    """Against the last reliable full round that has its log and shares a scored case, of whatever set.

    What changed since is said, but for cases and scorer: those in common are scored anew by the same rules.
    """
    for base in reversed(rounds(read_history(folder / NAME))):
        log = folder / base.log
        if base.fingerprint is not None and log.is_file():
            again = (
                msgspec.structs.replace(row, score=scorer.score(row.record))
                for row in read_rows(log)
                if scorer.knows(row.record.case)
            )
            verdict = compare_quick(rows(), again, pass_at=scorer.pass_at, base_run=base.run)
            if verdict.outcome is not QuickOutcome.nothing:
                return msgspec.structs.replace(verdict, meaning=verdict.meaning + _also_changed(base, begun))
    return compare_quick(rows(), None, pass_at=scorer.pass_at)


def _also_changed(base: Round, begun: Header) -> str:
    then, now = base.fingerprint, begun.fingerprint
    alike = (PartName.cases, PartName.scorer)
    names = [found.part for found in changed_parts(then, now, without=alike)] if then and now else []
    if not names:
        return ""
    return say(f" Changed since that round: {', '.join(names)}.", f"自那一轮以来的变化：{'、'.join(names)}。")
