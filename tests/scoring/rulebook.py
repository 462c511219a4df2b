"""What the tests of rules share: a record around a reply, and a rule as a person writes it."""

from typing import Any

from pydantic import TypeAdapter

from fairtrial.schema.record import Call, Record, Status, Step, Turn
from fairtrial.schema.rule import Rule
from fairtrial.schema.score import Hit
from fairtrial.scoring.rules import compile_rule

_RULE: TypeAdapter[Rule] = TypeAdapter(Rule)


def rule(name: str, **arguments: Any) -> Rule:
    return _RULE.validate_python({"rule": name, **arguments})


def record(*replies: str | None, steps: tuple[Step, ...] = (), state: Any = None, case: str = "c") -> Record:
    turns = tuple(Turn(user="?", reply=reply) for reply in replies[:-1])
    last = replies[-1] if replies else None
    turns += (Turn(user="?", reply=last, steps=steps, state=state),) if replies or steps else ()
    return Record(case=case, trial=0, status=Status.completed, turns=turns)


def called(*calls: tuple[str, Any]) -> Record:
    return record("done", steps=tuple(Call(name=name, arguments=arguments) for name, arguments in calls))


def hit(looked_at: str | Record, name: str, **arguments: Any) -> Hit:
    return compile_rule(rule(name, **arguments))(
        record(looked_at) if isinstance(looked_at, str) else looked_at
    )


def met(looked_at: str | Record, name: str, **arguments: Any) -> bool | None:
    return hit(looked_at, name, **arguments).met
