"""The `fairtrial` command. Nothing heavy is imported before a command needs it."""

import atexit
import gc
import re
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import fairtrial
from fairtrial.cli import (
    audit,
    candidates,
    cases,
    compare,
    daily,
    expand,
    health,
    leaks,
    ledger,
    looking,
    planning,
    probe,
    represent,
    reproduce,
    sealing,
)
from fairtrial.cli.door import refuse
from fairtrial.errors import BadInput
from fairtrial.text.language import say

_CHINESE = (
    (r"No such option: (\S+)", r"没有这个选项：\1"),
    (r" \(Possible options: (.+)\)", r"（相近的有：\1）"),
    (r"No such command ('.+?')\.?", r"没有这个命令：\1"),
    (r" Did you mean (.+)\?", r"（相近的有：\1）"),
    (r"Option ('.+?') requires an argument\.", r"选项 \1 需要一个值"),
    (r"Option ('.+?') does not take a value\.", r"选项 \1 不带值"),
    (r"Missing argument ('.+?')\.", r"缺少参数 \1"),
    (r"Missing option ('.+')\.", r"缺少选项 \1"),
    (r"Got unexpected extra argument\(s\) \((.+)\)", r"多余的参数：\1"),
    (r"Invalid value for ('.+?'): ", r"\1 的值无效："),
    (r"('.*') is not one of (.+)\.", r"\1 不在可选值 \2 之中"),
    (r"Input should be a valid integer.*", "应为整数"),
    (r"Input should be a valid number.*", "应为数字"),
    (r"Input should be greater than or equal to (\S+)", r"不得小于 \1"),
    (r"Input should be less than or equal to (\S+)", r"不得大于 \1"),
)
"""What Typer and Pydantic say of options, part by part; the types of these errors are private."""


def _in_chinese(what: str) -> str:
    for english, chinese in _CHINESE:
        what = re.sub(english, chinese, what)
    return what


class _Root(TyperGroup):
    """The command line, whose complaints about options are those of any bad input."""

    def main(self, args: Sequence[str] | None = None, *rest: Any, **extra: Any) -> Any:
        given = list(sys.argv[1:] if args is None else args)
        if not given:
            return super().main(["--help"], *rest, **extra)
        if len(given) == 1 and isinstance(self.commands.get(given[0]), TyperGroup):
            given.append("--help")
        try:
            code = super().main(given, *rest, **extra | {"standalone_mode": False})
        except typer.TyperException as error:
            # A parser's error knows of no command, or of the outer one alone.
            command = "fairtrial"
            at: object = self
            for word in given:
                if not isinstance(at, TyperGroup) or word not in at.commands:
                    break
                command, at = f"{command} {word}", at.commands[word]
            what = getattr(error, "format_message", error.__str__)().replace("Value error, ", "")
            refusal = BadInput(say(what, _in_chinese(what)), how=f"{command} --help")
            code = refuse(refusal, "--json" in given)
        sys.exit(code)


app = typer.Typer(
    cls=_Root,
    name="fairtrial",
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help=(
        "An independent examiner for LLM agents: it asks, scores, doubts and keeps the log. "
        "Exit codes: 0 fine, 1 below what was asked, 2 bad input, "
        "3 unreliable or inconclusive, 4 could not run."
    ),
)


def _version(asked: bool) -> None:
    if asked:
        typer.echo(f"fairtrial {fairtrial.__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    pass


def _group(name: str, about: str, *doors: Any) -> None:
    """Commands of two words."""
    group = typer.Typer(name=name, help=about, rich_markup_mode=None)
    for door in doors:
        door.register(group)
    app.add_typer(group)


daily.register(app)
compare.register(app)
audit.register(app)
planning.register(app)
reproduce.register(app)
probe.register(app)
_group("cases", "Case sets, kept as code is.", cases, leaks, health, candidates, expand, represent)
_group("seal", "Cases that stay closed, and the counted looks at them.", sealing, looking)
_group("ledger", "The record of draws, looks and decisions.", ledger)


def main() -> None:
    """Entry point of the console script."""
    # Cases and their rules are many objects that stay: looked through at every 700 new ones, they cost more
    # time than their making. What sessions leave behind is mostly freed without that.
    gc.set_threshold(50_000)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # Agents' words may hold what the terminal's encoding cannot: show it written out.
            stream.reconfigure(errors="backslashreplace")
    # Nothing is searched for garbage when all memory is given back anyway.
    atexit.register(gc.freeze)
    app()
