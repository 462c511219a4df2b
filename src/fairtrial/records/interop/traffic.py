"""Live dialogues, one JSON object a line, as services keep them: generous in names, strict in meaning."""

import gzip
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

from fairtrial.errors import BadInput
from fairtrial.records.interop.content import parsed, unreadable
from fairtrial.records.interop.messages import text_of
from fairtrial.records.interop.shapes import as_number, first_of
from fairtrial.schema.traffic import Dialogue, Role, Said
from fairtrial.text.language import say
from fairtrial.text.normalise import fold

_NAMES: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "dialogue_id", "dialog_id", "conversation_id", "session_id", "编号", "会话id", "会话编号"),
    "messages": (
        *("messages", "turns", "conversation", "conversations", "dialogue", "dialog", "history"),
        *("对话", "会话", "消息", "聊天记录"),
    ),
    "satisfied": ("satisfied", "satisfaction", "满意", "满意度", "是否满意"),
    "resolved": ("resolved", "solved", "已解决", "是否解决"),
    "at": ("at", "time", "timestamp", "created_at", "started_at", "date", "时间", "日期"),
    "intent": ("intent", "task_type", "意图", "任务类型"),
    "version": ("version", "agent_version", "版本"),
}
_SPEAKERS: Mapping[Role, str] = {
    "user": "user customer human client buyer visitor caller 用户 客户 顾客 买家 访客",
    "assistant": "assistant agent bot ai model robot staff support 客服 助手 坐席 机器人 商家",
    "system": "system developer 系统",
    "tool": "tool function 工具",
}
_ROLES: Mapping[str, Role] = {word: role for role, words in _SPEAKERS.items() for word in words.split()}
_WORDS = {
    True: "true yes y satisfied resolved solved happy good 是 满意 已解决 解决 好评",
    False: "false no n dissatisfied unsatisfied unresolved unsolved bad 否 不满意 未解决 没解决 差评",
}
_MEANT = {word: meant for meant, words in _WORDS.items() for word in words.split()}
_OF = re.compile(r"(\d+(?:\.\d+)?)\s*/\s*(\d+(?:\.\d+)?)")
_MILLISECONDS_FROM = 1e11
"""Epoch numbers from here on count milliseconds: as seconds they would lie beyond the year 5000."""


class _Wrong(ValueError):
    """What is wrong with a line, and how it is written instead."""

    def __init__(self, what: str, how: str = "") -> None:
        self.what, self.how = what, how
        super().__init__(what)


def read_traffic(path: Path) -> Iterator[Dialogue]:
    """The dialogues of a JSON Lines file (gzip too), one by one, in its order.

    A mark that is missing, empty or a word that means nothing here is None. Raises BadInput with the line
    where one is no dialogue: no JSON, a role or a scale that nobody knows, an id that was there before.
    """
    seen: dict[str, int] = {}
    for number, line in lines(path):
        try:
            dialogue = _dialogue(parsed(line), number)
            if dialogue.id in seen:
                raise _Wrong(
                    say(
                        f"the id {dialogue.id} is that of line {seen[dialogue.id]}, too",
                        f"编号 {dialogue.id} 与第 {seen[dialogue.id]} 行重复",
                    )
                )
        except _Wrong as error:
            raise BadInput(error.what, where=f"{path}:{number}", how=error.how) from error
        except (ValueError, OverflowError) as error:
            raise BadInput(
                say(f"no JSON, or cut off: {error}", f"不是 JSON，或不完整：{error}"),
                where=f"{path}:{number}",
                how=say("one dialogue a line, UTF-8", "每行一段对话，UTF-8 编码"),
            ) from error
        seen[dialogue.id] = number
        yield dialogue
    if not seen:
        raise BadInput(say("the file holds no dialogue", "文件中没有对话"), where=str(path))


def lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines that are not blank, as they stand there, with their numbers from 1. Raises BadInput."""
    try:
        with path.open("rb") as file:
            packed = file.peek(2)[:2] == b"\x1f\x8b"
            source: Iterable[bytes] = gzip.GzipFile(fileobj=file) if packed else file
            for number, line in enumerate(source, 1):
                if line := line.removeprefix(b"\xef\xbb\xbf").strip():
                    yield number, line
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise BadInput(
            say(f"damaged or cut off: {error}", f"已损坏或不完整：{error}"), where=str(path)
        ) from error
    except OSError as error:
        raise unreadable(path, error) from error


def _dialogue(given: Any, number: int) -> Dialogue:
    if not isinstance(given, dict):
        raise _Wrong(say("no JSON object", "不是 JSON 对象"))
    found = {name: first_of(given, *names) for name, names in _NAMES.items()}
    if not isinstance(found["messages"], list) or not found["messages"]:
        raise _Wrong(
            say("it has no messages", "没有消息"),
            say(
                'write "messages": [{"role": "user", "content": "…"}]',
                '写作 "messages": [{"role": "user", "content": "…"}]',
            ),
        )
    messages = tuple(said for one in found["messages"] for said in _said(one))
    named = {
        name: None if found[name] in (None, "") else str(found[name]) for name in ("id", "intent", "version")
    }
    return Dialogue(
        id=named["id"] or f"line-{number}",
        line=number,
        messages=messages,
        satisfaction=_satisfaction(found["satisfied"]),
        resolved=_yes_or_no(found["resolved"]),
        at=_time(found["at"]),
        intent=named["intent"],
        version=named["version"],
    )


def _said(one: Any) -> Iterator[Said]:
    """A message with a role, an exchange (`{"user": …, "assistant": …}`), or a user's turn as plain text."""
    if isinstance(one, str):
        yield Said(role="user", text=one)
        return
    if not isinstance(one, dict):
        raise _Wrong(say("a message is no object and no text", "有一条消息既不是对象也不是文本"))
    role = first_of(one, "role", "from", "speaker", "sender", "角色")
    if role is None:
        parts = [(known, value) for key, value in one.items() if (known := _ROLES.get(fold(key).strip()))]
        if not parts:
            raise _Wrong(say("a message does not say who speaks", "有一条消息没有说明是谁说的"), _roles())
    else:
        known = _ROLES.get(fold(str(role)).strip())
        if known is None:
            raise _Wrong(
                say(f"a role that nobody knows: {str(role)[:40]!r}", f"不认识的角色：{str(role)[:40]!r}"),
                _roles(),
            )
        parts = [(known, first_of(one, "content", "text", "message", "value", "utterance", "内容"))]
    for known, value in parts:
        if (text := text_of(value)) and text.strip():
            yield Said(role=known, text=text)


def _roles() -> str:
    return say("known: user, assistant, system, tool", "已知：user（用户）、assistant（客服）、system、tool")


def _satisfaction(given: Any) -> float | None:
    """In [0, 1]: of a yes or no, of `{"score": 2, "of": 5}` or of "2/5" (from 1 unless it says `from`)."""
    if isinstance(given, str) and (written := _OF.fullmatch(fold(given).strip())):
        given = {"score": float(written[1]), "of": float(written[2])}
    if isinstance(given, dict):
        if "score" in given and given["score"] is None:
            return None
        score, best, least = map(as_number, (given.get("score"), given.get("of"), given.get("from", 1)))
        if score is None or best is None or least is None or least >= best or not least <= score <= best:
            raise _Wrong(say(f"no score on a scale: {given}", f"不是量表上的分数：{given}"), _scale())
        return (score - least) / (best - least)
    if isinstance(given, int | float) and not isinstance(given, bool):
        raise _Wrong(say(f"satisfied is {given}: of how many?", f"满意度为 {given}：满分是多少？"), _scale())
    found = _yes_or_no(given)
    return None if found is None else float(found)


def _scale() -> str:
    return say(
        'write true, false or {"score": 2, "of": 5}; a scale from 0 has "from": 0',
        '写作 true、false 或 {"score": 2, "of": 5}；从 0 起的量表另写 "from": 0',
    )


def _yes_or_no(given: Any) -> bool | None:
    """What is plainly yes or no; any other word is no mark at all. A number could be either."""
    if isinstance(given, bool):
        return given
    if isinstance(given, str):
        return _MEANT.get(fold(given).strip())
    if given is not None:
        raise _Wrong(
            say(f"neither yes nor no: {str(given)[:40]}", f"既不是“是”也不是“否”：{str(given)[:40]}"),
            say("write true or false", "写作 true 或 false"),
        )
    return None


def _time(given: Any) -> str | None:
    """ISO 8601; an epoch number, in seconds or milliseconds, becomes a time of UTC."""
    if given in (None, ""):
        return None
    number = as_number(given)
    try:
        if number is not None:
            seconds = number / 1000 if number >= _MILLISECONDS_FROM else number
            return datetime.fromtimestamp(seconds, UTC).isoformat(timespec="seconds")
        text = str(given).strip().replace("/", "-")
        return (date if len(text) <= 10 else datetime).fromisoformat(text).isoformat()
    except (ValueError, OverflowError, OSError) as error:
        raise _Wrong(
            say(f"no time: {str(given)[:40]!r}", f"不是时间：{str(given)[:40]!r}"),
            say("write 2026-11-30T08:15:00", "写作 2026-11-30T08:15:00"),
        ) from error
