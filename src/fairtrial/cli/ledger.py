"""The ledger: verify, show, anchor."""

from typing import Annotated, Any

import typer

from fairtrial.cli import options
from fairtrial.cli.door import door, emit, stdout


def _option(*names: str, help: str, **more: Any) -> Any:
    return typer.Option(*names, help=help, show_default=False, **more)


Against = Annotated[
    str | None, _option("--branch", help="Also hold it against the anchors on this branch, a remote's too.")
]
Branch = Annotated[str | None, _option("--branch", help="The branch of the anchors; fairtrial-ledger.")]
Push = Annotated[str | None, _option("--push", metavar="REMOTE", help="Push the branch to this remote.")]
Kind = Annotated[str | None, _option("--kind", help="Only this kind: init, draw, add, look, rotate …")]
Last = Annotated[int | None, _option("--limit", min=1, help="Only the last N.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (verify, show, anchor):
        app.command()(command)


def verify(branch: Against = None, config: options.Config = None, as_json: options.AsJson = False) -> None:
    """Find what was changed, dropped, inserted, reordered or cut off."""
    with door(as_json):
        from fairtrial.app.ledger import verify as check
        from fairtrial.report.documents import plainly
        from fairtrial.report.sealing import show_verified

        found = check(config, branch=branch)
        if as_json:
            emit({"status": "broken" if found.faults else "whole", **plainly(found)})
        else:
            show_verified(stdout(), found)
        raise typer.Exit(1 if found.faults else 0)


def show(
    kind: Kind = None,
    limit: Last = None,
    config: options.Config = None,
    as_json: options.AsJson = False,
) -> None:
    """List the entries: when, what, who."""
    with door(as_json):
        from fairtrial.app.ledger import show as read
        from fairtrial.report.documents import plainly
        from fairtrial.report.sealing import show_entries

        found = read(config, kind=kind, limit=limit)
        if as_json:
            emit({"status": "shown", "entries": plainly(found)})
        else:
            show_entries(stdout(), found)


def anchor(
    branch: Branch = None,
    push: Push = None,
    config: options.Config = None,
    as_json: options.AsJson = False,
) -> None:
    """Commit the ledger's head on a git branch of its own; the working tree is not touched."""
    with door(as_json):
        from fairtrial.app.ledger import BRANCH
        from fairtrial.app.ledger import anchor as put
        from fairtrial.report.documents import plainly
        from fairtrial.report.sealing import show_anchored

        found = put(config, branch=branch or BRANCH, push=push)
        if as_json:
            emit({"status": "anchored", **plainly(found)})
        else:
            show_anchored(stdout(), found)
