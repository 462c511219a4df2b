"""Thresholds and noise floor from all raw logs of a folder, written down as a proposal for a person."""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from fairtrial.app.config import load_project
from fairtrial.app.finish import set_name
from fairtrial.app.power import LEAST_DIFFERENCE, require_share
from fairtrial.app.rescore import require_new
from fairtrial.errors import BadInput
from fairtrial.evidence.calibrate import CASES_NEEDED, ROUNDS_NEEDED, Sample, calibrate, cases_of
from fairtrial.evidence.thresholds import Mode
from fairtrial.records.history import latest_scores
from fairtrial.records.log import read_rows
from fairtrial.records.whole import write_whole
from fairtrial.schema.evidence import Header
from fairtrial.schema.planning import Calibrated, Calibration, LeftOut, Proposed
from fairtrial.text.language import say

PROPOSAL = "doubts.proposed.toml"

Told = Callable[[int, int], None]
"""Is told how many of how many logs have been read."""


@dataclass(frozen=True, kw_only=True)
class _Group:
    """The rounds of one set and mode; `set` None is one without a name of its own."""

    set: str | None
    mode: Mode
    logs: list[tuple[Path, Header]]


def propose(
    folder: Path | None,
    *,
    gap: float = 0.1,
    output: Path | None = None,
    config: Path | None = None,
    told: Told = lambda done, all: None,
) -> Calibration:
    """Calibrate every set and mode of `folder` (the project's logs by default) and write the proposal.

    `gap` is the difference that `few_cases` must be able to show. Raises BadInput where no set has enough.
    """
    require_share("--difference", gap, LEAST_DIFFERENCE)
    project = load_project(config)
    if folder is not None and not folder.is_dir():
        raise BadInput(say("no such folder", "没有这个文件夹"), where=str(folder))
    folder = folder or project.path(project.run.out)
    output = output or project.path(PROPOSAL)
    require_new(output)
    groups, left_out = _groups(folder)
    number, read = sum(len(group.logs) for group in groups), 0
    sets: list[Calibrated] = []
    for group in groups:
        samples: list[Sample] = []
        for path, header in group.logs:
            told(read, number)
            pass_at = float(header.config["score"]["pass_at"])
            samples.append(Sample.of(header, read_rows(path), pass_at=pass_at))
            read += 1
        if why := _too_little(samples, group, groups):
            left_out.append(LeftOut(set=group.set, mode=group.mode, rounds=len(samples), why=why))
        else:
            now = project.doubts.resolve(group.set, group.mode)
            sets.append(calibrate(group.set, samples, now, gap=gap))
    if not sets:
        raise _nothing(folder, left_out)
    found = Calibration(folder=str(folder), file=str(output), sets=tuple(sets), left_out=tuple(left_out))
    write_whole(output, [_proposal(found).encode()])
    return found


def _groups(folder: Path) -> tuple[list[_Group], list[LeftOut]]:
    """The finished rounds of the folder by set and mode, oldest first, and those that can say nothing."""
    groups: dict[tuple[str, str], _Group] = {}
    left: dict[tuple[str | None, str, str], int] = {}
    for path, header in latest_scores(folder):
        if header.summary is None or header.mode == "import":
            continue
        name, mode = set_name(header.config["run"]["cases"]), header.mode
        why = _unfit(header)
        if why is not None:
            left[name, mode, why] = left.get((name, mode, why), 0) + 1
            continue
        key = (f"name {name}" if name is not None else header.set_digest, mode)
        groups.setdefault(key, _Group(set=name, mode=mode, logs=[])).logs.append((path, header))
    left_out = [LeftOut(set=name, mode=mode, rounds=n, why=why) for (name, mode, why), n in left.items()]
    return [groups[key] for key in sorted(groups)], left_out


def _unfit(header: Header) -> str | None:
    if header.decision is not None:
        return say("run until decided: pulled towards its answer", "问到有定论为止：偏向结论")
    if header.config["cases"]["ids"] is not None:
        return say("only some cases of the set", "只问了问题集的一部分")
    return None


def _too_little(samples: Sequence[Sample], group: _Group, groups: Sequence[_Group]) -> str | None:
    if sum((other.set, other.mode) == (group.set, group.mode) for other in groups) > 1:
        return say("one of several sets without a name of their own", "有几个问题集没有自己的名字，这是其一")
    rounds, cases = len(samples), cases_of(samples)
    if cases >= CASES_NEEDED and rounds >= ROUNDS_NEEDED:
        return None
    noun = "round" if rounds == 1 else "rounds"
    return say(
        f"{rounds} {noun} of {cases} cases; {ROUNDS_NEEDED} rounds of {CASES_NEEDED} cases are needed",
        f"有 {rounds} 轮、{cases} 个用例；至少要 {ROUNDS_NEEDED} 轮、{CASES_NEEDED} 个用例",
    )


def _nothing(folder: Path, left_out: Sequence[LeftOut]) -> BadInput:
    why = say("; ", "；").join(f"{left.set or '–'} ({left.mode}): {left.why}" for left in left_out)
    return BadInput(
        say("too little to calibrate by: ", "不足以标定：") + (why or say("no round", "没有任何一轮")),
        where=str(folder),
        how=say(
            "run the unchanged agent again over 100 cases or more: fairtrial run --mode full",
            "让未改动的 Agent 在 100 个以上用例上再跑：fairtrial run --mode full",
        ),
    )


def _proposal(found: Calibration) -> str:
    head = say(
        "# Proposed by `fairtrial calibrate`. Leave out the lines that you do not want, then\n"
        "#     fairtrial calibrate --accept FILE --who NAME\n"
        "# A line that follows the spread calls usual whatever was usual: was that right?\n",
        "# 由 `fairtrial calibrate` 提出。删去不想要的线，然后执行\n"
        "#     fairtrial calibrate --accept FILE --who NAME\n"
        "# 跟随离散的线把一贯如此当作正常：先问一问一贯的是否就对。\n",
    )
    return head + "".join(_table(one, line) for one in found.sets for line in one.lines)


def _table(of: Calibrated, line: Proposed) -> str:
    follows = {
        "spread": say("follows the history's own spread", "跟随历史自身的离散"),
        "power": say("from statistical power", "由统计功效得出"),
    }
    basis = say(
        f"{of.rounds} rounds ({of.refused} refused), {of.cases} cases",
        f"{of.rounds} 轮（{of.refused} 轮被拒），{of.cases} 个用例",
    )
    looser = say("; MORE LENIENT than now", "；比现在宽松") if line.looser else ""
    interval = "" if line.low is None else f"{say('; ', '；')}[{line.low:.4f}, {line.high:.4f}]"
    place = ["doubts", *(["sets", of.set] if of.set is not None else []), of.mode, line.line]
    return (
        f"\n# {basis}{say('; ', '；')}{follows[line.follows]}{interval}"
        f"{say('; now', '；现为')} {line.now:g}{looser}\n"
        f"[{table_name(place)}]\n"
        f"threshold = {line.threshold:g}\n"
        f"why = {quoted(line.why)}\n"
    )


def _key(word: str) -> str:
    return word if re.fullmatch(r"[A-Za-z0-9_-]+", word) else quoted(word)


def quoted(text: str) -> str:
    """A text as TOML's basic string, which JSON's is as well."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def table_name(words: Sequence[str]) -> str:
    """The header of a table, quoted where a word asks for it."""
    return ".".join(_key(word) for word in words)
