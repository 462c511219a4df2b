"""One file of a case set: its bytes as text, its text as written cases, and the place of each value."""

import codecs
import math
import pathlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from fairtrial.cases.json_text import JsonReader
from fairtrial.cases.paths import KINDS, name_of
from fairtrial.cases.positions import Lines, Marks, mark_json
from fairtrial.cases.problems import Finding, Findings, Malformed, Path, Problem, printable
from fairtrial.text.language import say

_WIDE_BOMS = (codecs.BOM_UTF32_LE, codecs.BOM_UTF32_BE, codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)
_HALF = re.compile("[\ud800-\udfff]")


@dataclass
class CaseFile:
    """One file: its name for messages, its text, the cases as written, and what was found wrong."""

    name: str
    kind: str
    text: str = ""
    findings: Findings = field(default_factory=Findings)
    cases: list[tuple[Path, Any]] = field(default_factory=list)
    _yaml_marks: Marks | None = None

    @cached_property
    def lines(self) -> Lines:
        """Offsets to lines."""
        return Lines(self.text)

    @cached_property
    def marks(self) -> Marks:
        """Paths to offsets; a second pass over JSON, which only files that need mending pay for."""
        if self._yaml_marks is not None:
            return self._yaml_marks
        marks = Marks()
        if self.kind == "jsonl":
            for path, _ in self.cases:
                start = self.lines.start(int(path[0]) + 1)
                end = self.text.find("\n", start)
                line = self.text[start:] if end < 0 else self.text[start:end]
                mark_json(line, marks, path=path, start=start)
        else:
            mark_json(self.text, marks)
        return marks

    def place(self, path: Path) -> tuple[int, int] | None:
        """Line and column of a value."""
        offset = self.marks.at(path)
        return None if offset is None else self.lines.place(offset)

    def problems(self) -> list[Problem]:
        """What was found, with lines, in the order of the lines."""
        found = [self._problem(finding) for finding in self.findings.items]
        return sorted(found, key=lambda problem: (problem.line or 0, problem.column or 0))

    def _problem(self, finding: Finding) -> Problem:
        place = None
        if finding.offset is not None:
            place = self.lines.place(finding.offset)
        elif finding.path is not None:
            place = self.place(finding.path)
        line, column = place or (None, None)
        return Problem(
            file=self.name,
            line=line,
            column=column,
            case=None if finding.case is None else printable(finding.case),
            severity=finding.severity,
            what=printable(finding.what),
            how=printable(finding.how),
        )


def read(path: pathlib.Path) -> CaseFile:
    """The file with its cases as written; whatever is wrong with it is among its findings."""
    name, kind = name_of(path), KINDS[path.suffix.casefold()]
    try:
        data = path.read_bytes()
    except OSError as error:
        file = CaseFile(name=name, kind=kind)
        file.findings.error(None, say(f"cannot be read: {error.strerror}", f"无法读取：{error.strerror}"))
        return file
    return of_bytes(data, name, kind)


def of_bytes(data: bytes, name: str, kind: str) -> CaseFile:
    """As `read`, of bytes that lie somewhere else; `kind` is one of `paths.KINDS`."""
    file = CaseFile(name=name, kind=kind)
    try:
        _decode(data, file)
        _parse(file)
    except Malformed as error:
        file.findings.error(None, error.what, error.how, offset=error.offset)
    return file


def _decode(data: bytes, file: CaseFile) -> None:
    """Set the text of the file. Raises Malformed for what is not UTF-8 text."""
    if data.startswith(_WIDE_BOMS):
        raise Malformed(
            0, say("the file is UTF-16 or UTF-32", "文件是 UTF-16 或 UTF-32 编码"), _save_as_utf8()
        )
    start = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    if start:
        file.findings.hint(
            None, say("the file begins with a BOM", "文件以 BOM 开头"), _save_without_bom(), offset=0
        )
    try:
        file.text = data[start:].decode("utf-8")
    except UnicodeDecodeError as error:
        wrong = start + error.start
        file.text = data[start:wrong].decode("utf-8")
        raise Malformed(len(file.text), not_utf8(data, wrong), _save_as_utf8()) from None
    nul = file.text.find("\0")
    if nul >= 0:
        what = say("the file holds a NUL character", "文件中有空字符（NUL）")
        raise Malformed(nul, what, _save_as_utf8())


def not_utf8(data: bytes, start: int) -> str:
    """What to say of bytes that are no UTF-8 from `start` on, with a guess at what they are."""
    try:
        data.decode("gb18030")
    except UnicodeDecodeError:
        guess_en, guess_zh = "", ""
    else:
        guess_en, guess_zh = "; it may be GBK", "，可能是 GBK"
    return say(
        f"not UTF-8: byte 0x{data[start]:02x} at offset {start}{guess_en}",
        f"不是 UTF-8 编码：偏移 {start} 处的字节为 0x{data[start]:02x}{guess_zh}",
    )


