"""What is left on the heap at the end of an execution, and what of it can be reached.

As LeakSanitizer does it: an object is reached by a word, at a multiple of its size, that holds an address inside of it.
Words that depend on inputs are told apart, since other inputs may take the same way with other values in them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pincer.execution.machine import MemoryObject, State
from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.control_flow import Allocate, Edge, LeftAllocated
from pincer.program.registers import is_global, is_register, is_temporary

_WIDEST = 8
"""Bytes of the largest cell."""


@dataclass
class FinalHeap:
    """The heap of a state. `running` are the procedures whose variables still count."""

    state: State
    running: frozenset[str] = frozenset()
    _written: dict[int, list[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._word = self.state.world.program.layout.pointer_bits // 8
        objects = self.state.objects.items()
        self.live = {base: found for base, found in objects if found.live and site_of(found) is not None}
        for key in self.state.cells:
            self._written.setdefault(key >> 40, []).append(key & ((1 << 40) - 1))

    @property
    def has_empty(self) -> bool:
        """Whether some object has no bytes: whether it was freed cannot be told."""
        return any(found.size == 0 for found in self.live.values())

    def lost(self, certain: bool) -> list[int]:
        """The objects that nothing leads to; with `certain`, words that depend on inputs lead nowhere."""
        waiting = [base for base, found in self.state.objects.items() if found.live and base not in self.live]
        reached = set(waiting)
        words = self._in_registers(certain)
        while True:
            for word in words:
                base = self._target(word, certain)
                if base is not None and base not in reached:
                    reached.add(base)
                    waiting.append(base)
            if not waiting:
                return [base for base in self.live if base not in reached]
            following = waiting.pop()
            words = self._in_object(following, self.state.objects[following], certain)

    def _target(self, word: int, certain: bool) -> int | None:
        """The object that an address is inside of; where its size depends on inputs only its first byte is certain."""
        base = word & self.state.world.slot_mask
        found = self.live.get(base)
        offset = word & self.state.world.offset_mask
        if found is None or (certain and offset and ("room", base) in self.state.symbols):
            return None
        return base if offset < max(found.size, 1) else None

    def _in_registers(self, certain: bool) -> Iterable[int]:
        for register, value in self.state.registers.items():
            is_certain = not certain or register not in self.state.symbols
            if is_certain and bitvectors.width(register) == 8 * self._word and self._counts(register):
                yield value

    def _counts(self, register: Term) -> bool:
        if not is_register(register) or is_temporary(register):
            return False
        return is_global(register) or register.args[0].owner in self.running

    def _in_object(self, base: int, found: MemoryObject, certain: bool) -> Iterator[int]:
        """The words of an object that were written, or were there at first."""
        size = self._word
        written = self._written.get(found.instance, ())
        starts = {place - place % size for start in written for place in (start, start + _WIDEST - 1)}
        if found.background:
            starts.update(range(0, len(found.background), size))
        for start in starts:
            if start + size > found.size:
                continue
            if certain and self.state.symbolic_load(base + start, size).op != "bvconst":
                continue
            yield self.state.load(base + start, size)


def left_behind(state: State, label: LeftAllocated, running: frozenset[str]) -> tuple[int, ...] | None:
    """The objects whose being allocated is an error at an end of the program; None where that cannot be told for all
    inputs that lead here."""
    heap = FinalHeap(state, running if label.frames else frozenset())
    if not label.lost:
        return tuple(heap.live)
    if heap.has_empty:
        return None
    lost = tuple(heap.lost(certain=False))
    return None if not lost and heap.lost(certain=True) else lost


def site_of(found: MemoryObject) -> Edge | None:
    """Where a heap object was allocated; None for all others."""
    shape = found.shape
    if isinstance(shape, Edge) and isinstance(shape.label, Allocate):
        return shape if shape.label.storage == "heap" and not shape.label.mark else None
    return None
