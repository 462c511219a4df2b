"""A file of another tool, opened and parsed once: what all readers are given."""

import codecs
import csv
import gzip
import io
import json
import re
import zipfile
import zlib
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import msgspec

from fairtrial.errors import BadInput
from fairtrial.text.language import say

Kind = Literal["object", "list", "lines", "csv", "zip"]

_MOST = 2 << 30
"""Bytes that a file may have once unpacked: a small file can be made to unpack without end."""
_UNPACKING = (gzip.BadGzipFile, zipfile.BadZipFile, zlib.error, EOFError)

# A table may begin with a bracket too: `[provider] prompt`.
_JSON = re.compile(rb"\s*(?:\{|\[\s*(?:[\[{\"\]\d-]|true|false|null|NaN|Infinity))")


@dataclass(frozen=True, kw_only=True)
class Content:
    """A parsed file. `data` by `kind`:

    - `object`: a dict (a JSON Lines file of one line is this, too: see `items`);
    - `list`: a JSON list; `lines`: the values of JSON Lines, `numbers` their line numbers, from 1;
    - `csv`: the rows as tuples of text, the header row first, up to the `flaw` that ends them early if it is
      no sound table; `numbers` their line numbers;
    - `zip`: the open `zipfile.ZipFile`; `members` are the names, `member` reads one.

    A JSON number that is NaN or infinite is that float here. Of a key that an object has twice the last
    counts; who must know reads `raw` anew. `raw` is what was parsed: unpacked, without a byte-order mark.
    """

    path: Path
    kind: Kind
    data: Any
    raw: bytes
    numbers: Sequence[int] = ()
    flaw: BadInput | None = None

    @property
    def items(self) -> Sequence[Any]:
        """The values of a list or of JSON Lines; an object alone is one; else none."""
        if self.kind in ("list", "lines"):
            found: Sequence[Any] = self.data
            return found
        return [self.data] if self.kind == "object" else []

    @property
    def first(self) -> dict[str, Any]:
        """The first of `items` where it is an object, else {}."""
        return first if (items := self.items) and isinstance(first := items[0], dict) else {}

    def where(self, index: int) -> str:
        """The place of the item or row `index`, for people: `runs.jsonl:3`, `runs.json[2]`."""
        if self.numbers:
            return f"{self.path}:{self.numbers[index]}"
        return f"{self.path}[{index}]" if self.kind == "list" else str(self.path)

    @property
    def members(self) -> Sequence[str]:
        """The names in the zip, each once; none where the file is no zip."""
        return list(dict.fromkeys(self.data.namelist())) if self.kind == "zip" else []

    def member(self, name: str) -> dict[str, Any]:
        """The object in a member of the zip. Raises BadInput where it is none, or cannot be unpacked."""
        where = f"{self.path}!{name}"
        try:
            with self.data.open(name) as file:
                found = parsed(_not_too_big(file.read(_MOST + 1), where))
        except NotImplementedError as error:
            raise BadInput(
                say(
                    f"packed in a way that this Python cannot read: {error}",
                    f"本机 Python 无法读取这种压缩方式：{error}",
                ),
                where=where,
                how=say(
                    "use Python 3.14 or newer, or `inspect log convert --to json` with the tool itself",
                    "请用 Python 3.14 以上，或用原工具执行 `inspect log convert --to json`",
                ),
            ) from error
        except (*_UNPACKING, OSError, KeyError, ValueError, RuntimeError) as error:
            raise _damaged(where, error) from error
        if not isinstance(found, dict):
            raise broken(say("no JSON object", "不是 JSON 对象"), where)
        return found


