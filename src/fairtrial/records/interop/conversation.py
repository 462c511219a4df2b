"""A session put together from what a trace shows: calls of models, each with its history, and tool runs."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import msgspec

from fairtrial.records.interop import chat
from fairtrial.records.interop.failures import failed
from fairtrial.records.interop.messages import Message
from fairtrial.records.interop.shapes import plain
from fairtrial.schema.record import Call, Failure, Record, Status, Turn, Usage


@dataclass(frozen=True, kw_only=True)
class Span:
    """A step of a trace: a request to a model, a run of a tool, or what is around them.

    `asked` and `said` are the messages that it shows; `words` is its input and output also where they are no
    messages. `error` is why it failed; times are epoch seconds. Of a model, `model` is as asked, `reported`
    as the reply names it; of a tool, `call` is the id of the call that it answers.
    """

    kind: Literal["model", "tool", ""] = ""
    id: str = ""
    parent: str = ""
    trace: str = ""
    name: str = ""
    started: float | None = None
    ended: float | None = None
    error: str | None = None
    asked: Sequence[Message] = ()
    said: Sequence[Message] = ()
    words: tuple[Sequence[Message], Sequence[Message]] = ((), ())
    model: str | None = None
    reported: str | None = None
    finish_reason: str | None = None
    usage: Usage | None = None
    sampling: Mapping[str, Any] = field(default_factory=dict)
    tools: Any = None
    call: str | None = None
    arguments: Any = None
    result: Any = None


class Conversation:
    """Takes what happened in the order of time, and gives the turns.

    A model's input repeats the history, so of each message as many are taken as one input has of it: what is
    there already is not taken again, and what a user says twice stays twice.
    """

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self.system: str | None = None
        self._held: Counter[Any] = Counter()
        self._calls: list[tuple[int, Span]] = []
        self._runs: list[Span] = []

    def call(self, call: Span) -> None:
        """Take in a model call: what its input and its output have that is not yet there."""
        self._take([*call.words[0], *call.words[1]])
        self.note(call)

    def note(self, call: Span) -> None:
        """Count in a model call whose messages are there already, or are those of another conversation."""
        self._calls.append((len(self.messages), call))

    def begins_anew(self, call: Span) -> bool:
        """Whether the input of a later call repeats nothing that the model has said."""
        return not any(self._held[_key(m)] for m in call.words[0] if m["role"] == "assistant")

    def forget(self) -> None:
        """What comes now is no history: what was said before may be said again."""
        self._held.clear()

    def _take(self, messages: Iterable[Message]) -> None:
        """Take in those messages of one history that are not there."""
        seen: Counter[Any] = Counter()
        for message in messages:
            key = _key(message)
            seen[key] += 1
            if seen[key] > self._held[key]:
                self._held[key] += 1
                self.add([message])

    def add(self, messages: Iterable[Message]) -> None:
        """Take in messages as they come. Of the system's the first stays, apart from the rest."""
        for message in messages:
            if message["role"] == "system":
                self.system = self.system or message["content"]
            else:
                self.messages.append(message)

    def run(self, run: Span) -> None:
        """Take in a tool run; one that no message tells of becomes a call of its own."""
        calls = [call for message in self.messages for call in message.get("tool_calls", ())]
        shown = sum(_is_of(run, call["id"], call["function"]["name"]) for call in calls)
        earlier = sum(_is_of(run, other.call, other.name) for other in self._runs)
        self._runs.append(run)
        if earlier >= shown:
            function = {"name": run.name, "arguments": run.arguments}
            called = [{"id": run.call, "function": function}]
            made = {"role": "assistant", "content": None, "tool_calls": called}
            self._held[_key(made)] += 1
            self.messages.append(made)

    def turns(self) -> tuple[Turn, ...]:
        """One turn for each user message, with the model, tokens and times of its calls."""
        if not self.messages and self._calls:
            return (_measured(Turn(user="", reply=None), self.calls),)
        starts = [at for at, message in enumerate(self.messages) if message["role"] == "user"]
        if not starts or starts[0] > 0:
            starts.insert(0, 0)
        runs = list(self._runs)
        turns: list[Turn] = []
        for start, end in zip(starts, [*starts[1:], len(self.messages)], strict=True):
            calls = [call for at, call in self._calls if (start < at or start == 0) and at <= end]
            made = chat.turns(self.messages[start:end])
            turns += [_measured(_with_runs(turn, runs), calls) for turn in made]
        return tuple(turns)

    def ask(self, asked: Iterable[Message]) -> None:
        """Put before everything what the calls do not show."""
        asked = list(asked)
        self.add(message for message in asked if message["role"] == "system")
        self.messages[:0] = [message for message in asked if message["role"] != "system"]

    @property
    def calls(self) -> tuple[Span, ...]:
        """All model calls, in their order."""
        return tuple(call for _, call in self._calls)


def _key(message: Message) -> Any:
    """What makes two messages the same, whoever wrote them down: who says what, and calls what with what."""
    calls = [
        (call["function"]["name"], plain(chat.arguments(call["function"]["arguments"])))
        for call in message.get("tool_calls", ())
    ]
    return message["role"], (message["content"] or "").strip(), tuple(calls)


