"""From the state in which a test goes wrong to a test that others can run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from msgspec.structs import replace

from pincer.engines.board import Board, Inputs, Violated
from pincer.engines.sampling.inputs import input_vector
from pincer.engines.shown_values import ended_text, pointer_text, shown, stored, stored_behind, written
from pincer.engines.simpler_inputs import simpler
from pincer.errors import Position
from pincer.evidence.c.failures import FailureKind, kind_of
from pincer.evidence.c.trace import CALL_OF, FREES, CStep, CTest, Failure, InputValue
from pincer.execution.machine import World
from pincer.execution.stepping import ARGUMENT, Stop
from pincer.execution.straight_state import node_after
from pincer.execution.testing import ExecutionFrame, Node, Tester
from pincer.logic.bitvectors import width
from pincer.logic.terms import Term
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Assume,
    Call,
    Check,
    ControlFlowProgram,
    Edge,
    Fail,
    Free,
    Input,
    Label,
    LeftAllocated,
    SourceVariable,
    Store,
)

MOST_STEPS = 400_000
"""More than any strategy with inputs follows one execution."""
STEPS_OF_LONG_RUNS = 20_000
"""What is shown of the end of a run that is longer than that."""


def violated(board: Board, values: Inputs, stop: Stop | None = None, steps: int = 0) -> Violated | None:
    """The test with some inputs, executed once more from the start of the program as it is written.

    None if that does not end in a failure, the one that was seen if it is given. Of a run without inputs that is known
    to take more `steps` than are kept, the last ones are; of the command line, only what matters is left."""
    found = _execution(board, values, steps)
    if found is None or (stop is not None and (stop.edge is None or found.edge.position != stop.edge.position)):
        return None

    def fails(others: Inputs) -> bool:
        again = _execution(board, others)
        return again is not None and again.edge is found.edge

    shorter = simpler(found.last, sum(1 for _ in found.last.path()), fails)
    return _told(board, (None if shorter is None else _execution(board, shorter)) or found)


@dataclass(frozen=True, slots=True)
class _Execution:
    """An execution that ends in a failure, at an edge."""

    world: World
    last: Node
    edge: Edge
    stop: Stop


def _execution(board: Board, values: Inputs, steps: int = 0) -> _Execution | None:
    tester = Tester(World(board.program))
    is_long = steps > MOST_STEPS
    first = node_after(tester, steps - STEPS_OF_LONG_RUNS, board.run.poll) if is_long else tester.root(values)
    last, stop = tester.run(first, MOST_STEPS, board.run.poll)
    if stop.edge is None or not board.is_violation(stop):
        return None
    return _Execution(tester.world, last, stop.edge, stop)


def _told(board: Board, found: _Execution) -> Violated:
    program, last = board.program, found.last
    depths = _depths(last)
    place, depth = _place(last, found.stop, depths)
    test = CTest(
        file=program.file,
        property=board.kind,
        kind=board.kind,
        inputs=_inputs(found.world, last),
        steps=told_steps(program, last),
        failure=Failure(
            place, found.stop.message + ended_text(last.state, found.edge.label), depth, failure_kind(found.edge.label)
        ),
        data_model=program.layout.data_model,
        entry=program.entry_function,
    )
    passed = frozenset(node.edge for node in last.path() if node.edge is not None)
    return Violated(test, input_vector(last), passed)


def _place(last: Node, stop: Stop, depths: dict[int, int]) -> tuple[Position, int]:
    """Where an execution goes wrong, and how deep in calls. Memory that is left behind is wrong where it was allocated,
    as far as the program's own text goes."""
    assert stop.edge is not None
    for node in last.path() if stop.left else ():
        label = None if node.edge is None else node.edge.label
        if not isinstance(label, Allocate) or node.state.registers[label.register] != stop.left[0]:
            continue
        assert node.edge is not None
        position, frame = node.edge.position, node.frame
        while position.file.startswith("<") and frame.call is not None and frame.caller is not None:
            position, frame = frame.call.position, frame.caller
        return position, depths[id(frame)]
    return stop.edge.position, depths[id(last.frame)]


def failure_kind(label: Label) -> FailureKind | None:
    """What goes wrong at a step; None where its label alone does not tell."""
    if isinstance(label, LeftAllocated):
        return FailureKind.LEAK if label.lost else FailureKind.UNFREED
    return kind_of(label) if isinstance(label, Fail | Check) else None


def _inputs(world: World, last: Node) -> tuple[InputValue, ...]:
    state = last.state
    found = list(input_vector(last))
    for symbol, text in world.undefined_cells.items():
        value = state.values.get(symbol, 0)
        if value:
            position = world.program.procedures[world.program.entry].position
            told = f"contents of {text}" if text.startswith(ARGUMENT) else f"undefined contents of {text}"
            found.append(InputValue(told, "undefined", width(symbol), value, position))
    return tuple(found)


