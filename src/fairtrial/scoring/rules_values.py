"""Rules on what a reply gives: kinds of information, and numbers."""

from decimal import Decimal, localcontext

from fairtrial.schema.rule import Info, Number
from fairtrial.scoring.reading import Reading, shown
from fairtrial.scoring.rules_texts import MET, Check, Finding
from fairtrial.text import kinds
from fairtrial.text.language import say
from fairtrial.text.patterns import compile_pattern
from fairtrial.text.words import simplified


def info(rule: Info) -> Check:
    """The kind of information occurs at least so often; the rule's own pattern replaces the general one."""
    pattern = compile_pattern(rule.pattern, case_sensitive=False) if rule.pattern else None

    def check(reading: Reading) -> Finding:
        text = reading.narrow(rule.over)
        if pattern:
            found = [m.group() for m in pattern.finditer(text) if m.group()]
        else:
            found = kinds.find(rule.kind, simplified(text), at_most=rule.at_least)
        if len(found) >= rule.at_least:
            return MET
        seen = say("found ", "找到 ") + shown(", ".join(found)) if found else say("found none", "没有找到")
        name = rule.kind.replace("_", " ")
        return False, say(
            f"{name}, {rule.at_least} needed: ", f"{rule.kind}，需要 {rule.at_least} 处："
        ) + seen

    return check


def number(rule: Number) -> Check:
    """Some number of the replies lies in [value - tolerance, value + tolerance], compared exactly."""
    with localcontext() as context:
        context.prec = 700  # more than the digits of any float, so that the limits are exact
        value, tolerance = Decimal(repr(rule.value)), Decimal(repr(rule.tolerance))
        low, high = value - tolerance, value + tolerance

    def check(reading: Reading) -> Finding:
        found = reading.numbers(rule.over, rule.decimal)
        if any(low <= n <= high for n in found):
            return MET
        wanted = f"{rule.value:g}" + (f"±{rule.tolerance:g}" if rule.tolerance else "")
        seen = shown(", ".join(format(n, "f") for n in found[:20])) or say("none", "没有数字")
        return False, say(f"no number {wanted}; numbers said: {seen}", f"没有 {wanted}；出现的数字：{seen}")

    return check
