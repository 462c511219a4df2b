"""CPU seconds per 1,000 one-turn sessions: fairtrial, two bare loops and the peers, in one run.

    python -m benchmarks.run                      # the table of the README
    python -m benchmarks.run --quick              # 1,000 sessions, one round
    python -m benchmarks.run --only fairtrial,bare_aiohttp,bare_openai --rounds 5

Each round runs every tool once at every size and concurrency, one after the other; ratios are taken within
a round and then their median. Start-up is what a run of eight cases costs (one of each kind, so that all
is loaded that a larger run loads); "without start-up" is the rest, per 1,000 of the further cases.
"""

import argparse
import shutil
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.measuring import OUT, Endpoint, Spent, machine, met, middle, mock, spend, spread, table
from benchmarks.run import reference_cases
from benchmarks.run.tools import BARE_AIOHTTP, BARE_OPENAI, FAIRTRIAL_TOOL, PEERS, QUIET, TOOLS, Job, Tool

WORK = OUT / "run"
SMALL = reference_cases.KINDS
LIMIT = 150.0
Key = tuple[str, int, int]
Failures = dict[tuple[str, int], str]


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is run: `sizes` beside the small one, at each of `concurrencies`, `rounds` times."""

    tools: Sequence[Tool]
    sizes: Sequence[int]
    concurrencies: Sequence[int]
    rounds: int
    peer_rounds: int


class Failed(Exception):
    """The tool did not do the equal job."""


def once(tool: Tool, size: int, concurrency: int, endpoint: Endpoint) -> Spent:
    """One measured run. Raises Failed where it asked or passed another number than it should have."""
    job = Job(size=size, concurrency=concurrency, url=endpoint.url, work=WORK / tool.name)
    job.work.mkdir(parents=True, exist_ok=True)
    tool.prepare(job)
    endpoint.served()
    spent = spend(
        tool.command(job),
        env={**QUIET, "HOME": str(job.work), "PROMPTFOO_CONFIG_DIR": str(job.work)},
        cwd=job.work,
        timeout=LIMIT if size <= 1000 else 10 * LIMIT,
    )
    served = endpoint.served()
    if spent.killed:
        raise Failed(f"not finished after {spent.wall:.0f} s")
    if spent.code not in tool.codes:
        last = next((line for line in reversed(spent.output.splitlines()) if line.strip()), "no output")
        raise Failed(f"exit {spent.code}: {last.strip()[:160]}")
    passed = tool.passed(spent.output)
    if (served, passed) != (size, tool.expected(size)):
        raise Failed(f"asked {served} of {size}, passed {passed} of {tool.expected(size)}")
    return spent


def measure(plan: Plan, endpoint: Endpoint) -> tuple[dict[Key, list[Spent]], Failures]:
    """All runs by (tool, size, concurrency), and why a tool has none at a concurrency."""
    spent: dict[Key, list[Spent]] = defaultdict(list)
    failed: Failures = {}
    for tool in plan.tools:
        if why := tool.missing():
            failed |= {(tool.name, concurrency): why for concurrency in plan.concurrencies}
            print(f"skipped {tool.name}: {why}", flush=True)
    for turn in range(plan.rounds):
        for tool, size, concurrency in _turn(plan, turn):
            if (tool.name, concurrency) in failed:
                continue
            try:
                if turn == 0 and size == SMALL:  # fills caches of bytecode and databases, not counted
                    once(tool, size, concurrency, endpoint)
                found = once(tool, size, concurrency, endpoint)
            except Failed as error:
                failed[tool.name, concurrency] = str(error)
                print(f"{tool.name}, {size} cases at {concurrency}: {error}", flush=True)
                continue
            spent[tool.name, size, concurrency].append(found)
            print(f"  {tool.name:15} {size:6} at {concurrency:2}: {found.cpu:7.2f} CPU-s", flush=True)
    return spent, failed


def _turn(plan: Plan, turn: int) -> Iterator[tuple[Tool, int, int]]:
    for concurrency in plan.concurrencies:
        for size in (SMALL, *plan.sizes):
            for tool in plan.tools:
                if size > tool.largest or (tool in PEERS and turn >= plan.peer_rounds):
                    continue
                yield tool, size, concurrency


class Figures:
    """Per 1,000 sessions, from all runs."""

    def __init__(self, spent: dict[Key, list[Spent]]) -> None:
        self._spent = spent

    def with_start(self, tool: Tool, size: int, concurrency: int) -> list[float]:
        return [one.cpu * 1000 / size for one in self._spent.get((tool.name, size, concurrency), [])]

    def without_start(self, tool: Tool, size: int, concurrency: int) -> list[float]:
        small = self._spent.get((tool.name, SMALL, concurrency), [])
        large = self._spent.get((tool.name, size, concurrency), [])
        return [(b.cpu - a.cpu) * 1000 / (size - SMALL) for a, b in zip(small, large, strict=False)]

    def ratio(self, tool: Tool, size: int, concurrency: int) -> float | None:
        """To the bare loop with the official client, start-up included, within rounds."""
        pairs = zip(
            self.with_start(tool, size, concurrency),
            self.with_start(BARE_OPENAI, size, concurrency),
            strict=False,
        )
        ratios = [own / bare for own, bare in pairs]
        return middle(ratios) if ratios else None

    def above_floor(self, size: int, concurrency: int) -> float | None:
        """fairtrial above the bare aiohttp loop, start-up excluded, within rounds."""
        pairs = zip(
            self.without_start(FAIRTRIAL_TOOL, size, concurrency),
            self.without_start(BARE_AIOHTTP, size, concurrency),
            strict=False,
        )
        gaps = [own - floor for own, floor in pairs]
        return middle(gaps) if gaps else None

    def peak(self, tool: Tool, size: int, concurrency: int) -> float | None:
        runs = self._spent.get((tool.name, size, concurrency), [])
        return middle(one.peak_mib for one in runs) if runs else None


def sized_table(plan: Plan, figures: Figures, failed: Failures, size: int) -> str:
    """One table: a row for each tool, for one number of sessions."""
    head = ["tool", "keeps on disk"]
    for concurrency in plan.concurrencies:
        head += [f"at {concurrency}: with start-up", "without", "× official client"]
    rows = [_row(tool, plan, figures, failed, size) for tool in plan.tools]
    return table([*head, "peak MiB"], rows)


def _row(tool: Tool, plan: Plan, figures: Figures, failed: Failures, size: int) -> list[str]:
    row = [tool.name, tool.keeps]
    for concurrency in plan.concurrencies:
        if size > tool.largest:
            row += ["not run", "", ""]
        elif why := failed.get((tool.name, concurrency)):
            row += [why, "", ""]
        else:
            ratio = figures.ratio(tool, size, concurrency)
            row += [
                spread(figures.with_start(tool, size, concurrency)),
                spread(figures.without_start(tool, size, concurrency)),
                "–" if ratio is None else f"{ratio:.2f}",
            ]
    peak = figures.peak(tool, size, plan.concurrencies[0])
    return [*row, "–" if peak is None else f"{peak:.0f}"]


def targets(plan: Plan, figures: Figures) -> str:
    """The three promises, each said as met or missed."""
    rows = []
    for size in plan.sizes:
        for concurrency in plan.concurrencies:
            place = f"{size:,} at {concurrency}"
            gap = figures.above_floor(size, concurrency)
            ratio = figures.ratio(FAIRTRIAL_TOOL, size, concurrency)
            if gap is None:
                continue
            rows.append([f"above the bare aiohttp loop, {place}", f"{gap:.2f}", "≤ 0.70", met(gap <= 0.7)])
            if ratio is not None:
                rows.append([f"× official client, {place}", f"{ratio:.2f}", "< 0.50", met(ratio < 0.5)])
            rows += list(_beside_peers(plan, figures, size, concurrency))
    return table(["fairtrial", "measured", "target", ""], rows)


def _beside_peers(plan: Plan, figures: Figures, size: int, concurrency: int) -> Iterator[list[str]]:
    found = {t.name: figures.with_start(t, size, concurrency) for t in plan.tools if t in PEERS}
    medians = {name: middle(values) for name, values in found.items() if values}
    if medians:
        own = middle(figures.with_start(FAIRTRIAL_TOOL, size, concurrency))
        name, least = min(medians.items(), key=lambda one: one[1])
        yield [
            f"with start-up, {size:,} at {concurrency}",
            f"{own:.2f}",
            f"< {least:.2f} ({name}, the least peer)",
            met(own < least),
        ]


def _plan() -> Plan:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--peer-rounds", type=int, default=1)
    parser.add_argument("--sizes", default="1000,10000")
    parser.add_argument("--concurrency", default="8,64")
    parser.add_argument("--only", default="", help="names of tools, with commas between")
    parser.add_argument("--quick", action="store_true", help="1,000 sessions, one round")
    asked = parser.parse_args()
    only = {name for name in asked.only.split(",") if name}
    if unknown := only - {tool.name for tool in TOOLS}:
        parser.error(f"no such tool: {', '.join(sorted(unknown))}")
    return Plan(
        tools=[tool for tool in TOOLS if not only or tool.name in only],
        sizes=[1000] if asked.quick else [int(size) for size in asked.sizes.split(",")],
        concurrencies=[int(number) for number in asked.concurrency.split(",")],
        rounds=1 if asked.quick else asked.rounds,
        peer_rounds=1 if asked.quick else asked.peer_rounds,
    )


def main() -> None:
    plan = _plan()
    reference_cases.require_committed()
    shutil.rmtree(WORK, ignore_errors=True)
    WORK.mkdir(parents=True)
    for size in (SMALL, *plan.sizes):
        reference_cases.write(size, WORK / f"cases-{size}.jsonl")
        reference_cases.write_for_peers(size, WORK / f"tasks-{size}.jsonl")
    with mock() as endpoint:
        spent, failed = measure(plan, endpoint)
    figures = Figures(spent)
    print(f"\n{machine()}; {plan.rounds} rounds, {plan.peer_rounds} for the peers; median (least-most).")
    for size in plan.sizes:
        print(f"\nCPU seconds per 1,000 of {size:,} sessions\n")
        print(sized_table(plan, figures, failed, size))
    print(f"\n{targets(plan, figures)}")


if __name__ == "__main__":
    main()
