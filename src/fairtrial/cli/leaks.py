"""Copies and leaks: cases leaks, labels."""

import typer


def register(app: typer.Typer) -> None:
    """Add the commands."""
