"""The patterns of `useful`, compiled from the tables of useful.txt.

They are for text that is width-folded, simplified and in lower case.
"""

import re
from collections.abc import Iterable
from importlib.resources import files

import re2

from fairtrial.text.words import FUNCTION_EN

_NAME = re.compile(r"\{([a-z ]+)\}")
_OF_WORDS = ("do english", "ask english", "do chinese", "yes or no")  # parted by white space


def _tables() -> dict[str, list[str]]:
    """The patterns or words of each table of useful.txt, the names of others still in them."""
    tables: dict[str, list[str]] = {}
    name = ""
    for line in files("fairtrial.scoring").joinpath("useful.txt").read_text("utf-8").splitlines():
        if line.startswith("= "):
            name = line[2:]
        elif line and not line.startswith("#"):
            tables.setdefault(name, []).extend(line.split() if name in _OF_WORDS else [line])
    return tables


def _any_word(words: Iterable[str]) -> str:
    """One of these words, which stand by their first letter: a search then tries 20 branches and not 150."""
    groups: dict[str, list[str]] = {}
    for word in words:
        groups.setdefault(word[0], []).append(re.escape(word[1:]))
    branches = (f"{first}(?:{'|'.join(rest)})" for first, rest in groups.items())
    return f"(?=[{''.join(groups)}])(?:{'|'.join(branches)})"


_TABLES = _tables()
_ALTERNATIONS = {
    **{name: (_any_word if name in _OF_WORDS else "|".join)(lines) for name, lines in _TABLES.items()},
    "function": _any_word(sorted(FUNCTION_EN)),
}


def _pattern(name: str) -> re.Pattern[str]:
    text = _ALTERNATIONS[name]
    while _NAME.search(text):
        text = _NAME.sub(lambda match: _ALTERNATIONS[match[1]], text)
    return re.compile(text)


DIRECTIVE_EN, DIRECTIVE_ZH = _pattern("directive english"), _pattern("directive chinese")
"""Something to do."""
REQUEST_EN, REQUEST_ZH = _pattern("request english"), _pattern("request chinese")
"""Something that the user is asked to give or decide."""
OFFER_EN, OFFER_ZH = _pattern("offer english"), _pattern("offer chinese")
"""Something that the agent would do, or a choice."""
PLAIN_OFFER_EN = _pattern("plain offer english")
"""An offer of something particular, whatever courtesy stands beside it."""
EMPTY_EN, EMPTY_ZH = _pattern("empty english"), _pattern("empty chinese")
"""Requests, offers and advice without an object."""
NEGATIVE_EN, NEGATIVE_ZH = _pattern("negative english"), _pattern("negative chinese")
"""A negation."""
NO_FINDING_EN, NO_FINDING_ZH = _pattern("no finding english"), _pattern("no finding chinese")
"""Negations that find nothing."""
OUTCOME_EN, OUTCOME_ZH = _pattern("outcome english"), _pattern("outcome chinese")
"""What has been done."""
NOT_THIS_ZH = re.compile(
    "(?:没有|没|无|不含|不提供|不支持)(?:这个|这种|这样的?|此|该|这项|这道|这类|您要的|您说的|您问的)"
    "(?!问题|信息|办法|权限|能力|内容|请求|意思)([\u4e00-\u9fff])"
)
"""`没有这个菜`: what is denied is named by one letter of the question."""
REWRITE, CREATE, CODE = _pattern("rewrite"), _pattern("create"), _pattern("code")
"""User turns that ask for a rewriting, an invention, code."""
ANY_TASK = re2.compile("|".join(_ALTERNATIONS[name] for name in ("rewrite", "create", "code")))
"""Any of these, by RE2, which is quicker to say no."""
CODE_LINE = re.compile(
    r"\s*(?:(?:def|class|import|from|return|if|for|while|else|elif|try|except|const|let|var|function|public|private"
    r"|static|void|int|#include|select|insert|update|create|package|using|fn|func|async|await|export)\b.*[:;{}()=]"
    r"|return\s+[\w'\"\[({.-]+;?|[}\])]+;?|.*[;{}]|//.*|\w[\w.]*\s*=\s*\S.*|</?[a-z][^>]*>.*)\s*",
    re.IGNORECASE,
)
"""A whole line that reads like code."""
YES_NO = frozenset(_TABLES["yes or no"])
"""Bare answers."""
