"""Invariants for the loops of a procedure that an analysis is stuck in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import TYPE_CHECKING

from pincer.abstraction.weakest import Weakest
from pincer.engines.invariants.horn import horn_invariants
from pincer.engines.invariants.houdini import Facts, inductive_facts, supporting_facts
from pincer.engines.invariants.memory_facts import memory_facts, passed_by
from pincer.engines.invariants.relations import explained, relations, slopes
from pincer.engines.invariants.sight import Sight
from pincer.execution.testing import Node, spread
from pincer.logic.bitvectors import state_reads
from pincer.logic.solver import SolverUnknown
from pincer.logic.terms import Term
from pincer.program.control_flow import Procedure
from pincer.program.registers import is_global

if TYPE_CHECKING:
    from pincer.engines.dash.algorithm import Dash
    from pincer.engines.dash.searches import Search

MOST_NODES = 60
RELATIONS, PASSED_BY = "relations", "passed by"
PROMPT = (RELATIONS, PASSED_BY)
"""Sources that are cheap, and whose facts are used before more is looked for."""
Source = Callable[[Sight], Iterable[Term]]


@dataclass
class Attempts:
    """How far the search for facts about a procedure has come: what was tried, by source, and which is next."""

    tried: dict[str, frozenset[Term]] = field(default_factory=dict)
    turn: int = 0


def find_facts(dash: Dash, search: Search, procedure: Procedure) -> Facts:
    """What is inductive in a procedure, whoever calls it; for the entry procedure the initial state is known.

    Facts found earlier stay. Relations come first. The dearer sources take
    turns, so that one which uses up the time does not keep the others from being asked."""
    sight = _sight(dash, search, procedure)
    attempts = dash.fact_attempts.setdefault(procedure.name, Attempts())
    bad = _unreached(search, procedure)
    places = {procedure.entry, *(edge.target for edge in procedure.edges)}
    facts: Facts = {place: dash.facts[place] for place in places if place in dash.facts}
    sources = _sources(dash, sight, bad)
    dearer = range(1, len(sources))
    for i in (0, *dearer[attempts.turn :], *dearer[: attempts.turn]) if bad else ():
        name, source = sources[i]
        guesses = frozenset(ordered := list(dict.fromkeys(source(sight))))
        if guesses <= attempts.tried.get(name, frozenset()):
            continue
        known, weakest = _known(dash, procedure), _weakest(dash)
        more = inductive_facts(sight, facts, ordered, known, weakest, dash.questions, over_branches=name not in PROMPT)
        attempts.turn = i % len(dearer)
        if more is None:
            return facts
        attempts.tried[name] = guesses
        news, facts = more != facts, more
        if (news and name in PROMPT) or _enough(dash, facts, bad):
            break
    return facts


def _sources(dash: Dash, sight: Sight, bad: Mapping[int, Sequence[Term]]) -> list[tuple[str, Source]]:
    """The sources in the order they are asked; the second time, relations are carried back over branches.

    Where regions speak of memory, guesses about it come before other dear ones."""
    others: list[tuple[str, Source]] = [
        ("relations over branches", relations),
        ("slopes", slopes),
        ("explained", explained),
        ("horn", lambda sight: horn_invariants(sight, bad, dash.effects)),
    ]
    if any(read.op == "load" for literal in sight.literals for read in state_reads(literal)):
        return [
            (RELATIONS, lambda sight: chain(memory_facts(sight), relations(sight))),
            (PASSED_BY, passed_by),
            *others,
        ]
    return [(RELATIONS, relations), *others]


def _known(dash: Dash, procedure: Procedure) -> Callable[[Term], bool]:
    """What is known to hold at the entry of a procedure."""
    initial = procedure.name == dash.program.entry
    start = dash.world.initial_state()
    return lambda formula: initial and all(map(is_global, formula.variables)) and bool(start.value(formula))


def _enough(dash: Dash, facts: Facts, bad: Mapping[int, Sequence[Term]]) -> bool:
    return not any(formulas and _possible(dash, facts.get(head, ()), formulas) for head, formulas in bad.items())


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
    return Sight(procedure, kept, tuple(literals), dash.program.layout, dash.hidden)
