"""All written forms mean the same, and nothing about the machine changes what is read."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairtrial.cases.load import Severity, load
from fairtrial.cases.wording import is_instruction
from fairtrial.schema.case import CaseSet


def loaded(*paths: Path) -> CaseSet:
    result = load(paths)
    assert result.case_set is not None, result.problems
    return result.case_set


def written(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8", newline="")
    return file


def test_the_self_kept_form_and_the_articles_form_mean_the_same(tmp_path: Path) -> None:
    own = [
        {
            "id": "TC-2024-00123",
            "input": ["我要退款", "订单号 JD2024111138271"],
            "expect": [
                "JD2024111138271",
                {"rule": "contains_none", "texts": ["请提供订单号"], "critical": True, "over": "all"},
            ],
            "tags": ["口语化", "长文本"],
            "weight": 3,
            "difficulty": "hard",
            "source": "online_log_20241108",
            "version": 3,
            "created_by": "zhang.li",
            "reviewed_by": "wang.fang",
            "changelog": ["2024-11-10 修正期望答案中的订单格式说明"],
            "task_type": "multi_turn_refund",
        }
    ]
    articles = {
        "problems": [
            {
                "case_id": "TC-2024-00123",
                "version": 3,
                "task_type": "multi_turn_refund",
                "input_seq": [{"role": "user", "content": "我要退款"}, {"user": "订单号 JD2024111138271"}],
                "expected": {"required_fields": ["JD2024111138271"], "forbidden_phrases": ["请提供订单号"]},
                "difficulty": "hard",
                "source": "online_log_20241108",
                "labels": ["口语化", "长文本"],
                "weight": 3,
                "created_by": "zhang.li",
                "reviewed_by": "wang.fang",
                "changelog": ["2024-11-10 修正期望答案中的订单格式说明"],
            }
        ]
    }
    first = loaded(written(tmp_path, "题目.json", json.dumps(own, ensure_ascii=False)))
    second = loaded(written(tmp_path, "b.json", json.dumps(articles)))
    assert first.cases == second.cases
    assert first.digest == second.digest
    assert first.paths == (str(tmp_path / "题目.json"),)
    case = first.cases[0]
    assert case.input == ("我要退款", "订单号 JD2024111138271")
    assert case.cluster is None
    assert case.source == "online_log_20241108"
    assert [rule.critical for rule in case.rules] == [False, True]


def test_optional_fields_are_kept_as_written(tmp_path: Path) -> None:
    text = json.dumps(
        {
            "id": 7,
            "input": {"text": "  hi \n"},
            "expect": "hello",
            "context": "policy",
            "key_facts": ["7 days"],
            "severity": "P0",
            "expected_score": 1,
            "set": "natural",
            "cluster": "refund",
            "tags": "core",
            "changelog": "first",
            "difficulty": None,
        }
    )
    (case,) = loaded(written(tmp_path, "one.json", text)).cases
    assert case.id == "7"
    assert case.input == ("  hi \n",)
    assert case.tags == ("core",)
    assert case.changelog == ("first",)
    assert case.difficulty is None
    assert (case.context, case.key_facts, case.severity, case.set) == ("policy", ("7 days",), "P0", "natural")
    assert (case.expected_score, case.cluster, case.weight) == (1.0, "refund", 1.0)


def test_criteria_are_kept_and_not_scored(tmp_path: Path) -> None:
    (case,) = loaded(
        written(tmp_path, "a.json", '[{"id": "a", "input": "x", "expected": {"criteria": ["礼貌", "简洁"]}}]')
    ).cases
    assert case.criteria == ("礼貌", "简洁")
    assert case.rules == ()


YAML_TEXTS = ["no", "yes", "on", "off", "07", "+86", "0x1F", "0o7", "1:30", "12:30:45", "2024-01-01", "1_000"]
YAML_TEXTS += ["<<", "=", "1.2.3", "NO", "y", "n", "1.", "..", "nan", "Infinity", "1e", "２", "①", "null?"]


@pytest.mark.parametrize("text", YAML_TEXTS)
def test_yaml_leaves_unquoted_texts_as_they_are_written(tmp_path: Path, text: str) -> None:
    file = written(tmp_path, "a.yaml", f"- id: {text}\n  input: {text}\n  expect: {text}\n  {text}: 1\n")
    (case,) = loaded(file).cases
    assert (case.id, case.input) == (text, (text,))
    assert case.rules[0].model_dump()["text"] == text


def test_yaml_core_types_are_read(tmp_path: Path) -> None:
    args = "{a: 1, b: -2, c: 1.5, d: true, e: FALSE, f: null, g: ~, h: , i: .5, j: 1e3, k: '1', l: !!str 1}"
    text = f"- id: 3\n  input: x\n  weight: 3\n  expect: {{rule: tool_called, tool: t, args: {args}}}\n"
    (case,) = loaded(written(tmp_path, "a.yml", text)).cases
    assert case.rules[0].model_dump()["args"] == {
        "a": 1, "b": -2, "c": 1.5, "d": True, "e": False, "f": None, "g": None, "h": None,
        "i": 0.5, "j": 1000.0, "k": "1", "l": "1",
    }  # fmt: skip


def test_yaml_blocks_keep_their_lines(tmp_path: Path) -> None:
    text = "cases:\r\n- id: a\r\n  input: |\r\n    一\r\n    二\r\n  expect: >-\r\n    x\r\n    y\r\n"
    (case,) = loaded(written(tmp_path, "a.yaml", text)).cases
    assert case.input == ("一\n二\n",)
    assert case.rules[0].model_dump()["text"] == "x y"


def test_a_folder_is_read_in_natural_order_without_hidden_and_golden_files(tmp_path: Path) -> None:
    def one(name: str, id_: str) -> None:
        written(tmp_path, name, json.dumps({"id": id_, "input": "x", "expect": "y"}))

    for name in ("c10.json", "c2.json", "退款/10.jsonl", "退款/9.json", "A.YAML", "c2/1.json"):
        one(name, name)
    beside = ("queue/a.yaml", "ledger.jsonl", "history.jsonl", "README.md", "a.txt")
    for name in (".hidden.json", ".git/a.json", "golden.json", "Golden_2.jsonl", *beside):
        one(name, name)
    case_set = loaded(tmp_path)
    assert [case.id for case in case_set.cases] == [
        "A.YAML", "c2/1.json", "c2.json", "c10.json", "退款/9.json", "退款/10.jsonl",
    ]  # fmt: skip
    assert case_set.paths == tuple(str(tmp_path / case.id) for case in case_set.cases)


def test_a_file_named_twice_is_read_once(tmp_path: Path) -> None:
    file = written(tmp_path, "a.json", '[{"id": "a", "input": "x", "expect": "y"}]')
    assert loaded(file, tmp_path, tmp_path / ".." / tmp_path.name / "a.json").paths == (str(file),)
    golden = written(tmp_path, "golden.json", '[{"id": "g", "input": "x", "expect": "y"}]')
    assert len(loaded(tmp_path, golden).cases) == 2  # by name it is read all the same


def test_windows_files_and_odd_spaces(tmp_path: Path) -> None:
    line = json.dumps({"id": "a", "input": "x\u2028y\u0085", "expect": "y"}, ensure_ascii=False)
    file = written(tmp_path, "a.jsonl", "\r\n{}\r\n\r\n{}".format(line, line.replace('"a"', '"b"')))
    assert [case.input for case in loaded(file).cases] == [("x\u2028y\u0085",)] * 2


def test_the_digest_is_of_the_content_alone(tmp_path: Path) -> None:
    def of(text: str, name: str = "a.yaml") -> str:
        return loaded(written(tmp_path, name, text)).digest

    a, b = (
        "- {id: a, input: x, expect: y}\n",
        "- {id: b, input: x, expect: [y, {rule: json_path, path: $.a}]}\n",
    )
    base = of(a + b)
    assert len(base) == 64
    same = (
        "# comment\n- id: b\n  expect: [{text: y, rule: contains, weight: 1}, {path: $.a, rule: json_path}]\n"
        "  input_seq: [x]\n- {input: x, expect: {required_fields: y}, id: a, weight: 1.0, tags: []}\n"
    )
    assert of(same, "other.yaml") == base
    different = [
        a,
        a.replace("input: x", "input: z") + b,
        a + b.replace("path: $.a", "path: $.a, equals: null"),
        a.replace("expect: y", "expect: y, weight: 2") + b,
    ]
    assert len({base, *(of(text) for text in different)}) == 5


words = st.text(
    st.characters(exclude_categories=["Cs", "Cc", "Cf", "Zl", "Zp"]), min_size=1, max_size=12
).filter(lambda text: text.strip() and not is_instruction(text))
anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**6), 10**6)
    | st.floats(allow_nan=False, allow_infinity=False)
    | words,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=3),
    max_leaves=5,
)
rules = st.one_of(
    words,
    st.builds(
        lambda text, weight: {"rule": "contains", "text": text, "weight": weight}, words, st.integers(1, 9)
    ),
    st.builds(lambda args: {"rule": "tool_called", "tool": "t", "args": {"a": args}}, anything),
    st.builds(lambda value: {"rule": "state", "path": "$.a", "equals": value}, anything),
)
case_bodies = st.fixed_dictionaries(
    {
        "input": words | st.lists(words, min_size=1, max_size=3),
        "expect": st.lists(rules, min_size=1, max_size=3),
    },
    optional={
        "weight": st.floats(0.1, 9),
        "tags": st.lists(words, max_size=2),
        "context": words,
        "source": words,
    },
)
case_lists = st.lists(case_bodies, min_size=1, max_size=6).map(
    lambda bodies: [{"id": f"用例 {index}"} | body for index, body in enumerate(bodies)]
)


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(cases=case_lists)
def test_a_set_is_the_same_in_every_format(folder: Path, cases: list[dict[str, Any]]) -> None:
    for old in folder.rglob("*.*"):
        old.unlink()
    texts = {
        "a.json": json.dumps(cases),
        "b.json": json.dumps({"cases": cases}, ensure_ascii=False, indent=1),
        "c.jsonl": "\n".join(json.dumps(case, ensure_ascii=False) for case in cases),
        "d.yaml": yaml.dump(cases, Dumper=_Plain, allow_unicode=True),
        "e.yml": yaml.dump({"problems": cases}, Dumper=_Plain, default_flow_style=True),
    }
    sets = [loaded(written(folder, name, text)) for name, text in texts.items()]
    for index, case in enumerate(cases):
        written(folder, f"set/{index}.json", json.dumps(case))
    sets.append(loaded(folder / "set"))
    assert all(each.cases == sets[0].cases for each in sets)
    assert len({each.digest for each in sets}) == 1


class _Plain(yaml.SafeDumper):
    """Writes YAML 1.2 (all texts in quotes, floats in full) and no aliases of its own."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def _scalar(tag: str, style: str | None) -> Any:
    return lambda dumper, value: dumper.represent_scalar(f"tag:yaml.org,2002:{tag}", str(value), style=style)


