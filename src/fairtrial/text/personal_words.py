"""The word lists of `personal.txt`."""

from functools import cache
from importlib.resources import files


@cache
def words(section: str) -> tuple[str, ...]:
    """The words of a section, in its order."""
    return _sections()[section]


@cache
def _sections() -> dict[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    name = ""
    for line in files("fairtrial.text").joinpath("personal.txt").read_text("utf-8").splitlines():
        if line.startswith("= "):
            name = line[2:]
        elif not line.startswith("#"):
            found[name] = found.get(name, ()) + tuple(line.split())
    return found
