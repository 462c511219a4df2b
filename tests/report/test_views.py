"""What a person should read, and in which order."""

import io
import json

from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from fairtrial.report.documents import plainly, reading_document
from fairtrial.report.sessions import show_reading, show_record, show_session
from fairtrial.report.views import reading
from fairtrial.schema.record import Failure, Record, Status, Turn
from fairtrial.schema.score import About, Hit, Row, Score, Unscored, Useful


def row(
    case: str,
    value: float | None,
    useful: float | None = None,
    *,
    trial: int = 0,
    weight: float = 1.0,
    reply: str = "好的",
) -> Row:
    status = Status.completed if value is not None else Status.timeout
    return Row(
        record=Record(
            case=case,
            trial=trial,
            status=status,
            turns=(Turn(user="多少钱？", reply=reply),),
            failure=None if value is not None else Failure(kind="timeout", message="not within 60 s"),
        ),
        score=Score(
            value=Unscored(why="ended with timeout") if value is None else value,
            hits=()
            if value is None
            else (Hit(rule="number", met=value >= 1, share=1.0, why="no number 25"),),
            useful=Unscored(why="short answer")
            if useful is None
            else Useful(value=useful, concrete=useful, context=useful, next_step=useful, no_repetition=1.0),
        ),
        about=About(weight=weight, tags=("价格",)),
    )


def console(width: int = 80) -> Console:
    return Console(file=io.StringIO(), width=width, highlight=False)


def text(found: Console) -> str:
    assert isinstance(found.file, io.StringIO)
    return found.file.getvalue()


def test_each_kind_in_its_order() -> None:
    found = reading(
        [
            row("light", 0.0, 0.1),
            row("heavy", 0.5, 0.6, weight=3),
            row("heavy and worse", 0.0, 0.9, weight=3),
            row("empty", 1.0, 0.05),
            row("emptier", 1.0, 0.0),
            row("fine", 1.0, 0.8),
            row("not measured", 1.0),
            row("silent", None),
        ],
        pass_at=1.0,
    )
    document = reading_document(found)
    cases = document.pop("cases")
    assert cases["heavy"] == {"scored": 1, "passed": 0, "score": 0.5}
    assert cases["silent"] == {"scored": 0, "passed": 0, "score": None}
    assert len(cases) == 8
    assert document == {
        "misses": ["heavy and worse", "heavy", "light"],
        "useless_hits": ["emptier", "empty"],
        "useful_misses": ["heavy and worse", "heavy"],
        "unanswered": ["silent"],
    }


def test_trials_are_taken_together_and_those_without_an_answer_left_out() -> None:
    rows = [row("a", 1.0, 0.4), row("a", 0.0, 0.2, trial=1, reply="wrong"), row("a", None, trial=2)]
    [view] = reading(rows, pass_at=1.0).misses
    assert (view.trials, view.scored, view.passed) == (3, 2, 1)
    assert view.score == 0.5
    assert view.useful is not None
    assert abs(view.useful - 0.3) < 1e-12
    assert view.example is not None
    assert view.example.reply == "wrong"
    assert view.broken == {"number": "no number 25"}


def test_a_case_passes_from_the_rounds_own_mark_on() -> None:
    assert [view.case for view in reading([row("a", 0.6)], pass_at=0.5).best] == ["a"]
    assert [view.case for view in reading([row("a", 0.6)], pass_at=0.7).misses] == ["a"]


def test_no_line_is_wider_than_the_terminal() -> None:
    rows = [row(f"退款-{n}", 0.0, 0.9, reply="我们的退款政策是" * 40 + "\n" * 3 + "。") for n in range(12)]
    for width in (40, 80, 120):
        shown = console(width)
        show_reading(shown, reading(rows, 1.0), most=10)
        show_session(shown, rows[0])
        from rich.cells import cell_len

        assert max(cell_len(line) for line in text(shown).splitlines()) <= width
        assert "退款-0" in text(shown)
        assert "2 more" in text(shown)


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_no_control_character_of_a_reply_gets_through(reply: str) -> None:
    shown = console()
    show_record(shown, row("a", 0.0, reply=reply).record)
    show_reading(shown, reading([row("a", 0.0, reply=reply)], 1.0), most=10)
    bad = {c for c in text(shown) if c != "\n" and (ord(c) < 32 or 0x7F <= ord(c) < 0xA0)}
    assert not bad - {"\t"}


def test_documents_hold_nothing_that_json_has_not() -> None:
    state = {"nan": float("nan"), "inf": [float("inf")], 1: {"set"}, "ok": 0.5}
    plain = plainly(Turn(user="hi", reply=None, state=state))
    assert json.loads(json.dumps(plain, allow_nan=False))["state"] == {
        "nan": None, "inf": [None], "1": ["set"], "ok": 0.5,
    }  # fmt: skip
    assert plain["usage"] is None
