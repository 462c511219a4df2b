"""A counted look at a sealed slice: seal look."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fairtrial.cli import options
from fairtrial.cli.door import door, emit, silence, stderr, stdout
from fairtrial.cli.options import option
from fairtrial.text.language import say

if TYPE_CHECKING:
    from fairtrial.app.outlook import Outlook

SliceName = Annotated[str, typer.Argument(metavar="SLICE", help="The sealed slice.", show_default=False)]
Looker = Annotated[str, option("--who", help="Who looks.")]
Why = Annotated[str, option("--why", help="Why, for the ledger.")]
VisibleLog = Annotated[
    Path | None,
    option(
        "--visible",
        help="The round to hold it against; the latest reliable full one of the same agent unless named.",
    ),
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(look)


def look(
    slice: SliceName,
    who: Looker,
    why: Why,
    key: options.ExaminerKey = None,
    agent: options.AgentSpec = None,
    visible: VisibleLog = None,
    trials: options.Trials = None,
    concurrency: options.Concurrency = None,
    timeout: options.Timeout = None,
    max_time: options.MaxTime = None,
    max_cost: options.MaxCost = None,
    config: options.Config = None,
    as_json: options.AsJson = False,
) -> None:
    """Ask an agent the sealed cases once more; figures of the whole come out, and the look is counted."""
    with door(as_json):
        from fairtrial.app import looking
        from fairtrial.app.prepare import Choices
        from fairtrial.cli.progress import Watch
        from fairtrial.report.documents import plainly

        run = {
            "trials": trials,
            "concurrency": concurrency,
            "timeout": timeout,
            "max_time": max_time,
            "max_cost": max_cost,
        }
        asked = looking.Asked(slice=slice, who=who, why=why, key=key, visible=visible)
        choices = Choices(config=config, agent=agent, run=run)
        with silence() as told:
            console = stderr(told)
            with Watch(console, outcomes=False) as watch:

                def planned(outlook: "Outlook", look: int, budget: int) -> None:
                    console.print(
                        say(
                            f"look {look} of {budget}: it is spent when it begins",
                            f"第 {look} 次查看，共 {budget} 次：一开始就计入次数",
                        )
                    )
                    watch.planned(outlook)

                taken = looking.look(asked, choices, planned, watch.ended)
        if as_json:
            emit(plainly(taken))
        else:
            from fairtrial.report.looking import show_look

            show_look(stdout(), taken)
        raise typer.Exit(looking.exit_code(taken))
