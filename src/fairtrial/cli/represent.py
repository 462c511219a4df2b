"""The set beside live traffic: cases represent."""

import typer


def register(app: typer.Typer) -> None:
    """Add the commands."""
