"""What a result depends on, as digests part by part: how a part is made, joined and compared."""

import hashlib
from collections.abc import Collection, Mapping
from typing import Any

from fairtrial.schema.fingerprint import Fingerprint, Part, PartDifference, PartName
from fairtrial.text.json import encode
from fairtrial.text.language import say

AGENTS_SIDE = frozenset(
    map(PartName, ("model", "prompt", "examples", "sampling", "tools", "retrieval", "agent"))
)
"""The parts that tell who was asked: all that the agent's own people may change."""


def agents_side(fingerprint: Fingerprint) -> str:
    """16 hexadecimal digits over who was asked, whatever was asked and scored: the known parts of it."""
    parts = fingerprint.parts
    known = {name: parts[name].digest for name in AGENTS_SIDE if name in parts and parts[name].digest}
    return digest_of(known)[:16]


def digest_of(value: Any) -> str:
    """32 hexadecimal digits (SHA-256, cut) of a plain value: keys in any order, lists in theirs."""
    return hashlib.sha256(encode(_ordered(value))).hexdigest()[:32]


def part(value: Any, says: str) -> Part:
    """A part that is known: the digest of a plain value, which may be nothing at all, and its few words."""
    return Part(digest=digest_of(value), says=says)


def unknown(why: str) -> Part:
    """A part that is not known, which is never "the same"."""
    return Part(digest=None, says=why)


def whole(parts: Mapping[PartName, Part] | Mapping[str, Part]) -> Fingerprint:
    """The parts in their order, and 16 hexadecimal digits over the known ones."""
    ordered = {name.value: parts[name] for name in PartName if name in parts}
    known = [[name, part.digest] for name, part in ordered.items() if part.digest is not None]
    return Fingerprint(whole=digest_of(known)[:16], parts=ordered)


def differences(base: Fingerprint, candidate: Fingerprint) -> tuple[PartDifference, ...]:
    """The parts that are not known to be the same on both sides, in their order.

    One that a side lacks, as in a log of an earlier version, is not known there.
    """
    found = []
    for name in PartName:
        one, other = (side.parts.get(name) or _absent() for side in (base, candidate))
        known = one.digest is not None and other.digest is not None
        if not known or one.digest != other.digest:
            base_says, candidate_says = _told_apart(one, other) if known else (one.says, other.says)
            found.append(PartDifference(part=name, base=base_says, candidate=candidate_says, known=known))
    return tuple(found)


def changed_parts(
    base: Fingerprint, candidate: Fingerprint, *, without: Collection[str] = ()
) -> tuple[PartDifference, ...]:
    """Those `differences` that show a change: two digests, or a part that only one side knows.

    What neither side knows may have changed or not. Those `without` are left out.
    """
    known = {
        name for side in (base, candidate) for name, part in side.parts.items() if part.digest is not None
    }
    return tuple(found for found in differences(base, candidate) if found.part in known.difference(without))


def _told_apart(one: Part, other: Part) -> tuple[str, str]:
    """Their words, with the beginning of the digest where the words alone are the same."""
    if one.says != other.says:
        return one.says, other.says
    first, second = (f"{side.says} #{(side.digest or '')[:8]}" for side in (one, other))
    return first, second


def _absent() -> Part:
    return unknown(say("not recorded", "没有记录"))


def _ordered(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {key: _ordered(value[key]) for key in sorted(value)}
    return [_ordered(item) for item in value] if isinstance(value, list | tuple) else value
