"""Every kind of problem, at the line where it stands, in both languages, all in one go."""

import codecs
import json
from pathlib import Path

import pytest

from fairtrial.cases.load import Problem, Severity, load, load_or_refuse
from fairtrial.errors import BadInput

GOOD = '{"id": "a", "input": "hi", "expect": "hello"}'


def problems_of(folder: Path, name: str, content: str | bytes) -> tuple[Problem, ...]:
    file = folder / name
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    loaded = load([file])
    errors = [problem for problem in loaded.problems if problem.severity is Severity.error]
    assert (loaded.case_set is None) == bool(errors)
    assert all(problem.file == str(file) for problem in loaded.problems)
    return loaded.problems


def case(**fields: object) -> str:
    """A JSON list of one good case, each field on a line of its own: id 2, input 3, expect 4, others 5 …"""
    base: dict[str, object] = {"id": "a", "input": "hi", "expect": "hello"}
    lines = [f"{json.dumps(k)}: {json.dumps(v, ensure_ascii=False)}" for k, v in (base | fields).items()]
    return "[{\n" + ",\n".join(lines) + "\n}]\n"


FIELD_PROBLEMS: list[tuple[dict[str, object], int, str]] = [
    ({"id": ""}, 2, "`id` is empty"),
    ({"id": None}, 2, "`id` must be a text or a whole number, not null"),
    ({"id": 1.5}, 2, "`id` must be a text or a whole number, not 1.5"),
    ({"id": True}, 2, "`id` must be a text or a whole number, not true"),
    ({"id": ["a"]}, 2, "`id` must be a text or a whole number"),
    ({"id": "a\u200bb"}, 2, "invisible character"),
    ({"input": ""}, 3, "what the user says is empty"),
    ({"input": " \u3000\n"}, 3, "what the user says is empty"),
    ({"input": []}, 3, "no turn of the user"),
    ({"input": None}, 3, "`input` is missing"),
    ({"input": 12}, 3, "what the user says must be a text, not 12"),
    ({"input": ["a", ""]}, 3, "what the user says is empty"),
    ({"input": [{"role": "assistant", "content": "a"}]}, 3, "no turn of the user"),
    ({"input": [{"role": "user"}]}, 3, "no text in this turn"),
    ({"input": {"role": "user", "content": ["a"]}}, 3, "must be a text"),
    ({"expect": None}, 4, "`expect` is missing"),
    ({"expect": []}, 4, "nothing is expected"),
    ({"expect": {"criteria": []}}, 4, "nothing is expected"),
    ({"expect": "回答要合理"}, 4, "not executable"),
    ({"weight": 0}, 5, "`weight` must be above 0, not 0"),
    ({"weight": -1}, 5, "`weight` must be above 0, not -1"),
    ({"weight": True}, 5, "`weight` must be a number, not true"),
    ({"weight": "3"}, 5, '`weight` must be a number, not "3"'),
    ({"weight": None}, 5, "`weight` must be a number, not null"),
    ({"weight": float("nan")}, 5, "`weight` is NaN: not a number"),
    ({"weight": float("inf")}, 5, "`weight` is infinite: not a number"),
    ({"weight": float("-inf")}, 5, "`weight` is infinite: not a number"),
    ({"expected_score": 1.2}, 5, "`expected_score` must be at most 1"),
    ({"expected_score": -0.1}, 5, "`expected_score` must be at least 0"),
    ({"tags": [1]}, 5, "a text is needed here, not 1"),
    ({"key_facts": [""]}, 5, "the text is empty"),
    ({"context": ["a"]}, 5, "`context` must be a text"),
    ({"version": 1.5}, 5, "`version` must be a text or a whole number, not 1.5"),
    ({"changelog": json.loads("[" * 150 + "]" * 150)}, 5, "nested more than 100 deep"),
    ({"wieght": 3}, 5, "unknown field `wieght`; did you mean `weight`?"),
    ({"Tag": ["a"]}, 5, "unknown field `Tag`; did you mean `tags`?"),
    ({"case_id": "b"}, 5, "`id` and `case_id` mean the same"),
    ({"input_seq": ["b"]}, 5, "`input` and `input_seq` mean the same"),
    ({"expected": "b"}, 5, "`expect` and `expected` mean the same"),
    ({"tags": ["a"], "labels": ["b"]}, 6, "`tags` and `labels` mean the same"),
    ({"required_fields": ["b"]}, 5, "`required_fields` stands outside"),
    ({"reference": {"txt": "b"}}, 5, "unknown argument `txt`; did you mean `text`?"),
    (
        {"reference": [{"calls": [{"name": "a", "result_": "b"}]}]},
        5,
        "unknown argument `result_`; did you mean `result`?",
    ),
    ({"reference": {"text": "b", "colls": []}}, 5, "unknown argument `colls`; did you mean `calls`?"),
]

