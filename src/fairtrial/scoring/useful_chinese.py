"""Chinese: nouns, findings, names and keyword stuffing of a reply."""

import re
from collections.abc import Sequence

from fairtrial.scoring import useful_lexicon as lexicon
from fairtrial.scoring.useful_facts import Background, Reading
from fairtrial.scoring.useful_sentences import said, steps
from fairtrial.text.sources import Source
from fairtrial.text.words import FUNCTION_ZH, GENERIC_ZH, KNOWN_ZH, PLACE_ENDS, Word, chinese, sentences, stem

# jieba's parts of speech: of names; of what can stand in a name; of what names something.
_NAME = frozenset(("nr", "ns", "nt", "nz", "nrt", "nrfg"))
_NAME_PART = _NAME | frozenset(("n", "s", "j", "l", "i", "eng", "vn", "an", "ng", "b"))
_NOUN = frozenset("nsjlivabtz")
_NAMELESS = FUNCTION_ZH | GENERIC_ZH
_END: Word = ("。", "x")
_PLACE_ENDS = tuple(PLACE_ENDS)
_TOKENS, _FEW = 10, 0.03
# Chinese prose has no spaces between its words.
_SPACED = re.compile(r"(?<=[\u4e00-\u9fff)）]) +(?=\S)")
_SPACES, _SPACED_LETTERS = 6, 12


def read_chinese(text: str, around: Background, reading: Reading) -> None:
    """Read the words of a prepared text whose unsupported facts are holes."""
    told: list[tuple[str, bool]] = []
    found: set[str] = set()
    tokens = bound = 0
    for sentence in sentences(text):
        words = chinese(sentence)
        if not _is_label(sentence):
            content = [word for word, pos in words if pos != "x"]
            tokens += len(content)
            bound += len([word for word in content if word in FUNCTION_ZH])
        plain = said(sentence)
        if not plain:
            continue
        if plain is not sentence:
            words = chinese(plain)
        strange = _read_names(words, around, reading) if around.checked else ""
        told.append((plain.lower(), bool(strange)))
        nouns = {word for word, pos in words if pos[0] in _NOUN and len(word) > 1 and word not in _NAMELESS}
        if strange:
            nouns = {noun for noun in nouns if noun not in strange}
        found |= nouns
        reading.finding = reading.finding or _finds(plain, nouns, around)
    shared = {noun for noun in found if _has(around.all, noun)}
    reading.shared += 0.5 * len(shared)
    added = shared if around.checked else found
    reading.new_nouns = sum(not _has(around.user, noun) for noun in added)
    reading.step = steps(told, "zh")
    reading.stuffed = (tokens >= _TOKENS and bound < _FEW * tokens) or _is_spaced(text)


def _is_label(sentence: str) -> bool:
    return "：" in sentence[:12] or ":" in sentence[:12]


def _is_spaced(text: str) -> bool:
    if text.count(" ") <= _SPACES:
        return False
    spaces = len(_SPACED.findall(text))
    return spaces > _SPACES and len(text) < _SPACED_LETTERS * spaces


def _has(source: Source, noun: str) -> bool:
    return stem(noun.lower()) in source.words if noun.isascii() else source.bears(noun)


def _finds(sentence: str, nouns: set[str], around: Background) -> bool:
    """Whether a sentence denies or reports something that the question or a source names."""
    bare = lexicon.NO_FINDING_ZH.sub("", sentence)
    if not (lexicon.NEGATIVE_ZH.search(bare) or lexicon.OUTCOME_ZH.search(bare)):
        return False
    if any(_has(around.all, noun) for noun in nouns):
        return True
    same = lexicon.NOT_THIS_ZH.search(bare)
    return same is not None and same[1] in around.user.letters


def _read_names(words: Sequence[Word], around: Background, reading: Reading) -> str:
    """Count the names of a sentence; those that no source has, as one text."""
    strange = ""
    for name in _names(words):
        if name in KNOWN_ZH or name in GENERIC_ZH:
            continue
        if not around.all.bears(name):
            reading.doubt_name()
            strange += name
            continue
        reading.supported += 1
        reading.shared += 0.5
        if not around.user.bears(name):
            reading.new_facts += 1
    return strange


def _names(words: Sequence[Word]) -> list[str]:
    """Runs of noun words that look like the name of a person, a place or a house."""
    names: list[str] = []
    run: list[Word] = []
    for word in (*words, _END):
        if word[1] in _NAME_PART and word[0] not in _NAMELESS:
            run.append(word)
        elif run:
            if _is_name(run):
                names.append("".join(text for text, _ in run))
            run = []
    return names


def _is_name(run: Sequence[Word]) -> bool:
    size, is_named = 0, False
    for word, pos in run:
        size += len(word)
        # The dictionary calls some common words of two letters a person or a mark (宝宝, 美味).
        is_named = is_named or (pos in _NAME and len(word) > 1 + (pos == "nz"))
    if is_named:
        return size > 2 or run[0][1] == "ns"
    return size > 3 and run[-1][0].endswith(_PLACE_ENDS)
