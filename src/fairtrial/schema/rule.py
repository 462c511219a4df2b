"""Executable rules as people write them. Each is one small strict model with a literal `rule` tag."""

from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, model_validator

from fairtrial.schema.written import Written
from fairtrial.text.language import say

_Text = Annotated[str, Field(min_length=1)]
_Texts = Annotated[tuple[_Text, ...], Field(strict=False)]


class _Rule(Written):
    """What every rule has.

    `weight` is the rule's share in its case, > 0; unset it is 1, and 0 for a critical rule (keeping a
    prohibition earns nothing unless the author says so). `over` names the replies looked at: the last
    one, or all of the session.
    """

    weight: Annotated[float, Field(gt=0, allow_inf_nan=False)] | None = None
    critical: bool = False
    over: Literal["last", "all"] = "last"

    @property
    def share(self) -> float:
        """The weight in force, >= 0."""
        if self.weight is not None:
            return self.weight
        return 0.0 if self.critical else 1.0


class _TextRule(_Rule):
    """Plain texts are compared width-folded and, unless `case_sensitive`, case-folded; patterns are RE2."""

    case_sensitive: bool = False


class Contains(_TextRule):
    """The reply contains `text`, or a match of `pattern`."""

    rule: Literal["contains"]
    text: _Text | None = None
    pattern: _Text | None = None

    @model_validator(mode="after")
    def _one(self) -> "Contains":
        if (self.text is None) == (self.pattern is None):
            raise ValueError(
                say("needs `text` or `pattern`, one of them", "需要 `text` 或 `pattern` 之一，且只能有一个")
            )
        return self


class _ManyTexts(_TextRule):
    texts: _Texts = ()
    patterns: _Texts = ()

    @model_validator(mode="after")
    def _some(self) -> "_ManyTexts":
        if not self.texts and not self.patterns:
            raise ValueError(
                say("needs at least one of `texts` and `patterns`", "`texts` 与 `patterns` 至少要有一个")
            )
        return self


class ContainsAll(_ManyTexts):
    """The reply contains every one of `texts` and matches every one of `patterns`."""

    rule: Literal["contains_all"]


class ContainsAny(_ManyTexts):
    """The reply contains at least one of them."""

    rule: Literal["contains_any"]


class ContainsNone(_ManyTexts):
    """The reply contains none of them."""

    rule: Literal["contains_none"]


class Info(_Rule):
    """The reply gives a kind of information, in Chinese or English, `at_least` times.

    `pattern` (RE2) says what an order number looks like where the general form does not fit.
    """

    rule: Literal["info"]
    kind: Literal["date", "amount", "order_number", "phone", "place"]
    pattern: str | None = None
    at_least: Annotated[int, Field(ge=1)] = 1


class Length(_Rule):
    """The reply's length lies in [`min`, `max`], in characters (white space at the ends aside) or words."""

    rule: Literal["length"]
    unit: Literal["characters", "words"] = "characters"
    min: Annotated[int, Field(ge=0)] | None = None
    max: Annotated[int, Field(ge=0)] | None = None

    @model_validator(mode="after")
    def _range(self) -> "Length":
        if self.min is None and self.max is None:
            raise ValueError(say("needs `min` or `max`", "需要 `min` 或 `max`"))
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ValueError(say("`min` is above `max`", "`min` 大于 `max`"))
        return self


class Number(_Rule):
    """Some number of the reply lies within `tolerance` of `value`.

    Numbers are read width-folded with their grouping, so `11,234.50` is not `1,234.50`. `decimal` says
    which sign parts the fraction where a locale makes it ambiguous (`1.234` is 1234 with `decimal: ","`).
    """

    rule: Literal["number"]
    value: Annotated[float, Field(allow_inf_nan=False)]
    tolerance: Annotated[float, Field(ge=0, allow_inf_nan=False)] = 0.0
    decimal: Literal[".", ","] = "."


Normalisation = Literal["width", "case", "space", "punctuation", "script"]


class Equals(_Rule):
    """The reply equals `text` after the named normalisations (`script`: traditional to simplified)."""

    rule: Literal["equals"]
    text: str
    normalise: Annotated[tuple[Normalisation, ...], Field(strict=False)] = ("width", "case", "space")


