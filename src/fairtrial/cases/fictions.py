"""What stands for a personal detail: of its shape, drawn by a keyed hash, if it can be, nobody's."""

import hashlib
import random
import re
from collections.abc import Callable, Sequence
from functools import cache

from fairtrial.text.normalise import fold_signs
from fairtrial.text.personal import as_digits
from fairtrial.text.personal_names import lists, parts_of_chinese
from fairtrial.text.personal_numbers import id_card_check, luhn_check
from fairtrial.text.personal_places import WAYS, YARDS
from fairtrial.text.personal_words import words

_UNASSIGNED = ("142", "143", "154", "160", "163", "164", "168", "169", "179", "194")
"""Beginnings of eleven digits that no Chinese mobile number has (phonenumbers' metadata, 2025)."""
TEXTS = frozenset(("email", "url", "username", "wechat", "ip"))
_PATH_WORDS = frozenset(words("of a path"))


def canonical(kind: str, written: str) -> str:
    """One form of all ways to write a detail: +86 138-0013 8000 and 一三八零零一三八零零零 are the same."""
    folded = as_digits(written).casefold()
    if kind in TEXTS:
        return folded.replace(" ", "")
    if kind in ("name", "address"):
        return re.sub(r"[\s.,]+", " " if folded.isascii() else "", folded).strip()
    plain = re.sub(r"[^0-9a-z\u3400-\u9fff]", "", folded)
    if kind == "phone" and re.match(r"\+1|1[-. (]", folded):
        plain = plain.removeprefix("1")
    return re.sub(r"^(?:00)?86(?=1[3-9]\d{9}$)", "", plain)


class Fictions:
    """Draws fictions under a key; the same key, kind and detail give the same one."""

    def __init__(self, key: bytes) -> None:
        self._key = hashlib.sha256(key).digest()

    def digest(self, original: str) -> str:
        """16 hexadecimal digits of a keyed hash."""
        return hashlib.blake2b(original.encode(), key=self._key, digest_size=8).hexdigest()

    def drawn(self, *about: object) -> random.Random:
        """Chance that depends on the key and on what it is about alone."""
        return random.Random(self.digest("\0".join(map(str, about))))

    def of(self, kind: str, original: str, written: str, attempt: int) -> str:
        """A fiction in the canonical form or, of names, addresses and texts, as it is written."""
        digits = "".join(c for c in original if c.isdigit())
        # By its digits alone, so that JD2840 and 2840 have the same ones.
        rng = self.drawn(kind if kind in _WAYS else "code", original if kind in TEXTS else digits, attempt)
        if kind == "name":
            return self._name(written, attempt)
        if kind == "address":
            return self._address(written, attempt)
        return _WAYS.get(kind, _code)(original, rng)

    def _name(self, written: str, attempt: int) -> str:
        known = lists()
        if (parts := parts_of_chinese(written)) is not None:
            surname, given = parts
            pool = sorted(name for name in known.given if len(name) == len(given)) or [""]
            drawn = self._one_of(_surnames(), "surname", surname)
            return drawn + (self._one_of(pool, "given", given, attempt) if given else "")
        words = re.split(r"([\s·-]+)", written)
        return "".join(
            word if at % 2 else self._word(word, at == 0, attempt) for at, word in enumerate(words)
        )

    def _word(self, word: str, first: bool, attempt: int) -> str:
        known = lists()
        if len(word.rstrip(".")) < 2 or not word[0].isalpha():
            return word
        if not word.isascii() and "\u3400" <= word[0] <= "\u9fff":
            return self._one_of(sorted(name for name in known.given if len(name) > 1), "given", word, attempt)
        from faker.providers.person.en_US import Provider as English

        small = word.lower()
        if not first and small not in known.first:
            pool = English.last_names
        elif small.title() in English.first_names_female and small.title() not in English.first_names_male:
            pool = English.first_names_female
        else:
            pool = English.first_names_male
        new = self._one_of(tuple(pool), "word", small, attempt if first else 0)
        return new.lower() if word.islower() else new.upper() if word.isupper() else new

    def _one_of(self, pool: Sequence[str], *about: object) -> str:
        """One of the pool that is not the last but one thing it is about."""
        original = str(about[1])
        fits = [one for one in pool if one.casefold() != original.casefold()] or list(pool)
        return self.drawn(*about).choice(fits)

    def _address(self, written: str, attempt: int) -> str:
        if written.isascii() or not re.search("[\u3400-\u9fff]", written):
            return self._street(written, attempt)
        from faker.providers.address.zh_CN import Provider as Chinese

        places = [name for name in Chinese.districts if not name.endswith(("区", "城", "市"))]
        kept = _KEPT.match(written)
        start = kept.end() if kept else 0
        named = _NAMED.sub(
            lambda m: self._one_of(places, "place", m["name"], attempt) + m["kind"], written[start:]
        )
        return written[:start] + self._numbers(named, attempt)

    def _street(self, written: str, attempt: int) -> str:
        from faker.providers.person.en_US import Provider as English

        pool = tuple(English.last_names)
        named = _STREET.sub(
            lambda m: m["before"] + self._one_of(pool, "street", m["name"].lower(), attempt) + m["after"],
            written,
        )
        return re.sub(
            r"(?<=[A-Z]{2} )\d{5}",
            lambda m: "00" + self._numbers(m[0][2:], attempt),
            self._numbers(named, attempt),
        )

    def _numbers(self, text: str, attempt: int) -> str:
        return re.sub(
            r"\d+",
            lambda m: pour(_code(fold_signs(m[0]), self.drawn("door", fold_signs(m[0]), attempt)), m[0]),
            text,
        )


