"""The installed packages, by the names of their folders, and the lock file that they should follow."""

import os
import re
import sys
from contextlib import suppress
from pathlib import Path

from fairtrial.errors import BadInput
from fairtrial.records.fingerprint import part
from fairtrial.schema.fingerprint import Part
from fairtrial.text.language import say

LOCKS = ("requirements.lock", "uv.lock", "poetry.lock", "pylock.toml")
"""Looked for beside the project where none is named."""
_FOLDER = re.compile(r"(?P<name>[A-Za-z0-9._]+)-(?P<version>[^-]+)(-[^/]*)?\.(dist-info|egg-info)")
_PINNED = re.compile(r"^([A-Za-z0-9][\w.-]*)(?:\[[^\]]*\])? *== *([^\s;\\#,]+)", re.MULTILINE)
_TABLE = re.compile(r'^\[\[packages?\]\]\r?\nname = "([^"]+)"\r?\nversion = "([^"]+)"', re.MULTILINE)

Versions = dict[str, str]


def installed() -> Versions:
    """Version by name of all that can be imported here. Reads names of folders only: no package is opened."""
    found: Versions = {}
    for place in sys.path:
        try:
            names = os.listdir(place or ".")
        except OSError:
            continue
        for name in names:
            if name.endswith("-info") and (match := _FOLDER.fullmatch(name)):
                found.setdefault(_plain(match["name"]), match["version"])
    return found


def locked(file: Path) -> Versions:
    """Version by name of a lock in TOML, or of one with `name==version` lines.

    Raises BadInput where it cannot be read or names nothing.
    """
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(getattr(error, "strerror", None) or str(error), where=str(file)) from error
    found = {
        _plain(name): version for name, version in (_TABLE if "[[package" in text else _PINNED).findall(text)
    }
    if not found:
        raise BadInput(
            say("names no package with its version", "没有列出任何带版本的包"),
            where=str(file),
            how=say(
                "a lock of uv, poetry or pip: name==version", "应为 uv、poetry 或 pip 的锁文件：name==version"
            ),
        )
    return found


def lock_of(named: str | None, folder: Path) -> tuple[str, Versions] | None:
    """Name and content of the named lock file, else of the first of `LOCKS` in `folder` that can be read.

    Raises BadInput where the named one cannot be.
    """
    if named is not None:
        return named, locked(folder / named)
    for name in LOCKS:
        if (folder / name).is_file():
            with suppress(BadInput):
                return name, locked(folder / name)
    return None


def packages(here: Versions, lock: tuple[str, Versions] | None) -> Part:
    """The part: what is installed `here`, what the lock file asks for, and where the two disagree."""
    ours = {name: version for name, version in here.items() if name != "fairtrial"}
    count = say(f"{len(ours)} installed", f"已安装 {len(ours)} 个")
    if lock is None:
        return part(
            [sorted(ours.items()), None], count + say(", no lock file that can be read", "，没有可读的锁文件")
        )
    name, wanted = lock
    off = [
        say(f"{package} {ours[package]} (locked {version})", f"{package} {ours[package]}（锁定 {version}）")
        for package, version in sorted(wanted.items())
        if ours.get(package, version) != version
    ]
    absent = sum(package not in ours for package in wanted)
    says = count + say(
        f"; {name} has {len(wanted)}, {absent} of them not installed",
        f"；{name} 中有 {len(wanted)} 个，其中 {absent} 个未安装",
    )
    if off:
        more = f" (+{len(off) - 5})" if len(off) > 5 else ""
        says += say("; not as locked: ", "；与锁文件不符：") + ", ".join(off[:5]) + more
    return part([sorted(ours.items()), sorted(wanted.items())], says)


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