_Plain.add_representer(float, _scalar("float", None))
_Plain.add_representer(str, _scalar("str", '"'))


json_like = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                ["id", "case_id", "input", "expect", "expected", "rule", "text", "weight", "cases", "tags"]
            )
            | st.text(max_size=4),
            inner,
            max_size=6,
        )
    ),
    max_leaves=20,
)


@settings(max_examples=150, deadline=None)
@given(data=st.binary(max_size=200) | st.text(max_size=200).map(lambda t: t.encode("utf-8", "surrogatepass")))
def test_no_bytes_make_it_raise(folder: Path, data: bytes) -> None:
    for kind in ("json", "yaml", "jsonl"):
        file = folder / f"bytes.{kind}"
        file.write_bytes(data)
        result = load([file])
        assert (result.case_set is None) == any(p.severity is Severity.error for p in result.problems)


@settings(max_examples=150, deadline=None)
@given(value=json_like)
def test_no_structure_makes_it_raise(folder: Path, value: object) -> None:
    text = json.dumps(value)
    for kind in ("json", "yaml", "jsonl"):
        file = written(folder, f"structure.{kind}", text)
        result = load([file])
        for problem in result.problems:
            assert problem.line is None or problem.line >= 1
            assert problem.what.isprintable()


@settings(max_examples=100, deadline=None)
@given(text=st.text("-[]{}:,&*!|>'\"#%@ \n\tab1?~", max_size=60))
def test_no_yaml_makes_it_raise(folder: Path, text: str) -> None:
    load([written(folder, "a.yaml", text)])


