"""Lay a case set beside live dialogues, and draw the dissatisfied ones for the review."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random

from fairtrial.app.config import load_project
from fairtrial.app.opened import open_round
from fairtrial.app.prepare import Choices, case_paths, run_config
from fairtrial.app.show import find_log
from fairtrial.cases.load import load_or_refuse
from fairtrial.errors import BadInput
from fairtrial.evidence.columns import Columns
from fairtrial.evidence.likeness import Likeness
from fairtrial.evidence.outcomes import Marked, outcomes
from fairtrial.evidence.represent import CLUSTERS_NEEDED, DIALOGUES_NEEDED, Asked, adjusted, alike, gaps, odd
from fairtrial.records.interop.traffic import lines, read_traffic
from fairtrial.records.whole import write_whole
from fairtrial.schema.case import Case
from fairtrial.schema.represent import Gap, Outcomes, Representation, Sampled, Unlike
from fairtrial.schema.traffic import Dialogue
from fairtrial.sessions.said import said
from fairtrial.text.language import say
from fairtrial.text.personal import find_personal

MEASURED = 5000
"""Dialogues whose wording is looked at; of more, so many are drawn."""
_SHOWN = 5
"""Dialogues shown that no case is like, each with another nearest case."""
_LONGEST = 200
"""Characters shown of a dialogue that no case is like."""


@dataclass(kw_only=True)
class _Traffic:
    """What is kept of a file of dialogues, however long it is."""

    measured: list[Dialogue] = field(default_factory=list)
    marked: list[Marked] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    """Where each of the marked stands."""
    dissatisfied: list[tuple[int, tuple[str | None, str | None]]] = field(default_factory=list)
    """Lines, and the intents and days by which they are spread."""
    versions: Counter[str] = field(default_factory=Counter)
    dialogues: int = 0

    @property
    def spoken(self) -> int:
        """Dialogues in which the user says something."""
        return len(self.marked)


def represent(
    paths: Sequence[Path],
    *,
    traffic: Path,
    log: Path | None = None,
    sample: int | None = None,
    output: Path | None = None,
    seed: int = 0,
    config: Path | None = None,
) -> Representation:
    """Compare the set with the dialogues, with `log` its score with their marks; draw `sample` dissatisfied
    ones into `output`. Raises BadInput, before anything is written, and CannotRun.
    """
    _require_room(sample, output)
    project = load_project(config)
    run = run_config(project, Choices(config=config, cases=paths))
    cases = load_or_refuse(case_paths(run), without=Path(run.out)).cases
    opened = open_round(find_log(log, config)) if log else None
    read = _read(traffic, Random(seed))
    ours, theirs = _cases(cases), [_asked(one, number) for number, one in enumerate(read.measured)]
    clusters = len({one.cluster for one in ours})
    enough = read.spoken >= DIALOGUES_NEEDED and clusters >= CLUSTERS_NEEDED
    found = alike(ours, theirs) if enough else None
    came = None
    if opened is not None:
        live = _typed(read, ours, found)
        came = outcomes(Columns.of(opened.rows(), pass_at=opened.pass_at), live, log=opened.name)
    beside, came = adjusted(gaps(ours, theirs, found) if found else [], came)
    represents = _represents(beside, came) if enough else None
    return Representation(
        traffic=str(traffic),
        cases=len(cases),
        clusters=clusters,
        dialogues=read.dialogues,
        silent=read.dialogues - read.spoken,
        measured=len(theirs),
        marked={
            mark: sum(getattr(m, mark) is not None for m in read.marked) for mark in ("resolved", "satisfied")
        },
        represents=represents,
        meaning=_meaning(represents, beside, came),
        gaps=tuple(beside),
        unlike=tuple(_unlike(found, ours, read.measured)) if found else (),
        outcomes=came,
        sampled=_sampled(read, traffic, sample, output, seed) if sample and output else None,
        notes=tuple(_notes(read, ours, came)),
    )


def _require_room(sample: int | None, output: Path | None) -> None:
    """A file to write to goes with a number to draw, and is not there yet: it might be the dialogues' own."""
    if (sample is None) != (output is None):
        raise BadInput(
            say("--sample and --output go together", "--sample 与 --output 须同时给出"),
            how=say("--sample 200 -o dissatisfied.jsonl", "--sample 200 -o dissatisfied.jsonl"),
        )
    if output is not None and output.exists():
        raise BadInput(
            say("it is there already", "文件已存在"),
            where=str(output),
            how=say("name a new file", "请换一个文件名"),
        )


