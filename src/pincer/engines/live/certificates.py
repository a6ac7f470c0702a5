"""Why no fair run violates a formula, written down for those who check it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from pincer.engines.live.abstract import AbstractGraph
from pincer.engines.live.components import LiveEdge, Peeled, RankStep, StrongStep, VisitLeaf, WeakLeaf
from pincer.engines.live.limits import LIMITS
from pincer.engines.live.question import Question
from pincer.engines.live.states import StateGraph
from pincer.evidence.gcl.certificate import Certificate, Region
from pincer.evidence.gcl.residual import FALSE, Partial
from pincer.evidence.live.certificate import Argument, LiveCertificate, LiveRegion, LiveState, NodeEdge, VisitCubes
from pincer.evidence.live.witness import about
from pincer.logic import terms
from pincer.program.automaton import Automaton
from pincer.program.guarded import Number
from pincer.program.product import AUTOMATON_NODE
from pincer.program.transition_system import TransitionSystem


def certificate_of_states(
    question: Question, system: TransitionSystem, graph: StateGraph, peeled: Iterable[Peeled]
) -> LiveCertificate:
    """All states of a finite program."""
    names = [str(variable) for variable in system.variables]
    order = [names.index(variable.name) for variable in question.program.variables]
    states = tuple(LiveState(q, tuple(state[place] for place in order)) for state, q in graph.nodes)
    return certificate(question, arguments(question, peeled), states=states)


def certificate_of_regions(question: Question, graph: AbstractGraph, peeled: Iterable[Peeled]) -> LiveCertificate:
    """The nodes of a closed abstraction."""
    regions = tuple(region_of(question, graph, node) for node in range(len(graph.states)))
    edges = tuple(map(node_edge, graph.live.edges))
    return certificate(question, arguments(question, peeled), regions=regions, edges=edges)


def is_lost_once(automaton: Automaton) -> bool:
    """Whether runs violate the formula only by ending, and by what they do up to some point."""
    certain = automaton.certain()
    return not any(accepts and q != certain for q, accepts in enumerate(automaton.accepting))


def certificate_of_invariant(question: Question, proof: Certificate) -> LiveCertificate | None:
    """An invariant of the product, which is all it takes where formulas are lost once; None if it is too large."""
    automaton = question.automaton
    certain = automaton.certain()
    place = proof.control.index(AUTOMATON_NODE)
    order = [proof.control.index(variable.name) for variable in question.program.variables if variable.finite]
    regions = tuple(
        LiveRegion(control[place], tuple(control[index] for index in order), _formula(proof, region))
        for region in proof.regions
        for control in region.control
    )
    edges = tuple(islice(_possible_edges(question, regions), LIMITS.invariant_edges + 1))
    if any(region.q == certain for region in regions) or len(edges) > LIMITS.invariant_edges:
        return None
    return certificate(question, (), regions=regions, edges=edges)


def _possible_edges(question: Question, regions: tuple[LiveRegion, ...]) -> Iterator[NodeEdge]:
    """From region to region as the automaton and finite variables allow it: those in guards, those that become a number
    and those that stay."""
    automaton = question.automaton
    following = {q: {edge.target for edge in automaton.leaving(q)} for q in range(automaton.size)}
    names = [variable.name for variable in question.program.variables if variable.finite]
    for number, transition in enumerate(question.program.transitions):
        assigned = dict(transition.assignments)
        kept = [place for place, name in enumerate(names) if name not in assigned]
        becoming = [(place, assigned.get(name)) for place, name in enumerate(names)]
        fixed = [(place, value.value) for place, value in becoming if isinstance(value, Number)]
        guard = Partial(transition.guard, question.program)
        targets: dict[tuple[int, ...], list[int]] = {}
        for target, region in enumerate(regions):
            if all(region.control[place] == value for place, value in fixed):
                targets.setdefault(tuple([region.control[place] for place in kept]), []).append(target)
        for source, region in enumerate(regions):
            if guard.at(region.control) == FALSE:
                continue
            for target in targets.get(tuple([region.control[place] for place in kept]), ()):
                if regions[target].q in following[region.q]:
                    yield source, number, target


def _formula(proof: Certificate, region: Region) -> str:
    """What holds in a region, as one formula."""
    cubes = []
    for cube in region.cubes:
        known = zip(proof.predicates, cube, strict=True)
        parts = [f"({text})" if sign == "1" else f"!({text})" for text, sign in known if sign != "-"]
        cubes.append(" && ".join(parts) or "true")
    return " || ".join(f"({part})" for part in (*cubes, *region.formulas)) or "false"


def region_of(question: Question, graph: AbstractGraph, node: int) -> LiveRegion:
    """A node of a closed abstraction."""
    names = [str(variable) for variable in graph.abstraction.system.control_variables]
    order = [names.index(variable.name) for variable in question.program.variables if variable.finite]
    control, _ = graph.abstraction.decode(graph.states[node])
    formula = terms.text(graph.formula(node))
    return LiveRegion(control[names.index(AUTOMATON_NODE)], tuple(control[index] for index in order), formula)


def certificate(
    question: Question,
    argument: tuple[Argument, ...],
    *,
    states: tuple[LiveState, ...] = (),
    regions: tuple[LiveRegion, ...] = (),
    edges: tuple[NodeEdge, ...] = (),
) -> LiveCertificate:
    return LiveCertificate(
        **about(question.program, question.wanted),
        automaton=question.automaton,
        argument=argument,
        states=states,
        regions=regions,
        edges=edges,
    )


def arguments(question: Question, peeled: Iterable[Peeled]) -> tuple[Argument, ...]:
    names = [group.name for group in question.fairness]

    def written(step: Peeled) -> Argument:
        match step:
            case WeakLeaf(node, group):
                return Argument("weak", node, names[group])
            case StrongStep(node, group, children):
                return Argument("strong", node, names[group], children=tuple(map(written, children)))
            case VisitLeaf(node, words, since):
                known = tuple(VisitCubes(visited, at, cubes) for (visited, at), cubes in since.items())
                return Argument("visits", node, words=words, since=known)
            case RankStep(node, ranks, removed, children):
                gone = tuple(map(node_edge, removed))
                return Argument("rank", node, "", ranks, gone, tuple(map(written, children)))

    return tuple(map(written, peeled))


def node_edge(edge: LiveEdge) -> NodeEdge:
    return edge.source, edge.transition, edge.target