def _depths(last: Node) -> dict[int, int]:
    """How many calls are active in each activation that the execution passed, by its identity. The end of a long run
    may begin inside of calls."""
    depths: dict[int, int] = {}
    for node in last.path():
        new: list[ExecutionFrame] = []
        frame: ExecutionFrame | None = node.frame
        while frame is not None and id(frame) not in depths:
            new.append(frame)
            frame = frame.caller
        depth = -1 if frame is None else depths[id(frame)]
        depths |= {id(inner): depth + number for number, inner in enumerate(reversed(new), 1)}
    return depths


def told_steps(program: ControlFlowProgram, last: Node) -> tuple[CStep, ...]:
    """What a reader of the program wants to see of an execution: decisions taken, variables changed, calls."""
    telling = Telling(program, last)
    names = {variable.register: variable for variable in program.variables if variable.register is not None}
    return tuple(step for node in last.path() for step in telling.steps(node, names))


class Telling:
    """What is told of the steps of one execution."""

    def __init__(self, program: ControlFlowProgram, last: Node) -> None:
        self.program = program
        self._depths = _depths(last)

    def steps(self, node: Node, names: Mapping[Term, SourceVariable]) -> Iterator[CStep]:
        """What is told of one step, where registers are variables by `names`."""
        described = None if node.edge is None or node.parent is None else _step(node, names)
        if described is None or node.parent is None:
            return
        before, after = self._depths[id(node.parent.frame)], self._depths[id(node.frame)]
        yield replace(described, depth=min(before, after))
        if after > before:
            yield from (replace(given, depth=after) for given in _arguments(node, names))

    @staticmethod
    def change(node: Node, variable: SourceVariable) -> tuple[str, str]:
        """A variable with the value that it has after a step."""
        return _change(node, variable)


def _arguments(node: Node, names: Mapping[Term, SourceVariable]) -> Iterator[CStep]:
    """What a function that has just been entered was given, told with its first line."""
    called = node.frame.procedure
    first = next((edge.position for edge in called.outgoing.get(called.entry, ())), called.position)
    given = [_change(node, names[register]) for register in called.parameters if register in names]
    if given and not first.is_added:
        yield CStep(first, called.name, "", tuple(given), scopes=(called.name,) * len(given))


def _step(node: Node, names: Mapping[Term, SourceVariable]) -> CStep | None:
    edge = node.edge
    assert edge is not None and node.parent is not None
    procedure = node.parent.frame.procedure.name
    match edge.label:
        case Assume(branch=branch) if branch is not None:
            return CStep(edge.position, procedure, "", (), branch)
        case Input(register, source) if register in names:
            return _of_variable(node, names[register], source, inputs=1)
        case Input(register, source):
            return CStep(edge.position, procedure, source, inputs=1)
        case Assign(register) if register in names:
            return _of_variable(node, names[register])
        case Assign(register) if register == node.parent.frame.procedure.result:
            return CStep(edge.position, procedure, "return")
        case Call(called, _, result) if node.location == node.frame.procedure.entry and result is None:
            return CStep(edge.position, procedure, f"{CALL_OF}{called}")
        case Call(called, _, result) if node.frame is node.parent.frame.caller and result in names and result:
            return _of_variable(node, names[result], f"return from {called}")
        case Call(called) if node.location == node.frame.procedure.entry:
            return CStep(edge.position, procedure, f"{CALL_OF}{called}")
        case Store():
            done = written(node.parent.state, edge.label)
            changes = stored(node.parent.state, done, whole=edge.position.is_added)
            found = node.state.world.program.variable_at(done.address)
            scope = "" if found is None else found[0].scope or ""
            if found is None and not edge.position.is_added:
                pointers = [one for one in names.values() if one.pointed is not None and one.scope == procedure]
                changes, scope = stored_behind(node.parent.state, done, pointers), procedure
            return CStep(edge.position, procedure, "", changes, scopes=(scope,) * len(changes))
        case Free(address) if freed := node.parent.state.value(address):
            return CStep(edge.position, procedure, f"{FREES}{pointer_text(node.parent.state, freed)}")
        case Allocate(register) if register in names:
            return _of_variable(node, names[register])
    return None


def _of_variable(node: Node, variable: SourceVariable, text: str = "", inputs: int = 0) -> CStep:
    """A step that gives a variable a value."""
    assert node.edge is not None and node.parent is not None
    change = _change(node, variable)
    procedure = node.parent.frame.procedure.name
    return CStep(node.edge.position, procedure, text, (change,), inputs=inputs, scopes=(variable.scope or "",))


def _change(node: Node, variable: SourceVariable) -> tuple[str, str]:
    assert variable.register is not None
    return variable.name, shown(node.state, variable, node.state.registers[variable.register])
