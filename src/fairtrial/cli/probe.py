"""Active examination: probe."""

from typing import TYPE_CHECKING

import typer

from fairtrial.cli import options
from fairtrial.cli.door import door, emit, leave_stdout, stderr, stdout, users_code

if TYPE_CHECKING:
    from fairtrial.app.finish import Round
    from fairtrial.schema.evidence import Header


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command()(probe)


def probe(
    cases: options.CasePaths = None,
    agent: options.AgentSpec = None,
    budget: options.Budget = None,
    probes: options.Probes = None,
    concurrency: options.Concurrency = None,
    timeout: options.Timeout = None,
    max_time: options.MaxTime = None,
    max_cost: options.MaxCost = None,
    seed: options.Seed = None,
    out: options.Out = None,
    ids: options.Ids = None,
    tags: options.Tags = None,
    limit: options.Limit = None,
    save: options.SaveCases = None,
    resume: options.ResumeProbe = False,
    config: options.Config = None,
    as_json: options.AsJson = False,
) -> None:
    """Interview the agent: disturb its sessions, find where it is weak, and shrink a failing case of each."""
    with door(as_json):
        from fairtrial.app.prepare import Choices
        from fairtrial.app.probe import probe as examine
        from fairtrial.app.probe import resume as go_on
        from fairtrial.cli.progress import Watch

        choices = Choices(
            config=config,
            cases=(cases or ())[1:] if resume else cases or (),
            agent=agent,
            ids=ids or (),
            tags=tags or (),
            limit=limit,
            run={
                "concurrency": concurrency,
                "timeout": timeout,
                "max_time": max_time,
                "max_cost": max_cost,
                "seed": seed,
                "out": out and str(out),
            },
        )
        with users_code(), Watch(stderr()) as watch:
            if resume:
                part = cases[0] if cases else None
                result = go_on(part, choices, watch, budget=budget, probes=probes or (), save=save)
            else:
                result = examine(choices, watch, budget=budget, probes=probes or (), save=save)
        _report(result, as_json)


def _report(result: "Round", as_json: bool) -> None:
    try:
        show_probe(result.header, str(result.log), as_json)
    except BrokenPipeError:  # nobody listens, and yet the verdict stands
        leave_stdout()
    raise typer.Exit(result.exit_code)


def show_probe(header: "Header", log: str, as_json: bool) -> None:
    """The map of an examination on stdout."""
    from fairtrial.report.probe import probe_document, show_map

    if as_json:
        emit(probe_document(header, log))
    else:
        show_map(stdout(), header, log)
