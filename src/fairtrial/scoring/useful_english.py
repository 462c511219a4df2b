"""English: nouns, findings, invented names and keyword stuffing of a reply."""

import re

from fairtrial.scoring import useful_lexicon as lexicon
from fairtrial.scoring.useful_facts import Background, Reading
from fairtrial.scoring.useful_sentences import said, steps
from fairtrial.text.words import FUNCTION_EN, GENERIC_EN, KNOWN_EN, english, sentences, stem, stems

_GENERIC = frozenset(stem(word) for word in GENERIC_EN | FUNCTION_EN)
# A run of capitalised words inside a sentence. What stands first or after a colon may be a heading, what
# stands after `choose` a button.
_CHOOSE = ("choose", "select", "click", "tap", "press", "open", "hit")
_BUTTON = "".join(rf"(?<!\b{verb} [A-Z])" for verb in _CHOOSE)
_CAPITALISED = re.compile(rf"[A-Z](?<=[a-z,] [A-Z]){_BUTTON}[a-z]{{2,20}}(?: [A-Z][a-z]{{2,20}}){{0,3}}")
_TOKEN = re.compile(r"[A-Za-z0-9][\w'-]*")
_SEGMENT = re.compile(r"[^,;.!?\n]+")
# The words that bind nearly every English sentence; of real replies a sixth of the words at least.
_BINDING = frozenset(word for word in FUNCTION_EN if len(word) <= 3)
_TOKENS, _FEW = 10, 0.10


def read_english(text: str, around: Background, reading: Reading) -> None:
    """Read the words of a prepared text whose unsupported facts are holes."""
    told: list[tuple[str, bool]] = []
    found: set[str] = set()
    for sentence in sentences(text):
        plain = said(sentence).lower()
        if not plain:
            continue
        told.append((plain, around.checked and _doubt_names(sentence, around, reading)))
        nouns = _nouns(plain)
        found |= nouns
        if not reading.finding and _finds(plain):
            reading.finding = not nouns.isdisjoint(around.all.words)
    shared = found & around.all.words
    reading.shared += 0.5 * len(shared)
    reading.new_nouns = len((shared if around.checked else found) - around.user.words)
    reading.step = steps(told, "en")
    reading.stuffed = _is_stuffed(text)


def _nouns(plain: str) -> set[str]:
    """Stems of the words that name something; without a lexicon, verbs and adjectives are among them."""
    named = stems([word for word in english(plain) if len(word) > 2 and word not in FUNCTION_EN])
    return {one for one in named - _GENERIC if len(one) > 2}


def _finds(plain: str) -> bool:
    """Whether a sentence denies something, or says that something has been done."""
    if lexicon.NEGATIVE_EN.search(plain) and lexicon.NEGATIVE_EN.search(lexicon.NO_FINDING_EN.sub("", plain)):
        return True
    return lexicon.OUTCOME_EN.search(plain) is not None


def _doubt_names(sentence: str, around: Background, reading: Reading) -> bool:
    """Count the names that no source has; whether there are any."""
    before = reading.unsupported
    for match in _CAPITALISED.finditer(sentence):
        words = match[0].lower().split()
        strange = sum(word not in KNOWN_EN and not _is_borne(stem(word), around) for word in words)
        if 2 * strange > len(words):
            reading.doubt_name()
    return reading.unsupported > before


def _is_borne(word: str, around: Background) -> bool:
    return word in around.all.words or word in _GENERIC


def _is_stuffed(text: str) -> bool:
    """Whether prose has hardly a binding word, or falls apart into single words."""
    prose = "\n".join(line for line in text.split("\n") if ": " not in line[:40])
    tokens = _TOKEN.findall(prose)
    if len(tokens) < _TOKENS:
        return False
    if len([token for token in tokens if token.lower() in _BINDING]) < _FEW * len(tokens):
        return True
    segments = _SEGMENT.findall(prose)
    if len(segments) < _TOKENS - 2:
        return False
    single = len([segment for segment in segments if len(segment.split()) == 1])
    return single >= _TOKENS - 2 and 5 * single > 3 * len(tokens)
