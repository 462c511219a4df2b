"""What kind of wording a text is: by example, by the probes' own typing, and by what real users wrote."""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairtrial.cases.load import load_or_refuse
from fairtrial.schema.case import Case
from fairtrial.sessions.probes.apply import Use, apply, known
from fairtrial.sessions.probes.probe import Unfit
from fairtrial.sessions.said import said
from fairtrial.text.normalise import fold
from fairtrial.text.traits import length, traits, typos
from fairtrial.text.words import simplified

SHOP = Path(__file__).resolve().parents[2] / "examples" / "shop" / "cases"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("我的订单什么时候到？", {"question"}),
        ("请帮我取消 JD2024111138271", {"request", "order_number"}),
        ("我上周四拍的毛衣到现在还没有动静。", {"narrative"}),
        ("咋还没到啊，急死我了！！", {"question", "colloquial", "emotion"}),
        ("我的快弟到哪了", {"question", "typo"}),
        ("帮我改地址，另外什么时候能到？", {"request", "question", "several"}),
        ("几号到？运费多少？", {"question", "several"}),
        ("这个 refund 怎么弄", {"question", "mixed"}),
        ("用 APP 查 wifi 密码", set()),
        ("收到了😀谢谢[微笑]", {"emoji"}),
        ("订单ＪＤ２０２４１１１１３８２７１", {"order_number", "full_width"}),
        ("When will my parcel arrive?", {"question"}),
        ("Please cancel order US2024110614420", {"request", "order_number"}),
        ("wheres my stuff, u r a joke", {"colloquial", "emotion"}),
        ("The adress on my parcel is wrong since last Monday.", {"typo", "narrative"}),
        ("Where is it? And how do I return it?", {"question", "several"}),
        ("I need 退款 for this", {"request", "mixed"}),
        ("STOP SENDING MAIL, NOW!!", {"emotion"}),
    ],
)
def test_kinds_of_wording(text: str, found: set[str]) -> None:
    told = traits(text)._asdict()
    assert told.pop("chinese") == (text[0] > "\u2e80")
    assert {name for name, there in told.items() if there is True} == found


@pytest.mark.parametrize(
    ("text", "n"), [("我要退款", 4), ("where is it", 3), ("订单 JD2024 到了", 6), ("don't 12.50", 2), ("", 0)]
)
def test_length_counts_words_and_chinese_letters(text: str, n: int) -> None:
    assert length(text) == n


@given(st.text(max_size=60))
def test_any_text_has_traits(text: str) -> None:
    assert traits(text).length >= 0


def share(cases: list[Case], trait: str) -> float:
    return sum(any(getattr(traits(text), trait) for text in said(case)) for case in cases) / len(cases)


def disturbed(cases: list[Case], probe: str, intensity: int) -> Iterator[tuple[Case, Case]]:
    use = Use(probe=known()[probe], intensity=intensity)
    for case in cases:
        try:
            yield case, apply(case, [use], seed=7)
        except Unfit:
            continue


@pytest.mark.parametrize(
    ("probe", "trait", "tongue", "least"),
    [
        ("typos", "typo", "zh", 0.75),
        ("typos", "typo", "en", 0.90),
        ("emotion", "emotion", "zh", 0.95),
        ("emotion", "emotion", "en", 0.90),
        ("code_switching", "mixed", "zh", 0.98),
        ("code_switching", "mixed", "en", 0.95),
    ],
)
def test_what_a_probe_put_in_is_found_and_seldom_what_is_plain(
    probe: str, trait: str, tongue: str, least: float
) -> None:
    cases = [case for case in load_or_refuse([SHOP]).cases if case.id.startswith(tongue)]
    pairs = list(disturbed(cases, probe, 2))
    assert share([other for _, other in pairs], trait) >= least
    assert share([case for case, _ in pairs], trait) <= 0.04


def test_real_users_are_seldom_taken_for_bad_typists(shared_data: Path) -> None:
    with zipfile.ZipFile(shared_data / "crosswoz" / "test.json.zip") as archive:
        dialogues = json.loads(archive.read(archive.namelist()[0]))
    turns = [m["content"] for one in dialogues.values() for m in one["messages"] if m["role"] == "usr"]
    assert len(turns) == 4238
    assert sum(any(typos(simplified(fold(text)))) for text in turns) / len(turns) < 0.006
    assert sum(traits(text).emotion for text in turns) / len(turns) < 0.006
