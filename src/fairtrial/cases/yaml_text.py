"""YAML as it is written in case sets: version 1.2's core types, so that `no`, `07` and `1:30` stay texts.

Built from the parser's events and not by its own constructor: that gives places, doubled fields and a
bound on what aliases may unfold to, and never makes an object out of a tag.
"""

import re
from dataclasses import dataclass, field
from typing import Any

import yaml

from fairtrial.cases.positions import Marks
from fairtrial.cases.problems import Malformed, Path
from fairtrial.cases.values import MAX_DEPTH, too_deep
from fairtrial.text.language import say

MAX_ALIASED = 100_000
"""How many values aliases may add to a file."""

_Loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
_NULL = re.compile(r"(?:~|null|Null|NULL|)")
_BOOL = re.compile(r"(?:true|True|TRUE|(false|False|FALSE))")
_INT = re.compile(r"-?(?:0|[1-9][0-9]{0,4000})")
_FLOAT = re.compile(r"-?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]+)?)(?:[eE][-+]?[0-9]+)?")
_ODD = re.compile(r"(?:([-+]?)\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))")
_TABS = ("indent with spaces, not with tabs", "请用空格缩进，不要用制表符")
_QUOTE = ("put the text in quotes", "请给这段文本加引号")
_SYNTAX = {
    "tab character": ("缩进中有制表符", *_TABS),
    "'\\t'": ("此处有制表符", *_TABS),
    "unknown escape": ("双引号中有无效的 \\ 转义", "write a pattern in single quotes", "正则请用单引号括起"),
    "quoted scalar": ("引号没有闭合", "", ""),
    "cannot start any token": ("文本不能以该字符开头", *_QUOTE),
    "mapping values are not allowed": (
        "此处不应有冒号",
        "put a text with a colon in quotes; else mend the indentation",
        "含冒号的文本请加引号；否则请检查缩进",
    ),
    "parsing a flow": (
        "方括号或花括号没有闭合，或缺少逗号",
        "put a text with [ ] { } or , in quotes",
        "含 [ ] { } 或逗号的文本请加引号",
    ),
    "find expected ':'": ("此处缺少冒号", "write `name: value`", "请写成 `字段: 值`"),
    "find expected key": (
        "此处应为字段名",
        "mend the indentation, or put the whole text in quotes",
        "请检查缩进，或给整段文本加引号",
    ),
    "find expected '-'": ("此处应为列表项 `- `", "mend the indentation", "请检查缩进"),
    "alias": ("别名有误", "put a text that begins with * in quotes", "以 * 开头的文本请加引号"),
}
"""The parser's complaints by a part of each: the same in Chinese, and how to mend it in both languages."""
_TEXT_TAGS = (None, "!", "tag:yaml.org,2002:str")
_VALUE_TAGS: dict[str, tuple[type, ...]] = {
    "tag:yaml.org,2002:int": (int,),
    "tag:yaml.org,2002:float": (float,),
    "tag:yaml.org,2002:bool": (bool,),
    "tag:yaml.org,2002:null": (type(None),),
}
"""Tags of the core schema, which other tools write where a value could be mistaken (`!!float 1e-05`)."""
_COLLECTION_TAGS = (None, "!", "tag:yaml.org,2002:map", "tag:yaml.org,2002:seq")


def read_yaml(text: str) -> tuple[Any, Marks]:
    """The one document of the text and the places of its values. Raises Malformed."""
    builder = _Builder()
    try:
        for event in yaml.parse(text, Loader=_Loader):
            builder.take(event)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise Malformed(mark.index if mark else None, *_syntax(error)) from None
    except yaml.reader.ReaderError as error:
        raise Malformed(
            _bad_character(text),
            say(
                f"a character that YAML forbids: U+{int(error.character):04X}"
                if isinstance(error.character, int)
                else "a character that YAML forbids",
                "含有 YAML 不允许的控制字符",
            ),
            say("delete it, or write it as an escape in double quotes", "请删去，或在双引号中写成转义"),
        ) from None
    return builder.root, builder.marks


def _bad_character(text: str) -> int | None:
    match = re.search(r"[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]", text)
    return match.start() if match else None


def _syntax(error: yaml.MarkedYAMLError) -> tuple[str, str]:
    problem = " ".join(filter(None, (error.context, error.problem)))
    if "maximum nesting depth" in problem:
        return too_deep()
    known = (words for part, words in _SYNTAX.items() if part in problem)
    zh, how_en, how_zh = next(known, (problem, "", ""))
    return say(f"not valid YAML: {problem}", f"YAML 语法错误：{zh}"), say(how_en, how_zh)


@dataclass(slots=True)
class _Open:
    """A list or object that is being read; `keys` is None for a list, `key` the field whose value is due."""

    value: Any
    path: Path
    anchor: str | None
    keys: dict[str, int] | None
    key: str | None = None
    size: int = 1


