"""Which case a dialogue is likest to."""

import pytest

from fairtrial.evidence.likeness import likeness

CASES = [
    "我想申请退款，退款多久到账",
    "快递到哪里了，物流没有更新",
    "How do I return the shoes?",
    "退款多久能到账呢",
]


@pytest.mark.parametrize(
    ("live", "nearest"),
    [
        ("申请了退款", 0),
        ("我的物流好几天沒有更新了，快遞到哪裡了", 1),
        ("can i return those shoes", 2),
    ],
)
def test_the_nearest_case_is_that_of_the_same_matter(live: str, nearest: int) -> None:
    found = likeness(CASES, [0, 1, 2, 3], [live])
    assert found.nearest[0] == nearest
    assert 0.2 < found.live[0] <= 1


def test_a_case_is_compared_with_those_of_other_clusters_alone() -> None:
    apart, together = (likeness(CASES, codes, CASES[:1]) for codes in ([0, 1, 2, 3], [0, 1, 2, 0]))
    assert apart.cases[0] > 0.2
    assert together.cases[0] < 0.1


def test_numbers_make_no_other_question_and_nothing_is_like_nothing() -> None:
    found = likeness(["订单 JD2024 退款", "物流"], [0, 1], ["订单 JD9999 退款", "12345", "想开发票"])
    assert found.live == pytest.approx([1, 0, 0], abs=0.3)
    assert found.live[1] == 0
