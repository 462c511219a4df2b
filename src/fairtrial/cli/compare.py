"""Two results beside each other: compare."""

import typer

from fairtrial.cli import options
from fairtrial.cli.door import door, emit, stdout


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(compare)


def compare(
    base: options.BaseOrCandidate = None,
    candidate: options.Candidate = None,
    changed: options.Changed = None,
    force: options.Force = False,
    everything: options.AllBuckets = False,
    config: options.Config = None,
    as_json: options.AsJson = False,
) -> None:
    """Say what a candidate is worth against a base: better, worse, mixed or not shown, and why."""
    with door(as_json):
        from fairtrial.app.compare import compare_results, exit_code
        from fairtrial.report.comparison import comparison_document, show_comparison

        if candidate is None:
            base, candidate = None, base
        found = compare_results(base, candidate, changed=changed or (), force=force, config=config)
        if as_json:
            emit(comparison_document(found))
        else:
            show_comparison(stdout(), found, everything=everything)
        raise typer.Exit(exit_code(found))
