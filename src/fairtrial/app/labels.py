"""`cases labels`: do questions alike have labels alike, over time and from one labeller to another?"""

from collections.abc import Sequence
from pathlib import Path

from fairtrial.app.config import load_project
from fairtrial.app.prepare import Choices, case_paths, run_config
from fairtrial.cases.labels import drifted
from fairtrial.cases.load import load_or_refuse
from fairtrial.schema.leaks import Labels


def drift(cases: Sequence[Path], *, label: str, config: Path | None = None) -> Labels:
    """Read the set and look at one label. Raises BadInput."""
    run = run_config(load_project(config), Choices(config=config, cases=cases))
    return drifted(load_or_refuse(case_paths(run), without=Path(run.out)).cases, label)
