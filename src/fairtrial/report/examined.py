"""What tests say of a case that failed or was not answered, and of their sets, as plain text."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Any

from fairtrial.report.terminal import number
from fairtrial.schema.evidence import Doubt, Header
from fairtrial.schema.record import Call, Disturbance, Record, Turn
from fairtrial.schema.score import Score
from fairtrial.text.language import say
from fairtrial.text.normalise import visible

_LONGEST = 200


def missed(
    records: Sequence[Record],
    scores: Sequence[Score],
    passes: Sequence[bool | None],
    need: int,
    log: str,
) -> str:
    """Why a case failed: how many trials passed, and of the first that did not what was said and which
    rules it broke; then where to read on."""
    case = records[0].case
    passed = sum(bool(one) for one in passes)
    lines = [
        say(
            f"{case}: {passed} of {len(passes)} trials passed, {need} needed",
            f"{case}：{len(passes)} 次中通过 {passed} 次，要求 {need} 次",
        )
    ]
    if without := unanswered(records):
        lines.append(say(f"no answer: {without}", f"没有回答：{without}"))
    broken = Counter(hit.rule for score in scores for hit in score.hits if hit.met is False)
    at = next(index for index, one in enumerate(passes) if one is False)
    record, score = records[at], scores[at]
    lines.append(say(f"trial {record.trial + 1}:", f"第 {record.trial + 1} 次："))
    lines += [f"  {line}" for line in transcript(record.turns)]
    for hit in score.hits:
        if hit.met is False:
            times = say(f"{broken[hit.rule]} times", f"共 {broken[hit.rule]} 次")
            lines.append(f"  ✗ {hit.rule} ({times}): {hit.why}")
    lines.append(say(f"look at it: fairtrial show {log} {case}", f"查看：fairtrial show {log} {case}"))
    return "\n".join(visible(line) for line in lines)


def unanswered(records: Sequence[Record]) -> str:
    """The sessions without an answer by how they ended, with the first message: "timeout 2 (…)"."""
    without = [record for record in records if not record.status.counts]
    if not without:
        return ""
    counts = Counter(str(record.status) for record in without)
    told = ", ".join(f"{status} {n}" for status, n in counts.items())
    why = next((record.failure.message for record in without if record.failure), "")
    return visible(f"{told} ({_short(why)})" if why else told)


def transcript(turns: Sequence[Turn]) -> Iterator[str]:
    """A session line by line: what was done to it, said, called and shown."""
    for turn in turns:
        for done in turn.disturbed:
            yield say("disturbed: ", "扰动：") + _done(done)
        yield say("user:  ", "用户：  ") + _short(turn.user)
        for step in turn.steps:
            yield "       " + _short(_call(step) if isinstance(step, Call) else step.text)
        if turn.reply is not None:
            yield "agent: " + _short(turn.reply)


def summary(log: str, header: Header, sets: Sequence[tuple[str, Header, str | None]]) -> Iterator[str]:
    """A run of tests in few lines: a line a set and why it fails, the lit doubts, the log."""
    for test, one, fails in sets:
        yield (
            visible(test)
            + ": "
            + _figures(one)
            + (say(f"; FAILED: {fails}", f"；未通过：{fails}") if fails else "")
        )
    lit = [doubt for doubt in header.doubts if doubt.lit]
    if any(doubt.forbids for doubt in lit):
        yield say("UNRELIABLE: these figures prove nothing", "UNRELIABLE：本轮不可信")
    for doubt in lit:
        yield _doubt(doubt)
    for note in header.notes:
        yield visible(note)
    yield say(f"log: {log}  (fairtrial show {log})", f"日志：{log}（fairtrial show {log}）")


def _figures(header: Header) -> str:
    found = header.summary
    if found is None:
        return "–"
    counts, total = found.counts, found.total
    interval = "" if total.low is None or total.high is None else f" [{total.low:.3f}, {total.high:.3f}]"
    return say(
        f"cases {header.config['cases']['n']}, sessions {counts.planned}, scored {counts.scored}, "
        f"no answer {counts.errored}; total {number(total.mean)}{interval}",
        f"用例 {header.config['cases']['n']}，会话 {counts.planned}，计分 {counts.scored}，"
        f"没有回答 {counts.errored}；total {number(total.mean)}{interval}",
    )


def _doubt(doubt: Doubt) -> str:
    value = f"{doubt.value:.4g}" if isinstance(doubt.value, float) else str(doubt.value)
    line = f"{doubt.threshold:.4g}" if isinstance(doubt.threshold, float) else str(doubt.threshold)
    return visible(f"{doubt.name} {value} " + say(f"(line: {line}): ", f"（线：{line}）：") + doubt.advice)


def _done(done: Disturbance) -> str:
    probe = f" ({done.probe})" if done.probe else ""
    return f"{done.do}{probe}" + (f" {_short(_json(done.detail))}" if done.detail else "")


def _call(call: Call) -> str:
    return f"{call.name} {_json(call.arguments)} → {call.error or _json(call.result)}"


def _json(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _short(text: str) -> str:
    text = visible(" ".join(text.split()))
    return text[:_LONGEST] + " …" if len(text) > _LONGEST else text
