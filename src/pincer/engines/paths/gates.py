"""Gates: what kept executions from going where an error is nearer, and the variables behind it.

A driver that waits, a lock that is not the one a rule watches: the way to an error is often closed by something that an
earlier event has left in memory. No input of the present event opens it, so the search has to come back in another
state. Where a way was closed, the values behind the decision are traced back along the execution to what the present
event has found; states are then told apart by these variables, and each new combination is a new chance.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from msgspec import Struct

from pincer.analysis.event_loops import outermost_event_loops
from pincer.engines.paths.limits import LIMITS
from pincer.execution.machine import State
from pincer.execution.testing import ExecutionFrame, Node
from pincer.logic.bitvectors import constant, load, width
from pincer.logic.terms import Term, children
from pincer.program.control_flow import Assign, Assume, Call, ControlFlowProgram, Edge, Input, Store
from pincer.program.registers import is_local

Variable: TypeAlias = Term | tuple[int, int]
"""A global register, or the address and the size of a cell."""


class _Gate(Struct):
    """A decision in a procedure that was called from some place: what was found behind it, in how many attempts, and
    which values of that have closed it."""

    variables: dict[Variable, None] = {}
    attempts: int = 0
    closed: set[tuple[int, ...]] = set()


class Gates:
    """Decisions that went the wrong way, and the values that the variables behind them have had."""

    def __init__(self, program: ControlFlowProgram) -> None:
        self._events = outermost_event_loops(program)
        self._values: dict[Variable, dict[int, int]] = {}
        self._gates: dict[tuple[Edge, Edge | None], _Gate] = {}

    @property
    def variables(self) -> int:
        """How many there are."""
        return len(self._values)

    def is_news(self, edge: Edge, node: Node) -> bool:
        """Whether it would be new that an edge is closed."""
        gate = self._gates.get((edge, node.frame.call))
        if gate is None:
            return True
        if not gate.variables:
            return gate.attempts < LIMITS.attempts
        return self._at(gate, node.state) not in gate.closed

    def closed(self, edge: Edge, node: Node) -> None:
        """An edge was not taken, or could not be."""
        if not isinstance(edge.label, Assume):
            return
        gate = self._gates.setdefault((edge, node.frame.call), _Gate())
        if gate.attempts < LIMITS.attempts:
            gate.attempts += 1
            for variable in _Origins(self._events, node).of(edge.label.condition):
                if variable not in gate.variables and self._is_known(variable):
                    gate.variables[variable] = None
                    gate.closed.clear()
        if gate.variables:
            gate.closed.add(self._at(gate, node.state))

    def _is_known(self, variable: Variable) -> bool:
        """Whether a variable is one of those that are looked at; a new one is, if there is room for it."""
        if len(self._values) < LIMITS.variables:
            self._values.setdefault(variable, {})
        return variable in self._values

    def _at(self, gate: _Gate, state: State) -> tuple[int, ...]:
        return tuple(_number(self._values[variable], _value(variable, state)) for variable in gate.variables)

    def closed_with(self, combination: tuple[int, ...]) -> int:
        """How many edges are closed with a combination of values, as far as is known."""
        values = dict(zip(self._values, combination, strict=False))
        gates = [(edge, gate) for (edge, _), gate in self._gates.items() if gate.closed]
        return len({edge for edge, gate in gates if tuple(map(values.get, gate.variables)) in gate.closed})

    def event(self, node: Node) -> Node | None:
        """Where the last event of an execution began, if that is not too long ago."""
        at: Node | None = node if self._events else None
        for _ in range(LIMITS.steps_back):
            if at is None or at.location in self._events:
                return at
            at = at.parent
        return None

    def may_open(self, condition: Term, state: State) -> bool:
        """Whether the inputs of a condition are also those that a variable depends on."""
        return any(
            not condition.variables.isdisjoint(_symbolic(variable, state).variables) for variable in self._values
        )

    def combination(self, state: State) -> tuple[int, ...]:
        """Which values the variables have: equal for states that are not told apart."""
        return tuple(_number(known, _value(variable, state)) for variable, known in self._values.items())


def _value(variable: Variable, state: State) -> int:
    return state.registers.get(variable, 0) if isinstance(variable, Term) else state.load(*variable)


def _symbolic(variable: Variable, state: State) -> Term:
    if isinstance(variable, tuple):
        address, size = variable
        variable = load(constant(address, state.world.program.layout.pointer_bits), size)
    return state.symbolic(variable, [])


def _number(known: dict[int, int], value: int) -> int:
    if len(known) < LIMITS.values:
        return known.setdefault(value, len(known))
    return known.get(value, LIMITS.values)


class _Origins(Struct):
    """A walk back along an execution, from a decision to the last event's beginning.

    `registers` are those whose values are looked for, `cells` what was read from memory so far; `chosen` are
    activations in which a constant was assigned, so that the decision before that tells why."""

    events: frozenset[int]
    node: Node
    registers: set[Term] = set()
    cells: dict[tuple[int, int], None] = {}
    chosen: set[ExecutionFrame] = set()

    def of(self, condition: Term) -> list[Variable]:
        """The variables that have decided about a condition."""
        self._read(condition, self.node)
        node = self.node
        for _ in range(LIMITS.steps_back):
            before = node.parent
            if before is None or before.location in self.events:
                break
            self._step_back(before, node)
            node = before
        return [*(register for register in self.registers if not is_local(register)), *self.cells]

    def _read(self, term: Term, node: Node) -> bool:
        """Note what a term reads; False if it is a constant."""
        found = False
        for leaf in _leaves(term):
            found = True
            if leaf.op == "load":
                self.cells[node.state.value(leaf.args[0]), leaf.args[1]] = None
            else:
                self.registers.add(leaf)
        return found

    def _step_back(self, before: Node, node: Node) -> None:
        assert node.edge is not None
        match node.edge.label:
            case Assign(register, value) if register in self.registers:
                self.registers.discard(register)
                if not self._read(value, before):
                    self.chosen.add(before.frame)
            case Assume(condition) if before.frame in self.chosen:
                self.chosen.discard(before.frame)
                self._read(condition, before)
            case Input(register):
                self.registers.discard(register)
            case Store(address, value):
                self._stored(before.state.value(address), value, before)
            case Call() as call:
                self._called(call, before, node)

    def _stored(self, address: int, value: Term, before: Node) -> None:
        end = address + width(value) // 8
        written = [cell for cell in self.cells if cell[0] < end and address < cell[0] + cell[1]]
        for cell in written:
            del self.cells[cell]
        if written and not self._read(value, before):
            self.chosen.add(before.frame)

    def _called(self, call: Call, before: Node, node: Node) -> None:
        if before.frame.caller is node.frame and before.location == before.frame.procedure.exit:
            result = before.frame.procedure.result
            if call.result in self.registers and result is not None:
                self.registers.discard(call.result)
                self.registers.add(result)
            return
        for parameter, argument in zip(node.frame.procedure.parameters, call.arguments, strict=False):
            if parameter in self.registers:
                self.registers.discard(parameter)
                self._read(argument, before)


def _leaves(term: Term) -> Iterator[Term]:
    """The registers and reads a term is made of, without what addresses are made of."""
    seen, pending = {term}, [term]
    while pending:
        part = pending.pop()
        if part.op in ("var", "load"):
            yield part
        elif part.op != "room":
            new = [child for child in children(part) if child not in seen]
            seen.update(new)
            pending += new
