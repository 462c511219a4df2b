"""A counted look at a sealed slice: seal look."""

import typer


def register(app: typer.Typer) -> None:
    """Add the commands."""
