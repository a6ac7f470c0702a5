"""From a long execution and the region it stays in to a run that others can follow and compile."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from pincer.engines.cutpoints.cutting import Cut
from pincer.engines.cutpoints.induction import Facts
from pincer.engines.cutpoints.proof import cut_point_proof, written_places, written_registers
from pincer.engines.cutpoints.unfolding import below
from pincer.engines.sampling.inputs import input_vector
from pincer.engines.termination.entered_calls import entered_steps
from pincer.engines.termination.lassos import Lasso
from pincer.engines.termination.limits import LIMITS
from pincer.engines.termination.long_runs import LongRun, calls_of
from pincer.evidence.c.rounds import Round, WatchedRounds
from pincer.evidence.c.trace import CTest, Failure, InputVector
from pincer.evidence.c_proof.cut_point_claim import CutPoint, OpenCall
from pincer.evidence.c_proof.endless_claim import Choice, EndlessRun
from pincer.execution.machine import World
from pincer.execution.stepping import Stop
from pincer.execution.testing import Node, Tester
from pincer.logic.bitvectors import state_reads
from pincer.logic.c_text import NotInC, c_text
from pincer.logic.terms import TRUE, Term, conjunction, conjuncts, disjunction, substitute
from pincer.program.control_flow import Call, ControlFlowProgram, Edge, Input, Procedure
from pincer.program.loops import loop_position
from pincer.program.source_names import SourceNames
from pincer.runtime.run import Run


class _Written(Struct, frozen=True):
    """The execution of the program as it is written: all nodes up to the end of the first round, the index of that
    where the region begins, and how often the place of the first point was visited before."""

    nodes: Sequence[Node]
    begin: int
    skipped: int


class Found(Struct, frozen=True):
    """What a run consists of: its nodes at cut points, the one from which on it stays in the region, the facts of that,
    the values of inputs on ways from cut points, and all inputs for some rounds; `values` are those by symbol that the
    first round takes. The words for inputs are about the states at cut points, or `when_read`."""

    nodes: Sequence[Node]
    first: Node
    facts: Facts
    choices: Sequence[tuple[int, Edge, Term]]
    inputs: InputVector
    values: Mapping[Term, int]
    rounds: int
    moves: frozenset[tuple[int, int]] = frozenset()
    when_read: bool = False


def endless_run(
    program: ControlFlowProgram, cut: Cut, found: Found, run: Run, entries: Mapping[int, str] | None = None
) -> EndlessRun | None:
    """The run as evidence; None when it is not what it seemed to be. `entries` are those of functions whose calls are
    entered for good."""
    first = found.first
    places = [first.location, *(place for place in sorted(found.facts) if place != first.location)]
    points = _points(cut, found.facts, first.location)
    before = found.nodes[: found.nodes.index(first) + 1]
    number = sum(below(node).location == below(first).location for node in before)
    written = _executed(program, found.values, points[0], number, run)
    if written is None or found.rounds < 1:
        return None
    nested = tuple(_loops(program, points, written.skipped, entries or {}))
    if not nested:
        return None
    loops = tuple(loop for _, loop in nested)
    # The run comes to all loops of the region again and again: the one around the others is it that does not end.
    _, around = min(nested, key=lambda found: (found[0], found[1].position))
    test = CTest(
        file=program.file,
        property="termination" if cut.product is None else "temporal",
        kind="termination" if cut.product is None else "temporal",
        inputs=found.inputs,
        steps=entered_steps(program, written.nodes[-1], entries or {}),
        failure=Failure(around.position, "a loop that never ends"),
        data_model=program.layout.data_model,
        entry=program.entry_function,
    )
    loop_from = len(entered_steps(program, written.nodes[written.begin], entries or {}, ended=False))
    choices = tuple(
        replace(_choice(program, cut, places.index(place), edge, value), when_read=found.when_read)
        for place, edge, value in found.choices
    )
    again = _again(program, points[0], (entries or {}).get(points[0].location))
    automaton = None if cut.product is None else cut.product.automaton
    rounds = WatchedRounds(loops, found.rounds)
    return EndlessRun(
        test, points, choices, written.begin, rounds, loop_from, again, automaton, tuple(sorted(found.moves)),
        given=_given(program, choices) if found.when_read else "",
    )  # fmt: skip


def of_long_run(longer: LongRun, facts: Facts, run: Run) -> Found | None:
    """A run that stays where facts hold, with inputs that are chosen in the same way in every round."""
    first = next((node for node in longer.nodes if _inside(node, facts)), None)
    if first is None:
        return None
    last, rounds = _recorded(longer, first, run)
    choices = [(place, edge, value) for place in facts for edge, value in longer.chosen().items()]
    values = dict(last.state.values)
    return Found(longer.nodes, first, facts, choices, input_vector(last), values, rounds, longer.moves, when_read=True)


def of_lasso(lasso: Lasso) -> Found:
    """A run that repeats its states, with the inputs that it had before."""
    begin, end = lasso.nodes[lasso.begin], lasso.nodes[-1]
    inputs = input_vector(below(end))
    again = inputs[len(input_vector(below(begin))) :]
    visits = sum(node.location == begin.location for node in lasso.round)
    times = LIMITS.rounds // visits + 1
    if again:
        times = min(times, 1 + LIMITS.inputs // len(again))
    rounds = LIMITS.rounds if not again else max(1, times * visits - 1)
    return Found(
        lasso.nodes, begin, lasso.facts(), list(lasso.choices()), (*inputs, *(again * times)), end.state.values, rounds,
        lasso.moves,
    )  # fmt: skip


def _inside(node: Node, facts: Facts) -> bool:
    return node.location in facts and all(node.state.value(fact) for fact in facts[node.location])


def _recorded(found: LongRun, first: Node, run: Run) -> tuple[Node, int]:
    """A node by which all inputs were read that rounds need, and how many rounds that is enough for."""
    if not found.chosen():
        return below(first), LIMITS.rounds
    place = below(first).location
    nodes = [below(node) for node in found.nodes[found.nodes.index(first) :] if below(node).location == place]
    last = node = nodes[-1]
    rounds = len(nodes) - 1
    for count in range(LIMITS.steps_recorded):
        if rounds >= LIMITS.rounds:
            break
        following = found.tester.advance(node)
        if isinstance(following, Stop):
            break
        node = Node(following.location, following.state, following.frame, None, following.edge, None)
        if node.location == place:
            rounds, last = rounds + 1, node
        if count % 256 == 0:
            run.poll()
    return last, rounds


def _points(cut: Cut, facts: Facts, first: int) -> tuple[CutPoint, ...]:
    """The region in the program as it is written, the place where the run enters it first."""
    points = cut_point_proof(facts, cut.program.entry, cut.flat, product=cut.product).points
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


def _loops(
    program: ControlFlowProgram, points: Sequence[CutPoint], skipped: int, entries: Mapping[int, str]
) -> Iterator[tuple[int, Round]]:
    """The loops of the region, each once and with how many calls are open around it; where one is part of several
    calls, any of its regions counts."""
    for location in dict.fromkeys(point.location for point in points):
        here = [point for point in points if point.location == location]
        procedure = _procedure_of(program, here[0].calls)
        scope = entries.get(location, procedure.name)
        if location in procedure.loop_heads:
            condition = " || ".join(f"({_in_c(program, scope, point)})" for point in here)
            loop = Round(loop_position(program, procedure, location), condition, skipped)
            if location in entries:
                loop = replace(loop, place="entry", function=scope)
            yield len(here[0].calls), loop


def _in_c(program: ControlFlowProgram, scope: str, point: CutPoint) -> str:
    """The facts of a point as far as they can be said in the procedure's own words."""
    names = SourceNames(program, scope)
    said = []
    for fact in point.facts:
        try:
            said.append(f"({c_text(fact, names.text, names.signed, names.number)})")
        except NotInC:
            continue
    return " && ".join(said) or "1"


