"""Memory of a run without inputs: objects are byte arrays, and bytes that were never written have no value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NoReturn, TypeAlias

from pincer.execution.stepping import Stop
from pincer.program.control_flow import ControlFlowProgram, Edge, StaticObject

MOST_BYTES = 1 << 28
"""Of all objects together; a run that needs more is left to others."""
_AT_FIRST = 1 << 12
"""Bytes that an object has before more of them are touched: some objects are there for their addresses only."""


class NeedsInput(Exception):
    """What happens next is not known without inputs: they decide, or nothing does."""


class _NotSettled:
    """A value that no part of the run has settled: an input, a byte that was never written. What is computed from it is
    not known either. Nobody may decide anything by it, or find an address with it."""

    def _computed(self, *_: object) -> _NotSettled:
        return self

    def _decided(self) -> NoReturn:
        raise NeedsInput

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __neg__ = _computed
    __and__ = __rand__ = __or__ = __ror__ = __xor__ = __rxor__ = _computed
    __lshift__ = __rlshift__ = __rshift__ = __rrshift__ = __floordiv__ = __rfloordiv__ = __mod__ = __rmod__ = _computed
    __lt__ = __le__ = __gt__ = __ge__ = _computed
    __eq__ = __ne__ = _computed  # type: ignore[assignment]
    __bool__ = __index__ = __hash__ = _decided


UNKNOWN: Any = _NotSettled()


class RunEnded(Exception):
    """The run is over."""

    def __init__(self, stop: Stop) -> None:
        super().__init__(stop.message)
        self.stop = stop


Shape: TypeAlias = int | Edge
"""What an object is for states of the machine: the address of a fixed one, the step that made another."""


@dataclass(slots=True)
class StraightObject:
    """An object: its first bytes, and ones in `holes` for those without a value, if there are any.

    Bytes that were not touched yet have no value where there are holes, and are zero elsewhere."""

    size: int
    data: bytearray
    shape: Shape
    origin: str
    holes: bytearray | None
    live: bool = True
    read_only: bool = False


class StraightMemory:
    """The objects of a run by the start of their slots."""

    def __init__(self, program: ControlFlowProgram) -> None:
        layout = program.layout
        self.offset_mask = layout.slot - 1
        self.slot_mask = ((1 << layout.pointer_bits) - 1) & ~self.offset_mask
        self.objects: dict[int, StraightObject] = {}
        self._total = 0
        for item in program.objects:
            self.objects[item.address] = self._static(item)

    def _static(self, item: StaticObject) -> StraightObject:
        made = StraightObject(item.size, bytearray(), item.address, item.name, None, read_only=item.read_only)
        self._reach(made, len(item.contents))
        made.data[: len(item.contents)] = item.contents
        return made

    def _reach(self, found: StraightObject, end: int) -> None:
        """Make room for the bytes before an offset."""
        more = max(end, min(found.size, _AT_FIRST), min(found.size, 2 * len(found.data))) - len(found.data)
        self._total += more
        if self._total > MOST_BYTES:
            raise NeedsInput
        found.data += bytes(more)
        if found.holes is not None:
            found.holes += b"\1" * more

    def load(self, address: int, size: int) -> int:
        """The bytes at an address; what lies outside all objects reads as zero."""
        found = self.objects.get(address & self.slot_mask)
        if found is None:
            return 0
        offset = address & self.offset_mask
        if offset + size > len(found.data):
            self._reach(found, min(offset + size, found.size))
        if found.holes is not None and found.holes.find(1, offset, offset + size) >= 0:
            return UNKNOWN  # type: ignore[no-any-return]
        return int.from_bytes(found.data[offset : offset + size], "little")

    def room(self, address: int) -> int:
        found = self.objects.get(address & self.slot_mask)
        return found.size if found is not None and found.live else 0

    def store(self, address: int, size: int, value: int, edge: Edge) -> None:
        found, offset = self._writable(address, size, edge)
        if value is UNKNOWN:
            if found.holes is None:
                found.holes = bytearray(len(found.data))
            found.holes[offset : offset + size] = b"\1" * size
            return
        found.data[offset : offset + size] = value.to_bytes(size, "little")
        if found.holes is not None:
            found.holes[offset : offset + size] = bytes(size)

    def _writable(self, address: int, size: int, edge: Edge) -> tuple[StraightObject, int]:
        found = self.objects.get(address & self.slot_mask)
        offset = address & self.offset_mask
        if found is None or not found.live or offset + size > found.size:
            raise RunEnded(Stop("check", "write outside of all objects", edge))
        if found.read_only:
            raise RunEnded(Stop("check", f"write to the constant {found.origin}", edge))
        if offset + size > len(found.data):
            self._reach(found, offset + size)
        return found, offset

    def fill(self, address: int, size: int, byte: int, edge: Edge) -> None:
        if size:
            found, offset = self._writable(address, size, edge)
            found.data[offset : offset + size] = bytes([byte & 0xFF]) * size
            if found.holes is not None:
                found.holes[offset : offset + size] = bytes(size)

    def copy(self, target: int, source: int, size: int, edge: Edge) -> None:
        if size == 0 or target == source:
            return
        into, at = self._writable(target, size, edge)
        origin = self.objects.get(source & self.slot_mask)
        first = source & self.offset_mask
        if origin is None or not origin.live or first + size > origin.size:
            raise RunEnded(Stop("check", "read outside of all objects", edge))
        if first + size > len(origin.data):
            self._reach(origin, first + size)
        into.data[at : at + size] = origin.data[first : first + size]
        if into.holes is not None or origin.holes is not None:
            gaps = bytes(size) if origin.holes is None else origin.holes[first : first + size]
            if into.holes is None:
                into.holes = bytearray(len(into.data))
            into.holes[at : at + size] = gaps

    def begin(self, base: int, size: int, shape: Shape, zero: bool, origin: str) -> None:
        """A new object in a slot; it hides what was there."""
        before = self.objects.get(base)
        if before is not None:
            self._total -= len(before.data)
        made = self.objects[base] = StraightObject(size, bytearray(), shape, origin, None if zero else bytearray())
        self._reach(made, 0)

    def end(self, base: int) -> None:
        found = self.objects.get(base)
        if found is not None:
            found.live = False
