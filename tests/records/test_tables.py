"""Import of plain score tables: what people's spreadsheets and scripts write, and what is wrong in them."""

import csv
import gzip
import io
import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.errors import BadInput
from fairtrial.records.interop.detect import recognise
from fairtrial.records.interop.foreign import Foreign
from fairtrial.schema.record import Status
from fairtrial.schema.score import Row, Unscored


def _read(folder: Path, content: str | bytes, name: str = "scores.csv") -> Foreign:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    found = recognise(path)
    assert found is not None
    assert found.format == "table"
    return found


def _values(found: Foreign) -> list[float | None]:
    return [None if isinstance(row.score.value, Unscored) else row.score.value for row in found.rows]


def _ids(found: Foreign) -> list[tuple[str, int]]:
    return [(row.record.case, row.record.trial) for row in found.rows]


def _refusal(folder: Path, content: str | bytes, name: str = "scores.csv") -> str:
    with pytest.raises(BadInput) as refused:
        _read(folder, content, name)
    assert "\n" not in str(refused.value)
    return str(refused.value)


def test_the_outcomes_of_a_published_run_come_out(shared_data: Path) -> None:
    found = recognise(shared_data / "tau_bench_airline_gpt4o" / "outcomes.csv")
    assert found is not None
    assert len(found.rows) == 200
    assert sum(value or 0.0 for value in _values(found)) / 200 == pytest.approx(0.42)  # the README's pass^1
    assert {row.record.trial for row in found.rows} == {0, 1, 2, 3}


def test_id_and_score_are_enough(tmp_path: Path) -> None:
    found = _read(tmp_path, "id,score\na,1\nb,0.25\n")
    assert _ids(found) == [("a", 0), ("b", 0)]
    assert _values(found) == [1.0, 0.25]
    assert all(row.record.status is Status.completed for row in found.rows)
    assert found.told["trial_column"] is False
    assert not found.raw_output


def test_known_columns_find_their_place_and_unknown_ones_are_kept(tmp_path: Path) -> None:
    table = (
        "Task ID;Reward;run;group;category;question;answer;model;weight;gold;note\n"
        "t1;1;1;g1;refund;why?;so;m-1;2.5;so;x\nt2;1;1;g2;refund;why?;so;m-1;2.5;so;x\n"
    )
    row = _read(tmp_path, table).rows[0]
    assert (row.record.case, row.record.trial, row.score.value) == ("t1", 0, 1.0)
    assert (row.about.cluster, row.about.bucket, row.about.weight) == ("g1", "refund", 2.5)
    (turn,) = row.record.turns
    assert (turn.user, turn.reply, turn.model) == ("why?", "so", "m-1")
    assert row.record.extra == {"expected": "so", "note": "x"}


def test_a_group_of_everybody_is_no_group(tmp_path: Path) -> None:
    rows = _read(tmp_path, "id,score,source\na,1,web\nb,0,web\n").rows
    assert [(row.about.cluster, row.record.extra) for row in rows] == [(None, {"source": "web"})] * 2


def test_a_chinese_table_with_full_width_scores_is_read(tmp_path: Path) -> None:
    found = _read(
        tmp_path, "用例编号,是否通过,轮次,问题,回答\n退款,是,1,能退吗？,可以\n退款,否,2,能退吗？,不行\n"
    )
    assert _ids(found) == [("退款", 0), ("退款", 1)]
    assert _values(found) == [1.0, 0.0]
    assert found.rows[1].record.reply == "不行"
    assert _values(_read(tmp_path, "编号,得分\n甲,０．５\n乙,对\n")) == [0.5, 1.0]


def test_a_score_by_its_plain_chinese_name_is_taken_before_a_verdict(tmp_path: Path) -> None:
    found = _read(tmp_path, "编号,得分,题目,是否通过\n1,0.5,退货？,否\n")
    assert (_ids(found), _values(found)) == ([("1", 0)], [0.5])
    assert found.rows[0].record.turns[0].user == "退货？"
    assert found.rows[0].record.extra == {"是否通过": "否"}


