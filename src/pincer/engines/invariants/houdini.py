"""The filter behind all sources of invariants: keep the formulas that are inductive at the locations of a procedure."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct

from pincer.abstraction.weakest import Weakest
from pincer.engines.invariants.limits import LIMITS
from pincer.engines.invariants.sight import Sight
from pincer.engines.questions import Questions
from pincer.execution.machine import World
from pincer.logic.rewriting import without_reads
from pincer.logic.solver import SolverUnknown
from pincer.logic.terms import FALSE, TRUE, Term, conjunction, disjunction, negate
from pincer.program.control_flow import Assign, Assume, Edge, Procedure
from pincer.program.labels import NOT_FOLLOWED

Facts = dict[int, tuple[Term, ...]]
Result = TypeVar("Result")
Asking = Generator[int, None, Result]
"""Work that can be interrupted after every question; what it yields counts as so many calls more."""


class Filter(Struct, frozen=True):
    """What is inductive in the procedures of one program; with `over_branches`, what leads to a guess on one side of a
    branch is guessed as well."""

    weakest: Weakest
    questions: Questions
    over_branches: bool = False

    def inductive(
        self, sight: Sight, proved: Facts, guesses: Iterable[Term], at_entry: Callable[[Term], bool]
    ) -> Asking[Facts]:
        """What is proved already and the guesses that are inductive with it, given those that hold at the entry.

        Inside of loops, what leads to a guess is guessed as well."""
        procedure = sight.procedure
        candidates = [formula for formula in dict.fromkeys(guesses) if formula is not TRUE and formula is not FALSE]
        followed = [edge for edge in procedure.edges if not _ends(edge)]
        locations = {place for edge in followed for place in (edge.source, edge.target)} | {procedure.entry}
        facts = {place: _unrefuted(candidates, sight, place, proved.get(place, ())) for place in sorted(locations)}
        _carry_back(facts, sight, self.weakest, self.over_branches)
        facts[procedure.entry] = [formula for formula in facts[procedure.entry] if at_entry(formula)]
        waiting = dict.fromkeys(followed)
        while waiting:
            edge = next(iter(waiting))
            del waiting[edge]
            if edge.target == procedure.entry and not facts[edge.target]:
                continue
            sure = set(proved.get(edge.target, ()))
            kept = yield from self._established(facts[edge.source], edge, facts[edge.target], sure)
            if len(kept) < len(facts[edge.target]):
                facts[edge.target] = kept
                waiting |= dict.fromkeys(e for e in procedure.outgoing.get(edge.target, ()) if not _ends(e))
        return {location: tuple(known) for location, known in facts.items() if known}

    def _established(
        self, known: Sequence[Term], edge: Edge, wanted: Sequence[Term], sure: set[Term]
    ) -> Asking[list[Term]]:
        """The formulas of `wanted` that hold after an edge from every state that satisfies `known`; `sure` ones do."""
        assumed = list(known)
        if isinstance(edge.label, Assume):
            assumed.append(edge.label.condition)
        already = set(assumed)
        before = {formula: TRUE if formula in sure else self.weakest(edge.label, formula) for formula in wanted}
        kept = {formula: needed for formula, needed in before.items() if needed is not FALSE}
        while True:
            open_ = [needed for needed in kept.values() if needed is not TRUE and needed not in already]
            if not open_:
                return list(kept)
            plain = without_reads([*assumed, *open_], self.questions.slot_bits)
            given, rest = plain[: len(assumed)], plain[len(assumed) :]
            goals, axioms = rest[: len(open_)], rest[len(open_) :]
            yield 0
            try:
                model = self.questions.satisfiable([*given, *axioms, negate(conjunction(*goals))])
            except SolverUnknown:
                return [formula for formula, needed in kept.items() if needed is TRUE or needed in already]
            if model is None:
                return list(kept)
            refuted = {needed for needed, goal in zip(open_, goals, strict=True) if not _holds(goal, model)}
            kept = {formula: needed for formula, needed in kept.items() if needed not in refuted}


def supporting_facts(
    facts: Mapping[int, Sequence[Term]], wanted: Mapping[int, Iterable[Term]], procedures: Iterable[Procedure],
    weakest: Weakest, questions: Questions,
) -> dict[int, tuple[Term, ...]]:  # fmt: skip
    """A small part of inductive facts that contains the wanted ones and is inductive by itself."""
    kept = {location: dict.fromkeys(formulas) for location, formulas in wanted.items()}
    incoming: dict[int, list[Edge]] = {}
    for procedure in procedures:
        for edge in procedure.edges:
            if not _ends(edge):
                incoming.setdefault(edge.target, []).append(edge)
    waiting = [
        (edge, formula) for location in kept for formula in kept[location] for edge in incoming.get(location, ())
    ]
    while waiting:
        edge, formula = waiting.pop()
        needed = weakest(edge.label, formula)
        known = facts.get(edge.source, ())
        here = kept.setdefault(edge.source, {})
        if needed is TRUE or needed in here:
            continue
        fixed = [negate(needed), *here]
        if isinstance(edge.label, Assume):
            fixed.append(edge.label.condition)
        try:
            core = questions.core(fixed, known)
        except SolverUnknown:
            core = tuple(range(len(known)))
        for i in core or ():
            if known[i] not in here:
                here[known[i]] = None
                waiting += [(before, known[i]) for before in incoming.get(edge.source, ())]
    return {location: tuple(formulas) for location, formulas in kept.items() if formulas}


def _ends(edge: Edge) -> bool:
    return isinstance(edge.label, NOT_FOLLOWED)


def _unrefuted(candidates: Sequence[Term], sight: Sight, location: int, proved: Sequence[Term]) -> list[Term]:
    """What is proved at a location, and the first candidates that no test refutes there."""
    states = [node.state for node in sight.nodes.get(location, ())]
    hidden = sight.hidden.get(location, frozenset())
    kept = dict.fromkeys(proved)
    for formula in candidates:
        if len(kept) == len(proved) + LIMITS.facts:
            break
        new = formula not in kept and hidden.isdisjoint(formula.variables)
        if new and all(state.value(formula) for state in states):
            kept[formula] = None
    return list(kept)


def _carry_back(facts: dict[int, list[Term]], sight: Sight, weakest: Weakest, over_branches: bool) -> None:
    """Inside loop bodies, add what makes the candidates of the next location hold there."""
    procedure = sight.procedure
    sets = {place: dict.fromkeys(known) for place, known in facts.items()}
    inner = [edge for edge in procedure.edges if isinstance(edge.label, Assign | Assume) and edge.target in facts]
    for _ in range(LIMITS.body_rounds):
        before = sum(map(len, sets.values()))
        for edge in reversed(inner):
            if edge.source in procedure.loop_heads or edge.source == procedure.entry:
                continue
            states = [node.state for node in sight.nodes.get(edge.source, ())]
            here = sets[edge.source]
            for formula in sets[edge.target]:
                needed = weakest(edge.label, formula)
                for claim in (needed, *(_under_condition(edge, needed) if over_branches else ())):
                    new = len(here) < 3 * LIMITS.facts and claim not in here and claim.op not in ("true", "false")
                    if new and all(state.value(claim) for state in states):
                        here[claim] = None
                        break
        if sum(map(len, sets.values())) == before:
            break
    facts |= {place: list(known) for place, known in sets.items()}


def _under_condition(edge: Edge, formula: Term) -> tuple[Term, ...]:
    """What a formula behind a branch comes to before it, where it need not hold on the other side."""
    if not isinstance(edge.label, Assume) or edge.label.condition.variables.isdisjoint(formula.variables):
        return ()
    return (disjunction(negate(edge.label.condition), formula),)


def _holds(formula: Term, model: Mapping[Term, int]) -> bool:
    return bool(World.evaluate_symbols(formula, model))
