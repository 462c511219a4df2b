"""Case sets, kept as code is: cases migrate, diff, review."""

import typer


def register(app: typer.Typer) -> None:
    """Add the commands."""
