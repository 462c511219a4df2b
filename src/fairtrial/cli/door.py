"""What all commands share: the options' wording, where output goes, and errors turned into exit codes."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from fairtrial.errors import FairtrialError
from fairtrial.text.language import say

if TYPE_CHECKING:
    from rich.console import Console

CasePaths = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="[CASES]...", help="Files or folders of cases (JSON, JSONL, YAML).", show_default=False
    ),
]
Config = Annotated[
    Path | None,
    typer.Option("--config", help="Project file; fairtrial.toml here by default.", show_default=False),
]
AgentSpec = Annotated[
    str | None,
    typer.Option(
        "--agent",
        help="python:MODULE:FUNCTION, command:LINE, http://…, openai:MODEL@URL, replay:LOG or null:KIND.",
        show_default=False,
    ),
]
AsJson = Annotated[
    bool, typer.Option("--json", help="Print one JSON document on stdout, nothing else there.")
]
Ids = Annotated[
    list[str] | None, typer.Option("--case", help="Only this case; may be repeated.", show_default=False)
]
Tags = Annotated[
    list[str] | None,
    typer.Option("--tag", help="Only cases with this tag; may be repeated.", show_default=False),
]
Limit = Annotated[
    int | None, typer.Option("--limit", min=1, help="Only the first N cases.", show_default=False)
]
Failed = Annotated[bool, typer.Option("--failed", help="Only cases that failed in the latest log.")]
Log = Annotated[
    Path | None,
    typer.Argument(
        metavar="[LOG]", help="A log; the latest of the log folder by default.", show_default=False
    ),
]


def stdout() -> "Console":
    """The console of results."""
    from rich.console import Console

    return Console(highlight=False)


def stderr() -> "Console":
    """The console of everything that is no result: plans, progress, complaints."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


def emit(document: dict[str, Any]) -> None:
    """One JSON document on stdout, UTF-8 whatever the locale."""
    import json

    text = json.dumps(document, ensure_ascii=False, indent=2, allow_nan=False)
    sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace") + b"\n")
    sys.stdout.flush()


@contextmanager
def door(as_json: bool = False) -> Iterator[None]:
    """Run a command: an error of ours becomes one line on stderr and its exit code."""
    try:
        yield
    except FairtrialError as error:
        if as_json:
            emit({"status": "refused", "error": {"what": error.what, "where": error.where, "how": error.how}})
        typer.secho(f"fairtrial: {error}", fg=typer.colors.RED, err=True)
        raise typer.Exit(error.exit_code) from error
    except BrokenPipeError as error:  # a pager or `head` that has seen enough
        sys.stderr.close()
        raise typer.Exit(0) from error
    except KeyboardInterrupt as error:
        typer.secho(say("fairtrial: interrupted", "fairtrial：已中断"), err=True)
        raise typer.Exit(130) from error
