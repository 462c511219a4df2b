"""The user's side of a round's sessions, and whoever plays the users that are personas."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from fairtrial.agents.config import AgentConfig
from fairtrial.agents.protocol import Agent
from fairtrial.agents.resolve import resolve
from fairtrial.app.config import Project
from fairtrial.app.whom import player_config, recorded
from fairtrial.errors import BadInput
from fairtrial.execution.contract import Talk
from fairtrial.schema.case import Case
from fairtrial.schema.user import Persona, Table
from fairtrial.text.language import say

if TYPE_CHECKING:
    from fairtrial.app.prepare import Prepared


class Talks:
    """Begins the user's side of sessions; what that needs is loaded when the first one begins."""

    def __init__(self, player: Agent | None) -> None:
        self._player = player

    def __call__(self, case: Case, seed: int, asides: bool = False) -> Talk:
        """The user's side of one session of `case`; with `asides` the examiner asks when it is over."""
        from fairtrial.sessions.follow_up import FollowUp
        from fairtrial.sessions.talk import talk_of

        return talk_of(case, seed, players=self._player, asides=FollowUp() if asides else None)


def talks(prepared: "Prepared") -> Talks:
    """The user's side of the sessions of a round."""
    return Talks(prepared.player)


def player_of(project: Project, cases: Iterable[Case]) -> Agent | None:
    """Whoever plays the personas of `cases`, ready to be opened; None where there are none.

    Raises BadInput as `require_speaker`, and as an agent does that cannot be made.
    """
    configs = [require_speaker(project, case) for case in cases if case.user is not None]
    config = next((config for config in configs if config is not None), None)
    return None if config is None else resolve(config, load_records=recorded)


def require_speaker(project: Project, case: Case) -> AgentConfig | None:
    """Whoever plays the user of `case`; None where nobody needs to.

    Raises BadInput for a persona that nobody is named to play, and for a pattern or path of a table that is
    none.
    """
    if isinstance(case.user, Table):
        from fairtrial.sessions.user_table import TableUser

        try:
            TableUser(case.user)
        except BadInput as error:
            raise BadInput(error.what, where=error.where or case.id, how=error.how) from error
    if not isinstance(case.user, Persona):
        return None
    config = player_config(project)
    if config is None:
        raise BadInput(
            say(
                "its user is a persona, and nobody is named to play it", "用户是一个角色，但没有指定由谁扮演"
            ),
            where=case.id,
            how=say(
                "write a [user] table in fairtrial.toml, as an [agent] table is written",
                "请在 fairtrial.toml 写 [user]，写法同 [agent]",
            ),
        )
    return config
