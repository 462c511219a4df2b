"""How a round is watched: a live bar on a terminal, plain lines elsewhere. Never on stdout."""

import time

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from fairtrial.app.outlook import Outlook
from fairtrial.schema.score import Row
from fairtrial.text.language import say
from fairtrial.text.normalise import visible

_EVERY = 10.0
"""Seconds between plain lines."""


class Watch:
    """Prints the plan, then follows the sessions. A context manager, because the bar owns the terminal.

    Without `outcomes` it only counts: of sealed cases, in their order, each step would tell of one.
    """

    def __init__(self, console: Console, *, pass_at: float = 1.0, outcomes: bool = True) -> None:
        self._console = console
        self._outcomes = outcomes
        self._pass_at = pass_at
        self._bar: Progress | None = None
        self._done = self._missed = self._unanswered = self._total = 0
        self._spoke = time.monotonic()

    def planned(self, outlook: Outlook) -> None:
        """Say what is about to be done, before it is."""
        self._total, self._done, self._pass_at = outlook.sessions, outlook.done, outlook.pass_at
        self._console.print(Text(visible(outlook.text())), soft_wrap=True)
        if self._console.is_terminal and not self._console.is_dumb_terminal:
            self._bar = Progress(
                BarColumn(),
                MofNCompleteColumn(),
                TextColumn("{task.fields[counts]}"),
                TimeRemainingColumn(),
                console=self._console,
                transient=True,
            )
            self._bar.add_task("", total=self._total, completed=self._done, counts="")
            self._bar.start()

    def ended(self, row: Row) -> None:
        """One session more."""
        self._done += 1
        self._unanswered += not row.record.status.counts
        self._missed += row.score.passes(self._pass_at) is False
        if self._bar is not None:
            self._bar.update(self._bar.task_ids[0], completed=self._done, counts=self._counts())
        elif time.monotonic() - self._spoke > _EVERY:
            self._line()

    def _line(self) -> None:
        self._spoke = time.monotonic()
        self._console.print(f"{self._done}/{self._total} {self._counts()}")

    def _counts(self) -> str:
        if not self._outcomes:
            return ""
        return say(
            f"missed {self._missed}, no answer {self._unanswered}",
            f"未命中 {self._missed}，未答 {self._unanswered}",
        )

    def __enter__(self) -> "Watch":
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()
        elif self._total and kind is None:
            self._line()
