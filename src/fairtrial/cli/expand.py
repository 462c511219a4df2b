"""One case becomes variants: cases expand."""

from typing import Annotated

import typer

from fairtrial.cli import options
from fairtrial.cli.door import door, emit, stderr, stdout, users_code

Count = Annotated[
    int, typer.Option("--per", min=1, max=20, help="Variants a case; 5 unless set.", show_default=False)
]
NoModel = Annotated[bool, typer.Option("--no-model", help="Reword by rules, though there is a [writer].")]
Who = Annotated[
    str, typer.Option("--who", help="Their author; the writer's name unless set.", show_default=False)
]
Timeout = Annotated[
    float, typer.Option(min=0.001, help="Seconds a request; 120 unless set.", show_default=False)
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(expand)


def _tell(line: str) -> None:
    from rich.text import Text

    from fairtrial.text.normalise import visible

    stderr().print(Text(visible(line)), soft_wrap=True)


def expand(
    cases: options.CasePaths = None,
    ids: options.Ids = None,
    failed: options.Failed = False,
    tags: options.Tags = None,
    limit: options.Limit = None,
    count: Count = 5,
    no_model: NoModel = False,
    seed: options.Seed = None,
    who: Who = "",
    timeout: Timeout = 120.0,
    config: options.Config = None,
    as_json: options.AsJson = False,
) -> None:
    """Write spoken variants of weak cases (by default those that failed last) into the review queue."""
    with door(as_json):
        from fairtrial.app.expand import Wishes
        from fairtrial.app.expand import expand as write
        from fairtrial.app.prepare import Choices

        choices = Choices(
            config=config, cases=cases or (), ids=ids or (), tags=tags or (), failed=failed, limit=limit
        )
        wishes = Wishes(count=count, model=not no_model, seed=seed or 0, who=who.strip(), timeout=timeout)
        with users_code():
            found = write(choices, wishes, _tell)
        if as_json:
            from fairtrial.report.variants import expansion_document

            emit(expansion_document(found))
        else:
            from fairtrial.report.variants import show_expansion

            show_expansion(stdout(), found)
        raise typer.Exit(found.exit_code)
