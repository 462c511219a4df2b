"""What a file is, told by its content: real files under other names, damaged ones, and random bytes."""

import gzip
import io
import json
import os
import shutil
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fairtrial.errors import BadInput
from fairtrial.records.interop import chat
from fairtrial.records.interop.content import open_content
from fairtrial.records.interop.detect import FORMATS, known, recognise
from fairtrial.records.interop.foreign import Foreign, kept, recalled
from fairtrial.records.interop.messages import of_list, system_of
from fairtrial.schema.evidence import Header
from fairtrial.schema.record import Call, Say, Turn
from fairtrial.text.json import decode, encode

RUN = {"task_id": 0, "trial": 0, "reward": 1.0, "traj": []}


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("tau_bench_airline_gpt4o/gpt-4o-airline.json.gz", "tau-bench"),
        ("inspect_ai_logs/log__test_eval_log__log_formats.eval", "inspect"),
        ("inspect_ai_logs/log__test_eval_log__log_formats.json", "inspect"),
        ("promptfoo_results/results.json", "promptfoo"),
        ("promptfoo_results/results.jsonl", "promptfoo"),
    ],
)
def test_a_real_file_is_known_under_any_name(shared_data: Path, tmp_path: Path, file: str, name: str) -> None:
    path = tmp_path / "photo.csv"
    shutil.copyfile(shared_data / file, path)
    foreign = recognise(path)
    assert foreign is not None
    assert foreign.format == name
    packed = tmp_path / "packed.zip"
    raw = path.read_bytes()
    packed.write_bytes(gzip.decompress(raw) if raw[:2] == b"\x1f\x8b" else gzip.compress(raw))
    again = recognise(packed, name)
    assert again is not None
    assert again.rows == foreign.rows


def test_a_log_of_ours_is_none_and_only_its_first_line_is_read(tmp_path: Path) -> None:
    header = Header(fairtrial="0", run="r", started="", mode="full", status="reliable", config={})
    path = tmp_path / "log.jsonl"
    path.write_bytes(encode(header) + b"\n" + b"\xff\xfe is no JSON")
    assert recognise(path) is None


