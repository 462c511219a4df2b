"""A counted look at a sealed slice: opened in memory by whoever holds the key, debited before a session.

Sealed cases are held by this process alone. What they say may stand in an error, a rule's output or an
agent's message: none of these leaves, but their kind.
"""

import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import msgspec

from fairtrial.agents.config import AgentConfig, CommandConfig, HttpConfig, OpenAIConfig
from fairtrial.app.config import Project, load_project
from fairtrial.app.describe import begun
from fairtrial.app.environment import collect
from fairtrial.app.nulls import null_shares
from fairtrial.app.outlook import Outlook, outlook_of
from fairtrial.app.practice import CLOSED, past_of, practised
from fairtrial.app.prepare import Choices, Prepared, build, run_config
from fairtrial.app.sealed_sessions import figured, sessions, unsaid
from fairtrial.app.sealing import examiner_key, held
from fairtrial.app.slices import Slice, debit, open_slice, require_left
from fairtrial.app.talks import player_of
from fairtrial.app.whom import agent_config, player_config
from fairtrial.cases.digest import digest
from fairtrial.cases.seal import encrypt
from fairtrial.errors import BadInput, CannotRun
from fairtrial.records.closed import ClosedWriter
from fairtrial.records.fingerprint import agents_side
from fairtrial.schema.case import CaseSet
from fairtrial.schema.look import LEAST_CLUSTERS, SealedLook
from fairtrial.schema.score import Row
from fairtrial.scoring.score import Scorer
from fairtrial.text.language import say

REVEALS = ("counts", "total", "ret_ratio", "ret_ratio_all", "useful", "pass_hat_k", "level", "movement")
_APART = (CommandConfig, HttpConfig, OpenAIConfig)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """Whose look at which slice, and why; `visible` is the log that it is held against, if one is named."""

    slice: str
    who: str
    why: str
    key: Path | None = None
    visible: Path | None = None


def look(
    asked: Asked,
    choices: Choices,
    planned: Callable[[Outlook, int, int], None],
    ended: Callable[[Row], None],
) -> SealedLook:
    """Take one look. `planned` is told what is ahead, the number of the look and the budget before it is
    debited, `ended` each row: what is in it is for nobody's eyes.

    Raises BadInput before it is debited; what fails after that is spent all the same.
    """
    _require_words(asked)
    project, key = load_project(choices.config), examiner_key(asked.key)
    prepared = _all_but_the_cases(project, asked.slice, choices)
    fingerprint = collect(prepared)
    side = agents_side(fingerprint)
    found = open_slice(project, asked.slice, key)
    require_left(found, found.used)
    _require_many(found)
    with held(project, key) as book:
        past = past_of(asked.slice, prepared.out, side, asked.visible, book.entries)
    with unsaid():
        prepared = _with_cases(prepared, found, asked.slice)
        nulls = null_shares(prepared.case_set, prepared.scorer)
        header = begun(prepared, fingerprint, "full", null_agent=nulls)
    planned(outlook_of(prepared), found.used + 1, found.budget)
    with held(project, key) as book:
        debited = debit(
            book, found, asked.who, asked.why, REVEALS, agent=prepared.agent.name, fingerprint=side
        )
    path = prepared.out / CLOSED / f"{header.run}.jsonl"
    crypt = partial(encrypt, recipient=key.recipient)
    with ClosedWriter(
        path, header, slice=asked.slice, entry=debited.n, hash=debited.hash, encrypt=crypt
    ) as writer:
        rows, outcome = sessions(prepared, writer, ended)
    with unsaid(spent=True):
        figures = figured(prepared, rows, nulls["share"], outcome)
        if figures["figures"] is not None:
            decrypt = partial(key.decrypt, where="")
            figures["practised"] = practised(past, rows, prepared.scorer.pass_at, decrypt)
    taken = SealedLook(
        slice=asked.slice,
        look=debited.body["used"],
        budget=found.budget,
        run=header.run,
        who=asked.who,
        why=asked.why,
        agent=prepared.agent.name,
        fingerprint=side,
        visible=past.run,
        closed=str(path),
        **figures,
    )
    try:
        with held(project, key) as book:
            book.append("result", asked.who, {"entry": debited.n} | _kept(taken))
    except BadInput as error:  # the ledger or the clock was changed meanwhile
        how = say("the look is spent all the same", "这次查看仍计入次数")
        raise CannotRun(error.what, where=error.where, how=how) from error
    return taken