@pytest.mark.parametrize(
    "table", ["题目,是否通过\n退货？,是\n退货？,否\n", "question,passed\n退货？,1\n退货？,0\n"]
)
def test_without_an_id_the_question_is_one(tmp_path: Path, table: str) -> None:
    found = _read(tmp_path, table)
    assert (_ids(found), _values(found)) == ([("退货？", 0), ("退货？", 1)], [1.0, 0.0])


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("1", 1.0),
        ("0.30", 0.3),
        (" 0.5 ", 0.5),
        ("1e-2", 0.01),
        ("87%", 0.87),
        ("✅", 1.0),
        ("❌", 0.0),
        ("0,75", 0.75),
        ("1,000", 1.0),
        ("62,5%", 0.625),
        ("TRUE", 1.0),
        ("false", 0.0),
        ("Pass", 1.0),
        ("failed", 0.0),
        ("正确", 1.0),
        ("错", 0.0),
        ("不通过", 0.0),
    ],
)
def test_ways_to_write_a_score(tmp_path: Path, written: str, value: float) -> None:
    assert _values(_read(tmp_path, f"id\tscore\na\t{written}\n")) == [pytest.approx(value)]


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("nan", "non_finite"),
        ("-inf", "non_finite"),
        ("∞", "non_finite"),
        ("#DIV/0!", "non_finite"),
        ("", "no_score"),
        ("N/A", "no_score"),
        ("so-so", "no_score"),
        ("1_0", "no_score"),
        ("1.5", "out_of_range"),
        ("-0.2", "out_of_range"),
        ("120%", "out_of_range"),
    ],
)
def test_what_is_no_score_is_a_fault_with_its_line_and_never_a_number(
    tmp_path: Path, written: str, kind: str
) -> None:
    found = _read(tmp_path, f'id,score,q\na,1,"two\nlines"\nb,{written},x\nc,0,y\n')
    assert _values(found) == [1.0, None, 0.0]
    (fault,) = found.faults
    assert (fault.kind, fault.case) == (kind, "b")
    assert fault.where.endswith("scores.csv:4")
    assert found.rows[1].score.hits[0].met is None  # asked, and missing: not a case without rules


def test_scores_on_another_scale_are_refused_with_how_to_mend_it(tmp_path: Path) -> None:
    refusal = _refusal(tmp_path, "id,score\na,87\nb,1\nc,95\n")
    assert "up to 95" in refusal
    assert "divide" in refusal


def test_a_status_tells_errors_from_wrong_answers(tmp_path: Path) -> None:
    found = _read(
        tmp_path, "id,score,status,error\na,1,ok,\nb,,timeout,\nc,0,error,429\nd,0,,boom\ne,0,FAILED,\n"
    )
    statuses = [row.record.status for row in found.rows]
    assert statuses == [
        Status.completed,
        Status.timeout,
        Status.agent_error,
        Status.agent_error,
        Status.completed,  # a verdict, no error
    ]
    assert _values(found) == [1.0, None, 0.0, 0.0, 0.0]
    assert found.faults == ()  # no score is right where no answer came
    assert found.rows[3].record.failure is not None
    assert found.rows[3].record.failure.message == "boom"


def test_an_unknown_status_is_said_once(tmp_path: Path) -> None:
    found = _read(tmp_path, "id,score,status\na,1,weird\nb,1,weird\n")
    assert [(fault.kind, fault.where[-2:]) for fault in found.faults] == [("unknown_status", ":2")]


def test_ids_stay_as_written(tmp_path: Path) -> None:
    found = _read(tmp_path, "id,score\n1,1\n1.0,1\n01,1\n1 ,1\n１,1\n1,0\n")
    assert _ids(found) == [("1", 0), ("1.0", 0), ("01", 0), ("1 ", 0), ("１", 0), ("1", 1)]


def test_a_trial_that_stands_there_twice_is_there_twice(tmp_path: Path) -> None:
    found = _read(tmp_path, "id,score,trial\na,1,1\na,0,1\na,1,3\n")
    assert _ids(found) == [("a", 0), ("a", 0), ("a", 2)]
    assert found.told["trial_column"] is True


