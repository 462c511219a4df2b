"""One case becomes variants: cases expand."""

import typer


def register(app: typer.Typer) -> None:
    """Add the commands."""
