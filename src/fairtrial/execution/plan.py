"""Which sessions a run has and in which order, computed as they are asked for."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from fairtrial.execution.contract import Planned, Talk, plan_session, session_seed
from fairtrial.schema.case import Case


class Plan(Sequence[tuple[str, int]]):
    """Every case once, then every case again, `trials` times: a run that is cut short has seen all cases.

    With `whole_cases` all trials of a case come together: a run that is cut short knows what it saw well.
    `talk` begins the user's side of a case that has a `user` or `disturb`, with the session's seed.
    As a sequence it is the (case, trial) of each session; no object is kept for any of them.
    """

    def __init__(
        self,
        cases: Sequence[Case],
        *,
        trials: int,
        run_seed: int,
        whole_cases: bool = False,
        talk: Callable[[Case, int], Talk] | None = None,
    ) -> None:
        self._cases, self._trials, self._run_seed = cases, trials, run_seed
        self._whole_cases, self._talk = whole_cases, talk
        self._places = range(len(cases) * trials)

    def __len__(self) -> int:
        return len(self._places)

    def __getitem__(self, at: int) -> tuple[str, int]:  # type: ignore[override] # nobody cuts slices
        case, trial = self._at(self._places[at])
        return case.id, trial

    def sessions(
        self, done: Callable[[str, int], bool] = lambda case, trial: False, *, first: int | None = None
    ) -> Iterator[Planned]:
        """The sessions that are not `done`, in order; only those among the `first` ones where it is given."""
        for at in self._places[:first]:
            case, trial = self._at(at)
            if not done(case.id, trial):
                talk = self._talk_of(case, trial)
                yield plan_session(self._run_seed, case.id, trial, case.input, talk=talk)

    def _talk_of(self, case: Case, trial: int) -> Callable[[], Talk] | None:
        if self._talk is None or not (case.user or case.disturb):
            return None
        return partial(self._talk, case, session_seed(self._run_seed, case.id, trial))

    def _at(self, place: int) -> tuple[Case, int]:
        if self._whole_cases:
            case, trial = divmod(place, self._trials)
        else:
            trial, case = divmod(place, len(self._cases))
        return self._cases[case], trial
