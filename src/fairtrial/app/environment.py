"""The fingerprint of a round that may begin: what its result will depend on, part by part."""

import os
import platform
from pathlib import Path

import fairtrial
from fairtrial.agents.config import OpenAIConfig
from fairtrial.app.agents_side import agents_parts
from fairtrial.app.config import Project, ScoreConfig
from fairtrial.app.prepare import Prepared
from fairtrial.records.fingerprint import part, unknown, whole
from fairtrial.records.packages import installed, lock_of, packages
from fairtrial.schema.case import CaseSet
from fairtrial.schema.fingerprint import Fingerprint, Part, PartName
from fairtrial.schema.user import Persona
from fairtrial.scoring.score import Scorer
from fairtrial.text.language import say

IMAGE = "FAIRTRIAL_IMAGE"


def collect(prepared: Prepared) -> Fingerprint:
    """The fingerprint of a round that may begin; `reported` is not known yet.

    Takes some hundredths of a second: two git processes, the names of package folders, the files that
    `[fingerprint]` names. Holds no secret. Raises BadInput where a named file is not there or the version
    of the vector store cannot be asked for.
    """
    project, run = prepared.project, prepared.run
    times = say(
        f"{run.concurrency} at a time, {run.timeout:g} s a session",
        f"并发 {run.concurrency}，每个会话 {run.timeout:g} 秒",
    )
    python = f"{platform.python_implementation()} {platform.python_version()}"
    here, version = _system(), fairtrial.__version__
    parts = {
        PartName.reported: unknown(say("nobody has replied yet", "还没有回复")),
        PartName.cases: _of_cases(prepared.case_set, project),
        PartName.scorer: _of_scorer(prepared.scorer, project.score),
        PartName.judge: part(None, say("no judge", "没有裁判")),
        PartName.seeds: _seeds(prepared),
        PartName.concurrency: part([run.concurrency, run.timeout], times),
        PartName.clock: part(run.clock, run.clock) if run.clock else unknown(say("not fixed", "未固定")),
        PartName.container: _container(project.fingerprint.image),
        PartName.python: part(python, python),
        PartName.system: part(here, here),
        PartName.packages: packages(installed(), lock_of(project.fingerprint.lock, project.folder)),
        PartName.fairtrial: part(version, version),
    }
    return whole(agents_parts(prepared) | parts)


def rescored(
    fingerprint: Fingerprint | None, case_set: CaseSet, scorer: Scorer, project: Project
) -> Fingerprint | None:
    """The fingerprint of a round that was scored anew: as it was asked, by other rules."""
    if fingerprint is None:
        return None
    anew = {
        PartName.cases.value: _of_cases(case_set, project),
        PartName.scorer.value: _of_scorer(scorer, project.score),
    }
    return whole(fingerprint.parts | anew)


def _of_cases(case_set: CaseSet, project: Project) -> Part:
    """The set, and whoever plays its users: what is asked depends on both."""
    count, digest = len(case_set.cases), case_set.digest
    says = say(f"{count} cases, {digest[:10]}", f"{count} 个用例，{digest[:10]}")
    player = project.user
    if player is None or not any(isinstance(case.user, Persona) for case in case_set.cases):
        return part(digest, says)
    return part(
        [digest, player.model_dump(mode="json")], says + say(", users played: ", "，扮演用户：") + player.type
    )


def _of_scorer(scorer: Scorer, score: ScoreConfig) -> Part:
    says = f"{scorer.digest[:10]}, useful_weight {score.useful_weight:g}, pass_at {score.pass_at:g}"
    return part([scorer.digest, score.useful_weight, score.pass_at], says)


def _seeds(prepared: Prepared) -> Part:
    config, seed = prepared.agent_config, prepared.run.seed
    sent = config.send_seed if isinstance(config, OpenAIConfig) else None
    return part([seed, sent], f"{seed}" + (say(", not sent", "，未发送") if sent is False else ""))


def _container(named: str | None) -> Part:
    image = os.environ.get(IMAGE, "").strip() or named
    if image:
        return part(image, image)
    if any(Path(mark).exists() for mark in ("/.dockerenv", "/run/.containerenv")):
        return unknown(
            say(f"in a container; {IMAGE} does not name its image", f"在容器中；{IMAGE} 没有给出镜像摘要")
        )
    return part(None, say("no container seen", "未见容器"))


def _system() -> str:
    try:
        name = platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, KeyError):
        name = f"{platform.system()} {platform.release()}"
    return f"{name}, {platform.machine()}"
