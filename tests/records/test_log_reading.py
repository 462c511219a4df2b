import gzip
import json
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import BadInput
from fairtrial.records.log import read_header, read_rows, write_log
from fairtrial.schema.evidence import Header
from fairtrial.schema.record import Call, Failure, Record, Say, Status, Turn, Usage
from fairtrial.schema.score import About, Hit, Row, Score, Unscored, Useful
from fairtrial.text.json import decode, encode
from fakes.log_samples import FINAL, RUNNING, row


def _joined(text: str) -> str:
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


# Every code point, lone surrogates too: agents' output may hold anything.
_texts = st.text(st.characters(exclude_categories=()), max_size=20).map(_joined)
_ratios = st.floats(0, 1)
_plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | _texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_texts, inner, max_size=3),
    max_leaves=8,
)
_calls = st.builds(
    Call,
    name=_texts,
    arguments=st.dictionaries(_texts, _plain, max_size=3) | _texts,
    result=_plain,
    id=_texts,
)
_turns = st.builds(
    Turn,
    user=_texts,
    reply=_texts,
    steps=st.lists(_calls | st.builds(Say, text=_texts), max_size=3).map(tuple),
    state=_plain,
    seconds=st.none() | _ratios,
    usage=st.none()
    | st.builds(Usage, input_tokens=st.none() | st.integers(0, 10**9), cost=st.none() | _ratios),
)
_records = st.builds(
    Record,
    case=_texts,
    trial=st.integers(0, 9),
    status=st.sampled_from(Status),
    started=_ratios,
    ended=_ratios,
    turns=st.lists(_turns, max_size=2).map(tuple),
    failure=st.none() | st.builds(Failure, kind=_texts, message=_texts),
)
_useful = st.builds(
    Useful, value=_ratios, concrete=_ratios, context=_ratios, next_step=_ratios, no_repetition=_ratios
)
_unscored = st.builds(Unscored, why=_texts)
_scores = st.builds(
    Score,
    value=_ratios | _unscored,
    hits=st.lists(
        st.builds(Hit, rule=_texts, met=st.none() | st.booleans(), share=_ratios, why=_texts), max_size=2
    ).map(tuple),
    useful=_useful | _unscored,
)
_rows = st.builds(
    Row, record=_records, score=_scores, about=st.builds(About, tags=st.lists(_texts).map(tuple))
)


@given(_rows)
def test_any_row_comes_back_as_it_went(row: Row) -> None:
    line = encode(row)
    assert b"\n" not in line
    line.decode("utf-8")
    assert decode(line, Row) == row


def test_half_a_surrogate_pair_is_written_as_jsons_own_escape() -> None:
    half = row("a", reply="半个\ud83d表情\\ud83d")
    line = encode(half)
    assert line.isascii()
    assert json.loads(line)["record"]["turns"][0]["reply"] == "半个\ud83d表情\\ud83d"
    assert decode(line, Row) == half


def test_a_pair_that_came_in_two_halves_is_joined() -> None:
    # A stream that is cut between them gives two halves, which are one sign to every reader of JSON.
    assert decode(encode(row("a", reply="\ud83d" + "\ude00")), Row).record.reply == "😀"


def test_ordinary_text_stays_readable_in_the_file() -> None:
    assert "好的😀".encode() in encode(row("a", reply="好的😀"))


@pytest.mark.parametrize("reply", ["plain", "\ud800"])
def test_not_a_number_is_unknown(reply: str) -> None:
    turn = Turn(user="", reply=reply, seconds=float("nan"), state=[float("inf")])
    record = Record(case="a", trial=0, status=Status.completed, started=0, ended=0, turns=(turn,))
    back = decode(encode(Row(record=record, score=row("a").score)), Row).record.turns[0]
    assert (back.seconds, back.state) == (None, [None])


def test_the_form_of_a_log_is_in_its_header(tmp_path: Path) -> None:
    log = write_log(tmp_path / "a.jsonl", FINAL, [])
    header = json.loads(log.read_bytes())
    assert (header["schema"], header["mark"]) == (1, None)


def test_unknown_fields_are_passed_over(tmp_path: Path) -> None:
    log = write_log(tmp_path / "a.jsonl", FINAL, [row("a")])
    first, second = (json.loads(line) for line in log.read_bytes().splitlines())
    first["new"], second["new"], second["record"]["new"] = 1, {"x": 1}, [1]
    log.write_text(f"{json.dumps(first)}\n{json.dumps(second)}\n")
    assert read_header(log) == FINAL
    assert list(read_rows(log)) == [row("a")]


def _refusals(tmp_path: Path) -> dict[str, tuple[bytes, str]]:
    head = encode(FINAL) + b"\n"
    newer = json.dumps({**msgspec.to_builtins(FINAL), "schema": 2, "status": "splendid"}).encode() + b"\n"
    return {
        "empty": (b"", "x: the file is empty"),
        "problems": (b'{"id": "a", "input": "hi"}\n', "x:1: not a log"),
        "list": (b"[\n]\n", "x:1: not a log"),
        "text": ("第一行\n".encode(), "x:1: not a log"),
        "latin": (b"\xff\xfe\n", "x:1: not a log"),
        "torn": (head[:-5], "x:1: not a log"),
        "gzip": (gzip.compress(head), "x: the file is compressed"),
        "newer": (newer, "x:1: written by fairtrial 0.1.0 in form 2, known are up to 1"),
        "damaged": (head.replace(b'"reliable"', b'"splendid"'), "x:1: the header is damaged"),
    }


@pytest.mark.parametrize("name", list(_refusals(Path())))
def test_what_is_no_log_is_refused_at_once_in_one_line(tmp_path: Path, name: str) -> None:
    content, message = _refusals(tmp_path)[name]
    path = tmp_path / "x"
    path.write_bytes(content)
    for read in (read_header, read_rows):
        with pytest.raises(BadInput, match=message) as refusal:
            read(path)
        assert refusal.value.how
        assert "\n" not in str(refusal.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    for path in (tmp_path / "none.jsonl", tmp_path):
        with pytest.raises(BadInput, match=path.name):
            read_header(path)


@pytest.mark.parametrize(("header", "kept"), [(RUNNING, 1), (FINAL, None)])
def test_only_a_part_file_may_end_in_a_torn_line(tmp_path: Path, header: Header, kept: int | None) -> None:
    lines = [encode(header), encode(row("a")), encode(row("b"))[:-3]]
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"\n".join(lines))
    if kept is None:
        with pytest.raises(BadInput, match=r"x\.jsonl:3: not a row"):
            list(read_rows(path))
    else:
        assert [r.record.case for r in read_rows(path)] == ["a"]


@pytest.mark.parametrize("header", [RUNNING, FINAL])
def test_a_bad_line_in_the_middle_is_refused_with_its_number(tmp_path: Path, header: Header) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(b"\n".join([encode(header), encode(row("a")), b"?", encode(row("b")), b""]))
    rows = read_rows(path)
    assert next(rows).record.case == "a"
    with pytest.raises(BadInput, match=r"x\.jsonl:3: not a row"):
        next(rows)


@given(st.binary(max_size=60))
def test_no_first_line_breaks_the_reader(data: bytes) -> None:
    from fairtrial.records.reading import header_of

    with pytest.raises(BadInput):
        header_of(data, Path("x"))


def test_refusals_are_in_the_language_of_the_reader(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRTRIAL_LANG", "zh")
    path = tmp_path / "x"
    path.write_bytes(b"")
    with pytest.raises(BadInput, match="文件是空的"):
        read_header(path)
