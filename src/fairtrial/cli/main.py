"""The `fairtrial` command. Nothing heavy is imported before a command needs it."""

import sys
from io import TextIOWrapper
from typing import Annotated

import typer

import fairtrial
from fairtrial.cli import daily

app = typer.Typer(
    name="fairtrial",
    no_args_is_help=True,
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


def main() -> None:
    """Entry point of the console script."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            # Agents' words may hold what the terminal's encoding cannot: show it written out.
            stream.reconfigure(errors="backslashreplace")
    app()
