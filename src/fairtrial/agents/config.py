"""How a person says whom to ask: one strict model a kind of agent, told apart by `type`.

A secret is never written here. A key is named by its environment variable; a header or an address may
hold `${NAME}`, which is replaced by the variable when the agent is built, never in what is logged.
"""

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field

from fairtrial.agents.protocol import Ability
from fairtrial.schema.written import Written
from fairtrial.text.language import say

_Name = Annotated[str, Field(min_length=1)]
_Price = Annotated[float, Field(ge=0, allow_inf_nan=False)]


def _like(pattern: str, en: str, zh: str) -> AfterValidator:
    """A text of that form; `{}` in the complaint is the text."""

    def check(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError(say(en, zh).format(repr(text)))
        return text

    return AfterValidator(check)


_Function = Annotated[
    str,
    _like(
        r".+:[^\W\d]\w*(\.[^\W\d]\w*)*",
        "{} is not written as `package.module:name` or `path/to/file.py:name`",
        "{} 应写作 `package.module:name` 或 `path/to/file.py:name`",
    ),
]
_Address = Annotated[
    str,
    _like(
        "(?s)https?://[^/?#].*", "{} is no http:// or https:// address", "{} 不是 http:// 或 https:// 地址"
    ),
    _like(
        "(?s)https?://[^@/]*(/.*)?",
        "the address holds a login; put it in a header as ${{NAME}} of an environment variable",
        "地址中含有登录信息；请写进请求头，以 ${{NAME}} 引用环境变量",
    ),
]
_ToolName = Annotated[
    str,
    _like(
        r"[\w-]{1,64}",
        "the name {} is not of 1 to 64 letters, digits, _ and -",
        "名称 {} 应由 1 到 64 个字母、数字、_ 和 - 组成",
    ),
]


class _Config(Written):
    @property
    def tells_cost(self) -> bool | None:
        """Whether each reply's price will be known; None where asking costs nothing."""
        return False


class _Reporting(_Config):
    """An agent that may say itself what a reply cost, as `usage.cost`."""

    reports_cost: bool = False

    @property
    def tells_cost(self) -> bool | None:
        return self.reports_cost


class PythonConfig(_Reporting):
    """A callable in the examiner's own process: `package.module:name` or `path/to/file.py:name`."""

    type: Literal["python"]
    function: _Function


class CommandConfig(_Reporting):
    """A program that speaks JSON lines on stdin and stdout; no shell. A text is split as a shell would.

    `env` names the variables of the examiner's environment that it gets beside the harmless ones; `offers`
    what it speaks of the protocol beside turns and answers.
    """

    type: Literal["command"]
    command: _Name | Annotated[tuple[_Name, ...], Field(min_length=1, strict=False)]
    cwd: _Name | None = None
    env: Annotated[tuple[_Name, ...], Field(strict=False)] = ()
    offers: Annotated[tuple[Annotated[Ability, Field(strict=False)], ...], Field(strict=False)] = ()


class ResponsePaths(_Config):
    """Where things are in the answer: RFC 9535 paths. Several texts at `text` are joined.

    `calls` leads to objects with `name`, `arguments` and perhaps `result` (or OpenAI's tool calls);
    `usage` to an object with `input_tokens` and so on (or OpenAI's names).
    """

    text: _Name = "$.text"
    state: _Name | None = None
    model: _Name | None = None
    calls: _Name | None = None
    usage: _Name | None = None


class HttpConfig(_Reporting):
    """An endpoint that takes and answers JSON.

    In `request`, `{{text}}`, `{{messages}}`, `{{session}}`, `{{seed}}`, `{{clock}}`, `{{user}}` and
    `{{turn}}` are filled in. A placeholder that is a whole string keeps its type (a list of messages,
    a number). `state_url`, in which `{{session}}` is filled in, answers a GET with the agent's state as JSON.
    """

    type: Literal["http"]
    url: _Address
    method: Literal["POST", "PUT", "PATCH"] = "POST"
    headers: dict[str, str] = {}
    request: Any = {"text": "{{text}}", "session": "{{session}}"}
    response: ResponsePaths = ResponsePaths()
    state_url: _Address | None = None


class ToolConfig(_Config):
    """A function the model may call. What is unset is derived from its signature and docstring.

    `parameters` is a JSON schema (an object).
    """

    function: _Function
    name: _ToolName | None = None
    description: str | None = None
    parameters: dict[str, Any] | None = None


def _by_name(tool: Any) -> Any:
    return {"function": tool} if isinstance(tool, str) else tool


_Tool = Annotated[ToolConfig, BeforeValidator(_by_name)]


class Prices(_Config):
    """Money per million tokens, in whatever currency the round counts. `cached_input` defaults to `input`."""

    input: _Price
    output: _Price
    cached_input: _Price | None = None


class OpenAIConfig(_Config):
    """An OpenAI-compatible chat completions endpoint; `base_url` with or without `/v1`.

    Sampling parameters are sent only if set. `extra` is merged into each request as it stands
    (a null takes the field out). `tools` are Python functions, run in a loop of at most `max_rounds`
    requests a turn. `{{clock}}` in `system` is filled in.
    """

    type: Literal["openai"]
    model: _Name
    base_url: _Address = "https://api.openai.com/v1"
    api_key_env: _Name = "OPENAI_API_KEY"
    headers: dict[str, str] = {}
    system: str | None = None
    stream: bool = False
    temperature: Annotated[float, Field(ge=0, allow_inf_nan=False)] | None = None
    top_p: Annotated[float, Field(gt=0, le=1)] | None = None
    max_tokens: Annotated[int, Field(ge=1)] | None = None
    send_seed: bool = False
    tools: Annotated[tuple[_Tool, ...], Field(strict=False)] = ()
    max_rounds: Annotated[int, Field(ge=1)] = 10
    price: Prices | None = None
    extra: dict[str, Any] = {}

    @property
    def tells_cost(self) -> bool | None:
        """By its price table."""
        return self.price is not None


class _Unpaid(_Config):
    @property
    def tells_cost(self) -> bool | None:
        return None


class ReplayConfig(_Unpaid):
    """The answers of an earlier log."""

    type: Literal["replay"]
    log: _Name


NullKind = Literal["empty", "echo", "stock", "stuffing", "refusing", "instruction"]


class NullConfig(_Unpaid):
    """An agent that does nothing of use: what it passes, a rule should not have let pass."""

    type: Literal["null"]
    kind: NullKind


AgentConfig = Annotated[
    PythonConfig | CommandConfig | HttpConfig | OpenAIConfig | ReplayConfig | NullConfig,
    Field(discriminator="type"),
]
