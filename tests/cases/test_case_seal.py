from collections import Counter
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairtrial.cases.draw import Choice, Past, counted, draw, marks
from fairtrial.cases.seal import Key, encrypt, new_key, open_cases, read_key, seal_cases
from fairtrial.errors import BadInput
from fairtrial.schema.case import Case

KEY = Key.read(new_key("2026-11-30"), "key")
OTHER = Key.read(new_key("2026-11-30"), "other")


def case(id_: str, **more: object) -> Case:
    return Case.model_validate(
        {"id": id_, "input": ["问"], "rules": [{"rule": "contains", "text": "答"}]} | more
    )


CASES = (
    case("中文-1", cluster="模板 一", set="natural"),
    case("b", source="log"),
    case("c", changelog=["x"]),
)

SEALED = seal_cases(CASES, KEY.recipient)


def test_only_the_key_opens_what_anyone_can_seal() -> None:
    data = seal_cases(CASES, KEY.recipient)
    assert open_cases(data, KEY, "part") == CASES
    for text in ("中文-1", "模板", "问", "答", "natural"):
        assert text.encode() not in data


def test_a_file_of_the_key_is_an_ordinary_age_identity() -> None:
    """Of age's own format: lines of comment, and one identity."""
    import pyrage

    lines = [line for line in new_key("2026-11-30").splitlines() if not line.startswith("#")]
    identity = pyrage.x25519.Identity.from_str(lines[0])
    assert len(lines) == 1
    assert pyrage.decrypt(encrypt(b"x", str(identity.to_public())), [identity]) == b"x"


def test_nothing_of_a_key_is_shown() -> None:
    text = new_key("2026-11-30")
    shown = repr(Key.read(text, "key"))
    assert not [word for word in text.split() if len(word) > 20 and word in shown]
    with pytest.raises(BadInput) as caught:
        Key.read(text.replace("# side", "# sid"), "key")
    assert not [word for word in text.split() if len(word) > 20 and word in str(caught.value)]


@settings(deadline=None, max_examples=60)
@given(st.data())
def test_a_changed_or_cut_part_is_refused(data: st.DataObject) -> None:
    whole = SEALED
    at = data.draw(st.integers(0, len(whole) - 1))
    flipped = whole[:at] + bytes([whole[at] ^ data.draw(st.integers(1, 255))]) + whole[at + 1 :]
    for broken in (whole[:at], flipped):
        with pytest.raises(BadInput, match="part: ") as caught:
            open_cases(broken, KEY, "part")
        assert "问" not in str(caught.value)


def test_another_key_is_named_as_such() -> None:
    with pytest.raises(BadInput, match="another key"):
        open_cases(seal_cases(CASES, KEY.recipient), OTHER, "part")


def test_a_recipient_that_is_none_is_refused() -> None:
    with pytest.raises(BadInput, match="public key"):
        seal_cases(CASES, "age1nonsense")


def test_what_is_inside_and_no_case_is_not_told() -> None:
    with pytest.raises(BadInput, match="no cases") as caught:
        open_cases(encrypt('{"id": "秘密"}\n'.encode(), KEY.recipient), KEY, "part")
    assert "秘密" not in str(caught.value)


def test_a_key_comes_by_file_or_environment() -> None:
    assert read_key(None, new_key("2026-11-30")).recipient.startswith("age1")
    with pytest.raises(BadInput, match="no key"):
        read_key(None, None)


def test_a_cluster_is_its_name_as_a_reader_takes_it() -> None:
    assert [each.kin for each in CASES] == ["模板 一", "log", "c"]
    assert KEY.tag("模板 一") == KEY.tag("模板　 一") != OTHER.tag("模板 一")
    assert KEY.tag("Ａ1") == KEY.tag("A1")


def drawn(cases: Sequence[Case], *, share: float = 0.1, past: Past | None = None) -> Choice:
    return draw(cases, KEY, share=share, past=past or Past(drawn={}))


