"""What is wrong with a ledger, by what is beside it: the chain itself is checked as it is read."""

from collections.abc import Iterable, Iterator, Sequence

from fairtrial.schema.ledger import Entry, Witness
from fairtrial.text.language import say


def contradictions(entries: Sequence[Entry], witnesses: Iterable[Witness]) -> Iterator[str]:
    """One sentence for each witness that saw an entry which the chain lacks, or has otherwise."""
    for seen in witnesses:
        if seen.n > len(entries):
            yield say(
                f"shortened: {seen.where} saw entry {seen.n}, the ledger ends with entry {len(entries)}",
                f"被截短：{seen.where} 见过第 {seen.n} 条，账本却止于第 {len(entries)} 条",
            )
        elif seen.n and not entries[seen.n - 1].hash.startswith(seen.hash):
            yield say(
                f"rewritten: {seen.where} saw another entry {seen.n}",
                f"被改写：{seen.where} 见过的第 {seen.n} 条与此不同",
            )