def _again(program: ControlFlowProgram, point: CutPoint, function: str | None) -> str:
    """The facts of a point for readers; that objects are there, and how addresses are numbered, is not said."""
    names = SourceNames(program, function or _procedure_of(program, point.calls).name)
    facts = [part for fact in point.facts for part in conjuncts(_without_rooms(fact))]
    said = dict.fromkeys(names.formula(fact) for fact in facts if not names.computes_with_pointers(fact))
    return " && ".join(f"({text})" if " || " in text and len(said) > 1 else text for text in said)


def _given(program: ControlFlowProgram, choices: Sequence[Choice]) -> str:
    """What inputs are in the rounds for readers, where they follow the state."""
    said: dict[str, None] = {}
    for choice in choices:
        procedure = _procedure_of(program, choice.calls)
        label = procedure.edges[choice.edge].label
        if choice.value.variables and isinstance(label, Input):
            value = SourceNames(program, procedure.name).formula(choice.value)
            said[f"{label.source}() = {value}"] = None
    return ", ".join(said)


def _without_rooms(fact: Term) -> Term:
    """A fact without the parts that speak of the sizes of objects; what all alternatives have in common comes first."""
    if fact.op == "and":
        return conjunction(*map(_without_rooms, fact.args))
    if fact.op == "or":
        cases = [list(conjuncts(_without_rooms(case))) for case in fact.args]
        common = [part for part in cases[0] if all(part in case for case in cases)]
        rest = (conjunction(*(part for part in case if part not in common)) for case in cases)
        return conjunction(*common, disjunction(*rest))
    return TRUE if any(read.op == "room" for read in state_reads(fact)) else fact


def _choice(program: ControlFlowProgram, cut: Cut, point: int, edge: Edge, value: Term) -> Choice:
    """The same choice about the program as it is written."""
    calls: tuple[OpenCall, ...] = ()
    location = edge.source
    if cut.flat is not None:
        context, location = written_places(program.entry, cut.flat)[edge.source]
        calls = context.calls
    edges = _procedure_of(program, calls).edges
    [index] = [i for i, e in enumerate(edges) if e.source == location and isinstance(e.label, Input)]
    return Choice(point, calls, index, substitute(value, written_registers(program.entry, cut.flat)))
