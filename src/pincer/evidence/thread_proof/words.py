"""Does a temporal formula hold of all runs of a program with threads? The checker visits all states by itself.

The letter of a state is what the formula's propositions say there; where that depends on inputs, the state is told
apart. A run is a word with a letter for each of its states. Moves may take several steps of which nobody notices more
than one, so formulas must not count steps. A run that ends is a finite word; one that stands still repeats its last
letter for ever, and so it is with runs that are fair and go on through states that come again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from pincer.evidence.c_proof.reading import formula_of
from pincer.evidence.pptl.automaton import CheckedAutomaton
from pincer.evidence.pptl.formula import FALSE, Formula, TooManyCases, not_
from pincer.evidence.pptl.simulation import BuiltPlayer
from pincer.evidence.pptl.stuttering import is_stutter_invariant
from pincer.evidence.pptl.truth import Letter, TruthJudge
from pincer.evidence.thread_proof.endings import EndingExplorer
from pincer.evidence.thread_proof.exploration.refusals import ExplorationRefused, OpenValue, Unexplored
from pincer.evidence.thread_proof.exploration.states import State, WorkingState
from pincer.evidence.thread_proof.fair_cycles import Junction, fair_component
from pincer.program.control_flow import ControlFlowProgram, Edge
from pincer.program.property import Fairness

MOST_PAIRS = 400_000
"""Pairs of a state and what is left of the formula there."""

NOBODY = -1
"""Who steps where a run stands still."""


class WordExplorer(EndingExplorer):
    """Visits states, and keeps what the propositions of the formula say in each."""

    def visit(self) -> Iterator[None]:
        self.letters: list[Letter] = []
        yield from super().visit()

    def _numbered(self, state: State) -> Iterator[int]:
        for found, letter in self._told_apart(state):
            number = self._number(found)
            if number == len(self.letters):
                self.letters.append(letter)
            yield number

    def _told_apart(self, state: State) -> list[tuple[State, Letter]]:
        """A state with what is said about it, in each of the cases that inputs allow."""
        found: list[tuple[State, Letter]] = [(state, frozenset())]
        for name, condition in self._steps.watching.conditions(state):
            cases: list[tuple[State, Letter]] = []
            for case, letter in found:
                working = WorkingState(case, 0)
                try:
                    value = self._steps.values.of(condition, working)
                except OpenValue:
                    raise Unexplored("a formula reads memory at an address that depends on inputs") from None
                for holds, wanted in ((True, value), (False, self._conditions.negated(value))):
                    way = working.copy()
                    if self._conditions.passes(way, wanted):
                        changed = case._replace(all=tuple(way.all), memory=way.memory, conditions=way.conditions)
                        cases.append((changed, letter | {name} if holds else letter))
            found = cases
        return found

    def violation(self, formula: Formula, fairness: Fairness) -> str:
        """How a run of the states that were visited violates a formula; empty if none does."""
        try:
            return self._violation(not_(formula), fairness)
        except TooManyCases:
            raise Unexplored("the formula has too many cases to be checked") from None

    def _violation(self, negated: Formula, fairness: Fairness) -> str:
        junctions = self.junctions
        if _accepts_finite(junctions, self.letters, self.initial, negated):
            return "a run that ends may violate the formula"
        pairs = _Pairs(junctions, self.letters, self.initial, BuiltPlayer(CheckedAutomaton(negated)))
        found = fair_component(pairs.junctions, fairness, pairs.accepting)
        return "" if found is None else "a run that goes on for ever may violate the formula"


def _accepts_finite(
    junctions: Sequence[Junction], letters: Sequence[Letter], initial: Sequence[int], formula: Formula
) -> bool:
    """Whether some run that ends satisfies a formula: what is left of it is followed from state to state."""
    judge = TruthJudge()
    pending = [(number, formula) for number in initial]
    seen = set(pending)
    while pending:
        number, rest = pending.pop()
        here, letter = junctions[number], letters[number]
        if here.ends and judge.ends(rest, letter):
            return True
        following = judge.rest(rest, letter)
        fresh = {(target, following) for _, target in here.steps} - seen if following is not FALSE else set()
        seen |= fresh
        pending += fresh
        if len(seen) > MOST_PAIRS:
            raise Unexplored("there are too many states for a formula of this size")
    return False


class _Pairs:
    """States of the program paired with nodes of an automaton that reads their letters."""

    def __init__(
        self, junctions: Sequence[Junction], letters: Sequence[Letter], initial: Sequence[int], player: BuiltPlayer
    ) -> None:
        self._numbers: dict[tuple[int, int], int] = {}
        self._waiting: list[tuple[int, int]] = []
        self.junctions: list[Junction] = []
        self.accepting: list[bool] = []
        for number in initial:
            for node in player.initial:
                self._number(number, node)
        for number, node in self._waiting:
            here, nodes = junctions[number], player.after(node, letters[number])
            steps = (*here.steps, (NOBODY, number)) if here.stands else here.steps
            targets = ((thread, self._number(target, after)) for thread, target in steps for after in nodes)
            self.junctions.append(Junction(here.owing, tuple(targets)))
            self.accepting.append(player.accepting(node))

    def _number(self, number: int, node: int) -> int:
        known = self._numbers.get((number, node))
        if known is None:
            known = self._numbers[number, node] = len(self._numbers)
            self._waiting.append((number, node))
            if known > MOST_PAIRS:
                raise Unexplored("there are too many states for a formula of this size")
        return known


def formula_without_steps(program: ControlFlowProgram) -> Formula:
    """The formula of a program with threads. Raises Unexplored where it may count steps."""
    formula = formula_of(program)
    if not is_stutter_invariant(formula):
        raise Unexplored("the formula counts steps, and how many steps threads take is not said")
    return formula


def check_words(explorer: WordExplorer, program: ControlFlowProgram, fairness: Fairness) -> None:
    """The formula holds of all runs. Raises Refused where it may not, Unexplored at a limit."""
    formula = formula_without_steps(program)
    explorer.explore()
    if explorer.assumed:
        # The program may end before a thread comes to the assumption.
        raise Unexplored("an assumption may fail in a thread, and others may end the program before")
    how = explorer.violation(formula, fairness)
    if how:
        raise ExplorationRefused(how)


def check_violation(
    explorer: WordExplorer, program: ControlFlowProgram, inputs: Mapping[Edge, int], fairness: Fairness
) -> None:
    """Some run with these inputs violates the formula; states are visited until one is found. Raises Unexplored if none
    does."""
    formula = formula_without_steps(program)
    explorer.only_with(inputs)
    size = 64
    for visited, _ in enumerate(explorer.visit(), 1):
        if visited >= size:
            if explorer.violation(formula, fairness):
                return
            size *= 2
    if not explorer.violation(formula, fairness):
        raise Unexplored("no run with these inputs violates the formula")