RULE_PROBLEMS: list[tuple[dict[str, object], str]] = [
    ({"rule": "contains"}, "contains: needs `text` or `pattern`"),
    ({"rule": "contains", "text": ""}, "contains: `text` must be a text that is not empty"),
    ({"rule": "contains", "txt": "a"}, "contains: unknown argument `txt`; did you mean `text`?"),
    ({"rule": "contains", "text": "a", "weight": 0}, "contains: `weight` must be above 0"),
    ({"rule": "contains", "text": "a", "critical": "yes"}, "contains: `critical` must be true or false"),
    ({"rule": "contains", "text": "a", "over": "first"}, "contains: `over` must be one of 'last' or 'all'"),
    ({"rule": "contains_any", "texts": "a"}, "contains_any: `texts` must be a list"),
    ({"rule": "contains_any"}, "contains_any: needs at least one of `texts` and `patterns`"),
    ({"rule": "info", "kind": "colour"}, "info: `kind` must be one of"),
    ({"rule": "length", "min": 3, "max": 2}, "length: `min` is above `max`"),
    ({"rule": "length", "min": -1}, "length: `min` must be at least 0"),
    ({"rule": "length"}, "length: needs `min` or `max`"),
    ({"rule": "number"}, "number: `value` is missing"),
    ({"rule": "number", "value": "3"}, 'number: `value` must be a number, not "3"'),
    ({"rule": "number", "value": 3, "tolerance": -1}, "number: `tolerance` must be at least 0"),
    ({"rule": "json_schema"}, "json_schema: `schema` is missing"),
    ({"rule": "json_schema", "schema": 3}, "json_schema: `schema` must be an object"),
    ({"rule": "tool_called", "tool": "a", "at_least": 2, "at_most": 1}, "`at_most` is below `at_least`"),
    ({"rule": "tool_called", "tool": "a", "arguments": {}}, "unknown argument `arguments`"),
    ({"rule": "tools_in_order", "calls": []}, "`calls` must be a list that is not empty"),
    ({"rule": "tools_in_order", "calls": [{"tool": "a", "arg": 1}]}, "did you mean `args`?"),
    ({"rule": "tools_in_order", "calls": ["a"]}, "must be an object"),
    ({"rule": "python", "function": "f"}, "`function` must be written as `package.module:name`"),
    ({"rule": "nope"}, "unknown rule `nope`"),
    ({"text": "a"}, "the object has no `rule`"),
]


@pytest.mark.parametrize(("fields", "line", "message"), FIELD_PROBLEMS)
def test_a_wrong_field_is_told_with_its_line(
    tmp_path: Path, fields: dict[str, object], line: int, message: str
) -> None:
    found = problems_of(tmp_path, "题目.json", case(**fields))
    errors = [(problem.line, problem.what) for problem in found if problem.severity is Severity.error]
    assert len(errors) == 1
    assert errors[0][0] == line
    assert message in errors[0][1]


