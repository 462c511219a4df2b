"""The ledger: verify, show, anchor."""

from typing import Annotated

import typer

from fairtrial.cli import options
from fairtrial.cli.door import door, tell
from fairtrial.cli.options import option

Against = Annotated[
    str | None, option("--branch", help="Also hold it against the anchors on this branch, a remote's too.")
]
Branch = Annotated[str | None, option("--branch", help="The branch of the anchors; fairtrial-ledger.")]
Push = Annotated[str | None, option("--push", metavar="REMOTE", help="Push the branch to this remote.")]
Kind = Annotated[str | None, option("--kind", help="Only this kind: init, draw, add, look, rotate …")]
Last = Annotated[int | None, option("--limit", min=1, help="Only the last N.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (verify, show, anchor):
        app.command()(command)


def verify(branch: Against = None, config: options.Config = None, as_json: options.AsJson = False) -> None:
    """Find what was changed, dropped, inserted, reordered or cut off."""
    with door(as_json):
        from fairtrial.app.ledger import verify as check
        from fairtrial.report.sealing import show_verified

        found = check(config, branch=branch)
        tell(as_json, "broken" if found.faults else "whole", found, show_verified)
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
        from fairtrial.report.sealing import show_entries

        tell(as_json, "shown", read(config, kind=kind, limit=limit), show_entries, "entries")


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
        from fairtrial.report.sealing import show_anchored

        tell(as_json, "anchored", put(config, branch=branch or BRANCH, push=push), show_anchored)
