"""How a person says whom to ask: one strict model a kind of agent, told apart by `type`.

A secret is never written here. A key is named by its environment variable; a header or an address may
hold `${NAME}`, which is replaced by the variable when the agent is built, never in what is logged.
"""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator

_Name = Annotated[str, Field(min_length=1)]
_Function = Annotated[str, Field(pattern=r"^.+:[^\W\d]\w*(\.[^\W\d]\w*)*$")]
_Address = Annotated[str, Field(pattern=r"^https?://[^/?#]")]
_Price = Annotated[float, Field(ge=0, allow_inf_nan=False)]


class _Config(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, defer_build=True)

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

    `env` names the variables of the examiner's environment that it gets beside the harmless ones.
    """

    type: Literal["command"]
    command: _Name | Annotated[tuple[_Name, ...], Field(min_length=1, strict=False)]
    cwd: _Name | None = None
    env: Annotated[tuple[_Name, ...], Field(strict=False)] = ()


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

    In `request`, `{{text}}`, `{{messages}}`, `{{session}}`, `{{seed}}` and `{{turn}}` are filled in. A
    placeholder that is a whole string keeps its type (a list of messages, a number).
    """

    type: Literal["http"]
    url: _Address
    method: Literal["POST", "PUT", "PATCH"] = "POST"
    headers: dict[str, str] = {}
    request: Any = {"text": "{{text}}", "session": "{{session}}"}
    response: ResponsePaths = ResponsePaths()

    @field_validator("url")
    @classmethod
    def _no_secret(cls, url: str) -> str:
        return _without_login(url)


class ToolConfig(_Config):
    """A function the model may call. What is unset is derived from its signature and docstring.

    `parameters` is a JSON schema (an object).
    """

    function: _Function
    name: Annotated[str, Field(pattern=r"^[\w-]{1,64}$")] | None = None
    description: str | None = None
    parameters: dict[str, Any] | None = None


class Prices(_Config):
    """Money per million tokens, in whatever currency the round counts. `cached_input` defaults to `input`."""

    input: _Price
    output: _Price
    cached_input: _Price | None = None


class OpenAIConfig(_Config):
    """An OpenAI-compatible chat completions endpoint; `base_url` with or without `/v1`.

    Sampling parameters are sent only if set. `extra` is merged into each request as it stands
    (a null takes the field out). `tools` are Python functions, run in a loop of at most `max_rounds`
    requests a turn.
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
    tools: Annotated[tuple[_Function | ToolConfig, ...], Field(strict=False)] = ()
    max_rounds: Annotated[int, Field(ge=1)] = 10
    price: Prices | None = None
    extra: dict[str, Any] = {}

    @property
    def tells_cost(self) -> bool | None:
        """By its price table."""
        return self.price is not None

    @field_validator("base_url")
    @classmethod
    def _no_secret(cls, url: str) -> str:
        return _without_login(url)


class ReplayConfig(_Config):
    """The answers of an earlier log."""

    type: Literal["replay"]
    log: _Name

    @property
    def tells_cost(self) -> bool | None:
        """Nobody is paid."""
        return None


NullKind = Literal["empty", "echo", "stock", "stuffing"]


class NullConfig(_Config):
    """An agent that does nothing of use: what it passes, a rule should not have let pass."""

    type: Literal["null"]
    kind: NullKind

    @property
    def tells_cost(self) -> bool | None:
        """Nobody is paid."""
        return None


AgentConfig = Annotated[
    PythonConfig | CommandConfig | HttpConfig | OpenAIConfig | ReplayConfig | NullConfig,
    Field(discriminator="type"),
]


def _without_login(url: str) -> str:
    authority = url.partition("://")[2].partition("/")[0]
    if "@" in authority:
        raise ValueError("holds a login; put it in a header as ${NAME} of an environment variable")
    return url
