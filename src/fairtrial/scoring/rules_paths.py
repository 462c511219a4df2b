"""Paths of RFC 9535, their patterns by RE2. Imported where a rule has a path: the library takes 30 ms."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from jsonpath_rfc9535 import JSONPathEnvironment, JSONPathError
from jsonpath_rfc9535.filter_expressions import StringLiteral
from jsonpath_rfc9535.function_extensions import ExpressionType, FilterFunction

from fairtrial.errors import BadInput
from fairtrial.text.language import say
from fairtrial.text.patterns import compile_pattern, searchable

_compiled = lru_cache(maxsize=64)(compile_pattern)


class _Regex(FilterFunction):
    """The functions `match` and `search` of RFC 9535 by RE2, where the library's own backtracks."""

    arg_types = [ExpressionType.VALUE, ExpressionType.VALUE]
    return_type = ExpressionType.LOGICAL

    def __init__(self, method: str) -> None:
        self._method = method

    def __call__(self, text: object, pattern: object) -> bool:
        if not isinstance(text, str) or not isinstance(pattern, str):
            return False
        try:
            compiled = _compiled(searchable(pattern))
        except BadInput:  # a pattern out of the data: RFC 9535 says no match
            return False
        return getattr(compiled, self._method)(searchable(text)) is not None


class _Environment(JSONPathEnvironment):
    def setup_function_extensions(self) -> None:
        super().setup_function_extensions()
        self.function_extensions["match"] = _Regex("fullmatch")
        self.function_extensions["search"] = _Regex("search")

    def validate_function_extension_signature(self, token: Any, args: list[Any]) -> list[Any]:
        checked: list[Any] = super().validate_function_extension_signature(token, args)
        if token.value in ("match", "search") and isinstance(args[1], StringLiteral):
            compile_pattern(args[1].value)
        return checked


def compile_path(path: str) -> Callable[[Any], list[Any]]:
    """The function that finds the values at an RFC 9535 path. Raises BadInput where it is none.

    The function raises RecursionError for a value that is nested too deeply.
    """
    try:
        query = _Environment().compile(path)
    except JSONPathError as error:
        raise BadInput(
            say(f"the path {path!r} is not RFC 9535: {error}", f"路径 {path!r} 不合 RFC 9535：{error}"),
            how=say("like $.order.status", "形如 $.order.status"),
        ) from error

    def find(value: Any) -> list[Any]:
        try:
            found: list[Any] = query.find(value).values()
        except JSONPathError as error:
            raise RecursionError(str(error)) from error
        return found

    return find