def _zip(**members: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in members.items():
            archive.writestr(name.replace("__", "/"), data)
    return out.getvalue()


WHOLE = gzip.compress(json.dumps([RUN] * 50).encode())


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "empty"),
        (b" \n\t", "empty"),
        (b"\xef\xbb\xbf\n", "empty"),
        (b"[]", "none of the known formats"),
        (b"{}", "none of the known formats"),
        (b"some words", "none of the known formats"),
        (b'{"a": 1}\n{"a": 2}\n', "none of the known formats"),
        (b'{"a": 1}\n{"a": ', "cut off"),
        (b'[{"task_id": 0, "rew', "cut off"),
        (b"[" * 100_000, "nested too deeply"),
        (b"caf\xe9,1\n", "neither UTF-8"),
        (b'{"a": "\xff"}', "neither UTF-8"),
        (b"id,score\na\0,1\n", "NUL bytes"),
        (b"id,score\n", "a table without a row"),
        (_zip(**{"header.json": b"[]"}), "no JSON object"),
        (b'a,b\n"x,1\n', "no table"),
        (WHOLE[:-20], "damaged or cut off"),
        (b"\x1f\x8b\x08rubbish", "damaged or cut off"),
        (b"PK\x03\x04rubbish", "damaged or cut off"),
        (_zip(a=b"{}"), "none of the known formats"),
        (_zip(**{"header.json": b"{"}), "damaged"),
    ],
)
def test_what_cannot_be_read_is_one_clear_line(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "results.json"
    path.write_bytes(content)
    with pytest.raises(BadInput, match=says) as caught:
        recognise(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        '"""A clerk: knows prices, mostly."""\n\nimport os, sys\nPRICE = "a" "b"\n',
        "import os, sys\n\nfrom clerk import answer\n",
        '"""Never, ever\nclosed"" ',
        "# Real, published data\n\nAs measured, and as told.\n",
        "价格, 库存与退货。\n\n先查, 再答\n",
    ],
)
@pytest.mark.parametrize(
    ("language", "says"), [("en", "a log of fairtrial is read too"), ("zh", "日志也可以")]
)
def test_text_with_commas_is_no_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, language: str, says: str
) -> None:
    monkeypatch.setenv("FAIRTRIAL_LANG", language)
    path = tmp_path / "agent.py"
    path.write_text(text, "utf-8")
    with pytest.raises(BadInput, match=says) as caught:
        recognise(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert known() in str(caught.value)


def test_no_file_a_folder_another_format_and_one_that_there_is_not(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="No such file"):
        recognise(tmp_path / "nowhere.json")
    with pytest.raises(BadInput, match="Is a directory"):
        recognise(tmp_path)
    path = tmp_path / "runs.json"
    path.write_text(json.dumps([RUN]))
    with pytest.raises(BadInput, match="not a file of inspect; it looks like tau-bench"):
        recognise(path, "inspect")
    with pytest.raises(BadInput, match="no such format: excel"):
        recognise(path, "excel")
    for one in FORMATS:
        assert one.name in known()


def test_a_pipe_and_a_packed_log_of_ours_are_refused_with_what_to_do(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")  # to open it would wait for ever
    with pytest.raises(BadInput, match=r"no file but a pipe or a device \(save"):
        recognise(tmp_path / "pipe")
    header = Header(fairtrial="0", run="r", started="", mode="full", status="reliable", config={})
    packed = tmp_path / "log.jsonl.gz"
    for data in (gzip.compress(encode(header)), b"\xef\xbb\xbf" + encode(header)):
        packed.write_bytes(data)
        with pytest.raises(BadInput, match="a log of fairtrial, packed or saved anew"):
            recognise(packed)


@pytest.mark.parametrize("encoding", ["utf-16", "gb2312"])
def test_json_in_what_else_editors_save_is_read(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "runs.json"
    path.write_bytes(json.dumps([RUN | {"备注": "退货"}], ensure_ascii=False).encode(encoding))
    found = recognise(path)
    assert found is not None
    assert found.rows[0].record.extra == {"备注": "退货"}


def test_the_line_of_a_torn_line_is_named(tmp_path: Path) -> None:
    path = tmp_path / "results.jsonl"
    path.write_text('{"id": 1}\n\n{"id": 2}\n{"id"')
    with pytest.raises(BadInput, match=r"results\.jsonl:4"):
        recognise(path)


@pytest.mark.parametrize(
    ("text", "kind", "data", "where"),
    [
        ('{"a": NaN}', "object", None, "f"),
        ('\n{"a": 1}\r\n\r\n{"b": 2}\r\n', "lines", [{"a": 1}, {"b": 2}], "f:4"),
        ("[1, 2]", "list", [1, 2], "f[1]"),
        ("id;分数\n1;0,5\n", "csv", [("id", "分数"), ("1", "0,5")], "f:2"),
        ('a,b\n"x\ny",1\nz,2\n', "csv", [("a", "b"), ("x\ny", "1"), ("z", "2")], "f:2"),
        ("\ufeffid\tscore\n\n1\t1\n", "csv", [("id", "score"), ("1", "1")], "f:3"),
    ],
)
def test_content_is_parsed_with_its_places(
    tmp_path: Path, text: str, kind: str, data: object, where: str
) -> None:
    path = tmp_path / "f"
    path.write_bytes(text.encode())
    content = open_content(path)
    assert content.kind == kind
    if data is None:
        assert content.data["a"] != content.data["a"]  # NaN
    else:
        assert content.data == data
        assert content.where(1) == str(tmp_path / where)


WORDS = """task_id trial reward traj info task actions outputs name role content tool_calls function arguments
    id version status eval plan results samples scores metrics value epoch messages input target error limit
    type output choices model_usage dataset sample_ids config epochs prompt provider success testIdx testCase
    vars description gradingResult componentResults assertion weight response failureReason stats successes
    label raw attachments model score tokenUsage repeat runtimeOptions evalId providers"""
KEYS = st.sampled_from(WORDS.split())
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS, inner, max_size=6),
    max_leaves=12,
)


def _recognised_or_refused(folder: Path, data: bytes) -> None:
    path = folder / "any"
    path.write_bytes(data)
    foreign = None
    with suppress(BadInput):
        foreign = recognise(path)
    if foreign is not None:
        encode(foreign.rows)
        assert _again(foreign) == kept(foreign)


def _again(foreign: Foreign) -> dict[str, Any]:
    """What a log keeps of it, after having been written and read."""
    config = {"imported": kept(foreign)}
    header = Header(fairtrial="0", run="r", started="", mode="import", status="running", config=config)
    back = recalled(decode(encode(header), Header))
    assert back is not None
    return kept(back)


quick = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)


