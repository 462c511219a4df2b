"""The next version of the agent, to be compared with the present one: it tidies what the customer typed."""

import re
import unicodedata

from agent import ShopAgent

_MEANT = {
    "退貨": "退货",
    "退了": "退款",
    "整": "处理",
    "咋": "怎么",
    "refnud": "refund",
    "ship it back": "send it back",
}
_SPACED = re.compile(r"(?<=[0-9])[ -](?=[0-9]{2})|(?<=JD|US)[ -](?=[0-9])", re.I)


class NextAgent(ShopAgent):
    """Knows full-width digits, order numbers with spaces, and more words of everyday speech."""

    def __call__(self, text: str) -> dict:
        text = _SPACED.sub("", unicodedata.normalize("NFKC", text))
        for said, meant in _MEANT.items():
            text = text.replace(said, meant)
        return super().__call__(text)
