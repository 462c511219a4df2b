"""From failures to cases: cases from-log, queue, accept, reject."""

from pathlib import Path
from typing import Annotated

import typer

from fairtrial.cli import options
from fairtrial.cli.door import door, emit, stdout
from fairtrial.errors import BadInput
from fairtrial.text.language import say

Failures = Annotated[
    bool,
    typer.Option("--failed/--all", help="Sessions that failed, or all.", show_default=False),
]
RulesOf = Annotated[
    list[Path] | None,
    typer.Option(
        "--cases", help="Cases of the log, whose rules are taken over; those of the project by default."
    ),
]
Most = Annotated[int | None, typer.Option("--limit", min=1, help="At most N candidates.", show_default=False)]
FictionSeed = Annotated[
    int,
    typer.Option("--seed", min=0, help="Other fictions for the same log; 0 unless set.", show_default=False),
]
Creator = Annotated[
    str, typer.Option("--who", help="Who creates them; this command unless said.", show_default=False)
]
OneId = Annotated[str | None, typer.Argument(metavar="[ID]", help="Show this one whole.", show_default=False)]
SomeIds = Annotated[
    list[str], typer.Argument(metavar="ID...", help="Candidates of the queue.", show_default=False)
]
Reviewer = Annotated[str, typer.Option("--who", help="Who decides; not who created it.", show_default=False)]
Into = Annotated[
    Path, typer.Option("--into", help="File of cases that they are put into.", show_default=False)
]
Sure = Annotated[bool, typer.Option("--sure", help="The doubtful places were looked at and may stay.")]
Reason = Annotated[str, typer.Option("--why", help="Why it is none.", show_default=False)]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("from-log")(from_log)
    for command in (queue, accept, reject):
        app.command()(command)


def from_log(
    log: options.Log = None,
    failed: Failures = True,
    cases: RulesOf = None,
    limit: Most = None,
    seed: FictionSeed = 0,
    who: Creator = "",
    config: options.Config = None,
    as_json: options.AsJson = False,
) -> None:
    """Put failures of a log, or of live dialogues, into the review queue, without personal details."""
    with door(as_json):
        from fairtrial.app.candidates import MAKER, Source
        from fairtrial.app.candidates import from_log as gather
        from fairtrial.report.candidates import gathered_document, show_gathered

        source = Source(
            log=log,
            failed=failed,
            cases=cases or (),
            limit=limit,
            seed=seed,
            who=who.strip() or MAKER,
            config=config,
        )
        found = gather(source)
        if as_json:
            emit(gathered_document(found))
        else:
            show_gathered(stdout(), found)


def queue(name: OneId = None, config: options.Config = None, as_json: options.AsJson = False) -> None:
    """List the candidates that wait for a person, or show one whole."""
    with door(as_json):
        from fairtrial.app.candidates import waiting
        from fairtrial.report.candidates import queue_document, show_candidate, show_queue

        found = [(path, one) for path, one in waiting(config) if name in (None, one.id)]
        if name is not None and not found:
            raise BadInput(
                say(f"no candidate {name}", f"没有候选用例 {name}"),
                how=say("`fairtrial cases queue` lists them", "`fairtrial cases queue` 会列出它们"),
            )
        if as_json:
            emit(queue_document(found, whole=name is not None))
        elif name is None:
            show_queue(stdout(), found)
        else:
            show_candidate(stdout(), *found[0])


def accept(
    ids: SomeIds,
    who: Reviewer,
    into: Into,
    sure: Sure = False,
    config: options.Config = None,
    as_json: options.AsJson = False,
) -> None:
    """Put candidates into a case set: a person's yes, which nothing else can give."""
    with door(as_json):
        from fairtrial.app.decide import accept as decide
        from fairtrial.report.candidates import decided_document, show_decided

        done = decide(ids, who=who, into=into, sure=sure, config=config)
        if as_json:
            emit(decided_document(done, "accepted"))
        else:
            show_decided(stdout(), done)


def reject(
    ids: SomeIds,
    who: Reviewer,
    why: Reason,
    config: options.Config = None,
    as_json: options.AsJson = False,
) -> None:
    """Take candidates out of the queue, so that they do not come again."""
    with door(as_json):
        from fairtrial.app.decide import reject as decide
        from fairtrial.report.candidates import decided_document, show_decided

        done = decide(ids, who=who, why=why, config=config)
        if as_json:
            emit(decided_document(done, "rejected"))
        else:
            show_decided(stdout(), done)
