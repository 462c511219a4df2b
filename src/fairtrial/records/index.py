"""Where each planned session's row lies in the part file, in about 25 bytes a session."""

from array import array
from collections.abc import Sequence

Key = tuple[str, int]


class Index:
    """Planned sessions by (case, trial), and the place of the row of each that is done.

    A dictionary would hold an object or two a session; this holds a hash table of positions and two
    arrays. `planned` is asked again on each look-up, so it may compute its keys. Raises ValueError if it
    names a session twice.
    """

    def __init__(self, planned: Sequence[Key]) -> None:
        self._planned = planned
        size = 1 << (len(planned) * 3 // 2).bit_length()
        self._slots = array("I", bytes(4 * size))  # 0 is free, else position + 1
        self._offsets = array("Q", bytes(8 * len(planned)))
        self._lengths = array("I", bytes(4 * len(planned)))
        self.done = 0
        for position, key in enumerate(planned):
            slot = self._slot(key)
            if self._slots[slot]:
                raise ValueError(f"planned twice: {key}")
            self._slots[slot] = position + 1

    def __len__(self) -> int:
        return len(self._offsets)

    def position(self, key: Key) -> int | None:
        """The session's place in the plan, None if it is not planned."""
        found = self._slots[self._slot(key)]
        return found - 1 if found else None

    def put(self, position: int, offset: int, length: int) -> None:
        """The session's row is `length` > 0 bytes at `offset`."""
        self._offsets[position], self._lengths[position] = offset, length
        self.done += 1

    def place(self, position: int) -> tuple[int, int] | None:
        """Offset and length of the session's row, None while it has none."""
        length = self._lengths[position]
        return (self._offsets[position], length) if length else None

    def _slot(self, key: Key) -> int:
        mask = len(self._slots) - 1
        slot = hash(key) & mask
        while (held := self._slots[slot]) and self._planned[held - 1] != key:
            slot = (slot + 1) & mask
        return slot


class Ordinals(Index):
    """Sessions that are chosen as the run goes, `most` of them: the trial of each is its place, whatever its
    case."""

    def __init__(self, most: int) -> None:
        super().__init__(())
        self._offsets, self._lengths = array("Q", bytes(8 * most)), array("I", bytes(4 * most))

    def position(self, key: Key) -> int | None:
        """The session's place, None beyond the last."""
        return key[1] if key[1] < len(self) else None
