"""Test runs: executing a control-flow program from its entry or from any state, with or without keeping the states."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from msgspec import Struct

from pincer.execution.lost_memory import left_behind
from pincer.execution.machine import History, State, World
from pincer.execution.stepping import Stop, enabled, pop_frame, push_frame, step
from pincer.logic.terms import Term
from pincer.program.control_flow import Call, Edge, LeftAllocated, Procedure
from pincer.program.labels import written_register


class ExecutionFrame(Struct, frozen=True, eq=False):
    """An activation of a procedure. `depth` counts the activations of the same procedure below this one."""

    procedure: Procedure
    caller: ExecutionFrame | None = None
    call: Edge | None = None
    call_node: Node | None = None
    depth: int = 0


@dataclass(slots=True, eq=False, repr=False)
class Node:
    """A state an execution passed, at a location of an activation. The path's conditions on inputs are kept."""

    location: int
    state: State
    frame: ExecutionFrame
    parent: Node | None
    edge: Edge | None
    conditions: History | None

    def before(self, steps: int) -> Node:
        """The node some steps earlier."""
        node = self
        for _ in range(steps):
            assert node.parent is not None
            node = node.parent
        return node

    def path(self) -> list[Node]:
        """All nodes of the execution up to this one, oldest first."""
        nodes, node = [], self
        while True:
            nodes.append(node)
            if node.parent is None:
                return nodes[::-1]
            node = node.parent


class Tester:
    """Executes a program. Every node it makes is handed to `observe`."""

    def __init__(self, world: World, observe: Callable[[Node], None] | None = None) -> None:
        self.world = world
        self.program = world.program
        self.observe = observe

    @cached_property
    def own_registers(self) -> Mapping[str, tuple[Term, ...]]:
        """The registers of each procedure's activations."""
        return {name: _own_registers(procedure) for name, procedure in self.program.procedures.items()}

    def root(self, planned: Mapping[Term, int] | None = None) -> Node:
        entry = self.program.procedures[self.program.entry]
        return self._made(Node(entry.entry, self.world.initial_state(planned), ExecutionFrame(entry), None, None, None))

    def _made(self, node: Node) -> Node:
        if self.observe is not None:
            self.observe(node)
        return node

    def run(self, node: Node, max_steps: int, poll: Callable[[], None] | None = None) -> tuple[Node, Stop]:
        """Execute from a node until the program ends or the steps are used up: the last node and why it stopped."""
        for count in range(max_steps):
            following = self.advance(node)
            if isinstance(following, Stop):
                return node, following
            node = following
            if poll is not None and count % 256 == 0:
                poll()
        return node, Stop("steps", f"stopped after {max_steps} steps")

    def advance(self, node: Node) -> Node | Stop:
        """The node after one step, whichever edge its concrete values enable."""
        if node.location == node.frame.procedure.exit:
            return self._return(node)
        for edge in node.frame.procedure.outgoing.get(node.location, ()):
            if enabled(node.state, edge):
                return self.follow(node, edge)
        return Stop("halt", "the assumption does not hold")

    def follow(self, node: Node, edge: Edge) -> Node | Stop:
        """The node after an enabled edge; a call leads to the callee's entry."""
        if isinstance(edge.label, Call):
            return self._enter(node, edge, edge.label)
        if isinstance(edge.label, LeftAllocated):
            return _ended(node, edge, edge.label)
        conditions: list[Term] = []
        after = step(node.state, edge, conditions)
        if isinstance(after, Stop):
            return after
        return self._made(Node(edge.target, after, node.frame, node, edge, extended(node.conditions, conditions)))

    def _enter(self, node: Node, edge: Edge, call: Call) -> Node:
        procedure = self.program.procedures[call.procedure]
        state, conditions = node.state, list[Term]()
        arguments = [(state.value(term), state.symbolic(term, conditions)) for term in call.arguments]
        depth = 0
        frame: ExecutionFrame | None = node.frame
        while frame is not None:
            if frame.procedure is procedure:
                depth = frame.depth + 1
                state = push_frame(state, self.own_registers[procedure.name], depth)
                break
            frame = frame.caller
        for parameter, (value, term) in zip(procedure.parameters, arguments, strict=False):
            state = state.with_register(parameter, value, None if term.op == "bvconst" else term)
        entered = ExecutionFrame(procedure, node.frame, edge, node, depth)
        return self._made(Node(procedure.entry, state, entered, node, edge, extended(node.conditions, conditions)))

    def _return(self, node: Node) -> Node | Stop:
        frame = node.frame
        if frame.caller is None or frame.call is None:
            return Stop("halt", f"{frame.procedure.name} returned")
        call, state = frame.call.label, node.state
        assert isinstance(call, Call)
        result = frame.procedure.result
        returned = None if result is None else (state.registers.get(result, 0), state.symbols.get(result))
        if frame.depth:
            state = pop_frame(state, self.own_registers[frame.procedure.name], frame.depth)
        if call.result is not None and returned is not None:
            state = state.with_register(call.result, *returned)
        return self._made(Node(frame.call.target, state, frame.caller, node, frame.call, node.conditions))


def _ended(node: Node, edge: Edge, label: LeftAllocated) -> Stop:
    """The end of the program while memory is allocated: an error, or not, or it cannot be told."""
    running: set[str] = set()
    frame: ExecutionFrame | None = node.frame
    while frame is not None:
        running.add(frame.procedure.name)
        frame = frame.caller
    found = left_behind(node.state, label, frozenset(running))
    if found is None:
        return Stop("unsupported", label.what, edge)
    if not found:
        return Stop("halt", "the program ends, and all that is allocated can be reached", edge)
    return Stop("check" if label.as_check else "fail", label.message, edge, found)


def extended(conditions: History | None, new: Iterable[Term]) -> History | None:
    """A path's conditions with further ones."""
    for condition in new:
        conditions = History(condition, conditions)
    return conditions


def spread(nodes: list[Node], most: int) -> list[Node]:
    """Some of the nodes, early and late ones."""
    if len(nodes) <= most:
        return nodes
    step = len(nodes) / most
    return [nodes[int(i * step)] for i in range(most)]


def _own_registers(procedure: Procedure) -> tuple[Term, ...]:
    found = dict.fromkeys(procedure.parameters)
    if procedure.result is not None:
        found[procedure.result] = None
    for edge in procedure.edges:
        register = written_register(edge.label)
        if register is not None and register.args[0].owner == procedure.name:
            found[register] = None
    return tuple(found)
