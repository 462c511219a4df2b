"""How often a planted defect is seen, and how often a sound evaluation is suspected.

    python -m benchmarks.doubt [--seeds 20] [--clean 50] [--peer-seeds 8] [--show]

Each tool is a program that reads lines {"key", "files"} and answers each with {"key", "said"}: what it holds
against the evaluation, in its own words; nothing, where it has no complaint; "unread", where it has no reader
for the file. Peers are taken at their best: whatever they complain of counts as having seen the defect, while
of fairtrial the line that is named for the defect must be lit.
"""

import argparse
import json
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from benchmarks.doubt.plain import plain
from benchmarks.doubt.rounds import CLEAN, KINDS, SIZES, Kind, make
from benchmarks.measuring import ENVS, OUT, PYTHON, ROOT, machine, met, table

from fairtrial.stats.intervals import wilson

HERE = Path(__file__).resolve().parent
LINES = {
    "not finite": {"non_finite"},
    "out of range": {"out_of_range"},
    "duplicate ids": {"duplicate_ids"},
    "one id, two spellings": {"alike_ids"},
    "clones": {"clones"},
    "clusters as independent": {"clusters"},
    "saturated and small": {"saturated"},
    "constant scores": {"constant"},
    "rows dropped by one side": {"dropped_rows"},
    "disjoint ids": {"disjoint_ids"},
    "trials as cases": {"trials_as_cases"},
    "mixed models": {"mixed_models"},
    "errors as wrong answers": {"errors_as_wrong"},
    "missing left out of the denominator": {"missing_cases"},
    "scores against their own rules": {"contradictions"},
    "impossible values": {"impossible"},
}
"""The lines of fairtrial that name each kind of defect."""
PEERS = ("evaltrust", "holdline", "limen")
Said = Mapping[str, list[str]]


def evaluations(kinds: Sequence[Kind], seeds: int, folder: Path) -> dict[str, list[str]]:
    """Make them, `seeds` of each kind and size; their files by key "number/kind/size/seed"."""
    made = {}
    for number, kind in enumerate(kinds):
        for size in SIZES:
            for seed in range(seeds):
                key = f"{number}/{kind.name}/{size}/{seed}"
                place = folder / key.replace(" ", "_")
                made[key] = [str(file) for file in make(kind, size, seed + 1000 * number, place)]
    return made


def ask(command: Sequence[str], asked: Mapping[str, list[str]]) -> Said:
    """What a tool says of each evaluation; stops with its last words where it breaks down."""
    lines = "".join(json.dumps({"key": key, "files": files}) + "\n" for key, files in asked.items())
    done = subprocess.run(command, input=lines, capture_output=True, text=True, cwd=ROOT)
    said = {found["key"]: found["said"] for found in map(json.loads, done.stdout.splitlines())}
    if len(said) != len(asked):
        raise SystemExit(f"{command[-1]} answered {len(said)} of {len(asked)}\n{done.stderr[-2000:]}")
    return said


def kind_of(key: str) -> str:
    return key.split("/")[1]


def _read(said: Said, kind: str) -> list[list[str]]:
    return [words for key, words in said.items() if kind_of(key) == kind and words != ["unread"]]


def share(hits: Iterable[bool]) -> tuple[float | None, str]:
    """A share and its text with 95 % interval (Wilson)."""
    found = list(hits)
    if not found:
        return None, "unread"
    low, high = wilson(sum(found), len(found))
    return sum(found) / len(found), f"{sum(found)}/{len(found)} [{low:.3f}, {high:.3f}]"


def recalls(ours: Said, peers: Mapping[str, Said]) -> tuple[str, bool]:
    rows, good = [], True
    for kind in KINDS:
        named, text = share(bool(LINES[kind.name] & set(words)) for words in _read(ours, kind.name))
        good &= named is not None and named >= 0.98
        cells = [share(map(bool, _read(said, kind.name)))[1] for said in peers.values()]
        rows.append([kind.name, text, *cells])
    return table(
        ["defect", "fairtrial, by its name", *(f"{name}, by any word" for name in peers)], rows
    ), good


def alarms(ours: Said, peers: Mapping[str, Said]) -> tuple[str, bool]:
    names = dict.fromkeys(kind.name for kind in CLEAN)
    rows = [
        [name, *(share(map(bool, _read(said, name)))[1] for said in (ours, *peers.values()))]
        for name in names
    ]
    whole = [
        share(bool(words) for name in names for words in _read(said, name))
        for said in (ours, *peers.values())
    ]
    rows.append(["all", *(text for _, text in whole)])
    mine = [bool(words) for name in names for words in _read(ours, name)]
    good = sum(mine) / len(mine) <= 0.02 and wilson(sum(mine), len(mine))[1] <= 0.03
    return table(["sound evaluations", "fairtrial", *peers], rows), good


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seeds", type=int, default=20, help="evaluations a kind of defect and size")
    parser.add_argument("--clean", type=int, default=20, help="sound evaluations a kind and size")
    parser.add_argument("--peer-seeds", type=int, default=8, help="of these, how many the peers are asked")
    parser.add_argument("--only", action="append", help="only defects of this kind; no peers")
    parser.add_argument("--show", action="store_true", help="show what was missed and what was cried at")
    wanted = parser.parse_args()
    folder = OUT / "doubt"
    shutil.rmtree(folder, ignore_errors=True)
    kinds = [kind for kind in KINDS if not wanted.only or kind.name in wanted.only]
    broken = evaluations(kinds, wanted.seeds, folder / "broken")
    sound = evaluations(CLEAN, wanted.clean, folder / "sound")
    every = broken | {f"s{key}": files for key, files in sound.items()}
    ours = ask([PYTHON, "-m", "benchmarks.doubt.ours"], every)
    if wanted.show:
        show(ours, every)
    few = {
        key: plain(files) for key, files in every.items() if int(key.rsplit("/", 1)[1]) < wanted.peer_seeds
    }
    there = [name for name in PEERS if not wanted.only and (ENVS / name / "bin/python").exists()]
    with ThreadPoolExecutor() as pool:
        asked = [
            pool.submit(ask, [str(ENVS / name / "bin/python"), str(HERE / f"peers/peer_{name}.py")], few)
            for name in there
        ]
        peers = {name: answer.result() for name, answer in zip(there, asked, strict=True)}
    for name in PEERS:
        if name not in peers:
            print(f"skipped {name}: not installed under benchmarks/.envs")
    print(
        f"{machine()}; {wanted.seeds} a defect and size, {wanted.clean} a sound kind and size; "
        f"peers {wanted.peer_seeds} of each.\n"
    )
    recall, found = recalls(ours, peers)
    print(recall + "\n")
    false, calm = alarms(ours, peers)
    print(false + "\n")
    print(
        f"Recall of at least 0.98 in every kind: {met(found)}. "
        f"False alarms of at most 2 %, upper bound at most 3 %: {met(calm)}."
    )


def show(ours: Said, every: Mapping[str, list[str]]) -> None:
    """The evaluations to look at: defects not named, sound ones suspected."""
    for key, words in ours.items():
        if key.startswith("s") and words:
            print(f"  suspected {key}: {words} {every[key][0]}")
        elif not key.startswith("s") and not LINES[kind_of(key)] & set(words):
            print(f"  missed {key}: {words} {every[key][0]}")


if __name__ == "__main__":
    main()
