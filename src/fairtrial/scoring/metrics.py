"""What one session says of each metric. Formulas: docs/metrics.md."""

from collections.abc import Iterator, Mapping, Sequence

from fairtrial.schema.metrics import Metric, NotJudged, Verdict
from fairtrial.schema.record import Record, Usage
from fairtrial.schema.score import About, Row
from fairtrial.scoring.metrics_calls import effectiveness, hit_calls, uselessness
from fairtrial.scoring.metrics_measure import Measure, skipped
from fairtrial.scoring.metrics_memory import retention
from fairtrial.scoring.metrics_values import values_of
from fairtrial.scoring.reading import examined
from fairtrial.text.facts import prepare
from fairtrial.text.kinds import find
from fairtrial.text.language import say

_STATE_RULES = frozenset({"state", "claim", "database"})
"""Rules on what the agent left behind; tau-bench calls its own `database`."""
_KEY_KINDS = ("order_number", "phone", "date", "amount")


def measures(row: Row, *, pass_at: float, verdict: Verdict | None) -> Mapping[Metric, Measure]:
    """Every metric of one session, turns aside left out; those over cases (pass^k) follow from completion.

    `verdict` is what a person found in it, `pass_at` the score in (0, 1] from which it passed by its rules.
    """
    record, about = examined(row.record), row.about
    if not record.status.counts:
        return {name: skipped(NotJudged.not_completed) for name in Metric if name is not Metric.pass_hat_k}
    by_rules = row.score.passes(pass_at)
    reached = verdict.reached(by_rules, pass_at) if verdict else by_rules
    return {
        Metric.task_completion: _completion(reached, by_rules, verdict),
        Metric.state_updated: _state(row),
        Metric.tool_effectiveness: effectiveness(record),
        Metric.useless_calls: uselessness(record),
        Metric.failure_recovery: _recovery(record, reached),
        Metric.key_information: _key_information(record, about),
        Metric.memory_retention: retention(record, about.key_facts),
        Metric.steps: _steps(record, about, reached),
        **_spent(record),
    }


def _completion(reached: bool | None, by_rules: bool | None, verdict: Verdict | None) -> Measure:
    found = Measure()
    if verdict is not None:
        found.details["marked"] += 1
        if reached is not None and by_rules is not None:
            found.details["compared"] += 1
            found.details["agreed"] += reached == by_rules
    if reached is None:
        at_fault = verdict is not None and verdict.fault == "case"
        found.skip(NotJudged.case_at_fault if at_fault else NotJudged.no_score)
    else:
        by_whom = say("by its rules", "按规则") if verdict is None else say("says a person", "人工判定")
        missed = say(f"the goal was not reached, {by_whom}", f"没有达成目标（{by_whom}）")
        found.add(float(reached), "" if reached else missed)
    return found


def _state(row: Row) -> Measure:
    hits = [hit for hit in row.score.hits if hit.rule in _STATE_RULES and hit.met is not None]
    if not hits:
        return skipped(NotJudged.no_rule)
    found = Measure()
    found.add(sum(hit.met is True for hit in hits) / len(hits))
    found.against += [f"{hit.rule}: {hit.why}".rstrip(": ") for hit in hits if not hit.met]
    return found


def _recovery(record: Record, reached: bool | None) -> Measure:
    if not any(hit_calls(turn) for turn in record.turns):
        return skipped(NotJudged.no_failure)
    if reached is None:
        return skipped(NotJudged.no_score)
    found = Measure()
    missed = say("a call failed, and the goal was not reached", "有调用失败，且没有达成目标")
    found.add(float(reached), "" if reached else missed)
    return found


def _key_information(record: Record, about: About) -> Measure:
    facts = about.key_facts or tuple(dict.fromkeys(_recognised(record)))
    if not facts:
        return skipped(NotJudged.no_key_facts)
    replies = values_of([turn.reply for turn in record.turns])
    missing = [fact for fact in facts if not values_of(fact).given_in(replies)]
    found = Measure()
    found.details["by_key_facts"] += bool(about.key_facts)
    found.add(1 - len(missing) / len(facts))
    if missing:
        found.against.append(say("not said: ", "没有说出：") + ", ".join(missing))
    return found


def _recognised(record: Record) -> Iterator[str]:
    """What the user's turns tell by which a matter is known; what a probe put in between is none of it."""
    for turn in record.turns:
        if not any(done.do == "utter" for done in turn.disturbed):
            for kind in _KEY_KINDS:
                yield from find(kind, prepare(turn.user))


def _steps(record: Record, about: About, reached: bool | None) -> Measure:
    least = about.least_calls or about.calls_asked
    if not reached:
        return skipped(NotJudged.no_score if reached is None else NotJudged.goal_not_reached)
    if not least:
        return skipped(NotJudged.no_least)
    calls = len(record.calls)
    found = Measure()
    found.details["least_from_rules"] += about.least_calls is None
    over = say(f"{calls} calls, {least} needed", f"调用 {calls} 次，至少需要 {least} 次")
    found.add(calls / least, over if calls > least else "")
    return found


def _spent(record: Record) -> dict[Metric, Measure]:
    answered = [turn for turn in record.turns if turn.reply is not None]
    used = [turn.usage or Usage() for turn in answered]
    return {
        Metric.latency: _seconds([turn.seconds for turn in answered]),
        Metric.first_token: _seconds([turn.first_token_seconds for turn in answered]),
        Metric.input_tokens: _sum([one.input_tokens for one in used]),
        Metric.output_tokens: _sum([one.output_tokens for one in used]),
        Metric.cost: _sum([one.cost for one in used]),
    }


def _seconds(told: list[float | None]) -> Measure:
    found = Measure()
    for seconds in told:
        if seconds is None:
            found.skip(NotJudged.untold)
        else:
            found.add(seconds)
            found.spread.append(seconds)
    return found


def _sum(told: Sequence[float | None]) -> Measure:
    """Of a whole session: unknown where one reply does not tell."""
    known = [one for one in told if one is not None]
    if not known or len(known) < len(told):
        return skipped(NotJudged.untold)
    found = Measure()
    found.add(sum(known))
    return found
