"""The set beside live traffic: cases represent."""

from pathlib import Path
from typing import Annotated

import typer

from fairtrial.cli import options
from fairtrial.cli.door import door, emit, stdout

Traffic = Annotated[
    Path, typer.Option("--traffic", help="Live dialogues, one JSON object a line.", show_default=False)
]
Round = Annotated[
    Path | None,
    typer.Option("--log", help="A round of the set, to lay beside the marks.", show_default=False),
]
Drawn = Annotated[
    int | None,
    typer.Option("--sample", min=1, help="Draw N dissatisfied dialogues into --output.", show_default=False),
]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="The file of the drawn dialogues; a new one.", show_default=False),
]
Seed = Annotated[
    int, typer.Option("--seed", min=0, help="Seed of what is drawn; 0 unless set.", show_default=False)
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(represent)


def represent(
    traffic: Traffic,
    cases: options.CasePaths = None,
    log: Round = None,
    sample: Drawn = None,
    output: Output = None,
    seed: Seed = 0,
    config: options.Config = None,
    as_json: options.AsJson = False,
) -> None:
    """Tell whether the set's questions are those of its users."""
    with door(as_json):
        from fairtrial.app.represent import represent as lay_beside
        from fairtrial.report.represent import representation_document, show_representation

        found = lay_beside(
            cases or (), traffic=traffic, log=log, sample=sample, output=output, seed=seed, config=config
        )
        if as_json:
            emit(representation_document(found))
        else:
            show_representation(stdout(), found)
        raise typer.Exit(0 if found.represents else 3)
