"""Is the proof of a temporal property a proof?

The checker builds an automaton of the negated formula with derivatives of its own, and has the certificate's automaton
accept everything that its own accepts. It goes through all nodes: initial states lie in them, no step leaves them, no
run ends in them as it should not. Every infinite run therefore follows edges between nodes, and those it takes again
and again lie in one strongly connected component. The argument takes these components apart.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Sequence

from pincer.errors import PincerError
from pincer.evidence.gcl.checker import CertificateReport
from pincer.evidence.live.certificate import Argument, LiveCertificate, NodeEdge
from pincer.evidence.live.nodes import Component, NodeGraph, Obligated, components
from pincer.evidence.live.prover import Prover
from pincer.evidence.live.regions import RegionNodes
from pincer.evidence.live.states import StateNodes
from pincer.evidence.live.witness import property_of
from pincer.evidence.pptl.automaton import CheckedAutomaton
from pincer.evidence.pptl.formula import Formula, TooManyCases, not_
from pincer.evidence.pptl.reading import read_formula
from pincer.evidence.pptl.simulation import BuiltPlayer, GivenPlayer, accepts_finite, accepts_infinite
from pincer.program.automaton import Automaton
from pincer.program.guarded import GuardedProgram, TemporalProperty
from pincer.runtime.run import Run

MOST_NODES = 20_000
MOST_EDGES = 200_000
DEEPEST = 32
"""Beyond these a proof is not looked at: it would take hours."""


def check_live(
    program: GuardedProgram, certificate: LiveCertificate, solver: str = "cvc5", run: Run | None = None
) -> CertificateReport:
    """Check that the certificate proves its formula of the program; `Stopped` is raised when the run is stopped."""
    started = time.monotonic()
    prover = Prover(solver, run or Run())
    check = _LiveCheck(program, certificate, prover)
    try:
        check.all()
        reason = ""
    except (Obligated, PincerError) as error:
        reason = str(error)
    except TooManyCases:
        reason = "the formula has too many cases to be checked"
    except RecursionError:
        reason = "a formula is nested too deeply to be checked"
    spent = time.monotonic() - started
    return CertificateReport(not reason, reason, check.obligations, prover.calls, spent, prover.name)


class _LiveCheck:
    def __init__(self, program: GuardedProgram, certificate: LiveCertificate, prover: Prover) -> None:
        self._program = program
        self._certificate = certificate
        self._prover = prover
        self._nodes: NodeGraph | None = None
        numbers = {transition.name: number for number, transition in enumerate(program.transitions)}
        self._groups = {
            group.name: (group.strong, frozenset(numbers[name] for name in group.transitions))
            for group in program.fairness
        }

    @property
    def obligations(self) -> int:
        return self._nodes.obligations if self._nodes is not None else 0

    def all(self) -> None:
        """Raises `Obligated` with the first obligation that is not met."""
        certificate, program = self._certificate, self._program
        wanted = property_of(certificate, program)
        check_automaton(certificate.automaton, not_(read_formula(wanted.text)), dict(wanted.propositions))
        self._nodes = nodes = self._graph(wanted)
        self._discharge(nodes, nodes.steps(), certificate.argument, DEEPEST)

    def _graph(self, wanted: TemporalProperty) -> NodeGraph:
        certificate = self._certificate
        count = len(certificate.states) + len(certificate.regions)
        if certificate.states and certificate.regions:
            raise Obligated("a proof has states or regions, not both")
        if count > MOST_NODES or len(certificate.edges) > MOST_EDGES:
            raise Obligated("the proof is too large to be checked")
        automaton = certificate.automaton
        used = [*(state.q for state in certificate.states), *(region.q for region in certificate.regions)]
        if not all(0 <= q < automaton.size for q in used):
            raise Obligated("a node of the proof belongs to no node of the automaton")
        transitions = len(self._program.transitions)
        for source, taken, target in certificate.edges:
            if not (0 <= source < count and 0 <= taken < transitions and 0 <= target < count):
                raise Obligated("an edge of the proof has no ends")
        if certificate.regions:
            regions, edges = certificate.regions, certificate.edges
            return RegionNodes(self._program, wanted, automaton, regions, edges, self._prover)
        return StateNodes(self._program, wanted, automaton, certificate.states, self._prover)

    def _discharge(
        self, nodes: NodeGraph, edges: Collection[NodeEdge], arguments: Sequence[Argument], depth: int
    ) -> None:
        """Every component with an accepting node has an argument."""
        if depth == 0:
            raise Obligated("the argument of the proof is nested too deeply")
        if not any(nodes.automaton.accepting[nodes.q(source)] for source, _, _ in edges):
            return
        for component in components(edges):
            if not any(nodes.automaton.accepting[nodes.q(node)] for node in component.nodes):
                continue
            found = [argument for argument in arguments if argument.node in component.nodes]
            if not found:
                raise Obligated("nothing says why a fair run cannot stay in some component for ever")
            self._argued(nodes, component, found[0], depth)

    def _argued(self, nodes: NodeGraph, component: Component, argument: Argument, depth: int) -> None:
        if argument.kind == "visits":
            self._compared(nodes, component, argument)
            return
        is_ranked = argument.kind == "rank"
        rest = self._ranked(nodes, component, argument) if is_ranked else self._fair(nodes, component, argument)
        if rest:
            self._discharge(nodes, rest, argument.children, depth - 1)

    def _fair(self, nodes: NodeGraph, component: Component, argument: Argument) -> set[NodeEdge]:
        """What is left when a group is not treated unfairly."""
        if argument.group not in self._groups:
            raise Obligated(f"the program is not fair to {argument.group!r}")
        strong, members = self._groups[argument.group]
        if any(taken in members for _, taken, _ in component.edges):
            raise Obligated(f"{argument.group} steps in a component where it should not")
        if argument.kind == "strong":
            if not strong:
                raise Obligated(f"the program is not strongly fair to {argument.group}")
            able = {node for node in component.nodes if nodes.enables(node, members)}
            if not able:
                raise Obligated(f"{argument.group} is not enabled where it should be")
            return {edge for edge in component.edges if edge[0] not in able}
        if not all(nodes.enables(node, members) for node in component.nodes):
            raise Obligated(f"{argument.group} may be disabled in a component where it should not")
        return set()

    def _compared(self, nodes: NodeGraph, component: Component, argument: Argument) -> None:
        """Among infinitely many visits of a node there would be infinitely many of which any two have the same word
        smaller at the later one (Ramsey)."""
        since = {(known.visited, known.node): known.cubes for known in argument.since}
        if not argument.words or any(
            len(cube) != len(argument.words) ** 2 for cubes in since.values() for cube in cubes
        ):
            raise Obligated("what is said of visits does not fit their words")
        if not all(nodes.related(edge, argument.words, since) for edge in component.edges):
            raise Obligated("of two visits of a node no word need be smaller at the later one")

    def _ranked(self, nodes: NodeGraph, component: Component, argument: Argument) -> set[NodeEdge]:
        ranks = nodes.ranks({node: argument.ranks[node] for node in component.nodes if node in argument.ranks})
        removed = component.edges.intersection(argument.removed)
        if not removed:
            raise Obligated("a rank decreases along no edge")
        for edge in component.edges:
            if edge in removed:
                if not ranks.decreases(edge):
                    raise Obligated("a rank does not decrease, or is negative, along an edge where it should not")
            elif not ranks.never_increases(edge):
                raise Obligated("a rank increases along an edge")
        return set(component.edges - removed)


def check_automaton(automaton: Automaton, formula: Formula, propositions: Collection[str]) -> None:
    """The automaton is well formed and accepts every model of the formula."""
    size = automaton.size
    inside = [*automaton.initial, *(node for edge in automaton.edges for node in (edge.source, edge.target))]
    if len(automaton.ends) != size or not all(0 <= node < size for node in inside):
        raise Obligated("the automaton of the proof is not well formed")
    guards = (*automaton.ends, *(edge.guard for edge in automaton.edges))
    if not all(name in propositions for guard in guards for cube in guard for name, _ in cube):
        raise Obligated("the automaton of the proof speaks of unknown propositions")
    if not accepts_finite(automaton, formula):
        raise Obligated("the automaton of the proof misses a finite run that violates the formula")
    if not accepts_infinite(GivenPlayer(automaton), BuiltPlayer(CheckedAutomaton(formula))):
        raise Obligated("the automaton of the proof may miss an infinite run that violates the formula")
