"""From a violation that a search has found to a test that compiled code can run under its schedule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec.structs import replace

from pincer.engines.schedules.findings import Race, Violation
from pincer.engines.threads.told_schedule import callers, depth_of, steps_of
from pincer.engines.violation import failure_kind
from pincer.evidence.c.failures import STATED, FailureKind
from pincer.evidence.threads.trace import (
    Action,
    Kind,
    Point,
    TargetLine,
    ThreadedFailure,
    ThreadedTest,
    ThreadInput,
)
from pincer.execution.machine import chronological
from pincer.execution.stepping import Stop
from pincer.execution.threads.accesses import Access, races
from pincer.execution.threads.calls import object_name
from pincer.execution.threads.deadlocks import ThreadDeadlock
from pincer.execution.threads.interleaving import Interleaver
from pincer.execution.threads.schedules import ReplayedSchedule, replay
from pincer.execution.threads.state import ThreadedState
from pincer.execution.threads.transitions import ThreadTransition
from pincer.logic.bitvectors import width
from pincer.program.control_flow import (
    Check,
    ControlFlowProgram,
    Edge,
    Free,
)
from pincer.program.property import PropertyKind
from pincer.program.thread_labels import UNNOTICED, Exit, Join, Meet, Start, ThreadOperation

_DATA = ("memory", "register")
_KINDS: Mapping[PropertyKind, Kind] = {
    "assertions": "assertion",
    "deadlock": "deadlock",
    "race": "race",
    "memory": "memory",
}


def threaded_test(interleaver: Interleaver, found: Violation, property_name: str) -> ThreadedTest:
    """The execution that shows a violation as a test that others can run."""
    program = interleaver.program
    replayed = replay(interleaver, found.schedule)
    befores = replayed.states[: len(replayed.transitions)]
    points: list[Point] = []
    for before, transition in zip(befores, replayed.transitions, strict=True):
        points += points_of(interleaver, before, transition)
    stops = _stops(interleaver, replayed, found)
    failing = None
    if isinstance(found.what, Stop) and found.what.edge is not None:
        failing = failure_kind(found.what.edge.label)
    return ThreadedTest(
        file=program.file,
        property=property_name,
        kind=_kind(found, failing),
        data_model=program.layout.data_model,
        entry=program.entry_function,
        inputs=tuple(inputs_of(replayed)),
        steps=tuple(steps_of(program, replayed)),
        points=tuple(points),
        failure=ThreadedFailure(stops[0].position, found.message, stops, failing),
        targets=_targets(program),
    )


def _kind(found: Violation, failing: FailureKind | None) -> Kind:
    """How the execution ends. What a pass makes of an operation without a defined result fails like an assertion."""
    kind = _KINDS[found.name]
    return "undefined" if kind == "assertion" and failing not in (None, *STATED) else kind


def _targets(program: ControlFlowProgram) -> tuple[TargetLine, ...]:
    """The lines that the user asks about, in the order of their numbers."""
    found: dict[int, TargetLine] = {}
    for edge in program.edges():
        if isinstance(edge.label, Meet):
            found[edge.label.place] = TargetLine(edge.position, edge.label.needed[edge.label.place])
    return tuple(target for _, target in sorted(found.items()))


def _stops(interleaver: Interleaver, replayed: ReplayedSchedule, found: Violation) -> tuple[Point, ...]:
    """Where threads stand when it goes wrong."""
    match found.what:
        case Race(threads):
            return _racing(interleaver, replayed.last, threads)
        case ThreadDeadlock(waits):
            return tuple(standing(interleaver, replayed.last, number) for number, _ in waits)
        case stop:
            assert stop.edge is not None
            before, last = replayed.states[len(replayed.transitions) - 1], replayed.transitions[-1]
            depth = depth_of(interleaver.program, before, last, stop.edge)
            return (Point(last.thread, "call", "", stop.edge.position, depth=depth),)


def points_of(interleaver: Interleaver, before: ThreadedState, transition: ThreadTransition) -> Iterator[Point]:
    """What of a transition others may notice: a call, or its accesses, reads first."""
    thread, edges = transition.thread, transition.edges
    if transition.stop is not None:
        return
    visible = [e for e in edges if isinstance(e.label, ThreadOperation) and not isinstance(e.label, UNNOTICED)]
    if visible and visible[0] is edges[0]:
        yield _call(interleaver, before, thread, visible[0], transition.pick)
        return
    data = [access for access in transition.footprint.accesses if access.space in _DATA]
    acting = _acting(edges) if edges else None
    if edges and data:
        yield from _accesses(interleaver.program, thread, edges, data)
    elif acting is not None and isinstance(acting.label, Free):
        state = before.resumed(thread, interleaver.shared.registers).state
        name = object_name(state, state.value(acting.label.address))
        yield Point(thread, "write", name, acting.position)
    elif transition.threads.threads[thread].ended:
        yield Point(thread, "end", "", before.threads[thread].frame.procedure.position)


def _acting(edges: tuple[Edge, ...]) -> Edge:
    """The first edge that does something, after the checks of whether it may."""
    return next((edge for edge in edges if not isinstance(edge.label, Check)), edges[0])


def _accesses(program: ControlFlowProgram, thread: int, edges: tuple[Edge, ...], data: list[Access]) -> Iterator[Point]:
    edge = _acting(edges)
    for access in sorted(data, key=lambda access: access.write):
        found = program.variable_at(access.start) if access.space == "memory" else None
        variable, offset = (found[0].name, found[1]) if found else ("", 0)
        action: Action = "write" if access.write else "read"
        yield Point(thread, action, access.name, edge.position, variable=variable, offset=offset)


def _call(interleaver: Interleaver, before: ThreadedState, thread: int, edge: Edge, pick: int = 0) -> Point:
    label = edge.label
    assert isinstance(label, ThreadOperation)
    name = ""
    if label.operands and not isinstance(label, Start | Join | Exit):
        state = before.resumed(thread, interleaver.shared.registers).state
        name = object_name(state, state.value(label.operands[0]))
    return Point(thread, "call", label.function, edge.position, name, pick)


def standing(interleaver: Interleaver, threads: ThreadedState, number: int) -> Point:
    """The call in which a thread waits."""
    thread = threads.threads[number]
    edge = thread.frame.procedure.outgoing[thread.location][0]
    return replace(_call(interleaver, threads, number, edge), depth=len(callers(thread.frame)) - 1)


def _racing(interleaver: Interleaver, threads: ThreadedState, pair: tuple[int, ...]) -> tuple[Point, ...]:
    """The two accesses that race."""
    one, other = (interleaver.take(threads, number) for number in pair)
    found = races(one.footprint, other.footprint)
    assert found is not None
    program = interleaver.program
    return tuple(
        replace(
            next(_accesses(program, transition.thread, transition.edges, [access])),
            depth=depth_of(program, threads, transition, _acting(transition.edges)),
        )
        for transition, access in zip((one, other), found, strict=True)
    )


def inputs_of(replayed: ReplayedSchedule) -> Iterator[ThreadInput]:
    """The inputs of each transition belong to its thread."""
    last = replayed.last.state
    seen = 0
    for transition in replayed.transitions:
        records = list(chronological(transition.threads.state.inputs))
        for record in records[seen:]:
            assert record.position is not None
            kind: Any = record.kind
            value = last.values[record.symbol]
            given = record.source, kind, width(record.symbol), value, record.position, record.signed, record.floating
            yield ThreadInput(*given, record.word(value), thread=transition.thread)
        seen = len(records)