def later(choice: Choice, past: Past | None = None) -> Past:
    before = past or Past(drawn={})
    kinds = dict(before.drawn)
    for kind, (every, sealed) in choice.strata.items():
        old = kinds.get(kind, (0, 0))
        kinds[kind] = (old[0] + every, old[1] + sealed)
    return Past(sealed={*before.sealed, *choice.sealed}, seen={*before.seen, *choice.visible}, drawn=kinds)


POOL = st.lists(
    st.tuples(st.text("用例ab12", min_size=1, max_size=6), st.sampled_from("甲乙丙"), st.integers(0, 9)),
    max_size=60,
    unique_by=lambda item: item[0],
)


def made(pool: Sequence[tuple[str, str, int]]) -> list[Case]:
    return [case(id_, task_type=kind, cluster=f"{kind}{n}") for id_, kind, n in pool]


@settings(deadline=None)
@given(POOL, st.randoms(use_true_random=False), st.floats(0.05, 0.9))
def test_the_order_of_the_cases_does_not_matter(
    pool: list[tuple[str, str, int]], random: object, share: float
) -> None:
    cases = made(pool)
    mixed = list(cases)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    one, other = drawn(cases, share=share), drawn(mixed, share=share)
    assert (one.sealed, one.visible, one.strata) == (other.sealed, other.visible, other.strata)


@settings(deadline=None)
@given(POOL, POOL, st.floats(0.05, 0.9))
def test_a_cluster_is_on_one_side_for_ever(
    first: list[tuple[str, str, int]], second: list[tuple[str, str, int]], share: float
) -> None:
    one = drawn(made(first), share=share)
    past = later(one)
    two = drawn([*made(first), *made([item for item in second if item not in first])], share=share, past=past)
    assert not set(two.sealed) & set(one.visible)
    assert not set(two.visible) & set(one.sealed)
    closed = {each.cluster for each in one.cases}
    assert {each.id for each in one.cases} <= {each.id for each in two.cases} or two.seen
    for each in two.cases:
        assert each.cluster in closed or KEY.tag(each.cluster or "") not in past.seen


def test_a_small_kind_comes_to_its_share_over_the_months() -> None:
    """Three clusters a month of each of 40 kinds at 10 %: after 20 months, 6 of 60 in each, to within one."""
    past = Past(drawn={})
    for month in range(20):
        cases = [case(f"{kind}-{month}-{n}", task_type=f"k{kind}") for kind in range(40) for n in range(3)]
        past = later(drawn(cases, past=past), past)
    assert {every for every, _ in past.drawn.values()} == {60}
    assert {sealed for _, sealed in past.drawn.values()} <= {6, 7}
    first = [sealed for _, sealed in past.drawn.values()]
    assert len(first) == 40


def test_what_somebody_saw_stays_and_takes_its_cluster_along() -> None:
    cases = [case("a", cluster="t"), case("b", cluster="t"), case("c", cluster="u")]
    choice = drawn(cases, share=1.0, past=Past(seen={KEY.tag("b")}, drawn={}))
    assert [each.id for each in choice.cases] == ["c"]
    assert choice.seen == 1


def test_another_cluster_does_not_hide_a_case_that_was_left_visible() -> None:
    before = [case(f"n{n}") for n in range(10)]
    one = drawn(before)
    moved = [case(f"n{n}", cluster="other") for n in range(10)]
    two = drawn(moved, share=1.0, past=later(one))
    assert two.cases == ()


def test_what_joins_a_sealed_cluster_is_sealed() -> None:
    one = drawn([case("a", cluster="t")], share=1.0)
    two = drawn([case("b", cluster="t"), case("c", cluster="u")], share=0.001, past=later(one))
    assert [each.id for each in two.cases] == ["b"]
    assert KEY.tag("b") in two.sealed


def test_kinds_are_counted() -> None:
    cases = [case("a", task_type="退货", set="bad"), case("b", task_type="退货", set="bad"), case("c")]
    assert counted(cases) == Counter({"退货 · bad": 2, "- · -": 1})
    assert marks(cases[:1], KEY) == {KEY.tag("a")}
