"""Running a round again: reproduce."""

import typer

from fairtrial.cli import options
from fairtrial.cli.door import door, emit, stderr, stdout, users_code


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(reproduce)


def reproduce(
    log: options.Log = None,
    margin: options.Margin = 0.01,
    force: options.ForceAgain = False,
    config: options.Config = None,
    as_json: options.AsJson = False,
) -> None:
    """Run a round again as its fingerprint says: do its figures come out as before? If not, what changed?"""
    with door(as_json):
        from fairtrial.app.reproduce import exit_code
        from fairtrial.app.reproduce import reproduce as again
        from fairtrial.cli.progress import Watch
        from fairtrial.report.reproduction import reproduction_document, show_reproduction

        with users_code(), Watch(stderr()) as watch:
            found = again(log, watch, margin=margin, force=force, config=config)
        if as_json:
            emit(reproduction_document(found))
        else:
            show_reproduction(stdout(), found)
        raise typer.Exit(exit_code(found))