@dataclass(slots=True)
class _Builder:
    """Makes plain values out of events, without recursion."""

    root: Any = None
    marks: Marks = field(default_factory=Marks)
    _open: list[_Open] = field(default_factory=list)
    _anchors: dict[str, tuple[Any, int]] = field(default_factory=dict)
    _aliased: int = 0
    _documents: int = 0

    def take(self, event: Any) -> None:
        """The next event."""
        if isinstance(event, yaml.ScalarEvent):
            self._scalar(event)
        elif isinstance(event, yaml.CollectionStartEvent):
            self._begin(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._end()
        elif isinstance(event, yaml.AliasEvent):
            self._alias(event)
        elif isinstance(event, yaml.DocumentStartEvent):
            self._documents += 1
            if self._documents > 1:
                raise Malformed(
                    _at(event),
                    say("a second document begins here", "此处开始了第二个文档"),
                    say("put all cases in one list", "请把所有用例放在同一个列表里"),
                )

    def _scalar(self, event: yaml.ScalarEvent) -> None:
        at = _at(event)
        if self._is_key():
            self._key(event.value, at)
            return
        plain = event.tag is None and event.implicit[0]
        value = resolve(event.value) if plain or event.tag in _VALUE_TAGS else event.value
        if event.tag not in _TEXT_TAGS and not isinstance(value, _VALUE_TAGS.get(event.tag, ())):
            _refuse_tag(event)
        self._put(value, at, 1)
        if event.anchor:
            self._anchors[event.anchor] = (value, 1)

    def _is_key(self) -> bool:
        return bool(self._open) and self._open[-1].keys is not None and self._open[-1].key is None

    def _key(self, key: str, at: int) -> None:
        inner = self._open[-1]
        path = (*inner.path, key)
        keys = inner.keys if inner.keys is not None else {}
        if key in keys:
            self.marks.doubles.append((path, keys[key], at))
        keys[key] = self.marks.offsets[path] = at
        inner.key = key

    def _begin(self, event: yaml.CollectionStartEvent) -> None:
        at = _at(event)
        if self._is_key():
            _refuse_key(at)
        if event.tag not in _COLLECTION_TAGS:
            _refuse_tag(event)
        if len(self._open) >= MAX_DEPTH:
            raise Malformed(at, *too_deep())
        is_map = isinstance(event, yaml.MappingStartEvent)
        value: Any = {} if is_map else []
        path = self._put(value, at, 0)
        self._open.append(_Open(value, path, event.anchor, {} if is_map else None))

    def _end(self) -> None:
        done = self._open.pop()
        if self._open:
            self._open[-1].size += done.size
        if done.anchor:
            self._anchors[done.anchor] = (done.value, done.size)

    def _alias(self, event: yaml.AliasEvent) -> None:
        at, name = _at(event), event.anchor
        if name not in self._anchors:
            raise Malformed(
                at,
                say(
                    f"the alias *{name} has no finished anchor &{name} before it",
                    f"别名 *{name} 之前没有锚点 &{name}",
                ),
                say("put a text that begins with * in quotes", "以 * 开头的文本请加引号"),
            )
        value, size = self._anchors[name]
        self._aliased += size
        if self._aliased > MAX_ALIASED:
            raise Malformed(
                at,
                say(
                    f"aliases unfold to more than {MAX_ALIASED} values",
                    f"别名展开后超过 {MAX_ALIASED} 个值",
                ),
                say("write the values out", "请直接写出内容"),
            )
        if not self._is_key():
            self._put(value, at, size)
        elif isinstance(value, dict | list):
            _refuse_key(at)
        else:
            self._key(str(value), at)

    def _put(self, value: Any, at: int, size: int) -> Path:
        """Set the value where it is due, and tell its path."""
        if not self._open:
            self.root = value
            self.marks.offsets[()] = at
            return ()
        inner = self._open[-1]
        inner.size += size
        if inner.key is not None:
            path: Path = (*inner.path, inner.key)
            inner.value[inner.key] = value
            inner.key = None
        else:
            path = (*inner.path, len(inner.value))
            inner.value.append(value)
            self.marks.offsets[path] = at
        return path


def resolve(text: str) -> Any:
    """The value of an unquoted scalar by the core schema of YAML 1.2 (10.3.2).

    Left as texts, because people mean texts by them: numbers with leading zeros, a plus sign or another
    base (`07`, `+86`, `0x1F`).
    """
    if _NULL.fullmatch(text):
        return None
    if match := _BOOL.fullmatch(text):
        return match[1] is None
    if _INT.fullmatch(text):
        return int(text)
    if _FLOAT.fullmatch(text):
        return float(text)
    if match := _ODD.fullmatch(text):
        return float("nan") if match[1] is None else float(f"{match[1]}inf")
    return text


def _at(event: yaml.Event) -> int:
    return event.start_mark.index if event.start_mark is not None else 0


def _refuse_key(at: int) -> None:
    raise Malformed(
        at,
        say("a list or an object where a field's name should be", "字段名的位置上是列表或对象"),
        say("put { or [ in quotes if it is a text", "若 { 或 [ 是文本，请加引号"),
    )


def _refuse_tag(event: Any) -> None:
    raise Malformed(
        _at(event),
        say(f"the tag {event.tag} is not read", f"不支持标签 {event.tag}"),
        say("put a text that begins with ! in quotes", "以 ! 开头的文本请加引号"),
    )
