"""Memory of merged states: objects that exist under conditions, with contents that differ between paths.

A slot holds one object, or several that exclude each other: what is allocated after a conditional allocation lies in
one slot on some paths, and in another on the others. Contents are cells: what was stored, with its width. Cells never
overlap; what is read across them is put together from bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from typing import TypeAlias

from immutables import Map
from msgspec import Struct
from msgspec.structs import replace

from pincer.engines.merged.values import Value, Values
from pincer.logic.decision_diagrams import FALSE, TRUE, Function

Cell: TypeAlias = tuple[int, Value]
"""How many bytes, and what they hold."""
_WIDEST = 8


class Thing(Struct, frozen=True, eq=False):
    """An object: which of all, how large, its first bytes (zeros follow them; None: anything), what was stored since,
    and on which paths it is still alive."""

    number: int
    size: Value
    background: bytes | None
    cells: Map[int, Cell] = Map()
    live: Function = TRUE
    heap: bool = False
    read_only: bool = False


class Meeting(Struct, frozen=True):
    """Executions of two states that become one: those of the first satisfy one guard, those of the second the other."""

    here: Function
    there: Function

    @property
    def guards(self) -> tuple[Function, Function]:
        return self.here, self.there


Slot: TypeAlias = tuple[tuple[Function, Thing], ...]
"""The objects of a slot, and when each is there."""
Memory: TypeAlias = dict[int, Slot]
"""Slots by their first address; those that nothing was done to since the start are not in it."""


class Contents:
    """Reading and writing the bytes of objects. `undefined` gives the symbol of a byte that was never stored."""

    def __init__(self, values: Values) -> None:
        self.values = values
        self.joined = values.conditions.diagrams.joined
        self.undefined: dict[tuple[int, int], Value] = {}

    def load(self, thing: Thing, offset: int, size: int, guard: Function) -> Value:
        """Bytes at an offset inside of an object."""
        cell = thing.cells.get(offset)
        if cell is not None and cell[0] == size:
            return cell[1]
        if thing.background is not None and not _is_overlapped(thing.cells, offset, size):
            return int.from_bytes(thing.background[offset : offset + size], "little")
        whole: Value = 0
        for i in range(size):
            byte = self._byte(thing, offset + i, guard)
            whole = byte if i == 0 else self.values.joined(guard, byte, 8, whole, 8 * i)
        return whole

    def _byte(self, thing: Thing, offset: int, guard: Function) -> Value:
        for back in range(_WIDEST):
            cell = thing.cells.get(offset - back)
            if cell is not None and cell[0] > back:
                return self.values.part(guard, cell[1], 8 * cell[0], 8 * back + 7, 8 * back)
        if thing.background is None:
            return self._anything(thing, offset)
        return thing.background[offset] if offset < len(thing.background) else 0

    def _anything(self, thing: Thing, offset: int) -> Value:
        key = (thing.number, offset)
        found = self.undefined.get(key)
        if found is None:
            found = self.undefined[key] = self.values.fresh(8)
        return found

    def store(self, thing: Thing, offset: int, size: int, value: Value, when: Function, guard: Function) -> Thing:
        """The object with bytes set on some paths."""
        if when != TRUE:
            value = self.values.choose(when, value, self.load(thing, offset, size, guard), 8 * size)
        cell = thing.cells.get(offset)
        cells = thing.cells
        if cell is None or cell[0] != size:
            for start in list(_overlapped(cells, offset, size)):
                cells = self._split(cells, start, offset, size, guard)
        return replace(thing, cells=cells.set(offset, (size, value)))

    def _split(self, cells: Map[int, Cell], start: int, offset: int, size: int, guard: Function) -> Map[int, Cell]:
        """Cells with one of them cut into bytes, of which those inside of a range are gone."""
        width, value = cells[start]
        cells = cells.delete(start)
        for i in range(width):
            if not offset <= start + i < offset + size:
                byte = self.values.part(guard, value, 8 * width, 8 * i + 7, 8 * i)
                cells = cells.set(start + i, (1, byte))
        return cells

    def pieces(self, thing: Thing, offset: int, size: int, guard: Function) -> Iterator[tuple[int, int, Value]]:
        """A range of bytes as the cells that it is made of: offset, size and value of each."""
        at, end = offset, offset + size
        while at < end:
            cell = thing.cells.get(at)
            width = cell[0] if cell is not None and at + cell[0] <= end else 1
            yield at, width, self.load(thing, at, width, guard)
            at += width

    def merged(self, meeting: Meeting, first: Thing, second: Thing, steering: Set[int] = frozenset()) -> Thing:
        """One object in two states; cells at some offsets steer."""
        if first is second:
            return first
        here, there = meeting.guards
        live = self.joined(first.live, here, second.live, there)
        if first.cells is second.cells:
            return replace(first, live=live)
        pieces, is_shared = self._layout(first.cells, second.cells)
        cells = first.cells if is_shared else Map[int, Cell]()
        for offset, size in pieces:
            one = first.cells.get(offset)
            if not is_shared or one is None or one is not second.cells.get(offset):
                ours, theirs = self.load(first, offset, size, here), self.load(second, offset, size, there)
                chosen = self.values.met(meeting.guards, ours, theirs, 8 * size, offset in steering)
                cells = cells.set(offset, (size, chosen))
        return replace(first, live=live, cells=cells)

    @staticmethod
    def _layout(first: Map[int, Cell], second: Map[int, Cell]) -> tuple[list[tuple[int, int]], bool]:
        """Pieces that the cells of two states of one object both divide into; whether none had to be cut."""
        is_shared = True
        found: dict[tuple[int, int], None] = {}
        for cells, others in ((first, second), (second, first)):
            for offset, (size, _) in cells.items():
                other = others.get(offset)
                if (other is not None and other[0] == size) or not _is_overlapped(others, offset, size):
                    found[offset, size] = None
                else:
                    is_shared = False
                    found.update(dict.fromkeys((offset + i, 1) for i in range(size)))
        return list(found), is_shared


def _overlapped(cells: Mapping[int, Cell], offset: int, size: int) -> Iterator[int]:
    """Where the cells begin that share a byte with a range."""
    if cells:
        for start in range(offset - _WIDEST + 1, offset + size):
            cell = cells.get(start)
            if cell is not None and start + cell[0] > offset:
                yield start


def _is_overlapped(cells: Mapping[int, Cell], offset: int, size: int) -> bool:
    return next(_overlapped(cells, offset, size), None) is not None


def merged_slots(
    contents: Contents, meeting: Meeting, first: Slot, second: Slot, steering: Set[int] = frozenset()
) -> Slot:
    """What a slot holds where one of two states goes on; cells at some offsets steer."""
    if first is second:
        return first
    ours = {thing.number: (when, thing) for when, thing in first if thing.live != FALSE}
    theirs = {thing.number: (when, thing) for when, thing in second if thing.live != FALSE}
    found: list[tuple[Function, Thing]] = []
    for number in dict.fromkeys((*ours, *theirs)):
        when, thing = ours.get(number, (FALSE, None))
        other_when, other = theirs.get(number, (FALSE, None))
        together = contents.joined(when, meeting.here, other_when, meeting.there)
        if thing is not None and other is not None:
            found.append((together, contents.merged(meeting, thing, other, steering)))
        elif (only := thing or other) is not None:
            found.append((together, only))
    return tuple(found)
