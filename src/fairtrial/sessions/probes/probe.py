"""What a probe is: it takes a case, and says what is to be done to its session and what must then hold."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from fairtrial.agents.protocol import Ability
from fairtrial.schema.case import Case
from fairtrial.schema.disturbance import Step
from fairtrial.schema.rule import Rule

INTENSITIES = (1, 2, 3)


@dataclass(frozen=True, kw_only=True)
class Disturbed:
    """The steps that a probe adds, and the relation that must hold under them.

    `rules` None: nothing changes, the case's own rules hold. Otherwise they replace the case's rules, all of
    them, and must be at least one. `whole`: the steps mean something only all together; so it is wherever
    rules are replaced.
    """

    steps: tuple[Step, ...]
    rules: tuple[Rule, ...] | None = None
    whole: bool = False


class Unfit(Exception):
    """A probe cannot be tried on this case; the message says why."""


class Probe(ABC):
    """One intent of examination. A new one is a subclass, named by `path/to/file.py:Class` or an entry point.

    `name` is what it is called on the command line and in logs, `needs` what an agent must offer.
    """

    name: ClassVar[str]
    needs: ClassVar[frozenset[Ability]] = frozenset()

    @property
    @abstractmethod
    def intent(self) -> str:
        """What it examines, in a few words of the reader's language."""

    @abstractmethod
    def disturb(self, case: Case, intensity: int, draw: Random, others: Sequence[Case]) -> Disturbed:
        """What to do to a session of `case`, at an intensity of 1 (mild) to 3 (hard).

        The same arguments and state of `draw` give the same result. `others` are the other cases of the
        set, for probes that need a second matter. Steps of `case.disturb` are there already and must be
        left alone. Raises Unfit where the case offers nothing to disturb.
        """
