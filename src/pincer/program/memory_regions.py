"""Objects, pointers into them and regions of bytes, as static analyses see them.

An offset is exact (`stride` 0) or one of `offset + k * stride`: elements of an array of structures keep their fields
apart. Pointer arithmetic stays inside its object, as C demands.
"""

from __future__ import annotations

from math import gcd
from typing import Literal, NamedTuple

from msgspec import Struct

from pincer.program.control_flow import Edge

ObjectKind = Literal["static", "local", "allocated", "function", "thread", "anything"]


class AbstractObject(Struct, frozen=True, eq=False):
    """A static object, a local object with a fixed address, all objects of one allocation site, a function, or the
    threads of one creation site (their identities are values that flow like pointers). Compared by identity."""

    kind: ObjectKind
    name: str
    address: int | None = None
    site: Edge | None = None
    size: int | None = None
    storage: Literal["heap", "stack"] | None = None

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name}>"


ANYTHING = AbstractObject("anything", "anything")
"""What a number of unknown origin may point to: every byte of every object."""


class AbstractPointer(NamedTuple):
    """An address inside an object."""

    object: AbstractObject
    offset: int = 0
    stride: int = 0

    def moved(self, by: int, stride: int = 0) -> AbstractPointer:
        """The pointer plus a constant and any multiple of `stride`."""
        if self.object.kind in ("anything", "thread"):
            return self
        step = gcd(self.stride, stride)
        at = self.offset + by
        return AbstractPointer(self.object, at % step if step else at, step)

    def anywhere(self) -> AbstractPointer:
        """Any place in the same object."""
        return self.moved(0, 1)

    def includes(self, other: AbstractPointer) -> bool:
        """Whether a strided pointer covers all that another one into the same object may be."""
        return self.stride > 0 and other.stride % self.stride == 0 and (other.offset - self.offset) % self.stride == 0

    @property
    def exact(self) -> bool:
        return self.stride == 0 and self.object is not ANYTHING


Pointers = frozenset[AbstractPointer]
UNKNOWN = AbstractPointer(ANYTHING, 0, 1)


class MemoryRegion(NamedTuple):
    """`width` bytes at an address; None is as many as the object has."""

    pointer: AbstractPointer
    width: int | None

    def overlaps(self, other: MemoryRegion) -> bool:
        """Whether the two may have a byte in common."""
        mine, theirs = self.pointer, other.pointer
        if mine.object is ANYTHING or theirs.object is ANYTHING:
            return mine.object.kind != "function" and theirs.object.kind != "function"
        if mine.object is not theirs.object:
            return False
        step = gcd(mine.stride, theirs.stride)
        if step == 0:
            return _before(mine.offset, self.width, theirs.offset) and _before(theirs.offset, other.width, mine.offset)
        if self.width is None or other.width is None:
            return True
        apart = (mine.offset - theirs.offset) % step
        return apart < other.width or step - apart < self.width


def _before(start: int, width: int | None, other: int) -> bool:
    """Whether a range that starts at `start` goes beyond `other`, if it starts before it."""
    return width is None or other < start + width
