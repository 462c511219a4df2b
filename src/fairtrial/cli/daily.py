"""The daily work: init, ask, check, run, show, mark, rescore, import."""

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from fairtrial.cli.door import (
    AgentSpec,
    AsJson,
    CasePaths,
    Config,
    Failed,
    Ids,
    Limit,
    Log,
    Tags,
    door,
    emit,
    leave_stdout,
    stderr,
    stdout,
    users_code,
)
from fairtrial.text.language import say

if TYPE_CHECKING:
    from fairtrial.app.finish import Round


class Mode(StrEnum):
    """How much a round is to say."""

    full = "full"
    quick = "quick"


def register(app: typer.Typer) -> None:
    """Add the commands in the order in which a newcomer needs them."""
    for command in (init, ask, check, run, show, mark, rescore):
        app.command()(command)
    app.command("import")(import_)


def init(
    folder: Annotated[Path, typer.Argument(help="Where to write it; must hold none of the files.")] = Path(),
    as_json: AsJson = False,
) -> None:
    """Write a working project: settings, problems, golden samples, a stub agent, a CI step."""
    from fairtrial.app.init import write_project

    with door(as_json):
        written = write_project(folder)
        if as_json:
            emit({"status": "written", "files": [str(path) for path in written]})
            return
        for path in written:
            typer.echo(path)
        there = "" if folder == Path() else f"cd {folder} && "
        typer.echo(say(f"next: {there}fairtrial run", f"下一步：{there}fairtrial run"))


def ask(
    text: Annotated[
        list[str], typer.Argument(help="What to say; several texts are the turns of one session.")
    ],
    agent: AgentSpec = None,
    config: Config = None,
    timeout: Annotated[
        float | None, typer.Option(min=0.001, help="Seconds for the session.", show_default=False)
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Send a message to the agent and show what comes back, for wiring it up."""
    with door(as_json):
        from fairtrial.app.ask import ask as send
        from fairtrial.report.documents import plainly
        from fairtrial.report.sessions import show_record

        with users_code():
            record = send(text, config=config, agent=agent, timeout=timeout)
        if as_json:
            emit({"status": str(record.status), "record": plainly(record)})
        else:
            show_record(stdout(), record)
        raise typer.Exit(0 if record.status.counts else 4)


def check(
    cases: CasePaths = None,
    golden: Annotated[Path | None, typer.Option(help="Golden samples.", show_default=False)] = None,
    null: Annotated[
        bool, typer.Option("--null", help="Also run the null agents: what does nothing pass?")
    ] = False,
    ids: Ids = None,
    tags: Tags = None,
    failed: Failed = False,
    limit: Limit = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Find every problem of a case set, its rules and golden samples, before anything is called."""
    with door(as_json):
        from fairtrial.app.check import check as examine
        from fairtrial.report.checks import check_document, show_check

        with users_code():
            found = examine(
                cases or (),
                golden=golden,
                null=null,
                config=config,
                ids=ids or (),
                tags=tags or (),
                failed=failed,
                limit=limit,
            )
        if as_json:
            emit(check_document(found))
        else:
            show_check(stdout(), found)
        raise typer.Exit(0 if found.good else 2)


def run(
    cases: CasePaths = None,
    agent: AgentSpec = None,
    mode: Annotated[
        Mode | None,
        typer.Option(help="full: three trials; quick: one, finds an evident regression.", show_default=False),
    ] = None,
    trials: Annotated[int | None, typer.Option(min=1, help="Trials a case.", show_default=False)] = None,
    concurrency: Annotated[
        int | None, typer.Option(min=1, help="Sessions at once; 1 unless set.", show_default=False)
    ] = None,
    timeout: Annotated[
        float | None, typer.Option(help="Seconds a session; 60 unless set.", show_default=False)
    ] = None,
    max_time: Annotated[
        float | None, typer.Option(help="Seconds the round may take.", show_default=False)
    ] = None,
    max_cost: Annotated[
        float | None, typer.Option(help="Money the round may cost.", show_default=False)
    ] = None,
    minimum: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Exit with 1 where the total is below.", show_default=False),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Seed of the round; 0 unless set.", show_default=False)
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Folder of the logs.", show_default=False)] = None,
    golden: Annotated[
        Path | None, typer.Option(help="Golden samples, checked first.", show_default=False)
    ] = None,
    ids: Ids = None,
    tags: Tags = None,
    failed: Failed = False,
    limit: Limit = None,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Go on with the latest unfinished run, or the part file named; limits may be others.",
        ),
    ] = False,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Ask every case, score the answers, doubt the result, write the log."""
    with door(as_json):
        from fairtrial.app.prepare import Choices
        from fairtrial.app.run import resume as go_on
        from fairtrial.app.run import run as start
        from fairtrial.cli.progress import Watch

        values = {
            "mode": mode.value if mode else None,
            "trials": trials,
            "concurrency": concurrency,
            "timeout": timeout,
            "max_time": max_time,
            "max_cost": max_cost,
            "seed": seed,
            "out": out and str(out),
            "golden": golden and str(golden),
        }
        choices = Choices(
            config=config,
            cases=(cases or ())[1:] if resume else cases or (),
            agent=agent,
            ids=ids or (),
            tags=tags or (),
            failed=failed,
            limit=limit,
            minimum=minimum,
            run=values,
        )
        with users_code(), Watch(stderr()) as watch:
            part = cases[0] if resume and cases else None
            result = go_on(part, choices, watch) if resume else start(choices, watch)
        _report(result, as_json)


def _report(result: "Round", as_json: bool) -> None:
    from fairtrial.report.documents import round_document
    from fairtrial.report.terminal import show_summary

    try:
        if as_json:
            emit(round_document(result.header, str(result.log)))
        else:
            show_summary(stdout(), result.header, str(result.log))
    except BrokenPipeError:  # nobody listens, and yet the verdict stands
        leave_stdout()
    raise typer.Exit(result.exit_code)


def _log_and_case(log: Path | None, case: str | None) -> tuple[Path | None, str | None]:
    """A lone word that is no file, no folder and not called like a log is a case of the latest log."""
    if log is not None and case is None and not log.exists() and log.suffix not in (".jsonl", ".part"):
        return None, str(log)
    return log, case


def show(
    log: Log = None,
    case: Annotated[
        str | None,
        typer.Argument(metavar="[CASE]", help="Show this case's sessions whole.", show_default=False),
    ] = None,
    trial: Annotated[
        int | None, typer.Option(min=1, help="Only this trial of the case.", show_default=False)
    ] = None,
    sample: Annotated[
        int | None,
        typer.Option(min=1, help="Draw N high scorers, to be read for emptiness.", show_default=False),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="List all cases of each kind, not the first ten.")
    ] = False,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Read a log in the order a person should: misses, empty hits, misses with a clue, then the figures."""
    with door(as_json):
        from fairtrial.app.show import high_scorers, of_case, open_log
        from fairtrial.report.documents import reading_document, round_document, row_document
        from fairtrial.report.sessions import show_reading, show_sample, show_session
        from fairtrial.report.terminal import show_summary
        from fairtrial.report.views import reading

        log, case = _log_and_case(log, case)
        found = open_log(log, config)
        if case is not None or sample is not None:
            rows = of_case(found, case, trial) if case is not None else high_scorers(found, sample or 1)
            if as_json:
                sessions = {"sessions": [row_document(row) for row in rows]}
                emit(round_document(found.header, str(found.path)) | sessions)
            elif case is None:
                show_sample(stdout(), rows)
            else:
                for row in rows:
                    show_session(stdout(), row)
            return
        views = reading(found.rows(), found.pass_at)
        if as_json:
            emit(round_document(found.header, str(found.path)) | reading_document(views))
        else:
            console = stdout()
            show_reading(console, views, most=10**9 if everything else 10)
            show_summary(console, found.header, str(found.path))


