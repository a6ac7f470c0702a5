"""Runs that never end and need not repeat a state: a beginning, and regions in which one can go on for ever.

From every state of a region its transition can be taken, and wherever it leads, that is a region among its targets,
with an edge of the automaton. So a run that has come into a region goes on for ever. Without the regions that accept,
and for each fair group without those in which it steps or is disabled, no cycle is left: the run accepts, and is fair.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from pincer.errors import PincerError
from pincer.evidence.gcl.interpreter import compile_formula, successors
from pincer.evidence.gcl.replay import ReplayReport, replay_steps, trace_from_json, trace_to_json
from pincer.evidence.live.certificate import LiveRegion, PropertyEvidence
from pincer.evidence.live.nodes import Obligated, components
from pincer.evidence.live.prover import Prover
from pincer.evidence.live.regions import RegionNodes
from pincer.evidence.live.replay import letters
from pincer.evidence.live.trace import ROUNDS, Recurrence
from pincer.evidence.live.witness import about
from pincer.evidence.pptl.automaton import CheckedAutomaton, negates_iteration
from pincer.evidence.pptl.formula import TooManyCases, not_
from pincer.evidence.pptl.reading import read_formula
from pincer.evidence.pptl.simulation import BuiltPlayer, GivenPlayer, accepts_infinite
from pincer.frontends.gcl import parse_formula
from pincer.program.automaton import Automaton, holds
from pincer.program.guarded import GuardedProgram, TemporalProperty
from pincer.runtime.codec import Format
from pincer.runtime.run import Run


class RecurrenceFile(PropertyEvidence, frozen=True):
    """A recurrence as it is kept."""

    automaton: Automaton
    regions: tuple[LiveRegion, ...]
    transitions: tuple[int, ...]
    targets: tuple[tuple[int, ...], ...]
    trace: tuple[Any, ...]

    def of(self, program: GuardedProgram) -> Recurrence:
        stem = trace_from_json(program, self.property, self.trace)
        return Recurrence(stem, self.automaton, self.regions, self.transitions, self.targets)


def recurrence_file(program: GuardedProgram, wanted: TemporalProperty, found: Recurrence) -> RecurrenceFile:
    return RecurrenceFile(
        **about(program, wanted),
        automaton=found.automaton,
        regions=found.regions,
        transitions=found.transitions,
        targets=found.targets,
        trace=tuple(trace_to_json(program, found.stem)),
    )


def check_recurrence(
    program: GuardedProgram, wanted: TemporalProperty, found: Recurrence, solver: str = "cvc5", run: Run | None = None
) -> ReplayReport:
    """Execute the beginning and some rounds, and show that they go on for ever as the formula forbids."""
    report = replay_steps(program, found.stem)
    if not report.ok:
        return report
    try:
        _RecurrenceCheck(program, wanted, found, Prover(solver, run or Run())).all()
    except (Obligated, PincerError) as error:
        return ReplayReport(False, len(found.stem.steps), str(error))
    except (TooManyCases, RecursionError):
        return ReplayReport(False, len(found.stem.steps), "the formula has too many cases to be checked")
    return ReplayReport(True)


class _RecurrenceCheck:
    def __init__(self, program: GuardedProgram, wanted: TemporalProperty, found: Recurrence, prover: Prover) -> None:
        self._program = program
        self._wanted = wanted
        self._found = found
        sizes = {len(found.regions), len(found.transitions), len(found.targets)}
        inside = [target for targets in found.targets for target in targets]
        automaton = found.automaton
        if len(sizes) != 1 or not found.regions or not all(0 <= target < len(found.regions) for target in inside):
            raise Obligated("the recurrence is not well formed")
        if not all(0 <= number < len(program.transitions) for number in found.transitions):
            raise Obligated("the recurrence is not well formed")
        nodes = [*(region.q for region in found.regions), *automaton.initial]
        nodes += [node for edge in automaton.edges for node in (edge.source, edge.target)]
        if not all(0 <= node < automaton.size for node in nodes):
            raise Obligated("the recurrence is not well formed")
        edges = [
            (source, found.transitions[source], target)
            for source, targets in enumerate(found.targets)
            for target in targets
        ]
        self._nodes = RegionNodes(program, wanted, automaton, found.regions, edges, prover)

    def all(self) -> None:
        self._judge_automaton()
        self._begin()
        for node in range(len(self._found.regions)):
            self._nodes.goes_on(node, self._found.transitions[node], self._found.targets[node])
        automaton = self._found.automaton
        accepting = {node for node, region in enumerate(self._found.regions) if automaton.accepting[region.q]}
        self._acyclic(accepting, "it is not shown that the formula is violated however often the loop is gone")
        for group in self._program.fairness:
            names = set(group.transitions)
            members = {n for n, transition in enumerate(self._program.transitions) if transition.name in names}
            steps = {node for node, taken in enumerate(self._found.transitions) if taken in members}
            idle = {node for node in range(len(self._found.regions)) if not self._nodes.may_enable(node, members)}
            served = steps if group.strong else steps | idle
            if len(idle) < len(self._found.regions):
                self._acyclic(served, f"the loop need not be fair to {group.name}")
        self._execute()

    def _judge_automaton(self) -> None:
        """Whatever the automaton accepts violates the formula."""
        negated = not_(read_formula(self._wanted.text))
        if negates_iteration(negated):
            raise Obligated("an iteration stands under a negation: what the automaton accepts may satisfy the formula")
        if not accepts_infinite(BuiltPlayer(CheckedAutomaton(negated)), GivenPlayer(self._found.automaton)):
            raise Obligated("the automaton of the recurrence may accept runs that satisfy the formula")

    def _begin(self) -> None:
        """The stem ends in the first region, with a run of the automaton."""
        automaton, found = self._found.automaton, self._found
        word = letters(self._program, self._wanted, found.stem.states)
        nodes = set(automaton.initial)
        for letter in word[:-1]:
            nodes = {edge.target for edge in automaton.edges if edge.source in nodes and holds(edge.guard, letter)}
        if found.regions[0].q not in nodes or not _test(self._program, found.regions[0])(found.stem.states[-1]):
            raise Obligated("the beginning does not lead into the first region")

    def _execute(self) -> None:
        """The interpreter goes on from the stem for some steps."""
        executed(self._program, self._found)

    def _acyclic(self, passed: set[int], claim: str) -> None:
        """Every cycle of regions passes one of those."""
        edges = [
            (node, 0, target)
            for node, targets in enumerate(self._found.targets)
            for target in targets
            if node not in passed and target not in passed
        ]
        if components(edges):
            raise Obligated(claim)


def executed(program: GuardedProgram, found: Recurrence) -> list[Mapping[str, int]]:
    """The states that the interpreter goes through after the stem; free choices are zero."""
    here, states = 0, [found.stem.states[-1]]
    tests = [_test(program, region) for region in found.regions]
    for _ in range(ROUNDS):
        name = program.transitions[found.transitions[here]].name
        steps = [after for taken, after in successors(program, states[-1], (0,)) if taken.name == name]
        following = [(after, target) for after in steps for target in found.targets[here] if tests[target](after)]
        if not following:
            raise Obligated("the interpreter cannot go on for as long as it should")
        state, here = following[0]
        states.append(state)
    return states[1:]


def _test(program: GuardedProgram, region: LiveRegion) -> Callable[[Mapping[str, int]], bool]:
    finite = [variable.name for variable in program.variables if variable.finite]
    inside = compile_formula(parse_formula(region.formula, program), program)
    fixed = dict(zip(finite, region.control, strict=True))
    return lambda state: all(state[name] == value for name, value in fixed.items()) and inside(state)


FORMAT = Format("pincer-recurrence-1", "recurrence", RecurrenceFile, ("file", "sha256", "constants"))
