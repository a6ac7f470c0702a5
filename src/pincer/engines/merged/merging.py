"""One state in the place of two."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set

from pincer.engines.merged.accesses import Accesses
from pincer.engines.merged.cells import Cell
from pincer.engines.merged.memory import Meeting, Memory, merged_slots
from pincer.engines.merged.state import Registers, State
from pincer.engines.merged.steering import Steering
from pincer.engines.merged.values import Values
from pincer.logic.bitvectors import width
from pincer.logic.terms import Term


class Merging:
    """Puts states at one place together."""

    def __init__(self, values: Values, accesses: Accesses, steering: Steering) -> None:
        self._values, self._steering = values, steering
        self._contents, self._initial = accesses.contents, accesses.initial

    def merged(self, states: Sequence[State], cells: frozenset[Cell] = frozenset()) -> State:
        """The state that stands for the executions of several, which exclude each other; `cells` steer."""
        if len(states) == 1:
            return states[0]
        found = states[-1]
        found.registers = self._live(found)
        steering: dict[int, set[int]] = {}
        for base, offset in cells:
            steering.setdefault(base, set()).add(offset)
        for state in reversed(states[:-1]):
            found = self._joined(state, found, steering)
        return found

    def _joined(self, first: State, second: State, cells: Mapping[int, Set[int]]) -> State:
        meeting = Meeting(first.guard, second.guard)
        steering = self._steering.registers(first.activation.procedure, first.location)
        return State(
            self._values.conditions.union(meeting.guards), first.activation, first.location, first.rounds,
            self._registers(meeting, self._live(first), second.registers, steering),
            self._registers(meeting, first.shared, second.shared, steering),
            self._memory(meeting, first.memory, second.memory, cells),
        )  # fmt: skip

    @staticmethod
    def _live(state: State) -> Registers:
        """The registers that are read again."""
        live = state.activation.order.live.get(state.location, frozenset())
        return {register: value for register, value in state.registers.items() if register in live}

    def _registers(self, meeting: Meeting, first: Registers, second: Registers, steering: frozenset[Term]) -> Registers:
        """A register that one of the states has no value for has none."""
        found: Registers = {}
        met, guards = self._values.met, meeting.guards
        for register, value in first.items():
            other = second.get(register)
            if other is value:
                found[register] = value
            elif other is not None:
                found[register] = met(guards, value, other, width(register), register in steering)
        return found

    def _memory(self, meeting: Meeting, first: Memory, second: Memory, cells: Mapping[int, Set[int]]) -> Memory:
        found: Memory = {}
        for base in dict.fromkeys((*first, *second)):
            one, other = first.get(base), second.get(base)
            if one is None:
                one = self._initial.get(base, ())
            if other is None:
                other = self._initial.get(base, ())
            found[base] = merged_slots(self._contents, meeting, one, other, cells.get(base, frozenset()))
        return found
