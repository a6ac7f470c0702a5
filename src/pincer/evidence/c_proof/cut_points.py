"""Proofs by facts at cut points, and their checker: on every way from one cut point to the next nothing goes wrong.

A cut point is a place of the program together with the calls that are open there. The proof gives facts at some of
them. The checker follows all ways from the start, and from every cut point with its facts, up to the next cut points:
on each of them no error may be possible, and the facts of the cut point it arrives at must follow. So each state of
every run that comes to a cut point satisfies its facts, and no run has an error. Calls are entered, so that facts may
speak of callers' registers too; a procedure has at most one open call, so there is no doubt which register is meant. A
loop without a cut point, or recursion, has ways without end and is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable

from msgspec import Struct, field
from msgspec.structs import replace

from pincer.evidence.c_proof.cut_point_claim import CutPoint, OpenCall
from pincer.evidence.c_proof.encoding import Encoder, State
from pincer.evidence.c_proof.program_facts import ProgramFacts, label_terms
from pincer.evidence.c_proof.range_facts import Cell, cells_read, range_facts
from pincer.evidence.c_proof.smt import Node, Script
from pincer.evidence.c_proof.term_data import variables
from pincer.logic.terms import BOOL, Term
from pincer.program.control_flow import Allocate, Call, Check, Edge, Procedure, Store
from pincer.program.thread_labels import ThreadOperation

MOST_STEPS = 50_000
"""Steps on all ways from one cut point; a proof with more of them should have more cut points."""


class Place(Struct, frozen=True):
    """Where a run is: the open calls, the location in the procedure called last, and the node of an automaton that
    reads its states."""

    calls: tuple[OpenCall, ...]
    location: int
    node: int = 0


def place_of(cut: CutPoint) -> Place:
    return Place(cut.calls, cut.location, cut.node)


class Way(Struct, frozen=True):
    """A way from a cut point: where it leads, the state there, the conditions of going it, the cells that it reads,
    its edges, and the places before."""

    place: Place
    state: State
    conditions: tuple[Node, ...]
    cells: tuple[Cell, ...] = ()
    edges: tuple[Edge, ...] = ()
    passed: frozenset[Place] = frozenset()

    def then(
        self, edge: Edge, place: Place, state: State, conditions: Iterable[Node] = (), cells: Iterable[Cell] = ()
    ) -> Way:
        """The way with one edge more."""
        return Way(
            place, state, (*self.conditions, *conditions), (*self.cells, *cells), (*self.edges, edge),
            self.passed | {self.place},
        )  # fmt: skip


class Refusal(Exception):
    """Something in the proof is not as claimed."""


class CutPointChecker(Struct, dict=True):
    """Follows the ways. `refuted` says whether a solver shows that a formula has no model."""

    facts: ProgramFacts
    script: Script
    cuts: tuple[CutPoint, ...]
    refuted: Callable[[Node], bool]
    poll: Callable[[], None]
    claims: int = 0
    refused: list[str] = field(default_factory=list)

    def check(self, most_refused: int) -> None:
        """Raise Refusal when the proof is malformed; claims that are not proved are put into `refused`, up to some."""
        self._most_refused = most_refused
        self._known = {place_of(cut): cut for cut in self.cuts}
        if len(self._known) < len(self.cuts):
            raise Refusal("two cut points are at the same place")
        for cut in self.cuts:
            self._in_scope(cut)
        self._prepare()
        self._follow(None)
        for cut in self.cuts:
            self._follow(cut)

    def _prepare(self) -> None:
        self._coarse, self._exact = (Encoder(self.facts, self.script, coarse) for coarse in (True, False))

    def _procedure(self, calls: tuple[OpenCall, ...]) -> Procedure:
        """The procedure that is executed while calls are open."""
        program = self.facts.program
        procedure = program.procedures[program.entry]
        names = {procedure.name}
        for name, index in calls:
            label = procedure.edges[index].label if name == procedure.name and index < len(procedure.edges) else None
            if not isinstance(label, Call) or label.procedure in names:
                raise Refusal(f"edge {index} of {name} is not a call that can be open there")
            procedure = program.procedures[label.procedure]
            names.add(procedure.name)
        return procedure

    def _in_scope(self, cut: CutPoint) -> None:
        """A fact is about registers of the calls that are open, and about global ones."""
        procedure = self._procedure(cut.calls)
        if cut.location not in procedure.locations:
            raise Refusal(f"{procedure.name} has no location {cut.location}")
        for fact in cut.facts:
            if fact.sort is not BOOL:
                raise Refusal(f"a fact at location {cut.location} is not a condition")
            self._speaks_of_open_calls(cut, fact)

    def _speaks_of_open_calls(self, cut: CutPoint, term: Term, besides: Container[Term] = ()) -> None:
        owners = {None, self._procedure(cut.calls).name, *(name for name, _ in cut.calls)}
        for register in variables(term):
            if register in besides:
                continue
            name = str(register.args[0])
            if self.facts.widths.get(name) != register.sort.width or self.facts.owner(name) not in owners:
                raise Refusal(f"the proof mentions {name} at location {cut.location}, which it may not")

    def _begin(self, cut: CutPoint | None, encoder: Encoder) -> Way:
        if cut is None:
            procedure = self._procedure(())
            return Way(Place((), procedure.entry), encoder.initial(), ())
        state = encoder.before
        conditions = tuple(encoder.encode(fact, state) for fact in cut.facts)
        cells = tuple(cell for fact in cut.facts for cell in cells_read(encoder, fact, state))
        return Way(place_of(cut), state, conditions, cells)

    def _follow(self, cut: CutPoint | None) -> None:
        """All ways from the start, or from a cut point."""
        first = self._begin(cut, self._coarse)
        if cut is None and first.place in self._known:
            self._arrived(cut, first)
            return
        waiting, steps = [first], 0
        while waiting:
            way = waiting.pop()
            steps += 1
            if steps > MOST_STEPS:
                raise Refusal("there are too many ways between cut points")
            if steps % 64 == 0:
                self.poll()
            for edge in self._leaving(way):
                self._no_error(cut, way, edge)
                after = self._after(way, edge, self._coarse)
                if after is None or any(condition.is_false for condition in after.conditions):
                    continue
                if after.place in self._known:
                    self._arrived(cut, after)
                elif after.place in after.passed:
                    raise Refusal(f"{edge.position}: a loop has no cut point")
                else:
                    waiting.append(after)

    def _leaving(self, way: Way) -> tuple[Edge, ...]:
        """The edges that leave a place; at the end of a call the one that made it, for the return."""
        procedure = self._procedure(way.place.calls)
        if way.place.location != procedure.exit:
            return procedure.outgoing.get(way.place.location, ())
        if not way.place.calls:
            return ()
        name, index = way.place.calls[-1]
        return (self.facts.program.procedures[name].edges[index],)

    def _after(self, way: Way, edge: Edge, encoder: Encoder) -> Way | None:
        """The way with one edge more; None where runs end."""
        procedure = self._procedure(way.place.calls)
        if way.place.location == procedure.exit:
            return self._returned(way, edge, procedure, encoder)
        if isinstance(edge.label, Call):
            return self._called(way, edge, edge.label, procedure, encoder)
        if isinstance(edge.label, ThreadOperation):
            return None
        step = encoder.step(edge.label, (), way.state, self._mark(way))
        if step is None:
            return None
        cells = [cell for term in label_terms(edge.label) for cell in cells_read(encoder, term, way.state)]
        if isinstance(edge.label, Store):
            cells.append((encoder.encode(edge.label.address, way.state), (edge.label.value.sort.width or 8) // 8))
        conditions = () if step.guard.is_true else (step.guard,)
        return way.then(edge, Place(way.place.calls, edge.target), step.after, conditions, cells)

    @staticmethod
    def _mark(way: Way) -> str:
        """What an edge leaves open has a name of its own: by its number on the way, since ways are looked at alone."""
        return f" after {len(way.edges)} "

    def _called(self, way: Way, edge: Edge, call: Call, caller: Procedure, encoder: Encoder) -> Way:
        """Into a procedure: its parameters have the values of the arguments, its other registers any."""
        calls = (*way.place.calls, (caller.name, caller.edges.index(edge)))
        callee = self._procedure(calls)
        values = {
            name: self.script.variable(f"fresh{self._mark(way)}{name}", width)
            for name, width in self.facts.widths.items()
            if self.facts.owner(name) == callee.name
        }
        for parameter, argument in zip(callee.parameters, call.arguments, strict=True):
            values[str(parameter.args[0])] = encoder.encode(argument, way.state)
        state = replace(way.state, changed={**way.state.changed, **values}, memo={})
        cells = [cell for term in call.arguments for cell in cells_read(encoder, term, way.state)]
        return way.then(edge, Place(calls, callee.entry), state, cells=cells)

    def _returned(self, way: Way, edge: Edge, callee: Procedure, encoder: Encoder) -> Way:
        """Back to the caller, with the result."""
        call = edge.label
        assert isinstance(call, Call)
        state = way.state
        if call.result is not None:
            name, width = str(call.result.args[0]), call.result.sort.width or 1
            value = (
                self.script.variable(f"fresh{self._mark(way)}{name}", width)
                if callee.result is None
                else encoder.encode(callee.result, way.state)
            )
            state = replace(state, changed={**state.changed, name: value}, memo={})
        return way.then(edge, Place(way.place.calls[:-1], edge.target), state)

    def _no_error(self, cut: CutPoint | None, way: Way, edge: Edge) -> None:
        """An edge that can be an error is none in the states in which this way comes to it."""
        if isinstance(edge.label, Allocate):
            message = f"this may allocate more than the {self.facts.largest_object} bytes that are modelled"
            self._claim(cut, way, edge, message, _oversized)
        elif not isinstance(edge.label, Call) and self.facts.may_err(edge):
            message = edge.label.message if isinstance(edge.label, Check) else "this may be reached"
            self._claim(cut, way, edge, message, _wrong)

    def _arrived(self, cut: CutPoint | None, way: Way) -> None:
        """The facts of a cut point hold where a way comes to it."""
        for fact in self._known[way.place].facts:
            if self._coarse.encode(fact, way.state) not in way.conditions:
                message = f"a fact at location {way.place.location} does not follow"
                self._claim(cut, way, None, message, denied(fact))

    def _claim(self, cut: CutPoint | None, way: Way, edge: Edge | None, message: str, wrong: Wrong) -> None:
        """With coarse memory if that is enough, otherwise exactly."""
        self.claims += 1
        if self._is_impossible(self._coarse, way, edge, wrong):
            return
        again = self._begin(cut, self._exact)
        for taken in way.edges:
            following = self._after(again, taken, self._exact)
            assert following is not None
            again = following
        if not self._is_impossible(self._exact, again, edge, wrong):
            position = edge.position if edge is not None else self._procedure(way.place.calls).position
            self.refused.append(f"{position}: {message}")
            if len(self.refused) >= self._most_refused:
                raise Refusal("there may be more")

    def _is_impossible(self, encoder: Encoder, way: Way, edge: Edge | None, wrong: Wrong) -> bool:
        bad, cells = wrong(encoder, way.state, edge)
        formula = self.script.conjunction((*way.conditions, bad))
        if formula.is_false:
            return True
        meant = range_facts(encoder, formula, (*way.cells, *cells))
        whole = self.script.conjunction((formula, *meant))
        return self.refuted(self.script.conjunction((*encoder.standing_facts(whole), whole)))


Wrong = Callable[[Encoder, State, Edge | None], tuple[Node, list[Cell]]]
"""What must not be possible in a state, and the cells that it reads."""


def _wrong(encoder: Encoder, state: State, edge: Edge | None) -> tuple[Node, list[Cell]]:
    """The condition of a check does not hold; any other edge is an error by itself."""
    if edge is not None and isinstance(edge.label, Check):
        return denied(edge.label.condition)(encoder, state, edge)
    return encoder.script.true, []


def _oversized(encoder: Encoder, state: State, edge: Edge | None) -> tuple[Node, list[Cell]]:
    assert edge is not None and isinstance(edge.label, Allocate)
    return encoder.oversized(edge.label, state), cells_read(encoder, edge.label.size, state)


def denied(fact: Term) -> Wrong:
    """A fact does not hold in a state."""

    def wrong(encoder: Encoder, state: State, _: Edge | None) -> tuple[Node, list[Cell]]:
        return encoder.script.negation(encoder.encode(fact, state)), cells_read(encoder, fact, state)

    return wrong
