"""Cells of memory that steer: positions that a parser keeps in memory, since addresses are made of what is read there.

Which cells these are is seen when they are read. One steers at a place as long as it may be read again so: from there
on in the same procedure, or in those that have called it. Of a pointer only the offset counts: where in an object the
parser is, not which object it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeAlias

from pincer.engines.merged.accesses import Accesses
from pincer.engines.merged.limits import LIMITS
from pincer.engines.merged.state import Activation, State
from pincer.engines.merged.steering import Steering
from pincer.engines.merged.values import Value
from pincer.logic.terms import Term
from pincer.program.control_flow import Edge, Procedure
from pincer.program.graphs import reachable

Cell: TypeAlias = tuple[int, int]
"""An object, by the start of its slot, and an offset in it."""


class SteeringCells:
    """The cells of a run, those that are `known` to steer somewhere. `number` is the value of a term in a state, if it
    is one number."""

    def __init__(self, steering: Steering, accesses: Accesses, number: Callable[[State, Term], int | None]) -> None:
        self._steering, self._accesses, self._number = steering, accesses, number
        self._uses: dict[str, dict[int, set[Cell]]] = {}
        self._found: dict[tuple[str, int], frozenset[Cell]] = {}
        self.known: set[Cell] = set()

    def note(self, state: State, edge: Edge) -> None:
        """An edge is followed: what it reads to make addresses of steers."""
        activation = state.activation
        for read in self._steering.reads(activation.procedure, edge):
            address = self._number(state, read.args[0])
            if address is None:
                continue
            cell = self._accesses.divided(address)
            if cell in self.known or len(self.known) < LIMITS.cells:
                self._used(activation, edge.source, cell)

    def _used(self, activation: Activation | None, location: int, cell: Cell) -> None:
        self.known.add(cell)
        while activation is not None:
            here = self._uses.setdefault(activation.procedure.name, {}).setdefault(location, set())
            if cell not in here:
                here.add(cell)
                self._found.clear()
            location = activation.call.source if activation.call is not None else 0
            activation = activation.caller

    def is_known(self, address: Value) -> bool:
        """Whether what is stored at an address steers somewhere."""
        return isinstance(address, int) and self._accesses.divided(address) in self.known

    def is_steering(self, state: State, edge: Edge, register: Term) -> bool:
        """Whether a register steers behind an edge."""
        return register in self._steering.registers(state.activation.procedure, edge.target)

    def at(self, state: State) -> frozenset[Cell]:
        """The cells that steer where a state is."""
        if not self.known:
            return frozenset()
        activation: Activation | None = state.activation
        location, found = state.location, frozenset[Cell]()
        while activation is not None:
            found |= self.read_from(activation.procedure, location)
            location = activation.call.target if activation.call is not None else 0
            activation = activation.caller
        return found

    def read_from(self, procedure: Procedure, location: int) -> frozenset[Cell]:
        """The cells that a procedure may read from a location on, to make addresses of what is in them."""
        key = procedure.name, location
        known = self._found.get(key)
        if known is None:
            uses = self._uses.get(procedure.name, {})
            places = reachable((location,), procedure.following) if uses else ()
            known = self._found[key] = frozenset(cell for place in places for cell in uses.get(place, ()))
        return known

    def held(self, state: State, cells: frozenset[Cell]) -> Iterator[object]:
        """What cells hold, as far as it steers."""
        for base, offset in sorted(cells):
            slot = self._accesses.slot(state, base)
            cell = slot[0][1].cells.get(offset) if len(slot) == 1 else None
            value = None if cell is None else cell[1]
            yield self._accesses.divided(value)[1] if isinstance(value, int) else None
