"""What a result is worth, whoever measured it: audit."""

from pathlib import Path
from typing import Annotated

import typer

from fairtrial.cli import options
from fairtrial.cli.door import door, emit, stdout

Results = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="[PATH] [PATH]",
        help="A log or another tool's file, of two the base first; the latest log unless named.",
        show_default=False,
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(audit)


def audit(paths: Results = None, config: options.Config = None, as_json: options.AsJson = False) -> None:
    """Print the credibility checklist of an evaluation: what is known, what is missing, what is wrong."""
    with door(as_json):
        from fairtrial.app.audit import audit as examine
        from fairtrial.report.documents import audit_document
        from fairtrial.schema.audit import Answer

        found = examine(paths or (), config=config)
        if as_json:
            emit(audit_document(found))
        else:
            from fairtrial.report.audit import show_audit  # a document needs no Rich

            show_audit(stdout(), found)
        raise typer.Exit(3 if found.trust is Answer.no else 0)
