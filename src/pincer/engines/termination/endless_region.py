"""Regions that rounds never leave: what holds at cut points in a long execution, kept as far as a round keeps it.

What the states of an execution have in common is guessed to hold for ever. Facts that a step between cut points does
not preserve are dropped; if from what is left the execution can always go on, and never comes to an end, the rest is a
region (*Proving Non-Termination*, POPL 2008; closed recurrence sets: *Proving Nontermination via Safety*, TACAS 2014).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec.structs import replace

from pincer.engines.cutpoints.blocks import Blocks, blocks_of
from pincer.engines.cutpoints.buffer_facts import buffer_candidates
from pincer.engines.cutpoints.candidates import numeric_candidates, orders, values
from pincer.engines.cutpoints.cutting import Cut
from pincer.engines.cutpoints.induction import Facts, Goal, Induction
from pincer.engines.cutpoints.limits import LIMITS as CUT_LIMITS
from pincer.engines.cutpoints.unfolding import Unfolded
from pincer.engines.cutpoints.view import View
from pincer.engines.invariants.houdini import Asking
from pincer.engines.termination.limits import LIMITS
from pincer.engines.termination.marks import always_accepts
from pincer.execution.machine import State
from pincer.logic import terms
from pincer.logic.bitvectors import compare, constant, extract, signed, width
from pincer.logic.terms import FALSE, TRUE, Term, conjunction, disjunction, equal, implies
from pincer.program.control_flow import Allocate, Assign, Assume, Check, Edge, Input, Procedure
from pincer.program.labels import NOT_FOLLOWED

Chosen = Mapping[Edge, Term]
"""The values of inputs in every round, as words about the state in which they are read."""
Visits = Mapping[int, Sequence[State]]
"""The states at the cut points that an execution keeps coming back to."""


class Region:
    """The region of one execution: facts at the cut points it comes back to, given what its inputs are."""

    def __init__(self, cut: Cut, visits: Visits, chosen: Chosen, moves: frozenset[tuple[int, int]]) -> None:
        procedure = _with_inputs(cut.view.procedure, chosen)
        self._accepts = True
        if cut.product is not None:
            procedure = _with_moves(cut.product, procedure, moves)
            self._accepts = always_accepts(cut.product, procedure.edges, visits)
        self._visits = visits
        self._view = View(cut.program, procedure, cut.view.live, {place: list(s) for place, s in visits.items()})
        blocks = blocks_of(procedure, "assertions", cut.induction.blocks.weakest, CUT_LIMITS.paths)
        self._accepts &= blocks is not None and blocks.cuts == cut.induction.blocks.cuts
        self._blocks = blocks = blocks or cut.induction.blocks
        self._induction = Induction(blocks, cut.induction.plain, cut.induction.questions, ())

    def facts(self) -> Asking[Facts | None]:
        """Facts that the execution satisfies for ever; None when they are not found."""
        needed = going_on(self._blocks, frozenset(self._visits))
        if not self._accepts or any(formula is FALSE for place, formula in needed.items() if place in self._visits):
            return None
        facts: Facts = {place: {} for place in self._visits}
        for guesses in (self._general, self._particular):
            for place, known in facts.items():
                known |= dict.fromkeys(f for f in self._holding(place, guesses(place)))
            yield from self._induction.keep_inductive(facts, from_entry=False)
            wanted = [(place, formula) for place, formula in needed.items() if place in facts]
            kept = yield from self._induction.supporting(facts, wanted)
            if kept is not None:
                return (yield from self._smaller(kept, wanted))
        return None

    def _smaller(self, facts: Facts, wanted: list[Goal]) -> Asking[Facts]:
        """Facts of which none can be left out; more of them would only be harder to read."""
        for place, fact in [(place, fact) for place, known in facts.items() for fact in known]:
            fewer: Facts = {other: dict(known) for other, known in facts.items()}
            fewer[place].pop(fact, None)
            yield from self._induction.keep_inductive(fewer, from_entry=False)
            kept = yield from self._induction.supporting(fewer, wanted)
            facts = facts if kept is None else kept
        return facts

    def _holding(self, place: int, guesses: Iterator[Term]) -> Iterator[Term]:
        """Guesses that hold in all states of the execution."""
        states, found = self._visits[place], 0
        for guess in guesses:
            if guess not in (TRUE, FALSE) and all(state.value(guess) for state in states):
                found += 1
                yield guess
                if found == CUT_LIMITS.candidates:
                    return

    def _general(self, place: int) -> Iterator[Term]:
        """What may hold of many states: bounds, remainders, comparisons of values."""
        for value in values(self._view, place):
            seen = [state.value(value) for state in self._visits[place]]
            bits = width(value)
            for low in range(1, min(LIMITS.low_bits, bits) + 1):
                yield equal(extract(low - 1, 0, value), constant(seen[0] & (1 << low) - 1, low))
            yield compare("bvule", constant(min(seen), bits), value)
            yield compare("bvule", value, constant(max(seen), bits))
            if "bvsle" in orders(self._view):
                known = [signed(number, bits) for number in seen]
                yield compare("bvsle", constant(min(known) % (1 << bits), bits), value)
                yield compare("bvsle", value, constant(max(known) % (1 << bits), bits))
        yield from numeric_candidates(self._view, place)
        yield from buffer_candidates(self._view, place)

    def _particular(self, place: int) -> Iterator[Term]:
        """What holds of these states alone: the values that do not change, and all states one by one."""
        states = self._visits[place]
        observed = [value for value in values(self._view, place) if value.op in ("var", "load")]
        for value in observed:
            yield equal(value, constant(states[0].value(value), width(value)))
        different = dict.fromkeys(tuple(state.value(value) for value in observed) for state in states)
        if len(different) <= LIMITS.listed:
            yield disjunction(*(_state(observed, numbers) for numbers in different))


def _state(observed: Sequence[Term], numbers: Sequence[int]) -> Term:
    return conjunction(*(equal(v, constant(n, width(v))) for v, n in zip(observed, numbers, strict=True)))


def _with_inputs(procedure: Procedure, chosen: Chosen) -> Procedure:
    """The procedure in which inputs have the values that were chosen."""

    values = {id(edge.label): value for edge, value in chosen.items()}

    def given(edge: Edge) -> Edge:
        if id(edge.label) not in values or not isinstance(edge.label, Input):
            return edge
        return replace(edge, label=Assign(edge.label.register, values[id(edge.label)]))

    return replace(procedure, edges=tuple(map(given, procedure.edges)))


def _with_moves(product: Unfolded, procedure: Procedure, moves: frozenset[tuple[int, int]]) -> Procedure:
    """The procedure in which the automaton makes no other moves than some."""
    kept = (edge for edge in procedure.edges if edge not in product.moves or product.moves[edge] in moves)
    return replace(procedure, edges=tuple(kept))


def going_on(blocks: Blocks, places: frozenset[int]) -> dict[int, Term]:
    """What must hold at each cut point so that an execution goes on to one of some places, and to no other end."""
    found: dict[int, Term] = {}
    for place in blocks.order:
        leaving = blocks.procedure.outgoing.get(place, ()) if place != blocks.procedure.exit else ()
        possible, needed = [FALSE], []
        for edge in leaving:
            if edge.target in blocks.cuts:
                after = terms.boolean(edge.target in places)
            else:
                after = found.get(edge.target, FALSE)
            possible.append(edge.label.condition if isinstance(edge.label, Assume) else TRUE)
            needed.append(_before(blocks, edge, after))
        found[place] = conjunction(disjunction(*possible), *needed)
    return {place: formula for place, formula in found.items() if place in blocks.cuts}


def _before(blocks: Blocks, edge: Edge, after: Term) -> Term:
    match edge.label:
        case Assume(condition):
            return implies(condition, after)
        case Check(_, condition):
            return conjunction(condition, after)
        case Allocate():
            return FALSE
        case label if isinstance(label, NOT_FOLLOWED):
            return FALSE
        case label:
            return after if after in (TRUE, FALSE) else blocks.weakest(label, after)
