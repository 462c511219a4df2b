"""Sealed slices: seal init, draw, add, status, rotate."""

from pathlib import Path
from typing import Annotated, Any

import typer

from fairtrial.cli import options
from fairtrial.cli.door import door, tell
from fairtrial.cli.options import option
from fairtrial.text.language import say


def _share(text: str) -> float:
    """10% or 0.1."""
    number = text.strip().removesuffix("%").strip()
    try:
        share = float(number) / (100 if text.strip().endswith("%") else 1)
    except ValueError:
        share = 0.0
    if not 0 < share <= 1:
        raise typer.BadParameter(say(f"{text!r} is no share: 10% or 0.1", f"{text!r} 不是份额：10% 或 0.1"))
    return share


NewKey = Annotated[Path, option("--key", help="The file to write the key into; not where agents can read.")]
Who = Annotated[str, option("--who", help="Who does it, for the ledger.")]
WhoBegins = Annotated[str | None, option("--who", help="Who does it; the user of this machine by default.")]
Name = Annotated[str, option("--slice", help="The slice to put them into.")]
NameOrMonth = Annotated[
    str | None, option("--slice", help="The slice to draw into; holdout-YYYY-MM by default.")
]
Share = Annotated[
    float | None,
    option("--share", parser=_share, metavar="SHARE", help="Share of the new clusters; 10% unless set."),
]
Looks = Annotated[int | None, option("--looks", min=1, help="How often it may be looked at; 10 unless set.")]
Sealed = Annotated[
    Path, typer.Argument(metavar="FILE", help="A file of cases, all to be sealed.", show_default=False)
]
Keep = Annotated[bool, option("--keep", help="Leave them in FILE too, in plain sight.")]
Rotated = Annotated[str, typer.Argument(metavar="SLICE", help="The slice to open.", show_default=False)]
Into = Annotated[Path, option("--into", help="The file of cases that it goes into.")]
Early = Annotated[bool, option("--early", help="Though looks are left; with --why.")]
Why = Annotated[str, option("--why", help="Why so early.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    for command in (init, draw, add, status, rotate):
        app.command()(command)


def init(
    key: NewKey,
    who: WhoBegins = None,
    config: options.Config = None,
    as_json: options.AsJson = False,
) -> None:
    """Make the examiner's key, write its public half into fairtrial.toml, begin the ledger."""
    with door(as_json):
        from fairtrial.app.begin_sealing import init as begin
        from fairtrial.report.sealing import show_begin

        tell(as_json, "begun", begin(key, who=who, config=config), show_begin)


def draw(
    who: Who,
    cases: options.CasePaths = None,
    slice_: NameOrMonth = None,
    share: Share = None,
    looks: Looks = None,
    key: options.ExaminerKey = None,
    config: options.Config = None,
    as_json: options.AsJson = False,
) -> None:
    """Seal a share of what is new in the set, by cluster, and take it out of the files."""
    with door(as_json):
        from fairtrial.app.draw import Ask, draw_additions

        ask = Ask(who=who, slice=slice_, looks=looks, share=share, config=config)
        _sealed(draw_additions(ask, cases or (), key), as_json)


def add(
    file: Sealed,
    name: Name,
    who: Who,
    looks: Looks = None,
    keep: Keep = False,
    config: options.Config = None,
    as_json: options.AsJson = False,
) -> None:
    """Seal all cases of a file, and remove them from it. Anyone can: no key is needed."""
    with door(as_json):
        from fairtrial.app.draw import Ask, add_file

        ask = Ask(who=who, slice=name, looks=looks, config=config)
        _sealed(add_file(ask, file, keep=keep), as_json)


def _sealed(found: Any, as_json: bool) -> None:
    from fairtrial.report.sealing import show_sealing

    tell(as_json, "sealed" if found.cases else "nothing", found, show_sealing)


def status(config: options.Config = None, as_json: options.AsJson = False) -> None:
    """Show every slice: cases, kinds, looks used and left. No key is needed."""
    with door(as_json):
        from fairtrial.app.config import load_project
        from fairtrial.app.slices import status as states
        from fairtrial.report.sealing import show_slices

        found = states(load_project(config))
        tell(as_json, "shown", found, show_slices, "slices")
        raise typer.Exit(1 if any(state.broken for state in found) else 0)


def rotate(
    name: Rotated,
    into: Into,
    who: Who,
    early: Early = False,
    why: Why = "",
    key: options.ExaminerKey = None,
    config: options.Config = None,
    as_json: options.AsJson = False,
) -> None:
    """Open a spent slice to the regression set, with its history."""
    with door(as_json):
        from fairtrial.app.rotate import rotate as turn
        from fairtrial.report.sealing import show_opening

        found = turn(name, into, key, who=who, early=early, why=why, config=config)
        tell(as_json, "opened", found, show_opening)
