"""The daily work: init, ask, check, run, show, mark, rescore, import."""

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from fairtrial.cli import options
from fairtrial.cli.door import door, emit, leave_stdout, stderr, stdout, users_code
from fairtrial.text.language import say

if TYPE_CHECKING:
    from fairtrial.app.finish import Round
    from fairtrial.app.show import OpenLog


def register(app: typer.Typer) -> None:
    """Add the commands in the order in which a newcomer needs them."""
    for command in (init, ask, check, run, show, mark, rescore):
        app.command()(command)
    app.command("import")(import_)


def init(
    folder: options.Folder = Path(),
    as_json: options.AsJson = False,
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
    text: options.Texts,
    agent: options.AgentSpec = None,
    config: options.Config = None,
    timeout: options.OneTimeout = None,
    as_json: options.AsJson = False,
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
    cases: options.CasePaths = None,
    golden: options.Golden = None,
    null: options.Null = False,
    ids: options.Ids = None,
    tags: options.Tags = None,
    failed: options.Failed = False,
    limit: options.Limit = None,
    config: options.Config = None,
    as_json: options.AsJson = False,
) -> None:
    """Find every problem of a case set, its rules and golden samples, before anything is called."""
    with door(as_json):
        from fairtrial.app.check import check as examine
        from fairtrial.app.prepare import Choices
        from fairtrial.report.checks import check_document, show_check

        with users_code():
            choices = Choices(
                config=config,
                cases=cases or (),
                ids=ids or (),
                tags=tags or (),
                failed=failed,
                limit=limit,
                run={"golden": golden and str(golden)},
            )
            found = examine(choices, null=null)
        if as_json:
            emit(check_document(found))
        else:
            show_check(stdout(), found)
        raise typer.Exit(0 if found.good else 2)


def run(
    cases: options.CasePaths = None,
    agent: options.AgentSpec = None,
    mode: options.RoundMode = None,
    trials: options.Trials = None,
    concurrency: options.Concurrency = None,
    timeout: options.Timeout = None,
    max_time: options.MaxTime = None,
    max_cost: options.MaxCost = None,
    minimum: options.Minimum = None,
    until_decided: options.UntilDecided = False,
    against: options.Against = None,
    seed: options.Seed = None,
    out: options.Out = None,
    golden: options.GoldenFirst = None,
    ids: options.Ids = None,
    tags: options.Tags = None,
    failed: options.Failed = False,
    limit: options.Limit = None,
    resume: options.Resume = False,
    config: options.Config = None,
    as_json: options.AsJson = False,
) -> None:
    """Ask every case, score the answers, doubt the result, write the log."""
    with door(as_json):
        from fairtrial.app.prepare import Choices
        from fairtrial.app.run import run as start
        from fairtrial.cli.progress import Watch

        values = {
            "mode": mode,
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
            until_decided=until_decided,
            against=against,
            run=values,
        )
        with users_code(), Watch(stderr()) as watch:
            if resume:
                from fairtrial.app.resume import resume as go_on

                result = go_on(cases[0] if cases else None, choices, watch)
            else:
                result = start(choices, watch)
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
    log: options.Log = None,
    case: options.CaseShown = None,
    trial: options.OnlyTrial = None,
    sample: options.Sample = None,
    metrics: options.Metrics = False,
    everything: options.Everything = False,
    config: options.Config = None,
    as_json: options.AsJson = False,
) -> None:
    """Read a log in the order a person should: misses, empty hits, misses with a clue, then the figures."""
    with door(as_json):
        from fairtrial.app.show import high_scorers, of_case, open_log
        from fairtrial.cli.probe import show_probe
        from fairtrial.report.documents import plainly, reading_document, round_document
        from fairtrial.report.sessions import show_reading, show_sample, show_session
        from fairtrial.report.terminal import show_fingerprint, show_summary
        from fairtrial.report.views import reading

        log, case = _log_and_case(log, case)
        found = open_log(log, config, probed=True)
        if metrics:
            _show_metrics(found, everything, as_json)
            return
        if case is not None or sample is not None:
            rows = of_case(found, case, trial) if case is not None else high_scorers(found, sample or 1)
            if as_json:
                sessions = {"sessions": [plainly(row) for row in rows]}
                emit(round_document(found.header, str(found.path)) | sessions)
            elif case is None:
                show_sample(stdout(), rows)
            else:
                for row in rows:
                    show_session(stdout(), row)
            return
        if found.header.mode == "probe":
            show_probe(found.header, str(found.path), as_json)
            return
        views = reading(found.rows(), found.pass_at)
        if as_json:
            emit(round_document(found.header, str(found.path)) | reading_document(views))
        else:
            console = stdout()
            show_reading(console, views, most=10**9 if everything else 10)
            show_summary(console, found.header, str(found.path))
            if found.header.fingerprint is not None:
                show_fingerprint(console, found.header.fingerprint)


def _show_metrics(log: "OpenLog", everything: bool, as_json: bool) -> None:
    from fairtrial.app.metrics import metrics_of
    from fairtrial.report.documents import plainly, round_document
    from fairtrial.report.metrics import show_metrics

    found = metrics_of(log)
    if as_json:
        emit(round_document(log.header, str(log.path)) | {"metrics": plainly(found.metrics)})
    else:
        show_metrics(stdout(), found, everything=everything)


def mark(
    log: options.Log = None,
    case: options.CaseRead = None,
    scorer_wrong: options.ScorerWrong = False,
    case_wrong: options.CaseWrong = False,
    agent_wrong: options.AgentWrong = False,
    score: options.RightScore = None,
    trial: options.MarkedTrial = None,
    note: options.Note = "",
    config: options.Config = None,
    as_json: options.AsJson = False,
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
            files = [str(path) for path in kept.files]
            emit({"status": "kept", "fault": faults[0].value, "case": case, "files": files})
        else:
            typer.echo(kept.said)


def rescore(
    log: options.Log = None,
    cases: options.OfCases = None,
    output: options.NewLog = None,
    config: options.Config = None,
    as_json: options.AsJson = False,
) -> None:
    """Recompute the scores of a log from its raw output, without asking the agent. Writes a new log."""
    with door(as_json):
        from fairtrial.app.rescore import rescore as recompute

        with users_code():
            result = recompute(log, cases=cases or (), output=output, config=config)
        _report(result, as_json)


def import_(
    kind: options.LogFormat,
    output: options.LogToWrite,
    file: options.ForeignFile = None,
    as_json: options.AsJson = False,
) -> None:
    """Turn what another tool measured into a log: every message and call, outcomes as given."""
    with door(as_json):
        from fairtrial.app.import_log import import_log

        # A lone word is the file.
        known, path = (None, Path(kind)) if file is None else (kind, file)
        _report(import_log(known, path, output), as_json)
