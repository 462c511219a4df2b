"""A new key, its public half in the project file, and the first entry of the ledger."""

import os
import re
import tomllib
from datetime import UTC, datetime
from pathlib import Path

from pydantic import ValidationError

from fairtrial.app.config import FILE, Project, SealConfig, load_project
from fairtrial.app.sealing import ledger_file, user
from fairtrial.cases.seal import Key, new_key
from fairtrial.errors import BadInput, CannotRun
from fairtrial.ledger.chain import locked, missing
from fairtrial.records.whole import write_whole
from fairtrial.schema.ledger import Begun
from fairtrial.schema.sealed import Begin
from fairtrial.text.language import say


def init(key_file: Path, *, who: str | None, config: Path | None) -> Begin:
    """Make the key in `key_file`, begin the ledger, and write `[seal] recipient` into the project file.

    Nothing is written over. Raises BadInput where there is a key or a recipient, or slices are sealed to an
    older one, CannotRun where the disk refuses.
    """
    project, file = load_project(config), config or Path(FILE)
    text = new_key(datetime.now(UTC).date().isoformat())
    key = Key.read(text, str(key_file))
    after = _with_recipient(file, project, key.recipient)
    path = ledger_file(project)
    if not path.exists() and any(project.path(project.seal.folder).glob("*.age")):
        raise missing(path, lost=True)
    with locked(path, begin=True) as book:
        if any(entry.kind != "init" for entry in book.entries):
            raise BadInput(
                say("slices are sealed to an older key", "已有封存集使用旧密钥"),
                where=str(path),
                how=say("put its public half into [seal] recipient", "请把旧公钥写入 [seal] recipient"),
            )
        _put_key(key_file, text)
        entry = book.append("init", who or user(), Begun(recipient=key.recipient, check=key.check))
    write_whole(file, [after])
    return Begin(
        key=str(key_file),
        recipient=key.recipient,
        config=str(file),
        entry=entry.n,
        exposed=any((up / ".git").exists() for up in key_file.resolve().parents),
    )


def _put_key(path: Path, text: str) -> None:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "w") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
    except FileExistsError as error:
        raise BadInput(
            say("there is such a file; a key is never written over", "文件已存在；密钥绝不覆盖"),
            where=str(path),
            how=say("name another file", "换一个文件名"),
        ) from error
    except OSError as error:
        raise CannotRun(error.strerror or str(error), where=str(path)) from error


def _with_recipient(file: Path, project: Project, recipient: str) -> bytes:
    """The project file with `recipient` in its table `[seal]`; all else, comments too, as it is."""
    if project.seal.recipient:
        raise BadInput(
            say("[seal] has a recipient already", "[seal] 已有 recipient"),
            where=str(file),
            how=say("seal to it; a new key opens nothing old", "请沿用它；新密钥打不开旧的封存集"),
        )
    try:
        before = file.read_bytes().decode("utf-8")
    except OSError as error:
        raise BadInput(
            say("no such file", "没有这个文件"),
            where=str(file),
            how=say("make one: fairtrial init", "用 fairtrial init 新建"),
        ) from error
    newline = "\r\n" if "\r\n" in before else "\n"
    line = f'recipient = "{recipient}"{newline}'
    whole = before if before.endswith("\n") or not before else before + newline
    after, found = re.subn(
        r"(?m)^[ \t]*\[seal\][ \t]*(#.*)?\r?\n", lambda head: head[0] + line, whole, count=1
    )
    if not found:
        after = f"{whole}{newline}[seal]{newline}{line}"
    try:
        sound = SealConfig.model_validate(tomllib.loads(after.removeprefix("\ufeff"))["seal"])
    except (ValueError, KeyError, ValidationError):
        sound = None
    if sound is None or sound.recipient != recipient:
        raise BadInput(
            say("the recipient cannot be added to this file", "无法把 recipient 加进本文件"),
            where=str(file),
            how=say("write [seal] as a table of its own", "请把 [seal] 写成独立的表"),
        )
    return after.encode()