def open_content(path: Path) -> Content:
    """Read and parse a file; gzip is unpacked. Raises BadInput: missing, empty, cut off, not UTF-8 …"""
    raw = _unpacked(path)
    if raw[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        try:
            return Content(path=path, kind="zip", data=zipfile.ZipFile(io.BytesIO(raw)), raw=raw)
        except (*_UNPACKING, OSError, ValueError, NotImplementedError) as error:
            raise _damaged(str(path), error) from error
    raw = _utf8(path, raw)
    if not raw or raw.isspace():
        raise broken(say("the file is empty", "文件为空"), str(path))
    return _json(path, raw) if _JSON.match(raw) else _csv(path, raw)


def _unpacked(path: Path) -> bytes:
    try:
        raw = path.read_bytes()
        if raw[:2] != b"\x1f\x8b":
            return raw
        with gzip.GzipFile(fileobj=io.BytesIO(raw)) as file:
            return _not_too_big(file.read(_MOST + 1), str(path))
    except _UNPACKING as error:
        raise _damaged(str(path), error) from error
    except OSError as error:
        raise unreadable(path, error) from error


def _utf8(path: Path, raw: bytes) -> bytes:
    """Text as people's tools save it, in UTF-8: it may have a mark, be UTF-16 with one, or Chinese in GB2312.

    GB18030 could be almost anything, Western text too; what fits the narrower GB2312 hardly is by chance.
    """
    raw = raw.removeprefix(codecs.BOM_UTF8)
    marked = raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if not marked and b"\0" in raw:
        raise _no_text(path, say("it holds NUL bytes", "含有 NUL 字节"))
    if raw.isascii():
        return raw
    for encoding in ("utf-16",) if marked else ("utf-8", "gb2312"):
        with suppress(UnicodeDecodeError):
            text = raw.decode(encoding)
            return raw if encoding == "utf-8" else text.encode()
    raise _no_text(
        path, say("neither UTF-8 nor plainly Chinese (GB2312)", "既不是 UTF-8，也不是确定的 GB2312")
    )


def _no_text(path: Path, why: str) -> BadInput:
    return BadInput(
        say(f"no text that can be read: {why}", f"不是可读的文本：{why}"),
        where=str(path),
        how=say("save it as UTF-8", "请另存为 UTF-8"),
    )


def unreadable(path: Path, error: OSError) -> BadInput:
    """What is wrong with a file that the system does not open."""
    why = error.strerror or str(error)
    chinese, how = {
        FileNotFoundError: ("没有这个文件", say("look at the path", "请检查路径")),
        IsADirectoryError: ("这是文件夹", say("name a file in it", "请指定其中的文件")),
        PermissionError: ("没有读取权限", say("make it readable", "请给它读取权限")),
    }.get(type(error), (f"无法读取：{why}", ""))
    return BadInput(say(why, chinese), where=str(path), how=how)


def broken(what: str, where: str) -> BadInput:
    """A file that is not what its maker writes; the way to mend it is always the same."""
    return BadInput(what, where=where, how=say("fetch or export it again", "请重新下载或导出"))


def _damaged(where: str, error: Exception) -> BadInput:
    return broken(say(f"damaged or cut off: {error}", f"已损坏或不完整：{error}"), where)


def _not_too_big(found: bytes, where: str) -> bytes:
    if len(found) > _MOST:
        raise BadInput(
            say("more than 2 GiB once unpacked", "解压后超过 2 GiB"),
            where=where,
            how=say("split the file", "请拆分文件"),
        )
    return found


def parsed(text: bytes) -> Any:
    """One JSON value; NaN and Infinity, which Python's own writer makes, are read. Raises ValueError."""
    try:
        return msgspec.json.decode(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
    except msgspec.DecodeError:
        # Only the standard library reads NaN, and the escape of a lone surrogate.
        if not any(sign in text for sign in (b"NaN", b"Infinity", rb"\u")):
            raise
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def _json(path: Path, raw: bytes) -> Content:
    try:
        data = parsed(raw)
    except ValueError as error:
        return _lines(path, raw, error)
    return Content(path=path, kind="object" if isinstance(data, dict) else "list", data=data, raw=raw)


def _lines(path: Path, raw: bytes, whole: ValueError) -> Content:
    """JSON Lines; `whole` is why the file is no single value."""
    numbers: list[int] = []
    data: list[Any] = []
    for number, line in enumerate(raw.split(b"\n"), 1):
        if not line.strip():
            continue
        try:
            data.append(parsed(line))
        except ValueError as error:
            why, where = (error, f"{path}:{number}") if data else (whole, str(path))
            raise broken(say(f"no JSON, or cut off: {why}", f"不是 JSON，或不完整：{why}"), where) from error
        numbers.append(number)
    return Content(path=path, kind="lines", data=data, raw=raw, numbers=numbers)


def _csv(path: Path, raw: bytes) -> Content:
    """A table with the delimiter (comma, tab or semicolon) that its first line has most of."""
    text = raw.decode()
    head = text.lstrip().split("\n", 1)[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",\t;", key=head.count), strict=True)
    data: list[tuple[str, ...]] = []
    numbers: list[int] = []
    flaw = None
    number = 1
    csv.field_size_limit(_MOST)
    try:
        for row in map(tuple, reader):  # tuples of text cost the garbage collector nothing
            if row:
                data.append(row)
                numbers.append(number)
            number = reader.line_num + 1
    except csv.Error as error:
        flaw = _unquoted(error, path, number, reader.line_num)
    # Whether it was meant as a table, only its reader can tell: any text has commas somewhere.
    rows = data or [()]
    return Content(path=path, kind="csv", data=rows, raw=raw, numbers=numbers or [1], flaw=flaw)


def _unquoted(error: csv.Error, path: Path, begun: int, line: int) -> BadInput:
    """What is wrong with the row that begins in line `begun` and cannot be read on at `line`."""
    how = say('write a quote inside a quoted cell twice: ""', '带引号的单元格内，引号要写两遍：""')
    if "unexpected end" in str(error):
        why = say("no table: a quote is opened here and never closed", "不是表格：此处的引号没有闭合")
        return BadInput(why, where=f"{path}:{begun}", how=how)
    why = say("no table: text stands behind a closing quote", "不是表格：闭合的引号后面还有文字")
    return BadInput(why, where=f"{path}:{line}", how=how)
