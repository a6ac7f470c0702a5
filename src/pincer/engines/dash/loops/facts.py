"""Invariants for the loops of a procedure that an analysis is stuck in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from pincer.abstraction.weakest import Weakest
from pincer.engines.dash.loops.horn import horn_invariants
from pincer.engines.dash.loops.houdini import Facts, inductive_facts, supporting_facts
from pincer.engines.dash.loops.relations import equations, explained, orders, slopes
from pincer.engines.dash.loops.sight import Sight
from pincer.execution.testing import Node, spread
from pincer.logic.solver import SolverUnknown
from pincer.logic.terms import Term
from pincer.program.control_flow import Procedure
from pincer.program.effects import is_local

if TYPE_CHECKING:
    from pincer.engines.dash.algorithm import Dash, Search

MOST_NODES = 60


def find_facts(dash: Dash, search: Search, procedure: Procedure) -> Facts:
    """What is inductive in a procedure, whoever calls it; for the entry procedure the initial state is known."""
    sight = _sight(dash, search, procedure)
    initial = procedure.name == dash.program.entry
    start = dash.world.initial_state()

    def known(formula: Term) -> bool:
        return initial and not any(map(is_local, formula.variables)) and bool(start.value(formula))

    def filtered(proved: Facts, guesses: Iterable[Term]) -> Facts | None:
        return inductive_facts(sight, proved, guesses, known, _weakest(dash), dash.questions)

    bad = _unreached(search, procedure)

    def enough(facts: Facts) -> bool:
        return not any(formulas and _possible(dash, facts.get(head, ()), formulas) for head, formulas in bad.items())

    facts: Facts = {}
    for source in (equations, orders, explained, slopes, lambda sight: horn_invariants(sight, bad, dash.effects)):
        guesses = list(source(sight))
        if not guesses:
            continue
        more = filtered(facts, guesses)
        if more is None:
            return facts
        facts = more
        if enough(facts):
            break
    return facts


def _unreached(search: Search, procedure: Procedure) -> dict[int, list[Term]]:
    """What the abstraction still has to exclude at loop heads: regions without tests on ways to the target."""
    found: dict[int, dict[Term, None]] = {}
    for before, _, _ in search.abstraction.backward(False):
        if before.location in procedure.loop_heads and not before.nodes:
            found.setdefault(before.location, {})[before.predicate] = None
    return {head: list(formulas) for head, formulas in found.items()}


def _possible(dash: Dash, known: Sequence[Term], formulas: Iterable[Term]) -> bool:
    try:
        return any(dash.questions.core([formula], known) is None for formula in formulas)
    except SolverUnknown:
        return True


def needed_facts(dash: Dash) -> Mapping[int, tuple[Term, ...]]:
    """The facts that excluded regions, and what they rest on."""
    procedures = dash.program.procedures.values()
    return supporting_facts(dash.facts, dash.needed, procedures, _weakest(dash), dash.questions)


def _weakest(dash: Dash) -> Weakest:
    return Weakest(dash.program.layout, dash.program.top, dash.effects.__getitem__)


def _sight(dash: Dash, search: Search, procedure: Procedure) -> Sight:
    nodes: dict[int, list[Node]] = {}
    for frame, made in dash.nodes_of.items():
        if frame.procedure is procedure:
            for node in made:
                nodes.setdefault(node.location, []).append(node)
    kept = {location: spread(group, MOST_NODES) for location, group in nodes.items()}
    literals: dict[Term, None] = {}
    for head in sorted(procedure.loop_heads):
        for region in search.abstraction.leaves(head):
            literals |= dict.fromkeys(region.literals)
    return Sight(procedure, kept, tuple(literals))
