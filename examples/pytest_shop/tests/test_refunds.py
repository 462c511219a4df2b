"""Cases as tests: each as it is, in a mood, and after a story about the phone."""

import pytest


@pytest.mark.fairtrial(
    cases="../cases/*.yaml",
    probes=["emotion@1", "../probes/on_the_phone.py:OnThePhone@1"],
    passes="2 of 3",
    minimum=0.6,
)
def test_refunds(examined):
    for record in examined.records:
        assert record.state["order_id"] == examined.case.key_facts[0]
