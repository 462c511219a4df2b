"""Are planted copies found, and nothing else? And what do a million cases cost?

python -m benchmarks.leaks [--seeds 4] [--million 1000000]
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import get_args

from benchmarks.leaks.planted import KINDS, REWORDED, Planted, original, planted
from benchmarks.leaks.words import Half
from benchmarks.measuring import ENVS, machine, met, table

from fairtrial.cases.duplicates import pairs

PEER = ENVS / "gauntlet_guard/bin/python"
Found = set[tuple[int, int]]


def ours(texts: list[str]) -> Found:
    return {(pair.first, pair.second) for pair in pairs(texts)}


def peers(texts: list[str]) -> Found:
    script = str(Path(__file__).with_name("peer_gauntlet_guard.py"))
    done = subprocess.run(
        [str(PEER), script], input=json.dumps(texts), capture_output=True, text=True, check=True
    )
    return {(a, b) for a, b in json.loads(done.stdout)}


def column(sets: list[Planted], found: list[Found]) -> tuple[dict[str, str], float, float]:
    """Recall by kind and tongue, over all, and precision."""
    there, seen, right, said = Counter[str](), Counter[str](), 0, 0
    for made, got in zip(sets, found, strict=True):
        for pair, names in made.pairs.items():
            group = "reworded" if names[0] in REWORDED else "exact, edited and reordered"
            for name in (*names, group):
                there[name] += 1
                seen[name] += pair in got
        right += len(got & made.pairs.keys())
        said += len(got)
    shares = {name: f"{seen[name] / n:.3f} ({seen[name]}/{n})" for name, n in there.items()}
    wanted = "exact, edited and reordered"
    return shares, seen[wanted] / there[wanted], right / said if said else 1.0


def of_frames(n: int) -> list[str]:
    """As the planted ones: a few frames, so that most differ in signs and numbers alone."""
    rng, halves = random.Random(1), get_args(Half)
    return [original(rng, rng.choice(["zh", "en", "mixed"]), rng.choice(halves))[0] for _ in range(n)]


def of_words(n: int) -> list[str]:
    """All different, of invented words, with one copy in a thousand."""
    rng = random.Random(3)
    zh = ["".join(chr(rng.randrange(0x4E00, 0x9000)) for _ in range(2)) for _ in range(4000)]
    en = ["".join(rng.choices("abcdefghijklmnopqrstuvwxyz", k=rng.randrange(3, 9))) for _ in range(4000)]
    ways = [("", zh), (" ", en)]
    texts = [
        sign.join(rng.choices(words, k=rng.randrange(6, 14))) for sign, words in ways for _ in range(n // 2)
    ]
    return [texts[(at + 7) % len(texts)] if at % 1000 == 0 else text for at, text in enumerate(texts)]


def million(n: int, kind: str) -> None:
    """In a process of its own, so that its peak is its own."""
    texts = of_frames(n) if kind == "frames" else of_words(n)
    started = time.process_time()
    found = len(pairs(texts))
    cpu = time.process_time() - started
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        json.dumps(
            [f"{n:,} of {kind}", f"{found:,}", f"{cpu:.0f}", f"{peak:.0f}", met(cpu <= 300 and peak < 4096)]
        )
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seeds", type=int, default=4)
    parser.add_argument("--million", type=int, default=1_000_000)
    parser.add_argument("--only-million", choices=["frames", "words"])
    wanted = parser.parse_args()
    if wanted.only_million:
        million(wanted.million, wanted.only_million)
        return
    print(f"{machine()}; {wanted.seeds} seeds a half, 1,500 originals and 480 copies each.\n")
    columns = {}
    for half in get_args(Half):
        sets = [planted(seed, half) for seed in range(wanted.seeds)]
        columns[f"fairtrial, {half}"] = column(sets, [ours(made.texts) for made in sets])
        if PEER.exists():
            columns[f"gauntlet-guard, {half}"] = column(sets, [peers(made.texts) for made in sets])
    rows = [
        [f"recall, {name}", *(shares[name] for shares, _, _ in columns.values())]
        for name in (*KINDS, "zh", "en", "mixed", "exact, edited and reordered", "reworded")
    ]
    rows.append(["precision", *(f"{precision:.3f}" for _, _, precision in columns.values())])
    rows.append(["both ≥ 0.98", *(met(min(both) >= 0.98) for _, *both in columns.values())])
    print(table(["", *columns], rows) + "\n", flush=True)
    again = [sys.executable, "-m", "benchmarks.leaks", "--million", str(wanted.million), "--only-million"]
    rows = [json.loads(subprocess.check_output([*again, kind])) for kind in ("frames", "words")]
    print(table(["cases", "pairs", "CPU s", "peak MiB", "≤ 300 CPU s, < 4 GiB"], rows))


if __name__ == "__main__":
    main()
