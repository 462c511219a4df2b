"""The stratified paired bootstrap beside a NumPy loop and scipy.stats.bootstrap, on the same differences.

    python -m benchmarks.bootstrap [--rounds 3] [--cases 5000] [--strata 60] [--resamples 10000]

All give the mean of each stratum and of the whole for each resample. In each round all run one after the
other, in this process; CPU seconds of the call alone. That all find the same standard error of the total,
within what the resamples can tell, is checked.
"""

import argparse
import time
from collections.abc import Callable

import numpy as np
import scipy
from benchmarks.measuring import machine, met, middle, spread, table
from scipy.stats import bootstrap

from fairtrial.stats.bootstrap import stratified_bootstrap

TARGET = 0.5
Total = Callable[[np.ndarray, np.ndarray, int, int], np.ndarray]


def fairtrial(d: np.ndarray, strata: np.ndarray, resamples: int, seed: int) -> np.ndarray:
    return stratified_bootstrap(d, strata, resamples=resamples, seed=seed).total


def numpy_loop(d: np.ndarray, strata: np.ndarray, resamples: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    parts = [d[strata == stratum] for stratum in range(strata.max() + 1)]
    means = np.empty((resamples, len(parts)))
    for row in means:
        for stratum, part in enumerate(parts):
            row[stratum] = part[rng.integers(0, part.size, part.size)].mean()
    return means @ np.bincount(strata) / d.size


def scipy_bootstrap(d: np.ndarray, strata: np.ndarray, resamples: int, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    means = [
        bootstrap(
            (d[strata == stratum],), np.mean, n_resamples=resamples, method="percentile", rng=rng
        ).bootstrap_distribution
        for stratum in range(strata.max() + 1)
    ]
    return np.bincount(strata) @ np.array(means) / d.size


def measured(
    total: Total, d: np.ndarray, strata: np.ndarray, resamples: int, seed: int
) -> tuple[float, float]:
    """CPU seconds, and the standard error found."""
    started = time.process_time()
    found = total(d, strata, resamples, seed)
    return time.process_time() - started, float(found.std())


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name, value in (("rounds", 3), ("cases", 5000), ("strata", 60), ("resamples", 10_000)):
        parser.add_argument(f"--{name}", type=int, default=value)
    asked = parser.parse_args()
    draw = np.random.default_rng(1)
    strata = np.sort(np.arange(asked.cases) % asked.strata)
    data = {
        "passes (−1, 0, 1)": draw.choice([-1.0, 0.0, 1.0], asked.cases, p=[0.08, 0.82, 0.1]),
        "graded scores": draw.uniform(-1, 1, asked.cases),
    }
    ways = {"fairtrial": fairtrial, "scipy.stats.bootstrap": scipy_bootstrap, "NumPy loop": numpy_loop}
    cpu: dict[tuple[str, str], list[float]] = {(way, kind): [] for way in ways for kind in data}
    for seed in range(asked.rounds):
        for kind, d in data.items():
            right = np.sqrt(sum((strata == s).sum() * d[strata == s].var() for s in range(asked.strata)))
            for way, total in ways.items():
                seconds, error = measured(total, d, strata, asked.resamples, seed)
                cpu[way, kind].append(seconds)
                if abs(error * asked.cases / right - 1) > 5 / np.sqrt(2 * asked.resamples):
                    raise SystemExit(f"{way} found a standard error of {error}, not {right / asked.cases}")
                print(f"  {way}, {kind}: {seconds:.2f}", flush=True)
    print(
        f"{machine()}, NumPy {np.__version__}, SciPy {scipy.__version__}; {asked.cases:,} cases in "
        f"{asked.strata} strata, {asked.resamples:,} resamples; {asked.rounds} rounds, median (least-most).\n"
    )
    rows = [
        [way, *(spread(cpu[way, kind]) for kind in data), *_verdict([cpu[way, kind] for kind in data], way)]
        for way in ways
    ]
    print(table(["CPU seconds", *data, "target", ""], rows))


def _verdict(seconds: list[list[float]], way: str) -> tuple[str, str]:
    if way != "fairtrial":
        return "", ""
    return f"≤ {TARGET}", met(all(middle(each) <= TARGET for each in seconds))


if __name__ == "__main__":
    main()