_KEPT = re.compile(
    "(?:[\u3400-\u9fff]{2,8}?(?:省|自治区|特别行政区) ?)?(?:[\u3400-\u9fff]{2,7}?市 ?)?"
    f"(?:(?<!.)(?:{'|'.join(words('towns'))}))?"
)
_KINDS = f"新区|开发区|街道|{WAYS}|{YARDS}|区|县|镇|乡"
_NAMED = re.compile(rf"(?P<name>(?:(?![号栋幢座])[\u3400-\u9fff])+?)(?P<kind>{_KINDS})(?!号)")
_STREET = re.compile(
    r"(?P<before>(?:^|, )\d\S* (?:[NSEWnsew]\.? )?)(?P<name>[A-Za-z0-9'. -]+?)"
    r"(?P<after> (?i:street|st|avenue|ave|road|rd|boulevard|blvd"
    r"|lane|ln|drive|dr|court|ct|way|place|pl|square|sq|terrace|ter|parkway|pkwy|highway|hwy|circle|crescent|close|grove|mews|hill|walk|row"
    r"|trail)(?![A-Za-z]))"
)


@cache
def _surnames() -> tuple[str, ...]:
    from faker.providers.person.zh_CN import Provider as Chinese

    return tuple(name for name in list(Chinese.last_names)[:100] if len(name) == 1)


def _like(text: str, rng: random.Random, *, keep: int = 0) -> str:
    """Letters for letters, digits for digits; the first `keep` characters stay."""
    made, letters = text[:keep], random.Random(rng.getrandbits(64))
    for c in text[keep:]:
        if c.isdigit():
            made += rng.choice("123456789" if not made[-1:].isdigit() and c != "0" else "0123456789")
        else:
            made += letters.choice("abcdefghjkmnpqrstuvwxyz") if c.isalpha() and c not in "挂学警" else c
    return made


def _code(plain: str, rng: random.Random) -> str:
    if re.fullmatch(r"1[3-9]\d{9}", plain):
        return rng.choice(_UNASSIGNED) + _like("0" * 8, rng)
    prefix = re.match(r"[a-z\u3400-\u9fff]{0,5}", plain)
    return _like(plain, rng, keep=prefix.end() if prefix else 0)


