"""A record as the rules look at it: each form of its replies is made once, whoever asks for it."""

import json
import re
import unicodedata
from collections.abc import Callable
from decimal import Decimal
from typing import Any, Literal, TypeVar

import msgspec

from fairtrial.schema.record import Call, Record
from fairtrial.text.characters import without_invisible
from fairtrial.text.normalise import fold_signs
from fairtrial.text.numbers import numbers
from fairtrial.text.patterns import searchable
from fairtrial.text.words import simplified

Over = Literal["last", "all"]
_T = TypeVar("_T")
_OPENING = re.compile(r"(`{3,}|~{3,})[^`~]*$")


class NotJson(ValueError):
    """A reply is no JSON, and has not one fenced block that is."""


def examined(record: Record) -> Record:
    """A record without the turns in which the examiner asked aside: all that a score may depend on."""
    if not any(turn.aside for turn in record.turns):
        return record
    return msgspec.structs.replace(record, turns=tuple(turn for turn in record.turns if not turn.aside))


class Reading:
    """Forms of one record's replies, kept while its rules are checked. `record` is without turns aside."""

    __slots__ = ("_kept", "_last", "record")

    def __init__(self, record: Record) -> None:
        self.record = examined(record)
        self._last = (self.record.reply,)
        self._kept: dict[tuple[str, str], Any] = {}

    def replies(self, over: Over) -> tuple[str, ...]:
        """The last reply, or all of the session, verbatim; ("",) where there was none."""
        if over == "last":
            return self._last
        return tuple(t.reply for t in self.record.turns if t.reply is not None) or ("",)

    def composed(self, over: Over) -> str:
        """The replies in one text, a line break between them: composed (NFC), without invisible signs."""
        return self._once("composed", over, lambda: composed("\n".join(self.replies(over))))

    def narrow(self, over: Over) -> str:
        """`composed`, signs folded to those of a keyboard: case as it was."""
        return self._once("narrow", over, lambda: narrow(self.composed(over)))

    def folded(self, over: Over) -> str:
        """`narrow`, case-folded: the form in which plain texts are looked for (that of `normalise.fold`)."""
        return self._once("folded", over, lambda: self.narrow(over).casefold())

    def numbers(self, over: Over, decimal: Literal[".", ","]) -> tuple[Decimal, ...]:
        """The numbers of the replies."""
        return self._once(decimal, over, lambda: numbers(simplified(self.composed(over)), decimal=decimal))

    def values(self, over: Over) -> tuple[Any, ...]:
        """The JSON value of each reply. Raises NotJson, whose text says why, at the first that is none."""
        return self._once("values", over, lambda: tuple(parse_reply(reply) for reply in self.replies(over)))

    def calls(self) -> tuple[Call, ...]:
        """All tool calls of the session."""
        return self._once("calls", "all", lambda: self.record.calls)

    def _once(self, form: str, over: str, make: Callable[[], _T]) -> _T:
        key = (form, over)
        if key not in self._kept:
            self._kept[key] = make()
        kept: _T = self._kept[key]
        return kept


def composed(text: str) -> str:
    """A text composed (NFC), without invisible signs."""
    return text if text.isascii() else unicodedata.normalize("NFC", without_invisible(searchable(text)))


def narrow(text: str) -> str:
    """A composed text, signs folded to those of a keyboard."""
    return text if text.isascii() else unicodedata.normalize("NFC", fold_signs(text))


def parse_reply(reply: str) -> Any:
    """The JSON that a reply is, or that its one fenced block holds. Raises NotJson.

    Strict JSON: no NaN, no comments, no single quotation marks.
    """
    try:
        return parse_json(reply.lstrip("\ufeff"))
    except NotJson as whole:
        blocks = _fenced(reply)
        if len(blocks) != 1:
            raise NotJson(f"{len(blocks)} fenced blocks" if blocks else str(whole)) from None
        return parse_json(blocks[0])


def _fenced(reply: str) -> list[str]:
    """What stands in the fenced blocks of a reply. Line by line: no reply makes it slow."""
    blocks: list[str] = []
    inside: list[str] = []
    fence = ""
    for line in reply.split("\n"):
        bare = line.strip()
        if not fence:
            opening = _OPENING.search(line)
            fence, inside = opening[1] if opening else "", []
        elif bare.startswith(fence) and not bare.strip(fence[0]):
            blocks.append("\n".join(inside))
            fence = ""
        else:
            inside.append(line)
    return blocks


def parse_json(text: str) -> Any:
    """The value of a JSON text. Raises NotJson."""
    try:
        return msgspec.json.decode(text.encode())
    except (msgspec.DecodeError, UnicodeEncodeError) as error:
        raise NotJson(str(error)) from None
    except RecursionError:
        raise NotJson("nested too deeply") from None


def shown(value: Any, limit: int = 120) -> str:
    """A value for a message: as JSON where it is that, cut to `limit` characters."""
    try:
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        text = repr(value)
    return text if len(text) <= limit else f"{text[: limit - 1]}…"
