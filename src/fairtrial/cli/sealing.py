"""Sealed slices: seal init, draw, add, status, rotate."""

import typer


def register(app: typer.Typer) -> None:
    """Add the commands."""