@pytest.mark.parametrize(("rule", "message"), RULE_PROBLEMS)
def test_a_wrong_rule_is_told_with_its_line(tmp_path: Path, rule: dict[str, object], message: str) -> None:
    text = f'[{{"id": "a", "input": "x", "expect": [\n"good",\n{json.dumps(rule)}\n]}}]'
    (found,) = problems_of(tmp_path, "a.json", text)
    assert (found.line, found.case, found.severity) == (3, "a", Severity.error)
    assert message in found.what


@pytest.mark.parametrize("missing", ["id", "input", "expect"])
@pytest.mark.parametrize("kind", ["json", "yaml", "jsonl"])
def test_a_missing_field_is_told_at_its_case(tmp_path: Path, missing: str, kind: str) -> None:
    fields = {"id": "b", "input": "x", "expect": "y"}
    del fields[missing]
    text = {"json": f"[\n{GOOD},\n{json.dumps(fields)}]", "jsonl": f"{GOOD}\n{json.dumps(fields)}\n"}.get(
        kind, "- id: a\n  input: x\n  expect: y\n\n- " + "\n  ".join(f"{k}: {v}" for k, v in fields.items())
    )
    (found,) = problems_of(tmp_path, f"a.{kind}", text)
    assert found.line == {"json": 3, "jsonl": 2, "yaml": 5}[kind]
    assert found.what == f"`{missing}` is missing"


