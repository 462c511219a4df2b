"""Which tool wrote a file: told by its content, never by its name."""

import re
import stat
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairtrial.errors import BadInput
from fairtrial.records.closed import refuse_closed
from fairtrial.records.interop import (
    atif,
    claims,
    inspect_ai,
    langfuse,
    otel,
    promptfoo,
    swebench,
    tables,
    tau_bench,
)
from fairtrial.records.interop.content import Content, open_content, parsed, unreadable
from fairtrial.records.interop.foreign import Foreign
from fairtrial.text.language import say


@dataclass(frozen=True, kw_only=True)
class Format:
    """A format: its name, the test whether a file looks like it, and its reader.

    `matches` looks at few items and never raises. `read` raises BadInput where a file that looks like the
    format breaks it, with file and line; what single results lack is a `Fault`. `Foreign.format` is `name`.
    """

    name: str
    matches: Callable[[Content], bool]
    read: Callable[[Content], Foreign]


FORMATS = tuple(
    Format(name=name, matches=module.matches, read=module.read)
    for name, module in (
        ("tau-bench", tau_bench),
        ("inspect", inspect_ai),
        ("promptfoo", promptfoo),
        ("atif", atif),
        ("langfuse", langfuse),
        ("otel", otel),
        ("claims", claims),
        ("swe-bench", swebench),
        ("table", tables),
    )
)
"""From the particular to the general: the first that matches reads the file."""

_OURS = re.compile(rb'\s*\{\s*"fairtrial"\s*:')
_HEADER = {"run", "mode", "status", "config"}
"""A log of ours begins with the first key of its header, and its first line has these."""


def recognise(path: Path, only: str | None = None) -> Foreign | None:
    """The file read by the first format that it fits; None where it is a log of ours, which is not read.

    `only` is the format that it is said to be. Raises BadInput where nothing fits, where it is not `only`,
    and where the file is empty, a folder, damaged, cut off or not UTF-8.
    """
    how = say(f"known: {known()}", f"已知格式：{known()}")
    if only is not None and only not in {one.name for one in FORMATS}:
        raise BadInput(say(f"no such format: {only}", f"没有这种格式：{only}"), how=how)
    if _is_ours(path):
        return None
    content = open_content(path)
    found = next((one for one in FORMATS if one.matches(content)), None)
    if "fairtrial" in content.first and _is_header(content.first):
        raise BadInput(
            say("a log of fairtrial, packed or saved anew", "压缩过或另存过的 fairtrial 日志"),
            where=str(path),
            how=say("unpack it with gunzip, or take the log itself", "请用 gunzip 解压，或使用原日志"),
        )
    if found is None:
        ours = say(f"{how}; a log of fairtrial is read too", f"{how}；fairtrial 日志也可以")
        raise BadInput(say("none of the known formats", "不是任何已知格式"), where=str(path), how=ours)
    if only is not None and found.name != only:
        raise BadInput(
            say(f"not a file of {only}; it looks like {found.name}", f"不是 {only} 文件，像是 {found.name}"),
            where=str(path),
        )
    if content.flaw is not None:
        raise content.flaw
    return found.read(content)


def known() -> str:
    """The names of all formats, for people."""
    return ", ".join(one.name for one in FORMATS)


def _is_ours(path: Path) -> bool:
    """Whether the first line is the header of a log; a log may be too big to be read whole for that."""
    try:
        if not stat.S_ISREG(path.stat().st_mode) and not path.is_dir():
            raise BadInput(
                say("no file but a pipe or a device", "不是文件，而是管道或设备"),
                where=str(path),
                how=say("save what it gives as a file", "请先把内容存成文件"),
            )
        with path.open("rb") as file:
            if not _OURS.match(file.peek(64)):
                return False
            first = file.readline()
            refuse_closed(first, path)
            return _is_header(parsed(first))
    except OSError as error:
        raise unreadable(path, error) from error
    except ValueError:
        return False


def _is_header(first: Any) -> bool:
    return isinstance(first, dict) and first.keys() >= _HEADER