class JsonSchema(_Rule):
    """The reply (whole, or its one fenced block) is JSON valid against `schema` (draft 2020-12)."""

    model_config = ConfigDict(populate_by_name=True)

    rule: Literal["json_schema"]
    json_schema: Annotated[dict[str, Any], Field(alias="schema")]


class _AtPath(_Rule):
    path: _Text
    equals: Any = None

    @property
    def compares(self) -> bool:
        """Whether `equals` was written (null is a value too)."""
        return "equals" in self.model_fields_set


class JsonPath(_AtPath):
    """The reply is JSON, and at `path` (RFC 9535) some value exists, or equals `equals`."""

    rule: Literal["json_path"]


class CallPattern(Written):
    """A tool by name and, optionally, a subset of its arguments."""

    tool: _Text
    args: dict[str, Any] = {}


class ToolCalled(_Rule):
    """The tool was called with at least these arguments, between `at_least` and `at_most` times."""

    rule: Literal["tool_called"]
    tool: _Text
    args: dict[str, Any] = {}
    at_least: Annotated[int, Field(ge=1)] = 1
    at_most: Annotated[int, Field(ge=1)] | None = None

    @model_validator(mode="after")
    def _range(self) -> "ToolCalled":
        if self.at_most is not None and self.at_most < self.at_least:
            raise ValueError(say("`at_most` is below `at_least`", "`at_most` 小于 `at_least`"))
        return self


class ToolNotCalled(_Rule):
    """The tool was not called (with these arguments) in the whole session."""

    rule: Literal["tool_not_called"]
    tool: _Text
    args: dict[str, Any] = {}


class ToolsInOrder(_Rule):
    """These calls happened in this order; others may stand between them."""

    rule: Literal["tools_in_order"]
    calls: Annotated[tuple[CallPattern, ...], Field(min_length=1, strict=False)]


class State(_AtPath):
    """The agent's final state has a value at `path` (RFC 9535), or `equals` it there."""

    rule: Literal["state"]


class Claim(_TextRule):
    """What the agent says it has done, it has done.

    Where a reply contains one of `texts` or `patterns`, `tool` was called by then (with at least `args`)
    and did not fail, and the state after that turn has a value at `path`, or `equals` it there. Saying
    nothing is met too.
    """

    rule: Literal["claim"]
    texts: _Texts = ()
    patterns: _Texts = ()
    tool: _Text | None = None
    args: dict[str, Any] = {}
    path: _Text | None = None
    equals: Any = None
    over: Literal["last", "all"] = "all"

    @property
    def compares(self) -> bool:
        """Whether `equals` was written (null is a value too)."""
        return "equals" in self.model_fields_set

    @model_validator(mode="after")
    def _whole(self) -> "Claim":
        if not self.texts and not self.patterns:
            raise ValueError(
                say("needs at least one of `texts` and `patterns`", "`texts` 与 `patterns` 至少要有一个")
            )
        if self.tool is None and self.path is None:
            raise ValueError(
                say(
                    "needs `tool` or `path`, by which the claim is checked",
                    "需要 `tool` 或 `path`，用以核对所声称的事",
                )
            )
        return self


class NoRefusal(_Rule):
    """The reply is no refusal and no stock phrase of either language, nor one of `phrases`."""

    rule: Literal["no_refusal"]
    phrases: _Texts = ()


class PythonRule(_Rule):
    """`function` (`package.module:name`) gets the record and `args` and returns True or False."""

    rule: Literal["python"]
    function: Annotated[str, Field(pattern=r"^[\w.]+:\w+$")]
    args: dict[str, Any] = {}


Rule = Annotated[
    Contains
    | ContainsAll
    | ContainsAny
    | ContainsNone
    | Info
    | Length
    | Number
    | Equals
    | JsonSchema
    | JsonPath
    | ToolCalled
    | ToolNotCalled
    | ToolsInOrder
    | State
    | Claim
    | NoRefusal
    | PythonRule,
    Field(discriminator="rule"),
]
