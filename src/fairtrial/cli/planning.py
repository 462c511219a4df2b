"""What to ask and what to believe: power, calibrate."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from fairtrial.cli import options
from fairtrial.cli.door import door, emit, stderr, stdout
from fairtrial.text.language import say

if TYPE_CHECKING:
    from rich.console import Console


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(power)
    app.command()(calibrate)


def power(
    log: options.Log = None,
    other: options.OtherLog = None,
    difference: options.Difference = 0.03,
    cases: options.PlannedCases = None,
    trials: options.Trials = None,
    power: options.ChanceOfShowing = 0.8,
    config: options.Config = None,
    as_json: options.AsJson = False,
) -> None:
    """How many cases and trials a difference needs, and what a planned run can show and would cost."""
    with door(as_json):
        from fairtrial.app.power import Asked
        from fairtrial.app.power import power as plan
        from fairtrial.report.planning import power_document, show_power

        asked = Asked(difference=difference, power=power, cases=cases, trials=trials)
        found = plan(log, asked, config, other=other)
        if as_json:
            emit(power_document(found))
        else:
            show_power(stdout(), found)


def calibrate(
    folder: options.LogsOf = None,
    difference: options.LeastDifference = 0.1,
    output: options.Proposal = None,
    accept: options.Accept = None,
    who: options.Who = "",
    config: options.Config = None,
    as_json: options.AsJson = False,
) -> None:
    """Propose thresholds of the doubt lines, and the noise floor, from all rounds of a folder."""
    with door(as_json):
        if accept is not None:
            _accept(accept, who, config, as_json)
            return
        from fairtrial.app.calibrate import propose
        from fairtrial.report.planning import calibration_document, show_calibration

        with _reading(stderr()) as told:
            found = propose(folder, gap=difference, output=output, config=config, told=told)
        if as_json:
            emit(calibration_document(found))
        else:
            show_calibration(stdout(), found)


@contextmanager
def _reading(console: "Console") -> Iterator[Callable[[int, int], None]]:
    """Shows on a terminal how many logs have been read."""
    from rich.progress import Progress

    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(say("reading logs", "读取日志"), total=None)
        yield lambda done, number: bar.update(task, completed=done, total=number)


def _accept(proposal: Path, who: str, config: Path | None, as_json: bool) -> None:
    from fairtrial.app.accept import accept

    done = accept(proposal, who, config)
    if as_json:
        emit({"status": "accepted", "file": str(done.file), "tables": list(done.tables)})
        return
    typer.echo(say(f"added to {done.file}:", f"已写入 {done.file}："))
    for table in done.tables:
        typer.echo(f"[{table}]")
