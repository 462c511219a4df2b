"""Live dialogues as services keep them: what is read, and what is told of a line that cannot be."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import BadInput
from fairtrial.records.interop.traffic import read_traffic
from fairtrial.schema.traffic import Dialogue

ASKED = [{"role": "user", "content": "我的快递到哪了"}, {"role": "assistant", "content": "请稍等"}]


def write(folder: Path, *found: Any) -> Path:
    path = folder / "live.jsonl"
    texts = [one if isinstance(one, str) else json.dumps(one, ensure_ascii=False) for one in found]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path


def only(folder: Path, **line: Any) -> Dialogue:
    (found,) = read_traffic(write(folder, {"messages": ASKED} | line))
    return found


@pytest.mark.parametrize(
    "line",
    [
        {"messages": ASKED},
        {"turns": [{"speaker": "用户", "text": "我的快递到哪了"}, {"speaker": "客服", "text": "请稍等"}]},
        {"conversation": [{"user": "我的快递到哪了", "assistant": "请稍等"}]},
        {"对话": [{"角色": "客户", "内容": "我的快递到哪了"}, {"角色": "机器人", "内容": "请稍等"}]},
        {"conversations": [{"from": "human", "value": "我的快递到哪了"}, {"from": "ai", "value": "请稍等"}]},
        {
            "messages": [
                {"role": "Customer", "content": [{"type": "text", "text": "我的快递到哪了"}]},
                {"role": "BOT", "content": "请稍等"},
            ]
        },
    ],
)
def test_whoever_wrote_it_is_read_alike(tmp_path: Path, line: dict[str, Any]) -> None:
    (found,) = read_traffic(write(tmp_path, {"id": 7} | line))
    assert found.id == "7"
    assert [(one.role, one.text) for one in found.messages] == [
        ("user", "我的快递到哪了"),
        ("assistant", "请稍等"),
    ]
    assert found.asked == ("我的快递到哪了",)


def test_texts_alone_are_the_users_turns(tmp_path: Path) -> None:
    (found,) = read_traffic(write(tmp_path, {"turns": ["where is it", "order 12"]}))
    assert found.asked == ("where is it", "order 12")
    assert found.id == "line-1"


@pytest.mark.parametrize(
    ("written", "satisfied", "dissatisfied"),
    [
        (True, True, False),
        (False, False, True),
        ("不满意", False, True),
        ("满意", True, False),
        ({"score": 4, "of": 5}, True, False),
        ({"score": 3, "of": 5}, False, False),
        ("2/5", False, True),
        ({"score": 0, "from": 0, "of": 10}, False, True),
        ({"score": None, "of": 5}, None, False),
        (None, None, False),
        ("", None, False),
        ("not asked", None, False),
    ],
)
def test_marks_of_satisfaction(
    tmp_path: Path, written: Any, satisfied: bool | None, dissatisfied: bool
) -> None:
    found = only(tmp_path, satisfied=written)
    assert (found.satisfied, found.dissatisfied) == (satisfied, dissatisfied)


@pytest.mark.parametrize(
    ("marks", "dissatisfied"),
    [
        ({"resolved": False}, True),
        ({"resolved": False, "satisfied": True}, False),
        ({"resolved": True, "satisfied": False}, True),
        ({"已解决": "是"}, False),
        ({}, False),
    ],
)
def test_unresolved_is_dissatisfied_unless_the_user_says_otherwise(
    tmp_path: Path, marks: dict[str, Any], dissatisfied: bool
) -> None:
    assert only(tmp_path, **marks).dissatisfied is dissatisfied


@pytest.mark.parametrize(
    ("written", "day"),
    [
        ("2026-11-30T08:15:00+08:00", "2026-11-30"),
        ("2026/11/30", "2026-11-30"),
        (1796000000, "2026-11-30"),
        (1796000000000, "2026-11-30"),
        (None, None),
    ],
)
def test_times(tmp_path: Path, written: Any, day: str | None) -> None:
    assert only(tmp_path, at=written).day == day


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"messages": [', "no JSON, or cut off"),
        ("[1]", "no JSON object"),
        ({"id": "a"}, "it has no messages"),
        ({"messages": [{"role": "narrator", "content": "x"}]}, "a role that nobody knows: 'narrator'"),
        ({"messages": [{"content": "x"}]}, "does not say who speaks"),
        ({"messages": [3]}, "no object and no text"),
        ({"messages": ASKED, "satisfied": 2}, "of how many?"),
        ({"messages": ASKED, "satisfied": {"score": 6, "of": 5}}, "no score on a scale"),
        ({"messages": ASKED, "satisfied": {"score": 2}}, "no score on a scale"),
        ({"messages": ASKED, "resolved": 0.3}, "neither yes nor no"),
        ({"messages": ASKED, "at": "yesterday"}, "no time: 'yesterday'"),
        ({"messages": ASKED, "id": "first"}, "is that of line 1, too"),
    ],
)
def test_a_bad_line_is_told_with_its_number(tmp_path: Path, line: Any, told: str) -> None:
    path = write(tmp_path, {"id": "first", "messages": ASKED}, "", line)
    with pytest.raises(BadInput) as error:
        list(read_traffic(path))
    assert error.value.where == f"{path}:3"
    assert told in str(error.value)


def test_packed_and_with_a_byte_order_mark(tmp_path: Path) -> None:
    path = tmp_path / "live.jsonl.gz"
    line = json.dumps({"messages": ASKED}).encode()
    path.write_bytes(gzip.compress(b"\xef\xbb\xbf" + line))
    assert len(list(read_traffic(path))) == 1
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(BadInput, match="cut off"):
        list(read_traffic(path))


@pytest.mark.parametrize("written", [b"", b"\n\n"])
def test_an_empty_file_and_none(tmp_path: Path, written: bytes) -> None:
    path = tmp_path / "live.jsonl"
    with pytest.raises(BadInput):
        list(read_traffic(path))
    path.write_bytes(written)
    with pytest.raises(BadInput, match="holds no dialogue"):
        list(read_traffic(path))


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)


@given(
    line=st.fixed_dictionaries(
        {},
        optional=dict.fromkeys(("id", "messages", "satisfied", "resolved", "at", "intent", "version"), _json),
    )
)
def test_any_line_is_read_or_refused(tmp_path_factory: pytest.TempPathFactory, line: dict[str, Any]) -> None:
    path = write(tmp_path_factory.mktemp("any"), line)
    try:
        found = list(read_traffic(path))
    except BadInput as error:
        refused = error
    else:
        assert all(one.satisfaction is None or 0 <= one.satisfaction <= 1 for one in found)
        return
    assert refused.where == f"{path}:1"
