"""From a run without inputs to a state of the machine: the end of a long run is looked at step by step."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from immutables import Map

from pincer.execution.machine import State
from pincer.execution.stepping import saved
from pincer.execution.straight_memory import UNKNOWN, StraightObject
from pincer.execution.straight_run import StraightRun
from pincer.execution.testing import ExecutionFrame, Node, Tester
from pincer.logic.terms import Term
from pincer.program.control_flow import Call, ControlFlowProgram, Procedure

_AT_ONCE = 20
"""Stretches between two looks at the steps: so near to where the run is left it gets."""


def node_after(tester: Tester, steps: int, poll: Callable[[], None]) -> Node:
    """The node about so many steps after the start, without those before it."""
    run = StraightRun(tester.program)
    if run.run(steps, poll, _AT_ONCE) is not None:
        return tester.root()
    frame, registers = _activations(run)
    return Node(run.location, _state(tester, run, registers), frame, None, None, None)


def _activations(run: StraightRun) -> tuple[ExecutionFrame, dict[Term, int]]:
    """The innermost activation, and the registers of all as states keep them."""
    procedures = _procedures(run)
    kept = [*(waiting.registers for waiting in run.waiting), run.registers]
    calls = [None, *(waiting.call for waiting in run.waiting)]
    total = Counter(procedure.name for procedure in procedures)
    places = run.code.places
    registers = {register: _any(run.shared[number]) for register, number in places.shared.items()}
    seen: Counter[str] = Counter()
    frame: ExecutionFrame | None = None
    for procedure, values, call in zip(procedures, kept, calls, strict=True):
        depth = seen[procedure.name]
        seen[procedure.name] += 1
        frame = ExecutionFrame(procedure, frame, call, None, depth)
        is_last = seen[procedure.name] == total[procedure.name]
        for register, number in places.own[procedure.name].items():
            registers[register if is_last else saved(register, depth + 1)] = _any(values[number])
    assert frame is not None
    return frame, registers


def _any(value: int) -> int:
    """Values that are not known have decided nothing so far: zero does as well as any other."""
    return 0 if value is UNKNOWN else value


def _procedures(run: StraightRun) -> list[Procedure]:
    """Those of the activations, the first one first."""
    program: ControlFlowProgram = run.program
    called = [waiting.call.label for waiting in run.waiting]
    names = [program.entry, *(label.procedure for label in called if isinstance(label, Call))]
    return [program.procedures[name] for name in names]


def _state(tester: Tester, run: StraightRun, registers: dict[Term, int]) -> State:
    world = tester.world
    state = State(world, Map(registers), Map(), Map(), Map(), Map(), None, (1, 0))
    for base, found in run.memory.objects.items():
        state = _with_bytes(state, base, found)
        if not found.live:
            state = state.without_object(base)
    return state


def _with_bytes(state: State, base: int, found: StraightObject) -> State:
    if found.holes is None:
        return state.with_object(base, found.size, found.shape, bytes(found.data), found.origin)
    state = state.with_object(base, found.size, found.shape, None, found.origin)
    for offset, (byte, hole) in enumerate(zip(found.data, found.holes, strict=True)):
        if not hole:
            state = state.with_store(base + offset, 1, byte, None)
    return state