FILE_PROBLEMS: list[tuple[str, str | bytes, int | None, str]] = [
    ("a.json", "", 1, "the file is empty"),
    ("a.yaml", "\n \n", 1, "the file is empty"),
    ("a.jsonl", "", 1, "the file is empty"),
    ("a.json", "[]", 1, "no case in the file"),
    ("a.json", '{"cases": []}', 1, "no case in the file"),
    ("a.yaml", "# only a comment\n", None, "neither a list of cases"),
    ("a.json", "{}", 1, "neither a list of cases"),
    ("a.json", '"text"', 1, "neither a list of cases"),
    ("a.json", '{"cases": [], "problems": []}', 1, "neither a list of cases"),
    ("a.json", '{"cases":\n{"a": 1}}', 1, "neither a list of cases"),
    ("a.json", "[\n3]", 2, "a case is an object, not 3"),
    ("a.jsonl", f"{GOOD}\n[1]\n", 2, "a case is an object, not [1]"),
    ("a.json", f"[\n{GOOD},\n]", 3, "not valid JSON: Expecting value"),
    ("a.json", '[\n{"id": "a"\n"input": "x"}]', 3, "not valid JSON: Expecting ',' delimiter"),
    ("a.json", f"{GOOD}\n{GOOD}", 2, "not valid JSON: Extra data"),
    ("a.jsonl", f"{GOOD}\n{{'id'}}\n", 2, "not valid JSON: Expecting property name"),
    ("a.jsonl", f"[\n{GOOD}\n]", 1, "one JSON document, not one object a line"),
    ("a.json", "[" * 100_000, 1, "nested more than 100 deep"),
    ("a.json", f"[\n{'[' * 5000}{']' * 5000}]", 2, "nested more than 100 deep"),
    ("a.jsonl", f"{GOOD}\n{'[' * 100_000}\n", 2, "nested more than 100 deep"),
    ("a.json", f'[{{"id":\n{"7" * 5000}}}]', 2, "a number of thousands of digits"),
    ("a.yaml", "- id: a\n\tinput: x\n", 2, "not valid YAML"),
    ("a.yaml", "- id: a\n  input: hm: x\n", 2, "not valid YAML: mapping values are not allowed"),
    ("a.yaml", "- id: 'a\n", 2, "not valid YAML"),
    ("a.yaml", "cases:\n", 1, "an object with a list `cases`"),
    ("a.yaml", "- id: a\n  input: !!int x\n", 2, "the tag tag:yaml.org,2002:int is not read"),
    ("a.yaml", "- id: *x\n", 1, "the alias *x has no finished anchor"),
    ("a.yaml", "- id: a\n  input: !!python/name:os.system x\n", 2, "the tag tag:yaml.org,2002:python/name"),
    ("a.yaml", "- !case\n  id: a\n", 1, "the tag !case is not read"),
    ("a.yaml", "- id: a\n---\n- id: b\n", 2, "a second document begins here"),
    ("a.yaml", "- id: a\n  ? [a]\n  : x\n", 2, "where a field's name should be"),
    ("a.yaml", "&a\n- *a\n", 2, "the alias *a has no finished anchor"),
    ("a.yaml", "- a\n- " + "[" * 100_000, 2, "nested more than 100 deep"),
    ("a.yaml", "- id: a\n  input: \x07\n", 2, "a character that YAML forbids"),
    ("a.json", "\u2028[\n{bad}]", 1, "not valid JSON"),
    (
        "a.json",
        b"[\n" + '{"id": "退款"}]'.encode("gbk"),
        2,
        "not UTF-8: byte 0xcd at offset 10; it may be GBK",
    ),
    ("a.yaml", b"- id: a\n  input: " + b"\xff\xfe\xff", 2, "not UTF-8: byte 0xff"),
    ("a.json", f"[{GOOD}]".encode("utf-16"), 1, "the file is UTF-16"),
    ("a.json", codecs.BOM_UTF16_BE + f"[{GOOD}]".encode("utf-16-be"), 1, "the file is UTF-16"),
    ("a.json", f"[{GOOD}]".encode("utf-32"), 1, "the file is UTF-16 or UTF-32"),
    ("a.json", f"[{GOOD}]".encode("utf-16-le"), 1, "NUL character"),
    ("a.jsonl", f"{GOOD}\n\0\n", 2, "NUL character"),
    ("a.json", '[{"id": "a", "input": "x",\n"expect": "\\ud83d"}]', 2, "half a character"),
    (
        "a.json",
        '[{"id": "a", "input": "x", "expect": {"rule": "tool_called", "tool": "t",\n"args": {"n": 1e999}}}]',
        2,
        "`n` is infinite: not a number",
    ),
    ("a.yaml", "- id: a\n  input: x\n  expect: y\n  weight: .nan\n", 4, "`weight` is NaN: not a number"),
    (
        "a.jsonl",
        f'{GOOD}\n{{"id": "b", "input": "x", "expect": "y", "weight": NaN}}',
        2,
        "`weight` is NaN: not a number",
    ),
]


@pytest.mark.parametrize(("name", "content", "line", "message"), FILE_PROBLEMS)
def test_a_file_that_cannot_be_used_is_told_with_its_line(
    tmp_path: Path, name: str, content: str | bytes, line: int | None, message: str
) -> None:
    (found,) = problems_of(tmp_path, name, content)
    assert message in found.what
    assert found.severity is Severity.error
    if line is not None:
        assert found.line == line


def test_aliases_may_share_but_not_explode(tmp_path: Path) -> None:
    laughs = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
        f"{chr(98 + i)}: &{chr(98 + i)} [{', '.join([f'*{chr(97 + i)}'] * 10)}]\n" for i in range(8)
    )
    (found,) = problems_of(tmp_path, "a.yaml", laughs)
    assert found.what == "aliases unfold to more than 100000 values"
    assert found.line == 5
    one = "- id: {}\n  input: x\n  expect: y\n  context: {}\n"
    shared = one.format("a", "&p 七天无理由") + one.format("b", "*p")
    assert problems_of(tmp_path, "b.yaml", shared + "  weight: 3\n") == ()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("7", '"7"'),
        ('"7"', "7"),
        ('"é"', '"e\u0301"'),
        ('"ＴＣ１"', '"TC1"'),
        ('"a"', '"a "'),
        ('"a b"', '"a\u3000b"'),
        ('"同"', '"同"'),
    ],
)
def test_a_duplicate_id_names_both_places(tmp_path: Path, first: str, second: str) -> None:
    (tmp_path / "1.json").write_text(f'[\n{{"id": {first}, "input": "x", "expect": "y"}}]', encoding="utf-8")
    (tmp_path / "2.yaml").write_text(f"- input: x\n  expect: y\n  id: {second}\n", encoding="utf-8")
    (found,) = load([tmp_path]).problems
    assert (found.file, found.line) == (str(tmp_path / "2.yaml"), 3)
    assert f"first in {tmp_path / '1.json'}:2" in found.what