def _kept(taken: SealedLook) -> dict[str, Any]:
    """What the ledger keeps of it: no path of this machine, of the doubts those that are lit."""
    lit = tuple(doubt for doubt in taken.doubts if doubt.lit)
    body: dict[str, Any] = msgspec.to_builtins(
        msgspec.structs.replace(taken, doubts=lit, closed=f"{CLOSED}/{taken.run}.jsonl")
    )
    return body


def exit_code(taken: SealedLook) -> int:
    """3 where the figures must not be believed or there are none, 1 where the agent is practised, else 0."""
    if taken.status != "reliable":
        return 3
    return int(any(line.lit for line in taken.practised))


def _require_words(asked: Asked) -> None:
    for option, words in (("--who", asked.who), ("--why", asked.why)):
        if not words.strip():
            raise BadInput(
                say("a look is in the ledger with who and why", "账本须记下是谁、为何查看"), where=option
            )


def _all_but_the_cases(project: Project, name: str, choices: Choices) -> Prepared:
    """The round without its cases, valid as a whole. Raises BadInput."""
    config = agent_config(project, choices.agent)
    _require_apart(config)
    played = player_config(project)
    if played is not None:
        _require_apart(played)
    run = run_config(project, choices)
    # A seed that nobody knows: sessions are named by it, and must not tell an agent which case it is asked.
    chosen = {"golden": None, "mode": "full", "seed": secrets.randbits(62)}
    project.doubts.resolve(name, "full")
    return build(project, run.model_copy(update=chosen), _case_set((), name), config, chosen=None)


def _require_apart(config: AgentConfig) -> None:
    """Whoever shares our memory could read the sealed cases and the key in it. Raises BadInput."""
    if isinstance(config, _APART) and not (isinstance(config, OpenAIConfig) and config.tools):
        return
    kind = f"{config.type} + tools" if isinstance(config, OpenAIConfig) else config.type
    raise BadInput(
        say(
            f"an agent of kind `{kind}` runs in the examiner's own process, where the key is",
            f"`{kind}` 类的 Agent 在考官自己的进程里运行，而密钥就在其中",
        ),
        where="--agent",
        how=say(
            "run it as a program of its own: command:…, http://…, or openai:MODEL@URL without tools",
            "请让它作为独立程序运行：command:…、http://…，或不带工具的 openai:MODEL@URL",
        ),
    )


def _require_many(found: Slice) -> None:
    """Its figures would tell of no single case. Raises BadInput."""
    clusters = len(set(found.tags.values()))
    if clusters < LEAST_CLUSTERS:
        raise BadInput(
            say(
                f"{clusters} clusters; a figure over fewer than {LEAST_CLUSTERS} tells of single cases, "
                "so none would leave",
                f"只有 {clusters} 簇；少于 {LEAST_CLUSTERS} 簇的指标会透露单个用例，因此不会给出任何指标",
            ),
            where=found.name,
            how=say(
                "nothing is debited; `seal draw` or `seal add` more",
                "没有计次；请用 `seal draw` 或 `seal add` 补充",
            ),
        )


def _with_cases(prepared: Prepared, found: Slice, name: str) -> Prepared:
    case_set = _case_set(found.cases, name)
    return replace(
        prepared,
        run=prepared.run.model_copy(update={"cases": (name,)}),
        case_set=case_set,
        scorer=Scorer(case_set, pass_at=prepared.project.score.pass_at),
        player=player_of(prepared.project, case_set.cases),
    )


def _case_set(cases: Sequence[Any], name: str) -> CaseSet:
    return CaseSet(cases=tuple(cases), paths=(name,), digest=digest(cases))
