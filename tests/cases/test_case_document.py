"""Edits of case files leave everything else as it was written."""

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.cases.document import append, remove, rename, update
from fairtrial.cases.load import load_or_refuse
from fairtrial.cases.write import written
from fairtrial.errors import BadInput

SHOP = Path(__file__).parents[2] / "examples" / "shop" / "cases"
FILES = {path.name: path.read_bytes().decode() for path in sorted(SHOP.glob("*.yaml"))}
IDS = {name: re.findall(r"(?m)^- id: (\S+)$", text) for name, text in FILES.items()}
NEW: list[dict[str, Any]] = [
    {"id": "new-1", "input": "我要退款: 现在", "expect": [{"rule": "contains", "text": "no"}, "07"]},
    {
        "id": "new-2",
        "input": ["1e3", "it's #1, isn't it?\nyes"],
        "weight": 3,
        "expect": {"rule": "json_path", "path": "$.a", "equals": None},
        "key_facts": ["x" * 60, "张" * 60],
        "changelog": [{"date": "2026-12-01", "who": "张丽", "what": "first version"}],
    },
]


def of(text: str, case: str) -> str:
    """A case's own text in one of the shop's files: up to the next case or blank line."""
    at = text.index(f"- id: {case}\n")
    return re.split(r"\n(?=\n|- |#)", text[at:] + "\n")[0].rstrip()


def loaded(text: str, tmp_path: Path, suffix: str = ".yaml") -> list[dict[str, Any]]:
    file = tmp_path / f"cases{suffix}"
    file.write_bytes(text.encode())
    return [written(case) for case in load_or_refuse([file]).cases]


@settings(deadline=None, max_examples=40)
@given(st.data())
def test_removing_some_leaves_the_others_as_they_were(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(FILES)))
    gone = data.draw(st.sets(st.sampled_from(IDS[name]), max_size=len(IDS[name]) - 1))
    before = FILES[name]
    after = remove(before, gone, suffix=".yaml")
    kept = [case for case in IDS[name] if case not in gone]
    assert re.findall(r"(?m)^- id: (\S+)$", after) == kept
    assert [of(after, case) for case in kept] == [of(before, case) for case in kept]
    assert after.startswith(before[: before.index("- id")])
    assert "\n\n\n" not in after
    assert after.endswith(before[-2:])


@settings(deadline=None, max_examples=40)
@given(st.data())
def test_removing_what_was_appended_gives_the_bytes_back(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(FILES)))
    before = data.draw(st.sampled_from([FILES[name], FILES[name].rstrip("\n"), FILES[name] + "\n# end\n"]))
    if data.draw(st.booleans()):
        before = before.replace("\n", "\r\n")
    if data.draw(st.booleans()):
        before = "\ufeff" + before
    after = append(before, NEW, suffix=".yaml")
    assert after.replace("\r\n", "").count("\n") == (0 if "\r\n" in before else after.count("\n"))
    assert remove(after, {"new-1", "new-2"}, suffix=".yaml") == before
    once = append(append(before, NEW[:1], suffix=".yaml"), NEW[1:], suffix=".yaml")
    assert once == after
    assert remove(remove(once, {"new-1"}, suffix=".yaml"), {"new-2"}, suffix=".yaml") == before