def test_a_duplicate_id_is_told_though_its_case_is_wrong_otherwise(tmp_path: Path) -> None:
    bad = '{"id": "a", "input": "", "expect": "y"}'
    found = problems_of(tmp_path, "a.json", f"[\n{GOOD},\n{bad}]")
    assert [(problem.line, problem.what) for problem in found] == [
        (3, f"duplicate id `a`: first in {tmp_path / 'a.json'}:2"),
        (3, "what the user says is empty"),
    ]


@pytest.mark.parametrize(
    ("name", "text", "line"),
    [
        ("a.json", '[{"id": "a", "input": "x", "expect": "y",\n"weight": 1,\n"weight": 3}]', 3),
        (
            "a.json",
            '[{"id": "a", "input": "x", "expect":\n{"rule": "tool_called", "tool": "t", "args": {"k": 1,\n'
            '"k": {"k": 2}}}}]',
            3,
        ),
        ("a.jsonl", f'{GOOD}\n{{"id": "b", "input": "x", "expect": "y", "id": "c"}}', 2),
        ("a.yaml", "- id: a\n  input: x\n  expect: y\n  input: z\n", 4),
    ],
)
def test_a_doubled_field_names_both_lines(tmp_path: Path, name: str, text: str, line: int) -> None:
    (found,) = problems_of(tmp_path, name, text)
    assert "stands twice in one object" in found.what
    assert "the first is in line" in found.how
    assert found.line == line


HINTS: list[tuple[str, str | bytes, int | None, str]] = [
    ("a.json", codecs.BOM_UTF8 + f"[{GOOD}]".encode(), 1, "the file begins with a BOM"),
    ("a.yaml", codecs.BOM_UTF8 + b"- id: a\n  input: x\n  expect: y\n", 1, "the file begins with a BOM"),
    (
        "a.json",
        '[{"id": "a", "input": "x", "expect": "y",\n"remark": "z"}]',
        2,
        "unknown field `remark` is ignored (once)",
    ),
    ("a.json", '{"owner": "me", "cases": [' + GOOD + "]}", None, "is ignored"),
    (
        "a.json",
        '[{"id": "a", "expect": "y",\n"input": [{"role": "system", "content": "s"},\n'
        '{"role": "user", "content": "x"}]}]',
        2,
        "turns that are not the user's are left out",
    ),
    (
        "a.json",
        '[\n{"id": "a", "input": "x", "expected": {"required_fields": ["y"], "criteria": ["礼貌"]}}]',
        2,
        "criteria are kept for a judge, not scored (1 case)",
    ),
    (
        "a.json",
        '[\n{"id": "a", "input": "x", "expected": {"criteria": ["The answer should be polite"]}}]',
        2,
        "only criteria and no rule: unscored (1 case)",
    ),
]


@pytest.mark.parametrize(("name", "content", "line", "message"), HINTS)
def test_a_hint_does_not_refuse(
    tmp_path: Path, name: str, content: str | bytes, line: int | None, message: str
) -> None:
    found = problems_of(tmp_path, name, content)
    assert {problem.severity for problem in found} == {Severity.hint}
    assert message in found[0].what
    if line is not None:
        assert [problem.line for problem in found] == [line]


