import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from rulebook import rule

from fairtrial.errors import BadInput
from fairtrial.schema.case import Case, CaseSet
from fairtrial.scoring.golden import GoldenSample, Mismatch, add_golden, check_golden, load_golden, strangers

CASES = CaseSet(
    cases=(
        Case(
            id="退款",
            input=("退款什么时候到？",),
            rules=(
                rule("contains", text="3 天"),
                rule("number", value=12.5, weight=3),
                rule("contains_none", texts=["保证"], critical=True),
            ),
        ),
    ),
    paths=(),
    digest="",
)


def write(folder: Path, samples: Any, name: str = "golden.json") -> Path:
    path = folder / name
    if name.endswith(".jsonl"):
        path.write_text("".join(json.dumps(s, ensure_ascii=False) + "\n" for s in samples), "utf-8")
    elif name.endswith(".json"):
        path.write_text(json.dumps(samples, ensure_ascii=False), "utf-8")
    else:
        path.write_text(yaml.safe_dump(samples, allow_unicode=True), "utf-8")
    return path


def check(folder: Path, *samples: dict[str, Any], cases: CaseSet | None = CASES) -> tuple[Mismatch, ...]:
    return check_golden(load_golden(write(folder, list(samples))), cases)


RIGHT = [
    {
        "id": "both",
        "case": "退款",
        "output": "12.5 元，3 天到账",
        "score": 1,
        "hits": {"0": True, "1": True, "2": True},
    },
    {"id": "number", "case": "退款", "output": "１２．５元", "score": 0.75, "hits": {"0": False}},
    {"id": "promise", "case": "退款", "output": "保证 3 天到账 12.5 元", "score": 0.0, "hits": {"2": False}},
    {"id": "text", "expect": "refund", "output": "Your REFUND", "score": 1.0},
    {"id": "list", "expect": ["refund", "days", "USD"], "output": "refund in 3 days", "score": 0.67},
    {"id": "objects", "expect": [{"rule": "number", "value": 3}], "output": "three days", "score": 1.0},
    {"id": "rules", "rules": [{"rule": "length", "max": 3}], "output": "好的", "score": 1.0, "note": "short"},
    {
        "id": 7,
        "expect": {"required_fields": ["A1"], "forbidden_phrases": ["不知道"]},
        "output": ["不知道", "A1"],
        "score": 0,
    },
    {
        "id": "record",
        "rules": [{"rule": "tool_called", "tool": "refund", "args": {"id": "A1"}}],
        "record": {
            "turns": [
                {
                    "user": "?",
                    "reply": "ok",
                    "steps": [{"step": "call", "name": "refund", "arguments": {"id": "A1"}}],
                }
            ]
        },
        "score": 1.0,
    },
]


@pytest.mark.parametrize("name", ["golden.json", "golden.jsonl", "golden.yaml", "golden.yml"])
def test_right_samples_agree_in_every_kind_of_file(tmp_path: Path, name: str) -> None:
    samples = load_golden(write(tmp_path, RIGHT, name))
    assert [sample.id for sample in samples] == [str(sample["id"]) for sample in RIGHT]
    assert all(isinstance(sample, GoldenSample) for sample in samples)
    assert check_golden(samples, CASES) == ()


def test_a_wrong_score_names_sample_expected_got_and_the_rules_missed(tmp_path: Path) -> None:
    (found,) = check(tmp_path, {"id": "s", "case": "退款", "output": "12.5 元", "score": 1.0})
    assert found == Mismatch(
        sample="s", rule="score", expected="1", got="0.75 (0 contains: does not say: “3 天”)"
    )


def test_a_wrong_hit_names_the_rule(tmp_path: Path) -> None:
    sample = {"id": "s", "case": "退款", "output": "12.5 元", "score": 0.75, "hits": {"0": True, "9": True}}
    first, second = check(tmp_path, sample)
    assert (first.rule, first.expected) == ("rule 0 (contains)", "met")
    assert first.got == "not met (does not say: “3 天”)"
    assert (second.rule, second.expected, second.got) == ("rule 9", "met", "no such rule")


def test_a_rule_that_cannot_be_used_names_the_sample_and_its_place(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"golden\.json:1 's'.*look-ahead"):
        check(
            tmp_path,
            {"id": "s", "expect": {"rule": "contains", "pattern": "(?=a)"}, "output": "x", "score": 1},
        )


def test_a_sample_is_added_to_a_file_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "golden.json"
    path.write_text(json.dumps([{"id": "a", "expect": "x", "output": "x", "score": 1}]), "utf-8-sig")
    add_golden(path, {"id": "b", "expect": "x", "output": "x", "score": 1})
    assert [sample.id for sample in load_golden(path)] == ["a", "b"]


def test_a_sample_of_a_case_of_another_set_is_passed_over_and_named(tmp_path: Path) -> None:
    other = {"id": "s", "case": "换货", "output": "x", "score": 1.0}
    own = {"id": "t", "case": "退款", "output": "x", "score": 0}
    assert check(tmp_path, other) == check(tmp_path, other, cases=None) == ()
    samples = load_golden(write(tmp_path, [other, own]))
    assert [sample.id for sample in strangers(samples, CASES)] == ["s"]


