import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.stats.agreement import cohen_kappa, rogan_gladen

labels = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=30)


def lines(path: Path) -> list[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def test_kappa_by_hand() -> None:
    # 35 of 50 agree; chance alone gives ½·0.6 + ½·0.4.
    one = ["yes"] * 25 + ["no"] * 25
    other = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert cohen_kappa(one, other) == pytest.approx((0.7 - 0.5) / (1 - 0.5))


def test_kappa_of_a_real_judge(shared_data: Path) -> None:
    votes = next(
        v
        for v in lines(shared_data / "llmbar" / "judge_votes.jsonl.gz")
        if (v["subset"], v["judge"], v["method"]) == ("LLMBar/Adversarial/GPTInst", "GPT-4", "Vanilla")
    )
    gold, said = [str(v) for v in votes["label"]], [str(v) for v in votes["winner_order1"]]
    assert len(gold) == 92
    assert cohen_kappa(gold, said) == pytest.approx(0.6961, abs=5e-5)
    # The figure printed upstream (statistics.json, kappa_False): votes for "2" were mapped to 0.
    assert cohen_kappa(gold, [v if v in "01" else "0" for v in said]) == pytest.approx(0.2357, abs=5e-5)


def test_kappas_of_all_real_judges(shared_data: Path) -> None:
    folder = shared_data / "llmbar"
    pairs = zip(
        lines(folder / "judge_votes.jsonl.gz"), lines(folder / "published_statistics.jsonl.gz"), strict=True
    )
    checked = 0
    for votes, stated in pairs:
        if stated["correct_kappa_between_orders"] is not None:
            found = cohen_kappa(votes["winner_order1"], votes["winner_order2"])
            assert found == pytest.approx(stated["correct_kappa_between_orders"])
            checked += 1
    assert checked > 450


@pytest.mark.parametrize(("one", "other"), [([], []), (["a", "a"], ["a", "a"])])
def test_no_kappa_where_chance_alone_agrees(one: list[str], other: list[str]) -> None:
    assert cohen_kappa(one, other) is None


def test_ratings_of_different_lengths() -> None:
    with pytest.raises(ValueError, match="different lengths"):
        cohen_kappa(["a"], [])


@given(labels)
def test_kappa_is_symmetric_and_at_most_one(pairs: list[tuple[str, str]]) -> None:
    one, other = [a for a, _ in pairs], [b for _, b in pairs]
    found = cohen_kappa(one, other)
    assert found == cohen_kappa(other, one)
    if found is not None:
        assert -1 <= found <= 1
        assert (found == 1) == (one == other)


def test_rate_behind_what_a_judge_observed() -> None:
    # By hand: 0.65 / 0.75, and -0.05 / 0.75 = -0.0667, which is no rate.
    assert rogan_gladen(0.80, 0.90, 0.85) == (pytest.approx(0.8667, abs=5e-5), False)
    assert rogan_gladen(0.10, 0.90, 0.85) == (0, True)
    assert rogan_gladen(0.99, 0.90, 0.85) == (1, True)


@given(st.floats(0, 1), st.floats(0.5, 1), st.floats(0.55, 1))
def test_a_true_rate_comes_back(rate: float, sensitivity: float, specificity: float) -> None:
    observed = rate * sensitivity + (1 - rate) * (1 - specificity)
    assert rogan_gladen(observed, sensitivity, specificity).value == pytest.approx(rate, abs=1e-9)


@pytest.mark.parametrize(
    ("observed", "sensitivity", "specificity", "why"),
    [(0.5, 0.5, 0.5, "no better"), (1.5, 0.9, 0.9, "no shares"), (0.5, float("nan"), 0.9, "no shares")],
)
def test_no_rate(observed: float, sensitivity: float, specificity: float, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        rogan_gladen(observed, sensitivity, specificity)