def test_a_byte_is_counted_from_the_start_of_the_file(tmp_path: Path) -> None:
    hint, error = problems_of(tmp_path, "a.json", codecs.BOM_UTF8 + b'[\n"\xff"]')
    assert hint.severity is Severity.hint
    assert error.what == "not UTF-8: byte 0xff at offset 6"
    assert (error.line, error.column) == (2, 2)


def test_equal_weights_get_a_hint(tmp_path: Path) -> None:
    def lines(count: int, **more: object) -> str:
        cases = [{"id": str(i), "input": "x", "expect": "y"} for i in range(count)]
        cases[-1] |= more
        return "\n".join(json.dumps(each) for each in cases)

    assert problems_of(tmp_path, "a.jsonl", lines(1)) == ()
    assert problems_of(tmp_path, "a.jsonl", lines(2, weight=3)) == ()
    (found,) = problems_of(tmp_path, "a.jsonl", lines(2))
    assert found.what == "all 2 cases weigh the same"
    assert found.how == "by convention a core case weighs 3, an edge case 1"


@pytest.mark.parametrize("name", ["created_at", "reviewed_at", "author", "note", "title", "备注", "answer"])
def test_bookkeeping_of_ones_own_is_ignored_with_a_hint(tmp_path: Path, name: str) -> None:
    (found,) = problems_of(tmp_path, "a.json", json.dumps([{"id": 1, "input": "x", "expect": "y", name: 1}]))
    assert (found.severity, found.what) == (Severity.hint, f"unknown field `{name}` is ignored (once)")


def test_a_repeated_hint_is_told_once_with_its_count(tmp_path: Path) -> None:
    text = "\n".join(
        json.dumps({"id": i, "input": "x", "expect": "y", "remark": "", "weight": i + 1}) for i in range(9)
    )
    (found,) = problems_of(tmp_path, "a.jsonl", text)
    assert found.what == "unknown field `remark` is ignored (9 times)"
    assert found.line == 1


def test_paths_that_hold_nothing(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "golden.json").write_text("[]")
    (tmp_path / "empty" / ".hidden.json").write_text("[]")
    (tmp_path / "a.txt").write_text("x")
    loaded = load([tmp_path / "empty", tmp_path / "a.txt", tmp_path / "nowhere.json"])
    assert [problem.what for problem in loaded.problems] == [
        "no case file in the folder",
        "not a kind of file that is read",
        "no such file or folder",
    ]
    assert loaded.case_set is None
    assert load([]).case_set is None