@pytest.mark.parametrize(
    ("written", "numbers"),
    [
        (["0", "1"], [0, 1]),
        (["1", "3"], [0, 2]),
        (["43", "42"], [1, 0]),  # seeds
        (["run-b", "run-a"], [0, 1]),
        (["", "1"], [0, 1]),
    ],
)
def test_trials_are_counted_from_zero(tmp_path: Path, written: list[str], numbers: list[int]) -> None:
    lines = "".join(f"a,1,{one}\n" for one in written)
    assert [trial for _, trial in _ids(_read(tmp_path, "id,score,trial\n" + lines))] == numbers


def test_rows_without_an_id_are_named_and_left_out(tmp_path: Path) -> None:
    found = _read(tmp_path, "id,score\na,1\n,0.5\n")
    assert _ids(found) == [("a", 0)]
    assert [(fault.kind, fault.where[-2:]) for fault in found.faults] == [("no_id", ":3")]


def test_a_weight_that_is_none_is_named(tmp_path: Path) -> None:
    found = _read(tmp_path, "id,score,weight\na,1,2\nb,1,-1\nc,1,\n")
    assert [row.about.weight for row in found.rows] == [2.0, 1.0, 1.0]
    assert [(fault.kind, fault.case) for fault in found.faults] == [("bad_weight", "b")]


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ("id,task_id,score\na,b,1\n", "several columns could be the id: id, task_id"),
        ("id,passed,reward\na,1,1\n", "several columns could be the score"),
        ("name,score\na,1\n", "no column is the id; there are: name, score"),
        ("id,points\na,1\n", "no column is the score"),
        ("id,score\na,1,b,c\n", "scores.csv:2: 4 cells, but 2 column names"),
        ('id,score\na,"1\n', "no table"),
    ],
)
def test_what_cannot_be_told_is_refused_in_one_line(tmp_path: Path, table: str, says: str) -> None:
    assert says in _refusal(tmp_path, table)


@pytest.mark.parametrize(
    ("table", "line", "en", "zh"),
    [
        ('id,score\na,1\n"b,0\nc,1\n', 3, "a quote is opened here and never closed", "此处的引号没有闭合"),
        ('编号,得分\n"甲"乙,1\n', 2, "text stands behind a closing quote", "闭合的引号后面还有文字"),
    ],
)
def test_quotes_that_do_not_pair_are_told_in_our_words(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, table: str, line: int, en: str, zh: str
) -> None:
    for language, says in (("en", en), ("zh", zh)):
        monkeypatch.setenv("FAIRTRIAL_LANG", language)
        told = _refusal(tmp_path, table)
        assert says in told
        assert f"scores.csv:{line}: " in told


@pytest.mark.parametrize(
    "head", [",name,points (%)", "模型名称,用时", "Test case,pass.rate", "id,How good (0-1)?"]
)
def test_names_that_are_not_known_are_listed(tmp_path: Path, head: str) -> None:
    cells = ",".join("1" * len(head.split(",")))
    assert f"there are: {', '.join(head.split(','))}" in _refusal(tmp_path, f"{head}\n{cells}\n")


def test_the_plain_name_of_the_score_is_taken_before_its_other_names(tmp_path: Path) -> None:
    (row,) = _read(tmp_path, "id,passed,score\na,false,0.7\n").rows
    assert row.score.value == 0.7
    assert row.record.extra == {"passed": "false"}


def test_cells_left_out_at_the_end_are_empty_and_blank_rows_nothing(tmp_path: Path) -> None:
    found = _read(tmp_path, "id,score,note\na,1\n,,\n\nb,0,x,\n")
    assert _ids(found) == [("a", 0), ("b", 0)]
    assert found.rows[0].record.extra == {"note": ""}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_what_spreadsheets_save_is_read(tmp_path: Path, encoding: str) -> None:
    found = _read(tmp_path, "编号,得分,问题\n甲,1,退货怎么办？\n".encode(encoding))
    assert _ids(found) == [("甲", 0)]
    assert found.rows[0].record.turns[0].user == "退货怎么办？"


def test_text_in_an_unknown_encoding_is_refused_with_what_to_do(tmp_path: Path) -> None:
    refusal = _refusal(tmp_path, "id,score,note\na,1,déjà vu\n".encode("latin-1"))
    assert "UTF-8" in refusal