SHAPES = {
    "list": ".yaml\n- {id: a, input: q, expect: x}\n- id: b\n  input: q2\n  expect: x\n",
    "cases": (
        ".yaml\n# head\ncases:\n  # about a\n  - id: a\n    input: q\n    expect: x  # why\n"
        "  - id: b\n    input: q2\n    expect: |\n      x\n"
    ),
    "indentless": (
        ".yml\nproblems:\n- id: a\n  input: q\n  expect:\n  - x\n"
        "- id: b\n  input: q2\n  expect: x\nnote: kept\n"
    ),
    "flow": ".yaml\n[{id: a, input: q, expect: x}, {id: b, input: q2, expect: x},]\n",
    "json": (
        '.json\n[\n  {\n    "id": "a",\n    "input": "q",\n    "expect": "x"\n  },\n'
        '  {"id": "b", "input": "q2", "expect": "x"}\n]\n'
    ),
    "json object": (
        '.json\n{"cases": [{"id": "a", "input": "q", "expect": "x"}, '
        '{"id": "b", "input": "q2", "expect": "x"}]}'
    ),
    "jsonl": (
        '.jsonl\n{"id": "a", "input": "q", "expect": "x"}\n\n{"id": "b", "input": "q2", "expect": "x"}\n'
    ),
    "dashes apart": (
        ".yaml\n---\n-\n  id: a\n  input: q\n  expect: x\n\n"
        "# about b\n- # here\n  id: b\n  input: q2\n  expect: x\n  # and last\n"
    ),
}


@pytest.mark.parametrize("shape", SHAPES)
def test_every_shape_of_a_file_can_be_edited(shape: str, tmp_path: Path) -> None:
    suffix, _, text = SHAPES[shape].partition("\n")
    more = append(text, NEW, suffix=suffix)
    cases = loaded(more, tmp_path, suffix)
    assert [case["id"] for case in cases] == ["a", "b", "new-1", "new-2"]
    assert cases[3]["input"] == NEW[1]["input"]
    assert remove(more, {"new-1", "new-2"}, suffix=suffix) == text
    assert remove(text, {"a", "b"}, suffix=suffix) == ""
    for gone, kept in ("ab", "ba"):
        assert [case["id"] for case in loaded(remove(text, {gone}, suffix=suffix), tmp_path, suffix)] == [
            kept
        ]
    changes = {"a": {"version": 2, "changelog": ["one, two", "二"]}, "b": {"input": "other: 1", "version": 1}}
    a, b = loaded(update(text, changes, suffix=suffix), tmp_path, suffix)
    assert (a["version"], a["changelog"], a["input"]) == (2, ["one, two", "二"], "q")
    assert (b["version"], b["input"]) == (1, "other: 1")


def test_comments_go_with_the_case_they_stand_above_and_no_other() -> None:
    text = (
        "# the file\n\n# about a\n- id: a\n  input: q\n  expect: x\n\n# ---- part two ----\n\n"
        "# about b\n- id: b\n  input: q\n  expect: x\n  # an old rule\n\n"
        "- id: c\n  input: q\n  expect: x\n# end\n"
    )
    assert remove(text, {"a"}, suffix=".yaml").startswith(
        "# the file\n\n# ---- part two ----\n\n# about b\n- id: b"
    )
    assert remove(text, {"b"}, suffix=".yaml").endswith(
        "# ---- part two ----\n\n- id: c\n  input: q\n  expect: x\n# end\n"
    )
    assert remove(text, {"c"}, suffix=".yaml").endswith("  # an old rule\n# end\n")


def test_a_case_alone_becomes_the_first_of_a_list(tmp_path: Path) -> None:
    text = "# one\nid: a\ninput: |\n  q\n\n  r\nexpect: x  # y\n"
    more = append(text, NEW[:1], suffix=".yaml")
    assert more.startswith("# one\n- id: a\n  input: |\n    q\n\n    r\n  expect: x  # y\n\n- id: new-1\n")
    assert [case["id"] for case in loaded(more, tmp_path)] == ["a", "new-1"]
    for single in (
        '{"id": "a", "input": "q", "expect": "x"}\n',
        '{\n  "id": "a",\n  "input": "q",\n  "expect": "x"\n}\n',
    ):
        more = append(single, NEW, suffix=".json")
        assert [case["id"] for case in loaded(more, tmp_path, ".json")] == ["a", "new-1", "new-2"]


@pytest.mark.parametrize("suffix", [".yaml", ".json", ".jsonl"])
def test_an_empty_file_takes_cases(suffix: str, tmp_path: Path) -> None:
    text = append("", NEW, suffix=suffix)
    assert [case["id"] for case in loaded(text, tmp_path, suffix)] == ["new-1", "new-2"]
    assert remove(text, {"new-1", "new-2"}, suffix=suffix) == ""


