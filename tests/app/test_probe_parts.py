"""Shrinking leaves out only what can be left out alone."""

from dataclasses import replace
from pathlib import Path

import pytest

from fairtrial.agents.protocol import Ability
from fairtrial.app.probe_grid import grid_of
from fairtrial.app.probe_shrink import Shrinking, _Attempt
from fairtrial.app.probe_sittings import Seen
from fairtrial.cases.load import load_or_refuse
from fairtrial.schema.record import Probed, Status
from fairtrial.sessions.probes.apply import known

SHOP = load_or_refuse([Path(__file__).parents[2] / "examples" / "shop" / "cases"]).cases


@pytest.mark.parametrize("name", ["memory", "change_of_mind", "contradiction"])
def test_half_of_what_means_something_only_whole_is_never_asked(name: str) -> None:
    cases = [case for case in SHOP if case.task_type in ("refund", "exchange", "address")]
    grid = grid_of(cases, [known()[name]], abilities=frozenset(Ability), seed=1)
    group = int(grid.runnable[:, 0, 2].argmax())
    cell = (group, 0, 2)
    base, case, seed = grid.draw(cell, 1)
    failed = Seen(
        case=base.id,
        trial=0,
        probed=Probed(probes=(f"{name}@3",), seed=seed, phase="choose"),
        status=Status.completed,
        failed=True,
        layer=None,
    )
    attempt = _Attempt(grid, Shrinking(cell=cell, failed=[failed]), seed=1)
    asked = set[int]()
    while not attempt.over():
        wanted = attempt.next()
        asked.add(len(wanted.case.disturb))
        attempt.tell(replace(failed, failed=len(wanted.case.disturb) == len(case.disturb)))
    assert len(case.disturb) > 1
    assert asked <= {0, len(case.disturb)}