_OBJECTS: list[dict[str, Any]] = [
    {"case_id": 1, "passed": True, "epoch": 1, "input": "问", "output": {"answer": 2}},
    {"case_id": 1.0, "passed": False, "epoch": 1, "tags": ["x"]},
    {"case_id": "b", "passed": None, "epoch": 2},
    {"case_id": "c", "passed": math.nan, "epoch": 2},
]


@pytest.mark.parametrize("form", ["list", "lines", "gzip"])
def test_objects_are_rows_too(tmp_path: Path, form: str) -> None:
    lines = json.dumps(_OBJECTS) if form == "list" else "\n".join(map(json.dumps, _OBJECTS)) + "\n"
    data = gzip.compress(lines.encode()) if form == "gzip" else lines.encode()
    found = _read(tmp_path, data, "scores.json")
    assert _ids(found) == [("1", 0), ("1.0", 0), ("b", 1), ("c", 1)]
    assert _values(found) == [1.0, 0.0, None, None]
    assert found.rows[0].record.reply == '{"answer":2}'
    assert found.rows[1].record.extra == {"tags": ["x"]}
    ends = ["[2]", "[3]"] if form == "list" else [":3", ":4"]
    assert [fault.kind for fault in found.faults] == ["no_score", "non_finite"]
    assert [fault.where.removeprefix(str(tmp_path / "scores.json")) for fault in found.faults] == ends


def test_a_line_that_is_no_object_is_named(tmp_path: Path) -> None:
    refusal = _refusal(tmp_path, '{"id": "a", "score": 1}\n[1]\n', "scores.jsonl")
    assert "scores.jsonl:2" in refusal


_TEXT = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1)
_CHINESE = st.text(st.sampled_from("退款订单，。？“”\"',;\n\r\t =1"), min_size=1)
_ROWS = st.lists(
    st.tuples(
        st.one_of(_TEXT, _CHINESE).filter(lambda text: any(not sign.isspace() for sign in text)),
        st.floats(0.0, 1.0),
        st.one_of(_TEXT, _CHINESE),
        st.integers(0, 50),
    ),
    min_size=1,
    max_size=8,
)


def _same(row: Row, cells: tuple[str, float, str, int]) -> bool:
    case, score, answer, _ = cells
    return (row.record.case, row.score.value, row.record.reply) == (case, score, answer)


@given(
    rows=_ROWS, delimiter=st.sampled_from(",;\t"), quoting=st.sampled_from([csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
)
def test_what_a_csv_writer_wrote_comes_back(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[tuple[str, float, str, int]],
    delimiter: str,
    quoting: Any,
) -> None:
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, quoting=quoting)
    writer.writerows([("id", "score", "answer", "trial"), *rows])
    path = tmp_path_factory.mktemp("table") / "t.csv"
    path.write_bytes(out.getvalue().encode())
    found = recognise(path)
    assert found is not None
    assert found.faults == ()
    assert all(_same(row, cells) for row, cells in zip(found.rows, rows, strict=True))


@given(rows=_ROWS)
def test_what_a_json_writer_wrote_comes_back(
    tmp_path_factory: pytest.TempPathFactory, rows: list[tuple[str, float, str, int]]
) -> None:
    path = tmp_path_factory.mktemp("table") / "t.jsonl"
    lines = [json.dumps({"id": i, "score": s, "answer": a, "trial": t}) for i, s, a, t in rows]
    path.write_text("\n".join(lines), encoding="utf-8")
    found = recognise(path)
    assert found is not None
    assert all(_same(row, cells) for row, cells in zip(found.rows, rows, strict=True))


@given(
    data=st.one_of(
        st.binary(),
        st.lists(st.sampled_from("id score,\"'\n\r;\t01.5%是{}[]:\x00\ufeff")).map("".join).map(str.encode),
    )
)
def test_no_bytes_are_more_than_a_refusal(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.mktemp("table") / "t"
    path.write_bytes(data)
    says = str(path)
    try:
        recognise(path)
    except BadInput as refused:
        says = str(refused)
    assert str(path) in says