def test_what_is_appended_reads_well() -> None:
    assert append("", NEW, suffix=".yaml") == (
        "- id: new-1\n"
        "  input: '我要退款: 现在'\n"
        "  expect:\n"
        "    - {rule: contains, text: 'no'}\n"
        "    - '07'\n"
        "\n"
        "- id: new-2\n"
        '  input: ["1e3", "it\'s #1, isn\'t it?\\nyes"]\n'
        "  weight: 3\n"
        "  expect: {rule: json_path, path: $.a, equals: null}\n"
        "  key_facts:\n"
        f"    - {'x' * 60}\n"
        f"    - {'张' * 60}\n"
        "  changelog:\n"
        "    - {date: 2026-12-01, who: 张丽, what: first version}\n"
    )


def test_an_update_changes_its_fields_alone() -> None:
    text = FILES["refund_zh.yaml"]
    case = IDS["refund_zh.yaml"][1]
    after = update(text, {case: {"weight": 1, "severity": "high", "tags": ["zh", "新"]}}, suffix=".yaml")
    old = of(text, case)
    new = old.replace("weight: 3", "weight: 1", 1)
    new = re.sub(r"tags: .*", "tags: [zh, 新]", new) + "\n  severity: high"
    assert after == text.replace(old, new)
    assert update(text, {}, suffix=".yaml") == text


def test_a_field_keeps_the_comment_behind_it_and_takes_the_own_name() -> None:
    text = (
        "- case_id: a  # one\n  input_seq: q\n  labels: [x]  # kinds\n  expected:\n    required_fields: [x]\n"
    )
    assert update(text, {"a": {"tags": ["y"]}}, suffix=".yaml") == text.replace("labels: [x]", "tags: [y]")
    own = "- id: a  # one\n  input: q\n  tags: [x]  # kinds\n  expect:\n    required_fields: [x]\n"
    assert rename(text, suffix=".yaml") == own
    assert rename(own, suffix=".yaml") == own
    assert rename('{"case_id": "a", "input_seq": ["q"], "expected": "x"}', suffix=".jsonl") == (
        '{"id": "a", "input": ["q"], "expect": "x"}'
    )


def test_an_anchor_that_others_use_is_not_taken_away() -> None:
    text = "- id: a\n  input: q\n  expect: &e [x]\n- id: b\n  input: q\n  expect: *e\n"
    assert remove(text, {"b"}, suffix=".yaml") == "- id: a\n  input: q\n  expect: &e [x]\n"
    for edit in (
        lambda: remove(text, {"a"}, suffix=".yaml"),
        lambda: update(text, {"a": {"expect": "y"}}, suffix=".yaml"),
    ):
        with pytest.raises(BadInput, match="without changing other cases"):
            edit()


def test_what_is_not_there_is_refused() -> None:
    text = FILES["policy.yaml"]
    with pytest.raises(BadInput, match="no case `nope`"):
        remove(text, {"nope"}, suffix=".yaml")
    with pytest.raises(BadInput, match="no case `nope`"):
        update(text, {"nope": {"version": 2}}, suffix=".yaml")
    with pytest.raises(BadInput, match="not valid YAML"):
        append("- id: [\n", NEW, suffix=".yaml")


TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), min_size=1).filter(
    str.strip
)


@settings(deadline=None, max_examples=150)
@given(st.sampled_from(sorted(SHAPES)), TEXTS, st.lists(TEXTS, min_size=1, max_size=4))
def test_any_text_is_read_back_as_it_was_given(shape: str, text: str, texts: list[str]) -> None:
    suffix, _, whole = SHAPES[shape].partition("\n")
    case = {"id": "new", "input": texts, "context": text, "expect": [{"rule": "contains", "text": text}]}
    after = append(whole, [case], suffix=suffix)
    assert remove(after, {"new"}, suffix=suffix) == whole
    update(whole, {"a": {"context": text, "input": texts}}, suffix=suffix)
