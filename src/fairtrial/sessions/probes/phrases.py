"""The tables of what customers say and how they write, in both languages, as text files beside this one."""

from functools import cache
from importlib.resources import files

from fairtrial.text.words import Tongue


def phrases(name: str, tongue: Tongue) -> tuple[str, ...]:
    """The lines of a table of phrases.txt."""
    return _tables("phrases.txt")[f"{name} {tongue}"]


@cache
def pairs(file: str, name: str) -> dict[str, tuple[str, ...]]:
    """A table whose lines are `word: form | form`: the forms by their word."""
    table: dict[str, tuple[str, ...]] = {}
    for line in _tables(file)[name]:
        word, _, forms = line.partition(": ")
        table[word] = tuple(form.strip() for form in forms.split("|"))
    return table


@cache
def words(file: str, name: str) -> tuple[str, ...]:
    """A table of words, any number in a line."""
    return tuple(word for line in _tables(file)[name] for word in line.split())


def sentence(text: str, tongue: Tongue) -> str:
    """A sentence as it stands before others in the same message."""
    return text if tongue == "zh" else f"{text} "


@cache
def _tables(file: str) -> dict[str, tuple[str, ...]]:
    tables: dict[str, list[str]] = {}
    name = ""
    for line in files("fairtrial.sessions.probes").joinpath(file).read_text("utf-8").splitlines():
        if line.startswith("= "):
            name = line[2:]
            tables[name] = []
        elif line and not line.startswith("#"):
            tables[name].append(line)
    return {name: tuple(lines) for name, lines in tables.items()}
