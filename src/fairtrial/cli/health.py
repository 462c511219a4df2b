"""How a set is doing: cases health."""

from pathlib import Path
from typing import Annotated

import typer

from fairtrial.cli import options
from fairtrial.cli.door import door, tell

Logs = Annotated[
    Path | None,
    typer.Option("--logs", help="Folder of logs; the project's by default.", show_default=False),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(health)


def health(
    cases: options.CasePaths = None,
    logs: Logs = None,
    config: options.Config = None,
    as_json: options.AsJson = False,
) -> None:
    """See which cases still tell something, how old the set is, and the trend on what stayed the same."""
    with door(as_json):
        from fairtrial.app.health import health as look
        from fairtrial.report.health import show_health

        found = look(cases or (), logs=logs, config=config)
        tell(as_json, "looked", found, show_health)
