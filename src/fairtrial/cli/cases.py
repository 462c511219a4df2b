"""Case sets, kept as code is: cases migrate, diff, review."""

from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from fairtrial.cli import options
from fairtrial.cli.door import door, emit, stdout
from fairtrial.text.language import say


def _option(*names: str, help: str, **more: Any) -> Any:
    return typer.Option(*names, help=help, show_default=False, **more)


Files = Annotated[
    list[Path], typer.Argument(metavar="FILES...", help="Files or folders of cases.", show_default=False)
]
Revision = Annotated[
    str,
    typer.Argument(metavar="[REV]", help="A git revision; the last commit by default.", show_default=False),
]
Since = Annotated[
    str | None,
    typer.Argument(
        metavar="[REV]", help="A git revision; where this branch left main by default.", show_default=False
    ),
]
Kind = Literal["regression", "natural", "incident", "boundary", "bad", "holdout"]
"""As `schema.case` has it, which no command loads before it needs it."""
Set = Annotated[Kind, _option("--set", help="What cases without a set are kept for; regression unless set.")]
Author = Annotated[str | None, _option("--who", help="Who wrote them; git's user.name by default.")]
Write = Annotated[bool, _option("--write", help="Change the files; otherwise show what would change.")]
To = Annotated[str | None, _option("--to", help="A second revision; the working tree by default.")]
Staged = Annotated[bool, _option("--staged", help="Look at what would be committed now.")]
Removed = Annotated[
    list[str] | None, _option("--allow-removed", help="This case is meant to be gone; may be repeated.")
]
CaseFiles = Annotated[
    list[Path] | None, _option("--cases", help="Case set; the project's by default; may be repeated.")
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (migrate, diff, review):
        app.command()(command)


def migrate(
    paths: Files,
    write: Write = False,
    kind: Set = "regression",
    who: Author = None,
    as_json: options.AsJson = False,
) -> None:
    """Lift flat case files to the full form: versions, owners, days, a changelog. Shows a diff first."""
    with door(as_json):
        from fairtrial.app import cases_migrate

        found = cases_migrate.migrate(paths, kind=kind, who=who)
        if write:
            cases_migrate.write(found)
        status = ("written" if write else "proposed") if found.texts else "nothing to do"
        if as_json:
            names = [str(path) for path in found.texts]
            emit({"status": status, "cases": found.cases, "files": names, "diff": found.diff})
            return
        if not write:
            typer.echo(found.diff, nl=False)
        n, cases = len(found.texts), found.cases
        files = "1 file" if n == 1 else f"{n} files"
        told = {
            "written": say(f"{files} written", f"已写入 {n} 个文件"),
            "proposed": say(f"{files} would change: --write does it", f"{n} 个文件将被修改：加 --write 写入"),
            "nothing to do": say(f"nothing to do: {cases} cases", f"无需修改：{cases} 个用例"),
        }
        typer.echo(told[status], err=True)


def diff(
    revision: Revision = "HEAD",
    to: To = None,
    cases: CaseFiles = None,
    config: options.Config = None,
    as_json: options.AsJson = False,
) -> None:
    """What changed in the case set since a git revision, case by case and rule by rule."""
    with door(as_json):
        from fairtrial.app.cases_review import diff as compare
        from fairtrial.report.documents import plainly
        from fairtrial.report.review import show_changes

        found = compare(revision, to, cases=cases or (), settings=config)
        if as_json:
            emit(plainly(found))
        else:
            show_changes(stdout(), found)


def review(
    since: Since = None,
    staged: Staged = False,
    removed: Removed = None,
    cases: CaseFiles = None,
    config: options.Config = None,
    as_json: options.AsJson = False,
) -> None:
    """Refuse changes without a raised version, a changelog line, and a reviewer who is not the author."""
    with door(as_json):
        from fairtrial.app.cases_review import review as look
        from fairtrial.report.documents import plainly
        from fairtrial.report.review import show_review

        found = look(since, staged=staged, removable=removed or (), cases=cases or (), settings=config)
        if as_json:
            emit(plainly(found))
        else:
            show_review(stdout(), found)
        raise typer.Exit(1 if found.faults else 0)
