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


# A table may begin with a bracket too: `[provider] prompt`.
_JSON = re.compile(rb"\s*(?:\{|\[\s*(?:[\[{\"\]\d-]|true|false|null|NaN|Infinity))")


@dataclass(frozen=True, kw_only=True)
class Content:
    """A parsed file. `data` by `kind`:

    - `object`: a dict (a JSON Lines file of one line is this, too: see `items`);
    - `list`: a JSON list; `lines`: the values of JSON Lines, `numbers` their line numbers, from 1;
    - `csv`: the rows as tuples of text, the header row first; `numbers` their line numbers;
    - `zip`: the open `zipfile.ZipFile`; `members` are the names, `member` reads one.

    A JSON number that is NaN or infinite is that float here. Of a key that an object has twice the last
    counts; who must know reads `raw` anew. `raw` is what was parsed: unpacked, without a byte-order mark.
    """

    path: Path
    kind: Kind
    data: Any
    raw: bytes
    numbers: Sequence[int] = ()

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

    def member(self, name: str) -> bytes:
        """A member of the zip. Raises BadInput where it is damaged, too big or packed in an unknown way."""
        where = f"{self.path}!{name}"
        try:
            with self.data.open(name) as file:
                found: bytes = file.read(_MOST + 1)
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
        except (
            OSError,
            KeyError,
            ValueError,
            RuntimeError,
            EOFError,
            zlib.error,
            zipfile.BadZipFile,
        ) as error:
            raise _damaged(where, str(error)) from error
        return _not_too_big(found, where)


def open_content(path: Path) -> Content:
    """Read and parse a file; gzip is unpacked. Raises BadInput: missing, empty, cut off, not UTF-8 …"""
    raw = _unpacked(path)
    if raw[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        return _zip(path, raw)
    raw = raw.removeprefix(b"\xef\xbb\xbf")
    if not raw or raw.isspace():
        raise BadInput(say("the file is empty", "文件为空"), where=str(path))
    if _JSON.match(raw):
        return _json(path, raw)
    return _csv(path, raw, _text(path, raw))


def _text(path: Path, raw: bytes) -> str:
    """A table's text as spreadsheets save it: UTF-8, UTF-16 with a byte-order mark, Chinese in GB2312.

    GB18030 could be almost anything, Western text too; what fits the narrower GB2312 hardly is by chance.
    """
    if raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encodings: tuple[str, ...] = ("utf-16",)
    else:
        encodings = ("utf-8", "gb2312")
    for encoding in encodings:
        with suppress(UnicodeDecodeError):
            return raw.decode(encoding)
    raise BadInput(
        say(
            "neither UTF-8 nor plainly Chinese (GB2312) text", "既不是 UTF-8，也不是确定的中文（GB2312）文本"
        ),
        where=str(path),
        how=say("save it as UTF-8", "请另存为 UTF-8"),
    )


def _unpacked(path: Path) -> bytes:
    try:
        raw = path.read_bytes()
        if raw[:2] != b"\x1f\x8b":
            return raw
        with gzip.GzipFile(fileobj=io.BytesIO(raw)) as file:
            return _not_too_big(file.read(_MOST + 1), str(path))
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise _damaged(str(path), str(error)) from error
    except OSError as error:
        raise BadInput(error.strerror or str(error), where=str(path)) from error


def _not_too_big(found: bytes, where: str) -> bytes:
    if len(found) > _MOST:
        raise BadInput(
            say("more than 2 GiB once unpacked", "解压后超过 2 GiB"),
            where=where,
            how=say("split the file", "请拆分文件"),
        )
    return found


def _damaged(where: str, why: str) -> BadInput:
    return BadInput(
        say(f"damaged or cut off: {why}", f"已损坏或不完整：{why}"),
        where=where,
        how=say("fetch or export it again", "请重新下载或导出"),
    )


def _zip(path: Path, raw: bytes) -> Content:
    try:
        archive = zipfile.ZipFile(io.BytesIO(raw))
    except (OSError, ValueError, NotImplementedError, zipfile.BadZipFile) as error:
        raise _damaged(str(path), str(error)) from error
    return Content(path=path, kind="zip", data=archive, raw=raw)


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
            raise _no_json(raw, where, str(why)) from error
        numbers.append(number)
    return Content(path=path, kind="lines", data=data, raw=raw, numbers=numbers)


def _no_json(raw: bytes, where: str, why: str) -> BadInput:
    try:
        raw.decode()
    except UnicodeDecodeError as error:
        return BadInput(
            say(f"not UTF-8 text (byte {error.start})", f"不是 UTF-8 文本（第 {error.start} 字节）"),
            where=where,
            how=say("save it as UTF-8", "请另存为 UTF-8"),
        )
    return BadInput(
        say(f"no JSON, or cut off: {why}", f"不是 JSON，或不完整：{why}"),
        where=where,
        how=say("fetch or export it again", "请重新下载或导出"),
    )


def _csv(path: Path, raw: bytes, text: str) -> Content:
    """A table with the delimiter (comma, tab or semicolon) that its first line has most of."""
    head = text.lstrip().split("\n", 1)[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",\t;", key=head.count), strict=True)
    data: list[tuple[str, ...]] = []
    numbers: list[int] = []
    csv.field_size_limit(_MOST)
    try:
        number = 1
        for row in map(tuple, reader):  # tuples of text cost the garbage collector nothing
            if row:
                data.append(row)
                numbers.append(number)
            number = reader.line_num + 1
    except csv.Error as error:
        raise BadInput(
            say(f"no table: {error}", f"不是表格：{error}"), where=f"{path}:{reader.line_num}"
        ) from error
    return Content(path=path, kind="csv", data=data, raw=raw, numbers=numbers)
