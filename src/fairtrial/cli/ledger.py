"""The ledger: verify, show, anchor."""

import typer


def register(app: typer.Typer) -> None:
    """Add the commands."""
