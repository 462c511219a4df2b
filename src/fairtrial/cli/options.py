"""The arguments and options of the commands: how each is called, what it takes, and its line of help."""

from pathlib import Path
from typing import Annotated, Any, Literal

import typer


def option(*names: str, help: str, **more: Any) -> Any:
    """An option whose help says what it is when it is not given."""
    return typer.Option(*names, help=help, show_default=False, **more)


def _argument(metavar: str | None, *, help: str) -> Any:
    return typer.Argument(metavar=metavar, help=help, show_default=False)


Folder = Annotated[Path, typer.Argument(help="Where to write it; must hold none of the files.")]
Texts = Annotated[list[str], _argument(None, help="What to say; several texts are the turns of one session.")]
CasePaths = Annotated[
    list[Path] | None, _argument("[CASES]...", help="Files or folders of cases (JSON, JSONL, YAML).")
]
Log = Annotated[Path | None, _argument("[LOG]", help="A log; the latest of the log folder by default.")]
OtherLog = Annotated[
    Path | None, _argument("[OTHER]", help="Of another version on the same cases: measured on the pair.")
]
CaseShown = Annotated[str | None, _argument("[CASE]", help="Show this case's sessions whole.")]
CaseRead = Annotated[str | None, _argument("CASE", help="The case that was read.")]
LogFormat = Annotated[str, _argument("[FORMAT]", help="Its format; told by its content by default.")]
ForeignFile = Annotated[Path | None, _argument("FILE", help="The file of the other tool.")]

ExaminerKey = Annotated[
    Path | None, option("--key", help="The examiner's key file; else FAIRTRIAL_EXAMINER_KEY holds it.")
]
Config = Annotated[Path | None, option("--config", help="Project file; fairtrial.toml here by default.")]
AsJson = Annotated[bool, option("--json", help="Print one JSON document on stdout, nothing else there.")]
AgentSpec = Annotated[
    str | None,
    option(
        "--agent",
        help="python:MODULE:FUNCTION, command:LINE, http://…, openai:MODEL@URL, replay:LOG or null:KIND.",
    ),
]

Ids = Annotated[list[str] | None, option("--case", help="Only this case; may be repeated.")]
Tags = Annotated[list[str] | None, option("--tag", help="Only cases with this tag; may be repeated.")]
Failed = Annotated[bool, option("--failed", help="Only cases that failed in the latest log.")]
Limit = Annotated[int | None, option("--limit", min=1, help="Only the first N cases.")]

RoundMode = Annotated[
    Literal["full", "quick"] | None,
    option(help="full: three trials; quick: one, finds an evident regression."),
]
Trials = Annotated[int | None, option(min=1, help="Trials a case.")]
Concurrency = Annotated[int | None, option(min=1, help="Sessions at once; 1 unless set.")]
Timeout = Annotated[float | None, option(help="Seconds a session; 60 unless set.")]
OneTimeout = Annotated[float | None, option(min=0.001, help="Seconds for the session.")]
MaxTime = Annotated[float | None, option(help="Seconds the round may take.")]
MaxCost = Annotated[float | None, option(help="Money the round may cost.")]
Minimum = Annotated[float | None, option(min=0, max=1, help="Exit with 1 where the total is below.")]
UntilDecided = Annotated[
    bool, option("--until-decided", help="Stop asking when it is settled: better or worse than a round?")
]
Against = Annotated[
    Path | None, option("--against", help="That round's log; the last reliable one by default.")
]
Seed = Annotated[int | None, option(min=0, help="Seed of the round; 0 unless set.")]
Out = Annotated[Path | None, option(help="Folder of the logs.")]
Golden = Annotated[Path | None, option(help="Golden samples.")]
GoldenFirst = Annotated[Path | None, option(help="Golden samples, checked first.")]
Null = Annotated[bool, option("--null", help="Also run the null agents: what does nothing pass?")]
Resume = Annotated[
    bool,
    option(
        "--resume", help="Go on with the latest unfinished run, or the part file named; limits may be others."
    ),
]

Difference = Annotated[float, option("--difference", help="Difference to be shown; 0.03 unless set.")]
ChanceOfShowing = Annotated[float, option("--power", help="Chance of showing it; 0.8 unless set.")]
PlannedCases = Annotated[
    int | None, option("--cases", min=1, help="Cases of the planned run; those of the project by default.")
]
LogsOf = Annotated[Path | None, _argument("[FOLDER]", help="Folder of logs; the project's by default.")]
LeastDifference = Annotated[
    float, option("--difference", help="What `few_cases` must be able to show; 0.1 unless set.")
]
Proposal = Annotated[
    Path | None, option("--output", "-o", help="The proposal; doubts.proposed.toml by default.")
]
Accept = Annotated[Path | None, option("--accept", help="Take this proposal over into fairtrial.toml.")]
Who = Annotated[str, option("--who", help="Who takes it over.")]

Budget = Annotated[
    int | None, option("--budget", min=1, help="Sessions that it may take, undisturbed ones too.")
]
Probes = Annotated[
    list[str] | None, option("--probe", help="Only this probe, by name or FILE.py:CLASS; may be repeated.")
]
SaveCases = Annotated[Path | None, option("--save", help="YAML file that shrunk failing cases are put into.")]
ResumeProbe = Annotated[
    bool, option("--resume", help="Go on with the latest unfinished one, or the part file named.")
]

OnlyTrial = Annotated[int | None, option(min=1, help="Only this trial of the case.")]
Sample = Annotated[int | None, option(min=1, help="Draw N high scorers, to be read for emptiness.")]
Everything = Annotated[bool, option("--all", help="List all cases of each kind, not the first ten.")]
Metrics = Annotated[
    bool,
    option("--metrics", help="Figures of the agent at work: goals, tools, memory, steps, time, cost."),
]
ScorerWrong = Annotated[bool, option("--scorer-wrong", help="Becomes a golden sample.")]
CaseWrong = Annotated[bool, option("--case-wrong", help="Goes to the review list.")]
AgentWrong = Annotated[bool, option("--agent-wrong", help="Confirms the miss.")]
RightScore = Annotated[float | None, option(min=0, max=1, help="The right score, with --scorer-wrong.")]
MarkedTrial = Annotated[int | None, option(min=1, help="Which trial; the first missed one unless set.")]
Note = Annotated[str, option(help="Why.")]
OfCases = Annotated[list[Path] | None, option("--cases", help="Case set; that of the log by default.")]
NewLog = Annotated[Path | None, option("--output", "-o", help="The new log.")]
LogToWrite = Annotated[Path, option("--output", "-o", help="The log to write.")]

BaseOrCandidate = Annotated[
    Path | None,
    _argument("[BASE]", help="The result to compare with; the last reliable full round unless named."),
]
Candidate = Annotated[
    Path | None, _argument("CANDIDATE", help="Log or another tool's file; the latest log unless named.")
]
Changed = Annotated[
    list[str] | None,
    option("--changed", help="Parts of the environment under test, as agent,prompt; may be repeated."),
]
Force = Annotated[bool, option("--force", help="Compare although the environment differs; proves nothing.")]
AllBuckets = Annotated[bool, option("--all", help="List all buckets and cases, not the first ten.")]
Margin = Annotated[float, option("--margin", min=0, max=1, help="What counts as noise; 0.01 is a point.")]
ForceAgain = Annotated[bool, option("--force", help="Run it though the environment is another.")]
