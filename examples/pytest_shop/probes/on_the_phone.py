"""A probe of our own: customers who tell first how they fared on the phone."""

from fairtrial.schema.disturbance import Edit
from fairtrial.sessions.probes.probe import Disturbed, Probe

_STORY = {
    "zh": "你们客服电话打了三次没人接，页面上的按钮也点不了。",
    "en": "I called you three times and nobody picked up. The button does not work either. ",
}


class OnThePhone(Probe):
    name = "on_the_phone"
    intent = "finds the wish behind a story of missed calls"

    def disturb(self, case, intensity, draw, others):
        """The story once to three times before the first turn; nothing else changes, so the rules stay."""
        language = "zh" if any("\u4e00" <= sign <= "\u9fff" for sign in case.input[0]) else "en"
        step = Edit(do="edit", turn=0, start=0, end=0, text=_STORY[language] * intensity)
        return Disturbed(steps=(step,))
