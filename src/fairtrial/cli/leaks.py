"""Copies and leaks: cases leaks, labels."""

from functools import partial
from pathlib import Path
from typing import Annotated, Literal

import typer

from fairtrial.cli import options
from fairtrial.cli.door import door, tell

Against = Annotated[
    list[Path] | None,
    typer.Option("--against", help="Other cases that must have none of these.", show_default=False),
]
Prompt = Annotated[
    list[Path] | None,
    typer.Option("--prompt", help="Prompts and examples; those of [fingerprint] unless named."),
]
OfLog = Annotated[
    Path | None, typer.Option("--log", help="Look for reference answers in the replies of a log.")
]
Sealed = Annotated[
    str | None, typer.Option("--sealed", help="A sealed slice by name; needs the examiner's key.")
]
SetAside = Annotated[
    Path | None, typer.Option("--set-aside", help="Move what is suspected into this file, with the reason.")
]
Paraphrases = Annotated[
    bool, typer.Option("--paraphrases", help="List each case's nearest other by embedding.")
]
Label = Annotated[
    Literal["task_type", "difficulty", "severity", "tags"], typer.Option("--label", help="Which label.")
]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command()(leaks)
    app.command()(labels)


def leaks(
    cases: options.CasePaths = None,
    against: Against = None,
    prompt: Prompt = None,
    log: OfLog = None,
    sealed: Sealed = None,
    key: options.ExaminerKey = None,
    set_aside: SetAside = None,
    paraphrases: Paraphrases = False,
    everything: options.Everything = False,
    config: options.Config = None,
    as_json: options.AsJson = False,
) -> None:
    """Find copies inside a set, between sets and in prompts, and answers that the agent has by heart."""
    with door(as_json):
        from fairtrial.app.leaks import find
        from fairtrial.report.leaks import show_leaks

        found = find(
            cases or (),
            against=against or (),
            prompts=prompt,
            log=log,
            sealed=sealed,
            key=key,
            set_aside=set_aside,
            paraphrases=paraphrases,
            config=config,
        )
        tell(as_json, "leaks" if found.found else "clean", found, partial(show_leaks, everything=everything))
        raise typer.Exit(1 if found.found else 0)


def labels(
    cases: options.CasePaths = None,
    label: Label = "task_type",
    everything: options.Everything = False,
    config: options.Config = None,
    as_json: options.AsJson = False,
) -> None:
    """Find labels that drift: questions alike, labelled differently over time or by different people."""
    with door(as_json):
        from fairtrial.app.leaks import drift
        from fairtrial.report.leaks import show_labels

        found = drift(cases or (), label=label, config=config)
        status = {True: "drift", False: "steady", None: "unknown"}[found.drifts]
        tell(as_json, status, found, partial(show_labels, everything=everything))
        raise typer.Exit(1 if found.drifts else 0)
