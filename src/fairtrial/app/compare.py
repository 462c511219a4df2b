"""Compare two results: first what they depend on, then what they scored."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from fairtrial.app.fingerprint import another_environment, part_names, require_same
from fairtrial.app.opened import Opened, open_round
from fairtrial.app.show import find_log, header_of
from fairtrial.errors import BadInput
from fairtrial.evidence.columns import Columns
from fairtrial.evidence.compare import compare
from fairtrial.evidence.faults import faults
from fairtrial.records.fingerprint import changed_parts, differences
from fairtrial.records.history import NAME, read_history, rounds, same_set
from fairtrial.records.interop.foreign import Foreign, recalled
from fairtrial.records.log import read_rows
from fairtrial.records.reading import headers
from fairtrial.schema.comparison import Comparison, Verdict
from fairtrial.schema.evidence import Header
from fairtrial.schema.fingerprint import Fingerprint, PartDifference
from fairtrial.text.language import say

_PAST = 10
"""Earlier rounds that are searched for a case that broke again."""


def compare_results(
    base: Path | None,
    candidate: Path | None,
    *,
    changed: Sequence[str] = (),
    force: bool = False,
    config: Path | None = None,
) -> Comparison:
    """Compare two files, logs of ours or of other tools; a folder stands for its latest log.

    `candidate` None is the project's latest log; `base` None the last reliable full round of the same set
    beside the candidate, or the latest log there that began before it. `changed` names the parts of the
    environment that are under test. Raises BadInput where others differ (unless `force`), and where no
    case is shared.
    """
    new = open_round(find_log(candidate, config))
    old = open_round(find_log(base) if base else _base_of(new))
    if old.path.resolve() == new.path.resolve():
        raise BadInput(
            say("base and candidate are the same file", "基准与候选是同一个文件"),
            where=str(new.path),
            how=say("a folder is its latest log: name another", "文件夹即其中最近一份日志：请另选"),
        )
    differs, forced = _environment(old, new, changed, force)
    sides = [Columns.of(side.rows(), pass_at=old.pass_at) for side in (old, new)]
    names = [str(side.path) if old.name == new.name else side.name for side in (old, new)]
    found = compare(
        *sides,
        base_name=names[0],
        candidate_name=names[1],
        differs=differs,
        forced=forced,
        fingerprinted=old.measured_here and new.measured_here,
        unreliable=[words for side in (old, new) for words in _unreliable(side)],
        faults=list(map(faults, names, sides, map(_foreign, (old, new)))),
    )
    if not found.shared:
        raise BadInput(
            say("no case that both scored", "没有两边都得分的用例"),
            where=f"{old.path}, {new.path}",
            how=say("compare results over the same case ids", "请比较用例编号相同的结果"),
        )
    again = _failed_before(old, found.lost)
    return msgspec.structs.replace(found, broke_again=tuple(case for case in found.lost if case in again))


def exit_code(found: Comparison) -> int:
    """0 better, 1 worse or mixed, 3 not shown, which every lit line that forbids makes it."""
    return {Verdict.better: 0, Verdict.not_shown: 3}.get(found.verdict, 1)


def _base_of(new: Opened) -> Path:
    """The round to compare with where none is named."""
    header, folder = new.header, new.path.parent
    if header is not None and header.mode != "import":
        # A round that was scored anew keeps its start: it is no round before itself.
        anew = "rescored_from" in header.config
        for past in reversed(rounds(read_history(folder / NAME))):
            log = folder / past.log
            at_once = past.started == header.started and past.run != header.run and not anew
            before = past.started < header.started or at_once
            if before and same_set(past, header) and log.is_file():
                return log
        for log, _ in _earlier(folder, header):
            return log
    what = say("nothing to compare with", "没有可比较的对象")
    if header is not None and header.config.get("cases", {}).get("ids"):
        what += say(": it asked only some cases of its set", "：它只问了问题集的一部分用例")
    raise BadInput(what, where=str(new.path), how=f"fairtrial compare BASE {new.path}")


def _earlier(folder: Path, header: Header) -> list[tuple[Path, Header]]:
    """The finished logs of the same set that began before, the latest first."""
    found = [
        (file, past)
        for file, past in headers(folder.glob("*.jsonl"))
        if past.status != "running" and past.mode != "import"
        if past.started < header.started and same_set(past, header)
    ]
    return sorted(found, key=lambda item: item[1].started, reverse=True)


def _environment(
    old: Opened, new: Opened, changed: Sequence[str], force: bool
) -> tuple[tuple[PartDifference, ...], tuple[str, ...]]:
    """What differs, and which of it was let through by force. Raises BadInput for what is not under test."""
    under_test = part_names(changed)
    one, other = (Fingerprint(whole="", parts=dict(side.parts or {})) for side in (old, new))
    if old.header and new.header and old.measured_here and new.measured_here:
        differs = require_same(old.header, new.header, changed=changed, force=force)
        missing = any(header.fingerprint is None for header in (old.header, new.header))
        against = changed_parts(one, other, without=under_test)
        return differs, ("fingerprint",) if missing else tuple(found.part for found in against)
    # Another tool's file tells little: what it does not tell is doubted, not refused.
    differs = differences(one, other)
    told = [found for found in differs if found.known and found.part not in under_test]
    if told and not force:
        raise another_environment(told, under_test, f"{old.path}, {new.path}")
    return differs, tuple(found.part for found in told)


def _unreliable(side: Opened) -> Iterator[str]:
    """Why a side must not be believed, in a few words."""
    if side.header is not None and side.header.status == "running":
        yield f"{side.name}: " + say("unfinished", "未完成")
        return
    header = header_of(side)
    if header.decision is not None and header.decision.stopped_early:
        yield f"{side.name}: " + say("stopped early, when it was decided", "一有定论就提前停止")
    if header.status == "unreliable":
        lit = ", ".join(doubt.name for doubt in header.doubts if doubt.lit and doubt.forbids)
        yield f"{side.name}: UNRELIABLE ({lit})"


def _foreign(side: Opened) -> Foreign | None:
    """What another tool's file said, now or when it was imported."""
    return side.foreign or (recalled(side.header) if side.header else None)


def _failed_before(old: Opened, lost: Sequence[str]) -> set[str]:
    """Those of the cases that some earlier round of the base's set had failed."""
    left, failed = set(lost), set[str]()
    header = old.header
    if header is None or header.mode == "import" or not lost:
        return failed
    for log, _ in _earlier(old.path.parent, header)[:_PAST]:
        if not left:
            break
        scored, passed = Counter[str](), Counter[str]()
        for row in read_rows(log):
            passes = row.score.passes(old.pass_at) if row.record.case in left else None
            if passes is not None:
                scored[row.record.case] += 1
                passed[row.record.case] += passes
        failed |= {case for case, n in scored.items() if 2 * passed[case] <= n}
        left -= failed
    return failed