def _phone(plain: str, rng: random.Random) -> str:
    if re.fullmatch(r"[2-9]\d{9}", plain):
        # In each area 555-0100 to 555-0199 is kept for fiction (NANPA).
        return f"{rng.randint(2, 9)}{rng.randint(0, 89):02}55501{_like('00', rng)}"
    if re.fullmatch(r"0\d{9,11}", plain):  # no number of a subscriber begins with 1
        area = 3 if plain[1] in "12" else 4
        return plain[:area] + "1" + _like("0" * (len(plain) - area - 1), rng)
    if plain.startswith("447") and len(plain) == 12:  # kept for drama by Ofcom
        return "447700900" + _like("000", rng)
    return _code(plain, rng) if len(plain) < 12 else _like(plain, rng, keep=2)


def _id_card(plain: str, rng: random.Random) -> str:
    if len(plain) != 18:
        return _like(plain, rng)
    born = f"{rng.randint(1960, 2004)}{rng.randint(1, 12):02}{rng.randint(1, 28):02}"
    head = f"99{_like('0000', rng)}{born}{_like('000', rng)}"  # no region has 99
    return head + id_card_check(head)


def _card(plain: str, rng: random.Random) -> str:
    head = "9" + _like("0" * (len(plain) - 2), rng)
    return head + luhn_check(head)


def _email(plain: str, rng: random.Random) -> str:
    user = plain.partition("@")[0]
    if user.isdigit():
        return _like(user, rng) + "@example.com"
    first = rng.choice(sorted(name for name in lists().first if name.isascii() and name.isalpha()))
    return f"{first}{rng.randint(10, 999)}@example.com"


def _url(plain: str, rng: random.Random) -> str:
    scheme, _, rest = plain.partition("://")
    path = rest[len(re.split(r"[/?#]", rest)[0]) :]
    return f"{scheme}://example.com" + re.sub(
        r"(?P<key>(?<=[?&])[^/?#&=]+=)|[^/?#&]+",
        lambda m: m[0] if m["key"] or m[0] in _PATH_WORDS else _like(m[0], rng),
        path,
    )


def _ip(plain: str, rng: random.Random) -> str:
    """Of a net for examples (RFC 3849) or for measurements between devices (RFC 2544)."""
    if ":" in plain:
        return f"2001:db8::{rng.randint(1, 0xFFFF):x}"
    return f"198.18.{rng.randint(0, 255)}.{rng.randint(1, 254)}"


_WAYS: dict[str, Callable[[str, random.Random], str]] = {
    "phone": _phone,
    "id_card": _id_card,
    "card": _card,
    "email": _email,
    "url": _url,
    "ip": _ip,
    "username": _like,
    "wechat": lambda plain, rng: _like(plain, rng, keep=5 if plain.startswith("wxid_") else 0),
}


_ZH_DIGIT = "零一二三四五六七八九"


def pour(fiction: str, form: str) -> str:
    """The fiction in the form in which the detail was written: its signs, width, case and kind of digits.

    Where the form has more letters and digits, as +86 before a number, its first ones stay.
    """
    folded = as_digits(form)
    places = [at for at, c in enumerate(folded) if c.isalnum()][-len(fiction) :]
    made = list(form)
    for at, c in zip(reversed(places), reversed(fiction), strict=False):
        made[at] = _as(form[at], c)
    return "".join(made)


def _as(old: str, new: str) -> str:
    if "０" <= old <= "ｚ":
        return chr(ord(_as(fold_signs(old), new)) + 0xFEE0)
    if new.isdigit() and not old.isdigit() and "\u3007" <= old <= "\u9fff":
        return "幺" if old in "幺" and new == "1" else _ZH_DIGIT[int(new)]
    return new.upper() if old.isupper() else new
