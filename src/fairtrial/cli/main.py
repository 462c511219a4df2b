"""The `fairtrial` command. Nothing heavy is imported before a command needs it."""

import atexit
import gc
import sys
from collections.abc import Sequence
from io import TextIOWrapper
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

import fairtrial
from fairtrial.cli import audit, compare, daily, planning, reproduce
from fairtrial.cli.door import refuse
from fairtrial.errors import BadInput


class _Root(TyperGroup):
    """The command line, whose complaints about options are those of any bad input."""

    def main(self, args: Sequence[str] | None = None, *rest: Any, **extra: Any) -> Any:
        given = list(sys.argv[1:] if args is None else args)
        if not given:
            return super().main(["--help"], *rest, **extra)
        try:
            code = super().main(given, *rest, **extra | {"standalone_mode": False})
        except typer.TyperException as error:
            command = getattr(getattr(error, "ctx", None), "command_path", "fairtrial")
            what = getattr(error, "format_message", error.__str__)()
            code = refuse(BadInput(what, how=f"{command} --help"), "--json" in given)
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


daily.register(app)
compare.register(app)
audit.register(app)
planning.register(app)
reproduce.register(app)


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
