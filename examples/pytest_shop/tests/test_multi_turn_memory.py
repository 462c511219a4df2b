"""Several turns: the state before and after."""


def test_state_update_after_requirement_change(agent_session):
    agent_session.send("帮我看看JD2024111138271这个订单到哪了")
    snap1 = agent_session.snapshot("asked where it is")
    assert snap1.get("order_id") == "JD2024111138271"
    assert snap1.get("last_tool") == "track_parcel"

    agent_session.send("算了不查了，直接帮我退款吧")
    snap2 = agent_session.snapshot("wants the money back")
    assert snap2.get("order_id") == "JD2024111138271"
    assert snap2.get("intent") == "refund"
    assert snap2.get("last_tool") == "refund"
    assert "$['changes']['refunds']['JD2024111138271']" in {
        change.path for change in snap1.differences(snap2)
    }


class TestOneLongTalk:
    """One session, gone on with from test to test."""

    def test_a_large_refund_waits_for_a_yes(self, long_agent_session):
        long_agent_session.send("JD2024111140325 我要退货退款")
        assert long_agent_session.last_tool == "check_return"

    def test_and_the_order_is_still_known_after_a_question_between(self, long_agent_session):
        reply = long_agent_session.send("退款一般几天到账？")
        assert reply.state["order_id"] == "JD2024111140325"

    def test_then_it_is_paid(self, long_agent_session):
        long_agent_session.send("是的，确认退款")
        assert long_agent_session.snapshot().get("$.changes.refunds.JD2024111140325") == 899.0
