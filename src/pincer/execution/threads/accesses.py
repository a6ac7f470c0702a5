"""What a step touches that other threads may touch too: the ground of scheduling points, races and reduction."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Space = Literal["memory", "register", "life", "sync", "thread"]
Role = Literal["", "acquire", "release"]
SMALLEST_OBJECT = 4
"""How many bytes every synchronisation object has at least."""

_BYTES: tuple[Space, ...] = ("memory", "sync")
_DATA: tuple[Space, ...] = ("memory", "register")


class Access(Struct, frozen=True):
    """`size` units from `start` in a space: bytes of memory, a global register (by its number), the life of the
    object at an address, a synchronisation object, or the beginning and end of a thread.

    Synchronisation objects lie in memory, so accesses to their first bytes overlap with those of the library.
    `atomic` accesses do not race with each other. A `release` is never possible while the `acquire` it enables is.
    """

    space: Space
    start: int
    size: int = 1
    write: bool = False
    atomic: bool = False
    role: Role = ""
    name: str = ""

    def is_block(self, word: int) -> bool:
        """Whether it is more than a machine with words of so many bytes does in one step."""
        return self.space == "memory" and self.size > word

    def overlaps(self, other: Access) -> bool:
        if self.space != other.space and not (self.space in _BYTES and other.space in _BYTES):
            return False
        return self.start < other.start + other.size and other.start < self.start + self.size


class Footprint(Struct, frozen=True):
    """All shared accesses of a transition; with `ends`, it ends the program and so matters to every other."""

    accesses: tuple[Access, ...] = ()
    ends: bool = False

    def joined(self, other: Footprint) -> Footprint:
        return Footprint(tuple(dict.fromkeys(self.accesses + other.accesses)), self.ends or other.ends)

    def conflicts(self, other: Footprint) -> bool:
        """Whether the order of the two transitions may matter."""
        if self.ends or other.ends:
            return True
        for a in self.accesses:
            for b in other.accesses:
                if (a.write or b.write) and a.overlaps(b):
                    return True
        return False

    def never_together(self, other: Footprint) -> bool:
        """Whether all that `self` and `other` conflict in is a release and the acquire that waits for it."""
        if self.ends or other.ends:
            return False
        pairs = [(a, b) for a in self.accesses for b in other.accesses if a.overlaps(b) and (a.write or b.write)]
        return any({a.role, b.role} == {"acquire", "release"} for a, b in pairs)


def races(left: Footprint, right: Footprint) -> tuple[Access, Access] | None:
    """Two accesses to the same data, at least one a write, not both atomic as those of the library are."""
    for a in left.accesses:
        for b in right.accesses:
            data = (a.space in _DATA or b.space in _DATA) and a.overlaps(b)
            if data and (a.write or b.write) and not (_is_indivisible(a) and _is_indivisible(b)):
                return a, b
    return None


def _is_indivisible(access: Access) -> bool:
    return access.atomic or access.space == "sync"
