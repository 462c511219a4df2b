"""Python functions that a model may call: their JSON schema, and a call that cannot break the session."""

import asyncio
import inspect
import time
import traceback
import typing
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, PydanticUserError, ValidationError, create_model

from fairtrial.agents.answer import arguments_of
from fairtrial.agents.config import ToolConfig
from fairtrial.agents.hook import NOTHING
from fairtrial.agents.load import load_function
from fairtrial.agents.protocol import ToolHook
from fairtrial.agents.thread import SessionThread
from fairtrial.agents.wire import plain, shown
from fairtrial.errors import BadInput
from fairtrial.schema.record import Call
from fairtrial.text.json import encode
from fairtrial.text.language import say

_VARIADIC = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


class Toolbox:
    """The tools of an agent by name. Raises BadInput for a function that cannot be one."""

    def __init__(self, tools: Sequence[ToolConfig]) -> None:
        made = [_Tool(tool) for tool in tools]
        self._tools = {tool.name: tool for tool in made}
        if len(self._tools) < len(made):
            raise BadInput(say("two tools have one name", "两个工具同名"), where="agent.tools")
        self.declared = [tool.declared for tool in made]

    def __bool__(self) -> bool:
        return bool(self._tools)

    async def run(
        self,
        name: str,
        arguments: str,
        call_id: str,
        session: str,
        thread: SessionThread,
        hook: ToolHook | None = None,
    ) -> Call:
        """Call a tool with the arguments as the model wrote them, through the hook where there is one.

        An unknown tool, arguments that are no object or do not fit, and whatever the tool raises are
        the call's `error`.
        """
        given = arguments_of(arguments)
        begun = time.perf_counter()
        result, error = None, None
        try:
            result = await self._call(name, given, session, thread, hook)
        except (Exception, SystemExit) as problem:
            error = str(problem) if isinstance(problem, _Refused) else _said(problem)
        return Call(
            name=name,
            arguments=given,
            result=result,
            error=error,
            id=call_id,
            seconds=time.perf_counter() - begun,
        )

    async def _call(
        self, name: str, given: Any, session: str, thread: SessionThread, hook: ToolHook | None
    ) -> Any:
        tool = self._tools.get(name)
        if tool is None:
            raise _Refused(f"unknown tool {name}; there are: {', '.join(self._tools)}")
        if isinstance(given, str):
            raise _Refused("the arguments are not a JSON object")
        call = tool.prepare(given, session)
        ruling = hook.before(name, given) if hook else NOTHING
        if ruling.delay:
            await asyncio.sleep(ruling.delay)
        if ruling.error is not None:
            raise _Refused(ruling.error)
        value = call() if tool.is_async else await thread.run(call)
        result = plain(await value if inspect.isawaitable(value) else value)
        return hook.after(name, given, result) if hook else result


def told(call: Call) -> str:
    """What the model is told of a call: the result, as JSON if it is no text, or the error."""
    if call.error is not None:
        return f"Error: {call.error}"
    return call.result if isinstance(call.result, str) else encode(call.result).decode()


class _Refused(Exception):
    """A call that was not made, in words for the model."""


class _Tool:
    def __init__(self, config: ToolConfig) -> None:
        self._function = load_function(config.function)
        self.is_async = inspect.iscoroutinefunction(self._function)
        self.name = config.name or config.function.rpartition(":")[2].rpartition(".")[2]
        signature = inspect.signature(self._function)
        self._wants_session = "session" in signature.parameters
        self._arguments = (
            None if config.parameters else _arguments(self._function, signature, config.function)
        )
        self.declared = {
            "type": "function",
            "function": {
                "name": self.name,
                "description": config.description or inspect.getdoc(self._function) or "",
                "parameters": config.parameters or _schema(self._arguments, config.function),
            },
        }

    def prepare(self, given: dict[str, Any], session: str) -> Callable[[], Any]:
        if self._arguments is not None:
            try:
                made = self._arguments.model_validate(given)
            except ValidationError as error:
                raise _Refused(_misfits(error)) from None
            fields = type(made).model_fields
            given = {str(fields[key].alias): getattr(made, key) for key in made.model_fields_set}
        return partial(self._function, **given, **({"session": session} if self._wants_session else {}))


def _arguments(function: Callable[..., Any], signature: inspect.Signature, where: str) -> type[BaseModel]:
    """A model of the parameters; its fields have names of their own, since any name may be a parameter's."""
    try:
        hints = typing.get_type_hints(function, include_extras=True)
    except (NameError, TypeError) as error:
        raise _no_tool(where, str(error)) from None
    fields: dict[str, Any] = {}
    for number, (name, parameter) in enumerate(signature.parameters.items()):
        if name == "session" or parameter.kind in _VARIADIC:
            continue
        if parameter.kind is inspect.Parameter.POSITIONAL_ONLY:
            raise _no_tool(where, say(f"`{name}` is positional only", f"`{name}` 只能按位置传"))
        default = ... if parameter.default is inspect.Parameter.empty else parameter.default
        fields[f"p{number}"] = (hints.get(name, Any), Field(default, alias=name))
    try:
        return create_model("Arguments", __config__=ConfigDict(extra="forbid"), **fields)
    except PydanticUserError as error:
        raise _no_tool(where, shown(str(error))) from None


def _schema(arguments: type[BaseModel] | None, where: str) -> dict[str, Any]:
    try:
        schema = arguments.model_json_schema() if arguments else {}
    except PydanticUserError as error:
        raise _no_tool(where, shown(str(error))) from None
    del schema["title"]
    return schema


def _no_tool(where: str, what: str) -> BadInput:
    return BadInput(
        what,
        where=where,
        how=say("annotate the parameters, or give `parameters`", "请注明参数类型，或给出 `parameters`"),
    )


def _misfits(error: ValidationError) -> str:
    return "; ".join(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in error.errors(include_url=False))


def _said(error: BaseException) -> str:
    return shown(traceback.format_exception_only(error)[-1], 500)