def test_every_problem_is_told_in_one_go(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(
        '[{"id": "a", "input": "",\n"weight": 0,\n"expect": "回答要合理"}]', encoding="utf-8"
    )
    (tmp_path / "b.jsonl").write_text(f"{GOOD}\n{{\n")
    (tmp_path / "c.yaml").write_text("- id: c\n")
    loaded = load([tmp_path])
    assert [(Path(problem.file).name, problem.line) for problem in loaded.problems] == [
        ("a.json", 1),
        ("a.json", 2),
        ("a.json", 3),
        ("b.jsonl", 1),
        ("b.jsonl", 2),
        ("c.yaml", 1),
        ("c.yaml", 1),
    ]


def test_refusing_names_the_first_error_and_counts_the_others(tmp_path: Path) -> None:
    file = tmp_path / "a.json"
    file.write_bytes(codecs.BOM_UTF8 + b'[{"id": "a",\n"input": ""}]')
    with pytest.raises(BadInput) as refusal:
        load_or_refuse([file])
    assert str(refusal.value).startswith(f"{file}:1: `expect` is missing (add `expect`")
    assert "1 more: `fairtrial check` shows all" in str(refusal.value)
    file.write_text(f"[{GOOD}]")
    assert load_or_refuse([file]).cases[0].id == "a"


def test_problems_speak_chinese_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRTRIAL_LANG", "zh")
    chinese = [
        *(problems_of(tmp_path, "a.json", case(**fields)) for fields, _, _ in FIELD_PROBLEMS),
        *(problems_of(tmp_path, "a.json", case(expect=[rule])) for rule, _ in RULE_PROBLEMS),
        *(problems_of(tmp_path, name, content) for name, content, _, _ in FILE_PROBLEMS + HINTS),
    ]
    for found in chinese:
        for problem in found:
            assert any("一" <= char <= "鿿" for char in problem.what), problem.what
            assert not problem.how or any("一" <= char <= "鿿" for char in problem.how), problem.how


def test_messages_are_one_printable_line(tmp_path: Path) -> None:
    nasty = "a\n\x1b[31m\u2028"
    text = json.dumps([{nasty: 1, "id": nasty, "input": "x", "expect": [{"rule": nasty}], "weight": nasty}])
    found = problems_of(tmp_path, "a.json", text)
    assert len(found) == 4
    for problem in found:
        assert all(
            part.isprintable() for part in (problem.file, problem.what, problem.how, problem.case or "")
        )


def test_rules_of_readable_cases_are_at_hand_whatever_is_wrong_with_others(tmp_path: Path) -> None:
    file = tmp_path / "cases.json"
    file.write_text(
        '[{"id": "a", "input": "hi", "expect": ["x",\n {"rule": "contains", "pattern": "("}]},\n'
        ' {"id": "b", "input": "", "expect": "y"},\n {"id": "a", "input": "hi", "expect": "z"}]'
    )
    loaded = load([file])
    assert loaded.case_set is None
    assert [(case, rule.rule, where()) for case, rule, where in loaded.rules()] == [
        ("a", "contains", f"{file}:1"),
        ("a", "contains", f"{file}:2"),
        ("a", "contains", f"{file}:4"),
    ]


YAML_IN_CHINESE = [
    ("- id: a\n\tinput: x\n", "缩进中有制表符", "请用空格缩进"),
    ("- id: a\n  input: hm: x\n", "此处不应有冒号", "加引号"),
    ('- id: a\n  expect: "\\d+"\n', "无效的 \\ 转义", "单引号"),
    ("- id: 'a\n", "引号没有闭合", ""),
    ("- id: a\n  expect: @x\n", "不能以该字符开头", "加引号"),
    ("- id: a\n  input: [a, b\n", "方括号或花括号没有闭合", "加引号"),
    ("- id: a\n  input x\n  expect: y\n", "此处缺少冒号", "`字段: 值`"),
    ("- id: a\n  input: 'it's'\n", "此处应为字段名", "整段文本加引号"),
    ("- id: a\n input: x\n", "此处应为列表项", "缩进"),
]


@pytest.mark.parametrize(("text", "what", "how"), YAML_IN_CHINESE)
def test_the_parser_of_yaml_speaks_chinese(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, what: str, how: str
) -> None:
    monkeypatch.setenv("FAIRTRIAL_LANG", "zh")
    (found,) = problems_of(tmp_path, "题目.yaml", text)
    assert found.what.startswith("YAML 语法错误：")
    assert what in found.what
    assert how in found.how
    assert not [char for char in found.what if char.isascii() and char.isalpha() and char not in "YAML"]


def test_ids_that_only_look_alike_are_said_to(tmp_path: Path) -> None:
    cases = [{"id": each, "input": "x", "expect": "y"} for each in ("caf\u00e9", "cafe\u0301")]
    (found,) = problems_of(tmp_path, "a.json", json.dumps(cases))
    assert "alike to the eye but composed of other characters" in found.what


def test_tags_that_other_tools_write_are_read(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_text("- id: !!str 7\n  input: x\n  expect: y\n  weight: !!float 5e-01\n  version: !!int 3\n")
    (case,) = load_or_refuse([file]).cases
    assert (case.id, case.weight, case.version) == ("7", 0.5, 3)
