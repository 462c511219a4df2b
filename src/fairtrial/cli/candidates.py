"""From failures to cases: cases from-log, queue, accept."""

import typer


def register(app: typer.Typer) -> None:
    """Add the commands."""
