"""What a result depends on, part by part, so that a difference between two results can be named."""

from enum import StrEnum

from fairtrial.schema.record import Frozen


class PartName(StrEnum):
    """The parts of a fingerprint, in the order in which they are shown; the words of `--changed`."""

    model = "model"
    """As it was asked for: alias or version."""
    reported = "reported"
    """The versions and system fingerprints that the replies named."""
    prompt = "prompt"
    examples = "examples"
    """Few-shot examples, in their order."""
    sampling = "sampling"
    """Sampling parameters; one that is not set is not 0."""
    tools = "tools"
    retrieval = "retrieval"
    """Vector store: its version, chunking and embedding model, or a digest of its files."""
    agent = "agent"
    """How the agent is reached, and its code: commit and uncommitted change."""
    cases = "cases"
    scorer = "scorer"
    """Rules are part of the cases; this is the code and the settings that apply them."""
    judge = "judge"
    seeds = "seeds"
    concurrency = "concurrency"
    clock = "clock"
    container = "container"
    python = "python"
    system = "system"
    packages = "packages"
    """The installed packages, and whether they are those of the lock file."""
    fairtrial = "fairtrial"


class Part(Frozen, frozen=True, kw_only=True):
    """One part: a digest to compare by, and in a few words what it is. A part with nothing to it has one too.

    `digest` None is not known, which is not "the same": `says` then has the reason.
    """

    digest: str | None
    says: str = ""


class Fingerprint(Frozen, frozen=True, kw_only=True):
    """All parts by name, and one short string for the whole (of the known parts)."""

    whole: str
    parts: dict[str, Part]


class PartDifference(Frozen, frozen=True, kw_only=True):
    """A part that is not the same on both sides, or (`known` False) not known on one of them."""

    part: str
    base: str
    candidate: str
    known: bool = True


class Canary(Frozen, frozen=True, kw_only=True):
    """A fixed prompt asked before a round, and what came back; None where no answer came."""

    prompt: str
    answers: tuple[str | None, ...]
