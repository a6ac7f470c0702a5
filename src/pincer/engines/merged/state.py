"""States of a merged execution, and one state in the place of two."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from msgspec import Struct

from pincer.engines.merged.memory import Memory
from pincer.engines.merged.order import Key, Order
from pincer.engines.merged.values import Value
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
