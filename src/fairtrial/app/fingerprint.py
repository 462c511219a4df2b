"""The fingerprint of a round compared with another's, and completed by what the replies reported."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from fairtrial.cases.problems import nearest
from fairtrial.errors import BadInput
from fairtrial.records.fingerprint import changed_parts, differences, part, unknown, whole
from fairtrial.schema.evidence import Header
from fairtrial.schema.fingerprint import Fingerprint, Part, PartDifference, PartName
from fairtrial.schema.score import Row
from fairtrial.text.language import say


class Reported:
    """What the replies of a round say of their model, noted while its rows are read for something else."""

    def __init__(self) -> None:
        self._seen: Counter[tuple[str | None, str | None]] = Counter()

    def through(self, rows: Iterable[Row]) -> Iterator[Row]:
        """The rows, each noted on its way."""
        for row in rows:
            for turn in row.record.turns:
                if turn.model is not None or turn.system_fingerprint is not None:
                    self._seen[turn.model, turn.system_fingerprint] += 1
            yield row

    @property
    def models(self) -> int | None:
        """How many model versions were named, None where none was."""
        return len({model for model, _ in self._seen if model is not None}) or None

    @property
    def nothing(self) -> bool:
        """Whether no reply named its model."""
        return not self._seen

    def part(self) -> Part:
        """The part `reported`: every version and system fingerprint with the number of its replies."""
        if not self._seen:
            return unknown(say("no reply named its model", "没有回复报告模型"))
        named = sorted(self._seen.items(), key=lambda item: (-item[1], str(item[0])))
        shown = [f"{model or '?'}{f' ({seal})' if seal else ''} × {n}" for (model, seal), n in named[:5]]
        more = f" (+{len(named) - 5})" if len(named) > 5 else ""
        value = sorted([model or "", seal or ""] for model, seal in self._seen)
        return part(value, ", ".join(shown) + more)


def completed(fingerprint: Fingerprint | None, reported: Reported) -> Fingerprint | None:
    """The fingerprint with what the replies reported."""
    if fingerprint is None:
        return None
    told = fingerprint.parts.get(PartName.reported)
    if reported.nothing and told is not None and told.digest is not None:
        return fingerprint  # of another tool's file, which says it beside its rows
    return whole(fingerprint.parts | {PartName.reported.value: reported.part()})


def require_same(
    base: Header, candidate: Header, *, changed: Sequence[str] = (), force: bool = False
) -> tuple[PartDifference, ...]:
    """What is not known to be the same in two rounds. Raises BadInput where they may not be compared.

    They may not where a fingerprint is missing, or a part differs (or only one side knows it) that is not
    among `changed`, the names of what is under test; `force` lets everything pass. What neither side knows
    is told and stops nothing.
    """
    under_test = part_names(changed)
    for header in (base, candidate):
        if header.fingerprint is None and not force:
            raise BadInput(
                say("no fingerprint, no discussion", "没有指纹，不予讨论"),
                where=header.run,
                how=say(
                    "nobody knows what it depends on: run it again, or --force",
                    "无从知道结果取决于什么：请重跑，或用 --force",
                ),
            )
    one, other = (header.fingerprint or Fingerprint(whole="", parts={}) for header in (base, candidate))
    if not force and (found := changed_parts(one, other, without=under_test)):
        raise another_environment(found, under_test, f"{base.run}, {candidate.run}")
    return differences(one, other)


def another_environment(
    found: Sequence[PartDifference], under_test: Collection[PartName], where: str
) -> BadInput:
    """The refusal of two results between which `found` differs besides what is under test."""
    parts = {*under_test, *(difference.part for difference in found)}
    if PartName.model in parts:
        parts.discard(PartName.reported)
    names = ",".join(name for name in PartName if name in parts)
    return BadInput(
        say("not the same environment: ", "环境不同：") + named(found),
        where=where,
        how=say(
            f"make them the same; --changed {names} if that is under test; or --force",
            f"请使其一致；若这正是被测的改动，用 --changed {names}；或用 --force",
        ),
    )


def part_names(words: Sequence[str]) -> frozenset[PartName]:
    """The parts that `--changed` names, one by one or joined by commas. Raises BadInput for other words.

    With the model goes what replies report of it: another model cannot but report another name.
    """
    names = [name.strip() for word in words for name in word.split(",") if name.strip()]
    for name in names:
        if name not in [known.value for known in PartName]:
            meant = nearest(name, PartName, 0.6)
            hint = say(f"; did you mean `{meant}`?", f"；是否想写 `{meant}`？") if meant else ""
            raise BadInput(
                say(f"no part is called {name!r}", f"没有名为 {name!r} 的部分") + hint,
                where="--changed",
                how=say("one of ", "可用：") + ", ".join(PartName),
            )
    under_test = frozenset(PartName(name) for name in names)
    return under_test | {PartName.reported} if PartName.model in under_test else under_test


def named(found: Sequence[PartDifference], most: int = 3) -> str:
    """The first differing parts, what they were and are, in a few words."""
    shown = (f"{difference.part} ({difference.base} → {difference.candidate})" for difference in found[:most])
    more = (
        say(f" and {len(found) - most} more", f" 等另外 {len(found) - most} 项") if len(found) > most else ""
    )
    return say(", ", "，").join(shown) + more