@quick
@given(data=st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_any_bytes_are_recognised_or_refused(tmp_path: Path, data: bytes) -> None:
    _recognised_or_refused(tmp_path, data)


def _like(names: str, **fields: Any) -> st.SearchStrategy[Any]:
    """An object that a format takes for its own, with anything in its fields."""
    return st.fixed_dictionaries(dict.fromkeys(names.split(), JSON) | fields)


TAU = _like("task_id reward trial info", traj=st.lists(JSON, max_size=4))
SAMPLE = _like(
    "messages scores score output error limit model_usage attachments",
    id=st.integers(0, 3) | st.text(max_size=3),
    epoch=st.integers(1, 3),
)
INSPECT = _like(
    "version status results plan error",
    eval=st.dictionaries(KEYS, JSON, max_size=5),
    samples=st.lists(SAMPLE, max_size=3),
)
RESULT = _like(
    "prompt provider success score testCase vars response gradingResult failureReason error id cost"
)
PROMPTFOO = _like("config metadata", results=_like("stats", results=st.lists(RESULT, max_size=3)))
WORDS_OF_TABLES = (
    'a|Status|Score|Named Scores|Grader Reason|PASS|FAIL|ERROR|[PASS] (1.00) 好|[FAIL] (NaN)||0.5|"'
)
CELLS = st.sampled_from(WORDS_OF_TABLES.split("|"))


@quick
@given(data=st.lists(TAU, min_size=1, max_size=3) | INSPECT | PROMPTFOO | RESULT | JSON)
def test_any_json_is_recognised_or_refused(tmp_path: Path, data: Any) -> None:
    _recognised_or_refused(tmp_path, json.dumps(data).encode())


@quick
@given(rows=st.lists(st.lists(CELLS, min_size=1, max_size=9), min_size=1, max_size=5))
def test_any_table_is_recognised_or_refused(tmp_path: Path, rows: list[list[str]]) -> None:
    _recognised_or_refused(tmp_path, "\n".join(",".join(row) for row in rows).encode())


def test_thoughts_calls_and_words_become_steps_and_the_last_words_the_reply() -> None:
    call = {"id": "1", "function": {"name": "查", "arguments": '{"单": 1}'}}
    messages = [
        {"role": "system", "content": "你是客服"},
        {"role": "user", "content": [{"type": "text", "text": "你好"}, {"type": "image", "image": "…"}]},
        {
            "role": "assistant",
            "content": [{"type": "reasoning", "reasoning": "先查"}, {"type": "text", "text": "稍等"}],
            "tool_calls": [call, "odd"],
        },
        {"role": "tool", "tool_call_id": "1", "content": None, "error": {"message": "timeout"}},
        "no message",
        {"role": "assistant", "content": "查不到。", "reasoning_content": "没有"},
    ]
    assert system_of(of_list(messages)) == "你是客服"
    assert chat.turns(of_list(messages)) == (
        Turn(
            user="你好\n[image]",
            reply="查不到。",
            steps=(
                Say(text="先查"),
                Say(text="稍等"),
                Call(name="查", arguments={"单": 1}, id="1", result="", error="timeout"),
                Call(name="", arguments="odd"),
                Say(text="没有"),
            ),
        ),
    )
