"""From a long execution and the region it stays in to a run that others can follow and compile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from pincer.engines.cutpoints.cutting import Cut
from pincer.engines.cutpoints.induction import Facts
from pincer.engines.cutpoints.proof import cut_point_proof, written_places
from pincer.engines.sampling.inputs import input_vector
from pincer.engines.termination.limits import LIMITS
from pincer.engines.termination.long_runs import LongRun, calls_of
from pincer.engines.violation import told_steps
from pincer.errors import Position
from pincer.evidence.c.rounds import Round, Rounds
from pincer.evidence.c.trace import CTest, Failure
from pincer.evidence.c_proof.cut_point_claim import CutPoint, OpenCall
from pincer.evidence.c_proof.endless_claim import Choice, EndlessRun
from pincer.execution.machine import World
from pincer.execution.stepping import Stop
from pincer.execution.testing import Node, Tester
from pincer.logic.c_text import NotInC, c_text
from pincer.logic.terms import Term
from pincer.program.control_flow import Assume, Call, ControlFlowProgram, Edge, Input, Procedure
from pincer.program.source_names import SourceNames
from pincer.runtime.run import Run


class _Written(Struct, frozen=True):
    """The execution of the program as it is written: all nodes up to the end of the first round, the index of that
    where the region begins, and how often the place of the first point was visited before."""

    nodes: Sequence[Node]
    begin: int
    skipped: int


def endless_run(program: ControlFlowProgram, cut: Cut, found: LongRun, facts: Facts, run: Run) -> EndlessRun | None:
    """The run as evidence; None when it is not what it seemed to be."""
    first = next((node for node in found.nodes if _inside(node, facts)), None)
    if first is None:
        return None
    last, rounds = _recorded(found, first, run)
    points = _points(cut, facts, first.location)
    number = sum(node.location == first.location for node in found.nodes[: found.nodes.index(first) + 1])
    written = _executed(program, dict(last.state.values), points[0], number, run)
    if written is None or rounds < 1:
        return None
    stem = written.nodes[written.begin]
    steps = told_steps(program, written.nodes[-1])
    loops = tuple(_loops(program, points, written.skipped))
    if not loops:
        return None
    test = CTest(
        file=program.file,
        property="termination",
        kind="termination",
        inputs=input_vector(last),
        steps=steps,
        failure=Failure(loops[0].position, "a loop that never ends"),
        data_model=program.layout.data_model,
        entry=program.entry_function,
    )
    loop_from = len(told_steps(program, stem))
    choices = tuple(_choice(program, cut, edge, value) for edge, value in found.chosen().items())
    again = _again(program, points[0])
    return EndlessRun(test, points, choices, written.begin, Rounds(loops, rounds), loop_from, again)


def _inside(node: Node, facts: Facts) -> bool:
    return node.location in facts and all(node.state.value(fact) for fact in facts[node.location])


def _recorded(found: LongRun, first: Node, run: Run) -> tuple[Node, int]:
    """A node by which all inputs were read that rounds need, and how many rounds that is enough for."""
    if not found.chosen():
        return first, LIMITS.rounds
    nodes = [node for node in found.nodes[found.nodes.index(first) :] if node.location == first.location]
    last = node = nodes[-1]
    rounds = len(nodes) - 1
    for count in range(LIMITS.steps_recorded):
        if rounds >= LIMITS.rounds:
            break
        following = found.tester.advance(node)
        if isinstance(following, Stop):
            break
        node = Node(following.location, following.state, following.frame, None, following.edge, None)
        if node.location == first.location:
            rounds, last = rounds + 1, node
        if count % 256 == 0:
            run.poll()
    return last, rounds


def _points(cut: Cut, facts: Facts, first: int) -> tuple[CutPoint, ...]:
    """The region in the program as it is written, the place where the run enters it first."""
    points = cut_point_proof(facts, cut.program.entry, cut.flat).points
    ordered = dict(zip(sorted(facts), points, strict=True))
    return (ordered.pop(first), *ordered.values())


def _executed(
    program: ControlFlowProgram, inputs: Mapping[Term, int], point: CutPoint, number: int, run: Run
) -> _Written | None:
    """The execution with some inputs up to the visit of a point with a number, and one round more."""
    tester = Tester(World(program, concrete=True))
    nodes = [tester.root(inputs)]
    begin, skipped, visits = None, 0, 0
    for count in range(LIMITS.steps_written):
        node = nodes[-1]
        if node.location == point.location and calls_of(node) == point.calls:
            if begin is not None:
                return _Written(nodes, begin, skipped)
            visits += 1
            begin = len(nodes) - 1 if visits == number else None
        skipped += begin is None and node.location == point.location
        following = tester.advance(node)
        if isinstance(following, Stop):
            return None
        nodes.append(following)
        if count % 256 == 0:
            run.poll()
    return None


def _procedure_of(program: ControlFlowProgram, calls: Sequence[OpenCall]) -> Procedure:
    if not calls:
        return program.procedures[program.entry]
    caller, index = calls[-1]
    label = program.procedures[caller].edges[index].label
    assert isinstance(label, Call)
    return program.procedures[label.procedure]


def _loops(program: ControlFlowProgram, points: Sequence[CutPoint], skipped: int) -> Iterator[Round]:
    """The loops of the region, each once; where one is part of several calls, any of its regions counts."""
    for location in dict.fromkeys(point.location for point in points):
        here = [point for point in points if point.location == location]
        procedure = _procedure_of(program, here[0].calls)
        if location in procedure.loop_heads:
            condition = " || ".join(f"({_in_c(program, procedure, point)})" for point in here)
            yield Round(loop_position(procedure, location), condition, skipped)


def loop_position(procedure: Procedure, head: int) -> Position:
    """Where the loop at a head is in the source: its decision, or else what comes first in it."""
    location = head
    for _ in procedure.edges:
        leaving = procedure.outgoing.get(location, ())
        for edge in leaving:
            if isinstance(edge.label, Assume) and edge.label.branch is not None:
                return edge.position
        if len(leaving) != 1 or leaving[0].target in procedure.loop_heads:
            break
        location = leaving[0].target
    return procedure.outgoing[head][0].position


def _in_c(program: ControlFlowProgram, procedure: Procedure, point: CutPoint) -> str:
    """The facts of a point as far as they can be said in the procedure's own words."""
    names = SourceNames(program, procedure.name)
    said = []
    for fact in point.facts:
        try:
            said.append(f"({c_text(fact, names.text, names.signed, names.number)})")
        except NotInC:
            continue
    return " && ".join(said) or "1"


def _again(program: ControlFlowProgram, point: CutPoint) -> str:
    names = SourceNames(program, _procedure_of(program, point.calls).name)
    return " && ".join(names.formula(fact) for fact in point.facts)


def _choice(program: ControlFlowProgram, cut: Cut, edge: Edge, value: int) -> Choice:
    """The same choice about the program as it is written."""
    calls: tuple[OpenCall, ...] = ()
    location = edge.source
    if cut.flat is not None:
        context, location = written_places(program.entry, cut.flat)[edge.source]
        calls = context.calls
    edges = _procedure_of(program, calls).edges
    [index] = [i for i, e in enumerate(edges) if e.source == location and isinstance(e.label, Input)]
    return Choice(calls, index, value)
