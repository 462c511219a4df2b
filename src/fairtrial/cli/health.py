"""How a set is doing: cases health."""

import typer


def register(app: typer.Typer) -> None:
    """Add the commands."""