SHOW = """
import sys
from pathlib import Path
from fairtrial.cases.load import load
for name in sys.argv[1:]:
    result = load([Path(name)])
    for problem in result.problems:
        sys.stdout.buffer.write(f"{problem.where} {problem.what}\\n".encode())
    if result.case_set:
        sys.stdout.buffer.write((result.case_set.digest + repr(result.case_set.paths)).encode())
"""


def test_the_locale_and_the_working_directory_change_nothing(tmp_path: Path) -> None:
    case = json.dumps({"id": "é", "input": "我要退款", "expect": "退款"}, ensure_ascii=False)
    for name in ("用例10.json", "用例9.yaml", "É.jsonl"):
        written(tmp_path, name, case.replace("é", name))
    bad = written(tmp_path / "坏", "wrong.json", '[{"id": "a",\n"input": "x", "expect": "回答要合理"}]')
    targets = [str(path) for path in (tmp_path, *sorted(tmp_path.glob("*.*")), bad)]
    outputs = set()
    for extra in ({"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}, {"LC_ALL": "C.UTF-8"}):
        for folder in (tmp_path, Path(tempfile.gettempdir())):
            ran = subprocess.run(
                [sys.executable, "-c", SHOW, *targets],
                env={**os.environ, "FAIRTRIAL_LANG": "zh", **extra},
                cwd=folder,
                capture_output=True,
                check=True,
            )
            outputs.add(ran.stdout.decode())
    (output,) = outputs
    assert f"{bad}:2 " in output
    assert "不可执行" in output
    assert output.count("用例10.json") == 1


def test_a_case_of_prohibitions_alone_is_taken_with_a_hint(tmp_path: Path) -> None:
    path = tmp_path / "cases.json"
    path.write_text(
        '[{"id": "a", "input": "退款", "expected": {"forbidden_phrases": ["请提供订单号"]}}]',
        encoding="utf-8",
    )
    loaded = load([path])
    assert loaded.case_set is not None
    assert [(p.severity, p.line) for p in loaded.problems] == [("hint", 1)]
    assert "says nothing passes" in loaded.problems[0].what