def _is_of(run: Span, call: str | None, name: str) -> bool:
    return run.call == call if run.call and call else run.name == name


def _with_runs(turn: Turn, runs: list[Span]) -> Turn:
    """The turn's calls with what the tools' own spans tell: seconds, error, a result that was not shown."""
    steps = []
    for step in turn.steps:
        if isinstance(step, Call):
            found = next((run for run in runs if _is_of(run, step.id, step.name)), None)
            if found is not None:
                runs.remove(found)
                step = msgspec.structs.replace(
                    step,
                    result=found.result if step.result is None else step.result,
                    error=step.error or found.error,
                    seconds=_between(found.started, found.ended),
                )
        steps.append(step)
    return msgspec.structs.replace(turn, steps=tuple(steps))


def _measured(turn: Turn, calls: Sequence[Span]) -> Turn:
    if not calls:
        return turn
    last = calls[-1]
    started = min((call.started for call in calls if call.started is not None), default=None)
    ended = max((call.ended for call in calls if call.ended is not None), default=None)
    return msgspec.structs.replace(
        turn,
        model=last.reported or last.model,
        finish_reason=last.finish_reason,
        usage=_summed(call.usage for call in calls),
        started=started,
        seconds=_between(started, ended),
    )


def _between(started: float | None, ended: float | None) -> float | None:
    return None if started is None or ended is None or ended < started else ended - started


def _summed(usages: Iterable[Usage | None]) -> Usage | None:
    """The sum of what is known; a kind that nobody tells stays unknown."""
    known = [usage for usage in usages if usage is not None]
    totals = {
        name: sum(values)
        for name in Usage.__struct_fields__
        if (values := [value for usage in known if (value := getattr(usage, name)) is not None])
    }
    return Usage(**totals) if totals else None


def session_of(
    spans: Sequence[Span], *, case: str, session: str, extra: dict[str, Any]
) -> tuple[Record, Conversation]:
    """The spans of one session, in the order of time, as a record."""
    told = _told(spans)
    turns = told.turns()
    status, failure = _ending(spans, answered=bool(turns and turns[-1].reply))
    times = [at for span in spans for at in (span.started, span.ended) if at is not None]
    return Record(
        case=case,
        trial=0,
        status=status,
        session=session,
        started=min(times, default=None),
        ended=max(times, default=None),
        turns=turns,
        system=told.system,
        failure=failure,
        extra=extra,
    ), told


def _ending(spans: Sequence[Span], *, answered: bool) -> tuple[Status, Failure | None]:
    """An error of the whole, or one after which no answer came. A tool's error alone is none of the agent."""
    errors = [span for span in spans if span.error]
    fatal = [span for span in errors if not span.parent] or ([] if answered else errors[-1:])
    return failed(fatal[0].error or "") if fatal else (Status.completed, None)


def _told(spans: Sequence[Span]) -> Conversation:
    by_id = {span.id: span for span in spans}
    above = [tuple(_ancestors(span, by_id)) for span in spans]
    pairs = list(zip(spans, above, strict=True))
    around = {outer.id for span, over in pairs for outer in over if span.kind == "model"}
    told, trace = Conversation(), ""
    for span, over in pairs:
        if span.kind == "tool":
            told.run(span)
        elif span.kind == "model" and _tells(span, over, around):
            if any(outer.kind == "tool" for outer in over):  # a tool that asks a model itself
                told.note(span)
                continue
            if span.trace != trace and told.begins_anew(span):
                told.forget()
            trace = span.trace
            told.call(span)
    # What a tool, or a model within it, puts out is nobody's answer.
    _complete(told, [s for s, over in pairs if not any(one.kind == "tool" for one in (s, *over))])
    return told


def _ancestors(span: Span, by_id: Mapping[str, Span]) -> Iterator[Span]:
    seen = {span.id}
    while span.parent and (outer := by_id.get(span.parent)) is not None and outer.id not in seen:
        seen.add(outer.id)
        span = outer
        yield span


def _tells(span: Span, above: Sequence[Span], around: set[str]) -> bool:
    """Of two instrumentations of one call, one within the other, the outer that shows messages tells."""
    if any(outer.kind == "model" and (outer.asked or outer.said) for outer in above):
        return False
    return bool(span.asked or span.said) or span.id not in around


def _complete(told: Conversation, spans: Sequence[Span]) -> None:
    """Where the calls do not show the user or the answer, take them from the spans around them."""
    roots = [span for span in spans if not span.parent and not span.kind]
    if not any(message["role"] == "user" for message in told.messages):
        told.ask(next((found for span in (*roots, *spans) if (found := _asked(span))), ()))
    last = told.messages[-1] if told.messages else {"role": None}
    silent = bool(told.calls) and not told.calls[-1].words[1]
    if silent or last["role"] != "assistant" or last.get("tool_calls"):
        there = {message["content"] for message in told.messages}
        spoken = [m for span in spans for m in span.said if m["role"] == "assistant"]
        said = [m for m in spoken if m["content"] and not m.get("tool_calls") and m["content"] not in there]
        told.add(said[-1:] or next((span.words[1] for span in roots if span.words[1]), ()))


def _asked(span: Span) -> Sequence[Message]:
    return span.asked if span.parent else span.words[0]
