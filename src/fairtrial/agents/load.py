"""A Python function by its name: `package.module:name` or `path/to/file.py:name`."""

import hashlib
import importlib
import importlib.util
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

from fairtrial.errors import BadInput
from fairtrial.text.language import say


def load_function(spec: str) -> Callable[..., Any]:
    """Import what `spec` names. Raises BadInput where it cannot be imported or is not callable.

    The working folder is searched after the installed packages; a file's own folder likewise, so that
    it may import its neighbours.
    """
    place, _, name = spec.rpartition(":")
    module = _file(spec, Path(place)) if place.endswith(".py") else _module(spec, place)
    found: Any = module
    for part in name.split("."):
        found = getattr(found, part, None)
    if not callable(found):
        raise BadInput(
            say(f"no callable `{name}` in {place}", f"{place} 里没有可调用的 `{name}`"),
            where=spec,
            how=say("name a function or a class", "请写函数或类的名字"),
        )
    return found  # type: ignore[no-any-return]


def _module(spec: str, name: str) -> ModuleType:
    _search(Path.cwd())
    try:
        return importlib.import_module(name)
    except (Exception, SystemExit) as error:
        raise _cannot_import(spec, error) from error


def _file(spec: str, path: Path) -> ModuleType:
    path = path.resolve()
    if not path.is_file():
        raise BadInput(say(f"no file {path}", f"没有文件 {path}"), where=spec)
    _search(path.parent)
    # A name of its own for each file, so that two files `agent.py` are two modules.
    name = f"fairtrial_file_{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:8]}"
    if name in sys.modules:
        return sys.modules[name]
    found = importlib.util.spec_from_file_location(name, path)
    if found is None or found.loader is None:
        raise BadInput(say("not a Python file", "不是 Python 文件"), where=spec)
    module = importlib.util.module_from_spec(found)
    sys.modules[name] = module
    try:
        found.loader.exec_module(module)
    except BaseException as error:
        del sys.modules[name]
        if isinstance(error, Exception | SystemExit):
            raise _cannot_import(spec, error) from error
        raise
    return module


def _search(folder: Path) -> None:
    if str(folder) not in sys.path:
        sys.path.append(str(folder))


def _cannot_import(spec: str, error: BaseException) -> BadInput:
    what = f"{type(error).__name__}: {error}"
    return BadInput(
        say(f"cannot be imported: {what}", f"无法导入：{what}"),
        where=spec,
        how=say(
            "package.module:name, or path/to/file.py:name", "写作 package.module:name 或 path/to/file.py:name"
        ),
    )