def _read(path: Path, draw: Random) -> _Traffic:
    """One pass; of the dialogues a plain random sample is kept (Vitter 1985, algorithm R)."""
    read = _Traffic()
    for dialogue in read_traffic(path):
        read.dialogues += 1
        if not dialogue.asked:
            continue
        read.marked.append(
            Marked(intent=dialogue.intent, resolved=dialogue.resolved, satisfied=dialogue.satisfied)
        )
        read.lines.append(dialogue.line)
        if dialogue.version:
            read.versions[dialogue.version] += 1
        if dialogue.dissatisfied:
            read.dissatisfied.append((dialogue.line, (dialogue.intent, dialogue.day)))
        if read.spoken <= MEASURED:
            read.measured.append(dialogue)
        elif (at := draw.randrange(read.spoken)) < MEASURED:
            read.measured[at] = dialogue
    return read


def _cases(cases: Sequence[Case]) -> list[Asked]:
    codes: dict[str, int] = {}
    found = []
    for case in cases:
        texts = said(case)
        cluster = case.cluster or case.source
        code = codes.setdefault(f"id {case.id}" if cluster is None else f"cluster {cluster}", len(codes))
        turns = None if case.user is not None else len(texts)
        found.append(Asked(id=case.id, texts=texts, cluster=code, turns=turns, intent=case.task_type))
    return found


def _asked(one: Dialogue, number: int) -> Asked:
    return Asked(id=one.id, texts=one.asked, cluster=number, turns=len(one.asked), intent=one.intent)


def _typed(read: _Traffic, cases: Sequence[Asked], found: Likeness | None) -> list[Marked]:
    """The marks with the intents that were given; where none was, with the task type of the nearest case."""
    if found is None or any(one.intent for one in read.marked):
        return read.marked
    limit = odd(found)
    types = {
        one.line: cases[int(near)].intent
        for one, near, likeness in zip(read.measured, found.nearest, found.live, strict=True)
        if likeness > limit
    }
    return [replace(one, intent=types.get(line)) for one, line in zip(read.marked, read.lines, strict=True)]


def _represents(beside: Sequence[Gap], came: Outcomes | None) -> bool | None:
    told = [gap.apart for gap in beside] + [one.apart for one in (came.online if came else ())]
    known = [apart for apart in told if apart is not None]
    return not any(known) if known else None


def _meaning(represents: bool | None, beside: Sequence[Gap], came: Outcomes | None) -> str:
    if represents is None:
        return say(
            f"not known: it takes {DIALOGUES_NEEDED} dialogues and {CLUSTERS_NEEDED} clusters of cases",
            f"无法判断：至少需要 {DIALOGUES_NEEDED} 段对话和 {CLUSTERS_NEEDED} 个用例簇",
        )
    if represents:
        return say(
            "no trait was shown to be apart by as much as matters",
            "没有发现差距大到要紧的特征",
        )
    told = []
    if apart := sum(gap.apart is True for gap in beside):
        told.append(
            say(
                f"these are not your users' questions: {apart} of {len(beside)} traits are apart",
                f"这些不是你的用户会问的问题：{len(beside)} 项特征中有 {apart} 项差距明显",
            )
        )
    for one in came.online if came else ():
        if one.apart and came and came.mixed.mean is not None and one.figure.mean is not None:
            offline, online = f"{came.mixed.mean:.3f}", f"{one.figure.mean:.3f}"
            told.append(
                say(
                    f"offline {offline}, online {one.mark} {online}",
                    f"线下 {offline}，线上 {one.mark} {online}",
                )
            )
    return say("; ", "；").join(told)


