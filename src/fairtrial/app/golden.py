"""The golden samples of a project: which file holds them, and a scorer that must agree with them."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from fairtrial.app.config import Project
from fairtrial.errors import BadInput
from fairtrial.schema.case import CaseSet
from fairtrial.text.language import say

if TYPE_CHECKING:
    from fairtrial.scoring.golden import Mismatch

MADE = "golden.jsonl"
"""Beside fairtrial.toml: what `mark` writes where the project names no file; read where it is there."""


def golden_file(project: Project) -> Path | None:
    """The file of golden samples that the project names, or the one that `mark` made."""
    if project.run.golden:
        return project.path(project.run.golden)
    made = project.path(MADE)
    return made if made.is_file() else None


def require_golden(file: Path | str | None, case_set: CaseSet) -> int:
    """Check the scorer on the golden samples before it checks anyone; how many agreed.

    Raises BadInput with the first mismatch: sample, rule, expected and got.
    """
    if file is None:
        return 0
    from fairtrial.scoring.golden import check_golden, load_golden, strangers  # most rounds have none

    samples = load_golden(Path(file))
    mismatches = check_golden(samples, case_set)
    if mismatches:
        raise _refusal(mismatches, str(file))
    return len(samples) - len(strangers(samples, case_set))


def _refusal(mismatches: "Sequence[Mismatch]", path: str) -> BadInput:
    """One line on a scorer that does not agree with its golden samples."""
    more = len(mismatches) - 1
    others = say(f", and {more} more", f"，另有 {more} 处") if more else ""
    return BadInput(
        mismatches[0].said + others,
        where=path,
        how=say(
            "the scorer or its rules changed: mend them, or the sample if it was wrong; nothing was asked",
            "评分器或规则变了：请修正它，或修正写错的样本；尚未询问 Agent",
        ),
    )
