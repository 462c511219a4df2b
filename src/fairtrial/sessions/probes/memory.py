"""What a user said in one session, and needs in another."""

from collections.abc import Mapping, Sequence
from random import Random

from fairtrial.agents.protocol import Ability
from fairtrial.schema.case import Case
from fairtrial.schema.disturbance import NewSession, Step, Utter
from fairtrial.sessions.probes.matters import NEUTRAL
from fairtrial.sessions.probes.placing import in_front
from fairtrial.sessions.probes.probe import Disturbed, Probe
from fairtrial.sessions.probes.spans import speaks
from fairtrial.text.language import say
from fairtrial.text.words import Tongue

_NOT_YET: Mapping[Tongue, str] = {
    "zh": "先跟你说一声，现在不用处理，请记下来，我下次来再办：",
    "en": "Just so that you know, please note this but do nothing about it yet, I'll come back to it:",
}
# None of these confirms anything: what an agent must ask before a deed, it must still ask.
_NOW: Mapping[Tongue, tuple[str, ...]] = {
    "zh": ("上次跟你说的那件事，我现在来办。", "我上次让你记下的那件事，现在说吧。"),
    "en": (
        "I'm here now about the thing I told you last time.",
        "Last time I asked you to note something. Let's turn to it now.",
    ),
}
_AS_LAST_TIME: Mapping[Tongue, tuple[str, ...]] = {
    "zh": ("接着上次说的：", "还是上次那件事，"),
    "en": ("To go on from last time:", "About the same thing as last time:"),
}


class Memory(Probe):
    """The last turn comes in another session of the same user, the next one, the second, the third after.

    The sessions in between are about something else. In a case of one turn the turn is only to be noted, and
    the user asks for it to be done in the other session. Nothing changes: fair to an agent that promises to
    remember its users, and to no other.
    """

    name = "memory"
    needs = frozenset({Ability.users})

    @property
    def intent(self) -> str:
        """What it examines."""
        return say(
            "whether it knows in another session what a user told it", "换一个会话之后还记不记得用户的话"
        )

    def disturb(self, case: Case, intensity: int, draw: Random, others: Sequence[Case]) -> Disturbed:
        """One new session before the last turn for each point of intensity."""
        last = len(case.input) - 1
        tongue = speaks(case)
        if last > 0:
            goes_on = in_front(case, last, draw.choice(_AS_LAST_TIME[tongue]))
            return Disturbed(steps=(*_sessions(last, intensity, tongue, draw), goes_on), whole=True)
        noted = in_front(case, 0, _NOT_YET[tongue])
        now = Utter(do="utter", before=1, text=draw.choice(_NOW[tongue]))
        return Disturbed(steps=(noted, *_sessions(1, intensity, tongue, draw), now), whole=True)


def _sessions(before: int, times: int, tongue: Tongue, draw: Random) -> list[Step]:
    steps: list[Step] = [NewSession(do="new_session", before=before)]
    for text in draw.sample(NEUTRAL[tongue], times - 1):
        steps.append(Utter(do="utter", before=before, text=text))
        steps.append(NewSession(do="new_session", before=before))
    return steps


PROBES: tuple[Probe, ...] = (Memory(),)
