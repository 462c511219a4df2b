"""Accuracy of `useful` on pairs of replies of which the better one is known, per kind and language.

    python benchmarks/useful/run.py [--half tuning|unseen|both] [--misses KIND]

Half of the clusters (tasks or dialogues) of each collection and language, in the order of a keyed hash,
served to tune patterns and weights; how unseen the other half is, README.md says. A tie or an unscored side
is a miss.
"""

import argparse
import gzip
import hashlib
import json
import os
from collections import defaultdict
from pathlib import Path

from fairtrial.schema.score import Useful
from fairtrial.scoring.useful import useful

ROOT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("FAIRTRIAL_DATA", ROOT.parent / "shared" / "data")) / "useful_pairs/pairs.jsonl.gz"
# Accuracy to reach, English / Chinese.
TARGETS = {
    "A1": (0.95, 0.95),
    "A2": (0.95, 0.90),
    "A3": (None, 0.90),
    "B": (0.90, 0.90),
    "C1": (0.95, 0.95),
    "C2": (0.95, None),
    "C3": (0.93, 0.90),
    "C4": (None, 0.95),
    "D": (0.95, 0.93),
    "E1": (0.65, 0.72),
    "E2": (0.88, None),
    "G": (0.90, 0.95),
    "H": (0.93, 0.95),
    "A2 without sources": (0.95, 0.80),
    "A3 without sources": (None, 0.80),
}


def digest(cluster):
    """The keyed hash by which clusters are ordered; its last bit comes first."""
    found = hashlib.blake2b(":".join(cluster[1:]).encode(), key=b"useful halves", digest_size=8).digest()
    return found[0] & 1, found


def cluster(pair):
    """Where a pair comes from (three collections), its language and its task or dialogue."""
    collection = {"F": "llmbar", "A3": "vitabench", "C4": "vitabench"}.get(
        pair["kind"].split()[0], "dialogues"
    )
    return collection, pair["lang"], str(pair["cl"])


def pairs(which):
    """The pairs of a half: of each collection and language half of the clusters, with all their pairs."""
    with gzip.open(DATA, "rt", encoding="utf-8") as lines:
        found = [json.loads(line) for line in lines]
    groups = defaultdict(set)
    for pair in found:
        groups[cluster(pair)[:2]].add(cluster(pair))
    tuning = {one for group in groups.values() for one in sorted(group, key=digest)[: (len(group) + 1) // 2]}
    return [pair for pair in found if which == "both" or (cluster(pair) in tuning) == (which == "tuning")]


def both(pair, sources=True):
    """The scores of the better and of the worse side."""
    contexts = [
        [pair["hist"], pair["prev"], pair["tools"]],
        pair.get("badctx") or [pair["hist"], pair["prev"], pair["tools"]],
    ]
    return [
        useful(reply, user_turns=hist, earlier_replies=prev, sources=tools if sources else ())
        for reply, (hist, prev, tools) in zip((pair["good"], pair["bad"]), contexts, strict=True)
    ]


def is_right(pair, kind, sources=True):
    """Whether the better side scores higher (by the step signal alone for E2)."""
    good, bad = both(pair, sources)
    if not isinstance(good, Useful):
        return False
    if not isinstance(bad, Useful):
        return False
    return good.next_step > bad.next_step if kind == "E2" else good.value > bad.value


def accuracies(which):
    """(kind, language) -> list of right or wrong."""
    found = defaultdict(list)
    for pair in pairs(which):
        kind = pair["kind"].split()[0]
        if kind == "F":
            kind = pair["kind"]
        found[kind, pair["lang"]].append(is_right(pair, kind))
        if kind in ("A2", "A3"):
            found[f"{kind} without sources", pair["lang"]].append(is_right(pair, kind, sources=False))
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--half", choices=["tuning", "unseen", "both"], default="both")
    parser.add_argument("--misses", help="show the misses of a kind in the tuning half, as KIND:LANG")
    arguments = parser.parse_args()
    if arguments.misses:
        return misses(*arguments.misses.split(":"))
    halves = ["tuning", "unseen"] if arguments.half == "both" else [arguments.half]
    figures = {name: accuracies(name) for name in halves}
    print("| kind | language | target |", " | ".join(f"{name} (n)" for name in halves), "|")
    print("| --- | --- | --- |", " | ".join("---" for _ in halves), "|")
    for kind, language in sorted({key for found in figures.values() for key in found}):
        target = TARGETS.get(kind, (None, None))[language == "zh"]
        cells = []
        for name in halves:
            right = figures[name][kind, language]
            share = sum(right) / len(right) if right else float("nan")
            mark = " **missed**" if target and share < target else ""
            cells.append(f"{share:.3f} ({len(right)}){mark}")
        print(f"| {kind} | {language} | {target or ''} |", " | ".join(cells), "|")
    return None


def misses(kind, language):
    for pair in pairs("tuning"):
        plain = kind.removesuffix("-")
        if pair["kind"].split()[0] == plain and pair["lang"] == language:
            sources = not kind.endswith("-")
            if not is_right(pair, plain, sources):
                print("U:", pair["hist"][-1][:160])
                for name, score in zip(("good", "bad"), both(pair, sources), strict=True):
                    print(f"  {name}: {pair[name][:300]!r}\n      {score}")


if __name__ == "__main__":
    main()
