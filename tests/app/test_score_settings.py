"""What the `[score]` table decides."""

import json
from pathlib import Path

import pytest
from commands import case, fairtrial, header, write_project


def lit(document: dict[str, object]) -> set[str]:
    return {doubt["name"] for doubt in document["doubts"] if doubt["lit"]}  # type: ignore[index, attr-defined]


def test_the_weight_of_useful_and_its_line(here: Path) -> None:
    for weight, expected in ((0.1, True), (0.3, False), (0.5, False)):
        write_project(here, more=f"[score]\nuseful_weight = {weight}\n")
        document = fairtrial("run", "--json", "--trials", 1).document
        ret, useful = document["ret_ratio"]["mean"], document["useful"]["mean"]
        assert document["total"]["mean"] == pytest.approx((1 - weight) * ret + weight * useful)
        assert ("useful_weight" in lit(document)) is expected


def test_where_useful_means_nothing_ret_ratio_stands_alone(here: Path) -> None:
    write_project(here, [case(n, input=f"item {n}") for n in range(24)])
    (here / "clerk.py").write_text(
        "def right(text):\n    n = int(text.split()[1])\n    return str(n + 100 if n % 4 else 7)\n"
    )
    document = fairtrial("run", "--json").document
    assert document["useful"]["mean"] is None
    assert document["total"]["mean"] == document["ret_ratio"]["mean"]
    assert "useful_unscored" in lit(document)


def test_from_which_score_a_trial_passes(here: Path) -> None:
    half = [case(n, expect=[{"rule": "number", "value": n + 100}, "never said"]) for n in range(24)]
    write_project(here, half)
    assert fairtrial("run", "--json").document["pass_hat_k"] == {"1": 0.0, "2": 0.0, "3": 0.0}
    write_project(here, half, more="[score]\npass_at = 0.5\n")
    said = fairtrial("run", "--json")
    assert said.document["pass_hat_k"] == {"1": 0.75, "2": 0.75, "3": 0.75}
    shown = fairtrial("show", "--json").document
    assert len(shown["misses"]) == 6
    assert len(fairtrial("show", "--sample", 999, "--json").document["sessions"]) == 54


def test_two_series_that_someone_relies_on(here: Path) -> None:
    write_project(here, more='[score]\nseries = "series.json"\n')
    (here / "series.json").write_text(json.dumps([[1, 2, 3, 4], [1, 2, 3, 5]]))
    said = fairtrial("run", "--json")
    assert said.code == 3
    [line] = [doubt for doubt in said.document["doubts"] if doubt["name"] == "correlation"]
    assert line["lit"]
    assert "n = 4 (30 needed)" in line["meaning"]
    assert header(said.log)["config"]["series"] == [[1, 2, 3, 4], [1, 2, 3, 5]]
    for wrong, what in (("[[1, 2], [1]]", "2 and 1 points"), ('{"a": 1}', "[[x1, x2"), ("[1", "series.json")):
        (here / "series.json").write_text(wrong)
        assert what in fairtrial("run").complaint
        assert what in fairtrial("check").out
    (here / "series.json").unlink()
    assert fairtrial("run").code == 2


def test_a_fall_against_the_last_reliable_round_is_a_jump(here: Path) -> None:
    write_project(here)
    fairtrial("run")
    worse = fairtrial("run", "--json", "--agent", "python:clerk.py:worse")
    assert "jump" in lit(worse.document)
