"""States of a merged execution, and one state in the place of two."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from msgspec import Struct

from pincer.engines.merged.memory import Contents, Memory, merged_slots
from pincer.engines.merged.order import Key, Order
from pincer.engines.merged.values import Value, Values
from pincer.logic.bitvectors import width
from pincer.logic.decision_diagrams import FALSE, Function
from pincer.logic.terms import Term
from pincer.program.control_flow import Edge, Procedure

Registers = dict[Term, Value]


class Unmodelled(Exception):
    """Something that merged execution cannot follow; the message says what."""


class Activation(Struct, frozen=True, eq=False):
    """A call under way: its procedure, and what the caller goes on with. All states of an activation share it."""

    procedure: Procedure
    order: Order
    prefix: Key = ()
    call: Edge | None = None
    caller: Activation | None = None
    registers: Registers = {}
    rounds: tuple[int, ...] = ()
    depth: int = 0


@dataclass(slots=True)
class State:
    """Where some executions are, all that satisfy the guard, and what they hold. A state belongs to who follows it."""

    guard: Function
    activation: Activation
    location: int
    rounds: tuple[int, ...]
    registers: Registers
    shared: Registers
    memory: Memory

    def key(self) -> Key:
        return self.activation.prefix + self.activation.order.places[self.location].key(self.rounds)

    def copy(self) -> State:
        return State(
            self.guard, self.activation, self.location, self.rounds,
            self.registers.copy(), self.shared.copy(), self.memory.copy(),
        )  # fmt: skip


class GoalKind(Enum):
    """What is wrong with an execution that satisfies a guard."""

    FAIL = "fail"
    CHECK = "check"
    UNMODELLED = "not modelled"


class Goal(Struct, frozen=True):
    """Executions that go wrong at an edge: errors, undefined behaviour, or what merged execution does not follow."""

    kind: GoalKind
    guard: Function
    edge: Edge
    message: str


class Noting:
    """Goals, noted at the edge that is followed."""

    def __init__(self) -> None:
        self.goals: list[Goal] = []
        self.edge: Edge | None = None

    def note(self, kind: GoalKind, guard: Function, message: str) -> None:
        """Executions that satisfy a guard go wrong here."""
        if guard != FALSE:
            assert self.edge is not None
            self.goals.append(Goal(kind, guard, self.edge, message))


class Merging:
    """Puts states at one place together."""

    def __init__(self, values: Values, contents: Contents, initial: Memory) -> None:
        self._values, self._contents, self._initial = values, contents, initial
        self._diagrams = values.conditions.diagrams

    def merged(self, first: State, second: State) -> State:
        """The state that stands for the executions of two, which exclude each other."""
        diagrams = self._diagrams
        guard = diagrams.either(first.guard, second.guard)
        condition = diagrams.within(first.guard, guard)
        return State(
            guard, first.activation, first.location, first.rounds,
            self._registers(condition, self._live(first), second.registers),
            self._registers(condition, first.shared, second.shared),
            self._memory(condition, first.memory, second.memory, guard),
        )  # fmt: skip

    @staticmethod
    def _live(state: State) -> Registers:
        """The registers that are read again."""
        live = state.activation.order.live.get(state.location, frozenset())
        return {register: value for register, value in state.registers.items() if register in live}

    def _registers(self, condition: Function, first: Registers, second: Registers) -> Registers:
        """A register that one of the states has no value for has none."""
        found: Registers = {}
        choose = self._values.choose
        for register, value in first.items():
            other = second.get(register)
            if other is value:
                found[register] = value
            elif other is not None:
                found[register] = choose(condition, value, other, width(register))
        return found

    def _memory(self, condition: Function, first: Memory, second: Memory, guard: Function) -> Memory:
        found: Memory = {}
        for base in dict.fromkeys((*first, *second)):
            one, other = first.get(base), second.get(base)
            if one is None:
                one = self._initial.get(base, ())
            if other is None:
                other = self._initial.get(base, ())
            found[base] = merged_slots(self._contents, condition, one, other, guard)
        return found
