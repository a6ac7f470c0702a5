"""What a read of memory yields after an update, written as a conditional over what was there before.

A proof obligation is about one edge, so there is at most one update between the state before and the state after it.
Reading through the update, rather than updating an array, covers every label (copies of symbolic size included) and
leaves the solver with plain reads of unknown functions.

There are two ways to read several bytes. The exact one puts single bytes together. The coarse one has an unknown
function per number of bytes, and lets a read that overlaps an update in part have any value: reads at different
addresses or of different sizes then know nothing of each other. Every memory is also a coarse memory, so what holds of
all coarse ones holds; and coarse questions are far easier. What they cannot settle is asked again exactly.

Where conditions are `known` to hold before the update, a read that they decide is the value it reads: most reads after
an update are of other objects, and the proof says so.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Sequence

from msgspec import Struct

from pincer.evidence.c_proof.smt import Node, Script


class Bytes(Struct, frozen=True):
    """The contents of memory in some state."""

    script: Script

    def byte(self, address: Node) -> Node:
        """The byte at an address."""
        raise NotImplementedError
        raise NotImplementedError
        raise NotImplementedError

    def coarse_load(self, address: Node, size: int) -> Node:
        """A little-endian read, with any value where bytes of different origin would meet."""
        raise NotImplementedError
        raise NotImplementedError
        raise NotImplementedError

    def load(self, address: Node, size: int) -> Node:
        """A little-endian read, byte by byte."""
        value = self.byte(address)
        for i in range(1, size):
            value = self.script.concat(self.byte(self.script.shifted(address, i)), value)
        return value

    def _outside(self, address: Node, size: int, start: Node, length: Node) -> tuple[Node, Node]:
        """`size` bytes at an address lie outside of `length` bytes (not 0) from a start."""
        script = self.script
        after = script.at_most(length, script.difference(address, start))
        before = script.at_most(script.constant(size, address.width), script.difference(start, address))
        return after, before


class _Marked(Bytes, frozen=True, kw_only=True):
    """One of several updates of the same memory has a `mark` of its own: what they leave open differs."""

    mark: str = ""

    def _mixed(self, address: Node, size: int) -> Node:
        """The unknown value of a coarse read that is neither wholly new nor wholly old."""
        return AnyBytes(self.script, "mixed" + self.mark).coarse_load(address, size)


class Updated(_Marked, frozen=True):
    """After an update of `before`, made in a state in which the `known` conditions hold."""

    before: Bytes
    known: Container[Node]

    def _given(self, conditions: Iterable[Node]) -> Node:
        """What the conditions come to when the known ones hold."""
        return self.script.conjunction(condition for condition in conditions if condition not in self.known)


class AnyBytes(Bytes, frozen=True):
    """Contents about which nothing is known; the same name is the same contents."""

    name: str

    def byte(self, address: Node) -> Node:
        return self.coarse_load(address, 1)

    def coarse_load(self, address: Node, size: int) -> Node:
        array = self.script.array(f"{self.name} {size}", address.width, 8 * size)
        return self.script.read(array, address, 8 * size)


class Stored(Updated, frozen=True):
    """After a store of a value of whole bytes."""

    address: Node
    value: Node

    def byte(self, address: Node) -> Node:
        size = self.value.width // 8
        distance = self.script.distance(address, self.address)
        if distance is not None:
            return self._of_value(distance) if distance < size else self.before.byte(address)
        result = self.before.byte(address)
        for i in range(size):
            here = self.script.equal(address, self.script.shifted(self.address, i))
            result = self.script.conditional(here, self._of_value(i), result)
        return result

    def coarse_load(self, address: Node, size: int) -> Node:
        script, length = self.script, self.value.width // 8
        distance = script.distance(address, self.address)
        if distance is not None and distance + size <= length:
            return script.extract(8 * (distance + size) - 1, 8 * distance, self.value)
        outside = self._given(self._outside(address, size, self.address, script.constant(length, address.width)))
        partly = self._mixed(address, size)
        new = script.extract(8 * size - 1, 0, self.value) if size <= length else partly
        inside = script.conditional(script.equal(address, self.address), new, partly)
        return script.conditional(outside, self.before.coarse_load(address, size), inside)

    def _of_value(self, index: int) -> Node:
        return self.script.extract(8 * index + 7, 8 * index, self.value)


class Ranged(Updated, frozen=True):
    """After `size` bytes from `start` on got new values: `inside` reads some of them, by distance from the start."""

    start: Node
    size: Node
    inside: Callable[[Node, int], Node]

    def byte(self, address: Node) -> Node:
        distance = self.script.difference(address, self.start)
        covered = self.script.below(distance, self.size)
        return self.script.conditional(covered, self.inside(distance, 1), self.before.byte(address))

    def coarse_load(self, address: Node, size: int) -> Node:
        script = self.script
        distance, needed = script.difference(address, self.start), script.constant(size, address.width)
        within = script.at_most(distance, script.binary("bvsub", self.size, needed))
        covered = script.conjunction((script.at_most(needed, self.size), within))
        empty = script.equal(self.size, script.constant(0, address.width))
        kept = script.disjunction((empty, self._given(self._outside(address, size, self.start, self.size))))
        old = script.conditional(kept, self.before.coarse_load(address, size), self._mixed(address, size))
        return script.conditional(covered, self.inside(distance, size), old)


class Beyond(Updated, frozen=True):
    """Unchanged where `kept` holds of an address and a number of bytes there, arbitrary elsewhere."""

    kept: Callable[[Node, int], Iterable[Node]]
    other: AnyBytes

    def byte(self, address: Node) -> Node:
        kept = self._given(self.kept(address, 1))
        return self.script.conditional(kept, self.before.byte(address), self.other.byte(address))

    def coarse_load(self, address: Node, size: int) -> Node:
        kept = self._given(self.kept(address, size))
        old = self.before.coarse_load(address, size)
        return self.script.conditional(kept, old, self.other.coarse_load(address, size))


class StaticBytes(Bytes, frozen=True):
    """The initial contents of static objects: initialised bytes from the front, zero up to the size.

    Where there is no object memory is zero: a program never reads there, and an object that begins there later has
    contents of its own. Objects come as (address, size, bytes). Those with more than `MOST` initialised bytes are
    `unknown` when the address is not a constant: less can be proved of them, nothing wrong.
    """

    unknown: Bytes
    objects: Sequence[tuple[int, int, bytes]]

    MOST = 1024

    def byte(self, address: Node) -> Node:
        if address.value is not None:
            for start, size, contents in self.objects:
                index = address.value - start
                if 0 <= index < size:
                    return self.script.constant(contents[index] if index < len(contents) else 0, 8)
            return self.script.constant(0, 8)
        result = self.script.constant(0, 8)
        for start, size, contents in self.objects:
            initialised = contents.rstrip(b"\0")
            if size and initialised:
                result = self._inside(address, start, size, initialised, result)
        return result

    def coarse_load(self, address: Node, size: int) -> Node:
        return self.load(address, size)

    def _inside(self, address: Node, start: int, size: int, contents: bytes, outside: Node) -> Node:
        script, width = self.script, address.width
        covered = script.below(script.shifted(address, -start), script.constant(size, width))
        if len(contents) > self.MOST:
            return script.conditional(covered, self.unknown.byte(address), outside)
        value = script.constant(0, 8)
        for index, byte in enumerate(contents):
            if byte:
                here = script.equal(address, script.constant(start + index, width))
                value = script.conditional(here, script.constant(byte, 8), value)
        return script.conditional(covered, value, outside)


class Rooms(Struct, frozen=True):
    """The sizes of the live objects in some state, by the number of their slot."""

    script: Script
    width: int

    def at(self, slot: Node) -> Node:
        """The size of the object in a slot, 0 without one."""
        raise NotImplementedError
        raise NotImplementedError
        raise NotImplementedError


class AnyRooms(Rooms, frozen=True):
    """Sizes about which nothing is known beyond a fact about each slot; the same name is the same sizes."""

    name: str
    fact: Callable[[Node, Node], Node]

    def at(self, slot: Node) -> Node:
        array = self.script.array(self.name, slot.width, self.width)
        return self.script.noted_read(array, slot, self.width, lambda room: self.fact(slot, room))


class StaticRooms(Rooms, frozen=True):
    """The sizes of given slots; all others hold no object."""

    sizes: Sequence[tuple[int, int]]

    def at(self, slot: Node) -> Node:
        script = self.script
        room = script.constant(0, self.width)
        for number, size in self.sizes:
            here = script.equal(slot, script.constant(number, slot.width))
            room = script.conditional(here, script.constant(size, self.width), room)
        return room


class Resized(Rooms, frozen=True):
    """After the object in one slot got another size."""

    before: Rooms
    slot: Node
    size: Node

    def at(self, slot: Node) -> Node:
        here = self.script.equal(slot, self.slot)
        return self.size if here.is_true else self.script.conditional(here, self.size, self.before.at(slot))


class RoomsBeyond(Rooms, frozen=True):
    """Unchanged where `kept` holds of the slot, arbitrary elsewhere."""

    before: Rooms
    kept: Callable[[Node], Node]
    other: Rooms

    def at(self, slot: Node) -> Node:
        return self.script.conditional(self.kept(slot), self.before.at(slot), self.other.at(slot))
