"""Personal details found in planted texts: recall and precision a language, on texts kept from the tuning.

A detail counts as found where all its letters and digits lie in what was found; "at once" where none of that
is only a doubt that a person has to look at. Precision: the share of what was found, sure, that touches a
planted detail; doubts are counted beside it.
"""

import sys
from collections import Counter
from collections.abc import Sequence

from benchmarks.personal.planted import Planted, planted

from fairtrial.text.personal import Span, find_personal

EACH, SEED = 25, 2026
PARTS = ("tuning", "held_out", "sentences", "unseen")


def missed(one: Planted, spans: Sequence[Span]) -> list[tuple[int, int, str]]:
    """The details of which a letter or digit was left over."""
    covered = {at for span in spans for at in range(span.start, span.end)}
    return [
        detail
        for detail in one.details
        if any(one.text[at].isalnum() and at not in covered for at in range(*detail[:2]))
    ]


def measure(part: str) -> tuple[list[list[str]], list[str]]:
    """The rows of the table, and the misses and false finds in words."""
    totals: dict[str, Counter[str]] = {}
    kinds: dict[str, Counter[str]] = {}
    told: list[str] = []
    for one in planted(part, each=EACH, seed=SEED):
        total, by_kind = totals.setdefault(one.language, Counter()), kinds.setdefault(one.language, Counter())
        spans = find_personal(one.text)
        total["texts"] += 1
        total["details"] += len(one.details)
        lost = missed(one, spans)
        total["missed"] += len(lost)
        by_kind.update(kind for *_, kind in lost)
        total["not at once"] += len(missed(one, [span for span in spans if span.sure]))
        told += [f"missed {kind}: {one.text[a:b]!r} in {one.text!r}" for a, b, kind in lost]
        for span in spans:
            right = any(span.start < end and start < span.end for start, end, _ in one.details)
            total[("right " if right else "wrong ") + ("sure" if span.sure else "doubt")] += 1
            if not right:
                found = one.text[span.start : span.end]
                told.append(f"false {span.kind}{'' if span.sure else '?'}: {found!r} in {one.text!r}")
    rows = []
    for language, t in totals.items():
        worst = ", ".join(f"{kind} {n}" for kind, n in kinds[language].most_common()) or "none"
        rows.append(
            [
                part.replace("_", "-"),
                language,
                str(t["texts"]),
                str(t["details"]),
                f"{1 - t['missed'] / t['details']:.4f}",
                f"{1 - t['not at once'] / t['details']:.4f}",
                f"{t['right sure'] / max(1, t['right sure'] + t['wrong sure']):.4f}",
                f"{t['wrong sure']}",
                f"{t['wrong doubt']}",
                worst,
            ]
        )
    return rows, told


def main() -> None:
    """Print the table and what was missed where nothing was tuned; with `-v` every miss and false find."""
    head = ["part", "language", "texts", "details", "recall", "recall at once"]
    head += ["precision", "false", "false doubts", "missed"]
    print("| " + " | ".join(head) + " |\n|" + " --- |" * len(head))
    measured = {part: measure(part) for part in PARTS}
    for rows, _ in measured.values():
        for row in rows:
            print("| " + " | ".join(row) + " |")
    print("\nMissed in the other parts than that of the tuning:\n")
    missed = [line for part in PARTS[1:] for line in measured[part][1] if line.startswith("missed")]
    for line in dict.fromkeys(missed):
        print(f"- {line}")
    if "-v" in sys.argv:
        for _, told in measured.values():
            print("\n".join(f"  {line}" for line in dict.fromkeys(told)))


if __name__ == "__main__":
    main()