def _unlike(found: Likeness, cases: Sequence[Asked], live: Sequence[Dialogue]) -> Iterator[Unlike]:
    """Dialogues that are like no case, the strangest first, one of each nearest case."""
    limit, near = odd(found), set[int]()
    for at in found.live.argsort(kind="stable"):
        nearest = int(found.nearest[at])
        if found.live[at] > limit or len(near) == _SHOWN:
            return
        if nearest not in near:
            near.add(nearest)
            yield Unlike(
                dialogue=live[at].id,
                line=live[at].line,
                likeness=float(found.live[at]),
                nearest=cases[nearest].id,
                text=_scrubbed(" / ".join(live[at].asked)),
            )


def _scrubbed(text: str) -> str:
    """The text with the kind of each personal detail, in brackets, in its place; cut to be shown."""
    pieces, done = [], 0
    for span in find_personal(text):
        pieces += [text[done : span.start], f"[{span.kind}]"]
        done = span.end
    whole = "".join([*pieces, text[done:]])
    return whole if len(whole) <= _LONGEST else whole[: _LONGEST - 1] + "…"


def _sampled(read: _Traffic, traffic: Path, sample: int, output: Path, seed: int) -> Sampled:
    """Draw from the dissatisfied, each intent and day by its share, and write their lines as they stand."""
    strata: dict[tuple[str | None, str | None], list[int]] = {}
    for line, stratum in read.dissatisfied:
        strata.setdefault(stratum, []).append(line)
    draw, places = Random(f"{seed} dissatisfied"), []
    for stratum in sorted(strata, key=str):
        members = draw.sample(strata[stratum], len(strata[stratum]))
        start = draw.random()
        places += [((rank + start) / len(members), line) for rank, line in enumerate(members)]
    chosen = {line for _, line in sorted(places)[:sample]}
    if chosen:
        write_whole(output, (line + b"\n" for number, line in lines(traffic) if number in chosen))
    return Sampled(
        path=str(output), drawn=len(chosen), dissatisfied=len(places), strata=len(strata), seed=seed
    )


def _notes(read: _Traffic, cases: Sequence[Asked], came: Outcomes | None) -> Iterator[str]:
    n = read.spoken
    if n > MEASURED:
        yield say(
            f"the wording of {MEASURED} of {n} dialogues, drawn, was looked at",
            f"从 {n} 段对话中抽取 {MEASURED} 段考察措辞",
        )
    intents = {one.intent for one in read.marked} - {None}
    if not intents:
        yield say("the dialogues have no intents", "对话没有标注意图")
    elif not intents & {one.intent for one in cases}:
        yield say(
            "intents and task types have no name in common: they were not compared",
            "意图与用例的 task_type 没有共同的名称，未作比较",
        )
    if len(read.versions) > 1:
        names = ", ".join(f"{name} ({count})" for name, count in read.versions.most_common())
        yield say(
            f"dialogues of several versions of the agent: {names}", f"对话来自多个版本的 Agent：{names}"
        )
    for one in came.online if came else ():
        if 0 < one.figure.n < one.dialogues:
            share = one.figure.n / one.dialogues
            yield say(
                f"only {share:.0%} of the dialogues are marked `{one.mark}`: if those who said nothing are "
                f"otherwise, it is anything from {one.least:.3f} to {one.most:.3f}",
                f"只有 {share:.0%} 的对话标了 `{one.mark}`：没标的若并非如此，"
                f"真实值可能在 {one.least:.3f} 到 {one.most:.3f} 之间",
            )