def _save_as_utf8() -> str:
    return say("save it as UTF-8", "请另存为 UTF-8")


def _save_without_bom() -> str:
    return say(
        "it is read; other tools may stumble: save it without",
        "可以读取，但其他工具可能出错：请存为无 BOM 的 UTF-8",
    )


def _parse(file: CaseFile) -> None:
    """Set the cases of the file. Raises Malformed."""
    if not file.text.strip():
        raise Malformed(0, say("the file is empty", "文件为空"), _write_cases())
    if file.kind == "yaml":
        from fairtrial.cases.yaml_text import read_yaml  # a set in JSON starts without loading YAML

        value, file._yaml_marks = read_yaml(file.text)
        file.cases = _cases_of(value, file)
        _report_doubles(file)
        _report_odd_values(file)
        return
    reader = JsonReader()
    if file.kind == "json":
        file.cases = _cases_of(reader.read(file.text), file)
    else:
        file.cases = list(_lines_of(file, reader))
    if reader.doubles:
        _report_doubles(file)
    if reader.odd:
        _report_odd_values(file)


def _lines_of(file: CaseFile, reader: JsonReader) -> Iterator[tuple[Path, Any]]:
    """The cases of a JSONL file; a line that cannot be read does not hide the others."""
    start, first = 0, True
    for index, line in enumerate(file.text.split("\n")):
        if line.strip():
            try:
                yield (index,), reader.read(line)
            except Malformed as error:
                if first and _is_json(file.text):
                    what = say(
                        "one JSON document, not one object a line", "这是一个 JSON 文档，而不是每行一个对象"
                    )
                    how = say("name the file .json", "请将文件命名为 .json")
                    raise Malformed(0, what, how) from None
                file.findings.error(None, error.what, error.how, offset=start + (error.offset or 0))
            first = False
        start += len(line) + 1


def _is_json(text: str) -> bool:
    try:
        JsonReader().read(text)
    except Malformed:
        return False
    return True


def _cases_of(value: Any, file: CaseFile) -> list[tuple[Path, Any]]:
    """The written cases of a document: a list, an object with `cases` or `problems`, or one case."""
    path: Path = ()
    if isinstance(value, dict):
        held = [key for key in ("cases", "problems") if key in value]
        if not held and ("input" in value or "input_seq" in value):
            return [((), value)]
        if len(held) == 1 and isinstance(value[held[0]], list):
            for key in value:
                if key != held[0]:
                    file.findings.hint((key,), say(f"`{key}` is ignored", f"字段 `{key}` 被忽略"))
            path, value = (held[0],), value[held[0]]
    if not isinstance(value, list):
        what = say(
            "neither a list of cases nor an object with a list `cases`",
            "既不是用例列表，也不是含有列表 `cases` 的对象",
        )
        file.findings.error(path, what, _write_cases())
        return []
    if not value:
        file.findings.error(path, say("no case in the file", "文件中没有用例"), _write_cases())
    return [((*path, index), case) for index, case in enumerate(value)]


def _write_cases() -> str:
    return say(
        'write a list of cases: [{"id": …, "input": …, "expect": …}]',
        '请写成用例列表：[{"id": …, "input": …, "expect": …}]',
    )


def _report_doubles(file: CaseFile) -> None:
    for path, first, second in file.marks.doubles:
        line, _ = file.lines.place(first)
        file.findings.error(
            None,
            say(f"`{path[-1]}` stands twice in one object", f"同一对象中 `{path[-1]}` 出现了两次"),
            say(f"the first is in line {line}; delete one", f"第一次在第 {line} 行；请删去一个"),
            offset=second,
        )


def _report_odd_values(file: CaseFile) -> None:
    pending = list(reversed(file.cases))
    while pending:
        path, value = pending.pop()
        if isinstance(value, dict):
            pending += [((*path, key), child) for key, child in reversed(value.items())]
        elif isinstance(value, list):
            pending += [((*path, index), child) for index, child in reversed(list(enumerate(value)))]
        elif isinstance(value, float) and not math.isfinite(value):
            name = next((part for part in reversed(path) if isinstance(part, str)), "")
            odd = "NaN" if math.isnan(value) else say("infinite", "无穷大")
            file.findings.error(
                path,
                say(f"`{name}` is {odd}: not a number", f"`{name}` 为 {odd}，不是数字"),
                say("write a finite number", "请写有限的数字"),
            )
        elif isinstance(value, str) and _HALF.search(value):
            file.findings.error(
                path,
                say("half a character (a lone surrogate)", "含有半个字符（孤立的代理码位）"),
                say("write the character itself", "请直接写出该字符"),
            )