def test_a_sample_without_rules_to_score_by_is_a_mismatch(tmp_path: Path) -> None:
    (found,) = check(tmp_path, {"id": "s", "rules": [], "output": "x", "score": 1.0})
    assert (found.rule, found.got) == ("score", "no executable rule")


def test_usefulness_can_be_part_of_a_sample(tmp_path: Path) -> None:
    sample = {
        "id": "s",
        "expect": "3 天",
        "input": "退款什么时候到？",
        "key_facts": ["退款 3 天内原路退回"],
        "output": "您好，很高兴为您服务，请问有什么可以帮您？",
        "score": 0.0,
        "useful": 0.0,
    }
    assert check(tmp_path, sample) == ()
    (found,) = check(tmp_path, sample | {"useful": 0.9})
    assert (found.rule, found.expected) == ("useful", "0.9")


@pytest.mark.parametrize(
    ("sample", "says"),
    [
        ({"id": "s", "output": "x", "score": 1.0}, "`case`, `expect` or `rules`"),
        ({"id": "s", "expect": "a", "case": "c", "output": "x", "score": 1.0}, "one of them"),
        ({"id": "s", "expect": "a", "score": 1.0}, "`output` or `record`"),
        ({"id": "s", "expect": "a", "output": "x"}, "score"),
        ({"id": "s", "expect": "a", "output": "x", "score": 1.5}, "score"),
        ({"id": "s", "expect": "a", "output": "x", "score": "1"}, "score"),
        ({"id": "s", "expect": "a", "output": "x", "score": 1, "hits": {"a": True}}, "hits"),
        ({"id": "s", "expect": "a", "output": "x", "score": 1, "hits": {"0": 1}}, "hits"),
        ({"id": "s", "expect": "a", "output": "x", "score": 1, "extra": 1}, "extra"),
        ({"id": "s", "rules": [{"rule": "number"}], "output": "x", "score": 1}, "value"),
        ({"id": "s", "rules": [{"rule": "nonsense"}], "output": "x", "score": 1}, "nonsense"),
        ({"id": "s", "expect": "a", "record": {"turns": [{"user": 1}]}, "score": 1}, "record"),
        ("text", ""),
    ],
)
def test_a_bad_sample_is_refused_in_one_line_with_its_place(tmp_path: Path, sample: Any, says: str) -> None:
    path = tmp_path / "golden.json"
    good = {"id": "g", "expect": "a", "output": "a", "score": 1}
    path.write_text(f"[\n{json.dumps(good)},\n{json.dumps(sample)}\n]", "utf-8")
    with pytest.raises(BadInput) as caught:
        load_golden(path)
    message = str(caught.value)
    assert "golden.json:3" in message
    assert says in message
    assert "\n" not in message


def test_a_rule_that_cannot_be_used_is_bad_input(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="look-ahead"):
        check(
            tmp_path,
            {"id": "s", "rules": [{"rule": "contains", "pattern": "(?=a)"}], "output": "x", "score": 1},
        )


def test_two_samples_of_one_id_are_refused(tmp_path: Path) -> None:
    sample = {"id": "s", "expect": "a", "output": "x", "score": 1}
    with pytest.raises(BadInput, match="two samples have the id 's'"):
        load_golden(write(tmp_path, [sample, sample]))


@pytest.mark.parametrize(
    ("name", "text"), [("golden.json", "[{"), ("golden.txt", "[]"), ("golden.yaml", "a: [")]
)
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(BadInput, match=r"golden\.(json|txt|yaml)"):
        load_golden(tmp_path / name)
    with pytest.raises(BadInput):
        load_golden(tmp_path / "absent.json")


@pytest.mark.parametrize("name", ["golden.json", "golden.jsonl", "golden.yaml"])
def test_a_sample_is_added_to_a_file_or_begins_one(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    for sample in RIGHT:
        add_golden(path, sample)
    assert [sample.id for sample in load_golden(path)] == [str(sample["id"]) for sample in RIGHT]
    assert check_golden(load_golden(path), CASES) == ()
    assert [p.name for p in tmp_path.iterdir()] == [name]


@pytest.mark.parametrize("name", ["golden.json", "golden.jsonl", "golden.yaml"])
def test_a_sample_that_cannot_be_added_leaves_the_file_as_it_was(tmp_path: Path, name: str) -> None:
    path = write(tmp_path, RIGHT, name)
    before = path.read_bytes()
    with pytest.raises(BadInput, match=name):
        add_golden(path, RIGHT[0])
    with pytest.raises(BadInput, match=name):
        add_golden(path, {"id": "new", "score": 1})
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir()] == [name]


def test_a_file_of_another_kind_is_not_added_to(tmp_path: Path) -> None:
    with pytest.raises(BadInput):
        add_golden(tmp_path / "golden.txt", RIGHT[0])


def test_half_a_character_is_refused_by_name(tmp_path: Path) -> None:
    half = {"id": "h", "expect": "x", "record": {"turns": [{"user": "u", "reply": "x \ud800"}]}, "score": 1}
    with pytest.raises(BadInput, match="half a character"):
        add_golden(tmp_path / "golden.jsonl", half)
    assert not (tmp_path / "golden.jsonl").exists()