def mark(
    log: Log = None,
    case: Annotated[
        str | None, typer.Argument(metavar="CASE", help="The case that was read.", show_default=False)
    ] = None,
    scorer_wrong: Annotated[bool, typer.Option("--scorer-wrong", help="Becomes a golden sample.")] = False,
    case_wrong: Annotated[bool, typer.Option("--case-wrong", help="Goes to the review list.")] = False,
    agent_wrong: Annotated[bool, typer.Option("--agent-wrong", help="Confirms the miss.")] = False,
    score: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="The right score, with --scorer-wrong.", show_default=False),
    ] = None,
    trial: Annotated[
        int | None,
        typer.Option(min=1, help="Which trial; the first missed one unless set.", show_default=False),
    ] = None,
    note: Annotated[str, typer.Option(help="Why.")] = "",
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Keep what a reader found: whose fault was it?"""
    with door(as_json):
        from fairtrial.app.mark import Fault
        from fairtrial.app.mark import mark as keep
        from fairtrial.errors import BadInput

        log, case = _log_and_case(log, case)
        if case is None:
            raise BadInput(say("no case named", "没有指定用例"), how="fairtrial mark [LOG] CASE")
        said = {Fault.scorer: scorer_wrong, Fault.case: case_wrong, Fault.agent: agent_wrong}
        faults = [fault for fault, chosen in said.items() if chosen]
        if len(faults) != 1:
            raise BadInput(
                say(
                    "say whose fault it was: --scorer-wrong, --case-wrong or --agent-wrong, one of them",
                    "请指明是谁的错：--scorer-wrong、--case-wrong、--agent-wrong 三选一",
                )
            )
        kept = keep(log, case, faults[0], score=score, trial=trial, note=note, config=config)
        if as_json:
            emit(
                {
                    "status": "kept",
                    "fault": faults[0].value,
                    "case": case,
                    "files": [str(p) for p in kept.files],
                }
            )
        else:
            typer.echo(kept.said)


def rescore(
    log: Log = None,
    cases: Annotated[
        list[Path] | None,
        typer.Option("--cases", help="Case set; that of the log by default.", show_default=False),
    ] = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="The new log.", show_default=False)
    ] = None,
    config: Config = None,
    as_json: AsJson = False,
) -> None:
    """Recompute the scores of a log from its raw output, without asking the agent. Writes a new log."""
    with door(as_json):
        from fairtrial.app.rescore import rescore as recompute

        with users_code():
            result = recompute(log, cases=cases or (), output=output, config=config)
        _report(result, as_json)


class Format(StrEnum):
    """Whose log it is."""

    tau_bench = "tau-bench"


def import_(
    kind: Annotated[Format, typer.Argument(metavar="FORMAT", help="tau-bench.")],
    file: Annotated[Path, typer.Argument(help="The file of the other tool.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The log to write.")],
    as_json: AsJson = False,
) -> None:
    """Turn what another tool measured into a log: every message and call, outcomes as given."""
    with door(as_json):
        from fairtrial.app.import_log import import_log

        _report(import_log(kind.value, file, output), as_json)
