"""Runs a round again as its fingerprint says, and tells whether the figures come out as before."""

from pathlib import Path

from fairtrial.app.describe import restore
from fairtrial.app.environment import collect
from fairtrial.app.fingerprint import named
from fairtrial.app.finish import Round
from fairtrial.app.prepare import Prepared
from fairtrial.app.run import Watcher, run_prepared
from fairtrial.app.settled import settled
from fairtrial.app.show import OpenLog, open_log
from fairtrial.errors import BadInput
from fairtrial.evidence.columns import Columns
from fairtrial.evidence.pairs import Pairs
from fairtrial.evidence.reproduction import agreement, changed_cases
from fairtrial.records.fingerprint import changed_parts
from fairtrial.records.log import read_rows
from fairtrial.schema.evidence import Header
from fairtrial.schema.fingerprint import Fingerprint, PartDifference, PartName
from fairtrial.schema.reproduction import Agreement, Reproduction
from fairtrial.text.language import say


def reproduce(
    log: Path | None, watcher: Watcher, *, margin: float, force: bool, config: Path | None
) -> Reproduction:
    """Run the round of `log` again and compare. `margin`, in the scale of scores, is what counts as noise.

    The parts of the fingerprint are compared before anything is asked. Raises BadInput where one of them
    changed, unless `force`, and for a log that cannot be run again.
    """
    old = open_log(log, config)
    where = str(old.path)
    if old.header.mode == "import" or old.header.status == "running":
        raise BadInput(
            say(
                "only a finished round of fairtrial's own can be run again",
                "只有 fairtrial 自己完成的一轮才能重跑",
            ),
            where=where,
        )
    with settled(lambda: restore(old.header, where, {})) as prepared:
        if not force:
            _require_unchanged(old, prepared, where)
        again = run_prepared(prepared, watcher)
    return _compared(old, again, margin)


def exit_code(found: Reproduction) -> int:
    """0 where the figures agree, 1 where they differ, 3 where neither can be told."""
    return {Agreement.agrees: 0, Agreement.differs: 1}.get(found.status, 3)


def _require_unchanged(old: OpenLog, prepared: Prepared, where: str) -> None:
    if old.header.fingerprint is None:
        raise BadInput(
            say("no fingerprint, no discussion", "没有指纹，不予讨论"),
            where=where,
            how=say(
                "nobody knows what it depended on: run it all the same with --force",
                "无从知道它当时取决于什么；用 --force 照样运行",
            ),
        )
    found = _differs(old.header, collect(prepared), prepared.case_set.digest)
    if found := tuple(change for change in found if change.part != PartName.reported):
        what = say("not the environment of that round: ", "环境已不是那一轮的：") + named(found)
        how = say("put it back, or run it all the same: --force", "请恢复原样；或用 --force 照样运行")
        raise BadInput(what, where=where, how=how)


def _compared(old: OpenLog, again: Round, margin: float) -> Reproduction:
    pairs = Pairs.of(
        Columns.of(old.rows(), pass_at=old.pass_at), Columns.of(read_rows(again.log), pass_at=old.pass_at)
    )
    status, difference, meaning = agreement(pairs, margin=margin)
    if again.header.status == "running":
        status, meaning = Agreement.unclear, again.header.notes[-1]
    differs = _differs(old.header, again.header.fingerprint, again.header.config["cases"]["digest"])
    if status is Agreement.differs:
        meaning += say("; changed: ", "；变化：") + (named(differs) or _none_known())
    return Reproduction(
        status=status,
        meaning=meaning,
        base=old.header.run,
        run=again.header.run,
        log=str(again.log),
        margin=margin,
        difference=difference,
        differs=differs,
        changed=changed_cases(pairs),
    )


def _differs(old: Header, now: Fingerprint | None, cases: str) -> tuple[PartDifference, ...]:
    """What changed. A round run until decided tells in its fingerprint of a set that it asked a part of."""
    if old.fingerprint is None or now is None:
        return ()
    same = old.config["cases"]["digest"] == cases
    return changed_parts(old.fingerprint, now, without=(PartName.cases,) if same else ())


def _none_known() -> str:
    return say(
        "no part that the fingerprint knows; what it does not know may have",
        "指纹已知的部分都没有变；它不知道的部分可能变了",
    )
