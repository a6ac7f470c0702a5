"""What exploration leaves behind, and the steps it is made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence, Sized
from dataclasses import dataclass, field

from msgspec import Struct

from pincer.abstraction.predicates import AbstractState, PredicateAbstraction
from pincer.abstraction.symmetry import Quotient
from pincer.execution.concrete import compile_choosing, compile_successors
from pincer.execution.symbolic import SymbolicState, execute, few_instances, initial_states, normalised, symbolic
from pincer.logic.queries import Queries
from pincer.program.transition_system import State, TransitionSystem
from pincer.runtime.run import Run

Explored = State | SymbolicState


class Node:
    """An explored state and how it was reached."""

    __slots__ = ("_passed", "alpha", "parent", "state", "transition")

    def __init__(self, state: Explored, alpha: AbstractState, parent: Node | None, transition: int) -> None:
        self.state = state
        self.alpha = alpha
        self.parent = parent
        self.transition = transition
        self._passed: frozenset[AbstractState] | None = None

    def path(self) -> list[Node]:
        """The nodes from the root to this one."""
        nodes = [self]
        while (above := nodes[-1].parent) is not None:
            nodes.append(above)
        return nodes[::-1]

    def repeats(self, alpha: AbstractState) -> bool:
        """Whether the abstract state is already on the path to this node."""
        return alpha in (self._passed or self._pass())

    def _pass(self) -> frozenset[AbstractState]:
        """The abstract states on the path; nodes that add none to them share the set of the one above."""
        unknown: list[Node] = []
        node: Node | None = self
        while node is not None and node._passed is None:
            unknown.append(node)
            node = node.parent
        passed: frozenset[AbstractState] = frozenset() if node is None else node._passed or frozenset()
        for node in reversed(unknown):
            if node.alpha not in passed:
                passed |= {node.alpha}
            node._passed = passed
        return passed


def executed(quotient: Quotient, path: Sequence[Node]) -> tuple[list[State], list[int]]:
    """An execution, and its transitions, whose states are those of a path up to permutation."""
    successors = compile_successors(quotient.symmetry.system)
    alpha = quotient.abstraction.alpha
    assert isinstance(path[0].state, tuple)
    states, steps = [path[0].state], list[int]()
    for node in path[1:]:
        transition, reached = next(
            (transition, state)
            for transition, state in successors(states[-1])
            if quotient.turned(state, alpha)[1] == node.state
        )
        states.append(reached)
        steps.append(transition)
    return states, steps


@dataclass
class AbstractExploration:
    """The abstract transition system that symbolic execution built, and what it stands on.

    `waiting` holds the states that are still to be expanded. With a `quotient` only representatives of orbits are
    explored, and successors are told by theirs."""

    abstraction: PredicateAbstraction
    quotient: Quotient | None = None
    initial: list[AbstractState] = field(default_factory=list)
    edges: dict[AbstractState, dict[int, set[AbstractState]]] = field(default_factory=dict)
    nodes: list[Node] = field(default_factory=list)
    cut: dict[AbstractState, None] = field(default_factory=dict)
    cut_states: dict[Explored, AbstractState] = field(default_factory=dict)
    violations: dict[int, Node] = field(default_factory=dict)
    expanded: dict[Explored, AbstractState] = field(default_factory=dict)
    waiting: Sized = ()

    @property
    def state_count(self) -> int:
        """Distinct concrete or symbolic states generated."""
        return len(self.expanded) + sum(state not in self.expanded for state in self.cut_states)

    def known_as(self, abstract: AbstractState) -> AbstractState:
        """The abstract state that stands for a given one."""
        return abstract if self.quotient is None else self.quotient.representative(abstract)[0]

    def successors(self, abstract: AbstractState, transition: int) -> Iterable[AbstractState]:
        """All that the transition may lead to from an abstract state, by what stands for it."""
        found = self.abstraction.successors(abstract, transition)
        return found if self.quotient is None else dict.fromkeys(map(self.known_as, found))

    def fragment(self) -> dict[AbstractState, None]:
        """The abstract states in which executions may go on unexplored: those reachable from a cut."""
        return self.reachable(self.cut)

    def reachable(self, start: Iterable[AbstractState]) -> dict[AbstractState, None]:
        """The explored abstract states reachable from some, themselves included."""
        found = dict.fromkeys(start)
        pending = list(found)
        while pending:
            for targets in self.edges[pending.pop()].values():
                for target in targets:
                    if target not in found:
                        found[target] = None
                        pending.append(target)
        return found


class OpenStep(Struct, frozen=True):
    """A transition from an explored abstract state with possible successors that exploration did not take."""

    source: AbstractState
    transition: int
    missed: tuple[AbstractState, ...]


class Explorer:
    """Generates successors: compiled code on concrete states, terms and splitting on symbolic ones.

    A symbolic state that stands for at most `few` concrete ones is replaced by them.
    """

    def __init__(self, system: TransitionSystem, run: Run, few: int = 1) -> None:
        self.system = system
        self.run = run
        self.few = few
        self._successors = compile_successors(system)
        self._choosing = compile_choosing(system)
        self._initial: list[SymbolicState] | None = None

    def concrete(self, queries: Queries) -> bool:
        """Whether there is nothing but concrete states to explore."""
        return self._choosing is None and all(state.concrete() is not None for state in self._starts(queries))

    def _starts(self, queries: Queries) -> Sequence[SymbolicState]:
        if self._initial is None:
            self._initial = list(initial_states(self.system, queries))
        return self._initial

    def initial(self, exploration: AbstractExploration) -> Iterator[tuple[AbstractState, Explored]]:
        abstraction, quotient = exploration.abstraction, exploration.quotient
        for start in self._starts(abstraction.queries):
            for alpha, state in self._split(abstraction, start):
                yield (alpha, state) if quotient is None else self._turned(quotient, state)

    @staticmethod
    def _turned(quotient: Quotient, state: Explored) -> tuple[AbstractState, Explored]:
        assert isinstance(state, tuple), "only concrete states are explored up to permutation"
        return quotient.turned(state, quotient.abstraction.alpha)

    def successors(self, exploration: AbstractExploration, node: Node) -> Iterator[tuple[int, AbstractState, Explored]]:
        """The transitions out of a node with the abstract state and the state each leads to."""
        abstraction, state = exploration.abstraction, node.state
        source: SymbolicState | None
        if isinstance(state, tuple):
            alpha, known, quotient = abstraction.alpha, exploration.expanded, exploration.quotient
            if quotient is not None:
                for transition, reached in self._successors(state):
                    yield transition, *quotient.turned(reached, alpha)
                return
            for transition, reached in self._successors(state):
                target_alpha = known.get(reached)
                yield transition, alpha(reached) if target_alpha is None else target_alpha, reached
            choosing = self._choosing(state) if self._choosing else ()
            source = symbolic(self.system, state) if choosing else None
        else:
            choosing = abstraction.enabled(node.alpha)
            source = state
        if source is not None:
            for transition in choosing:
                result = execute(self.system, source, self.system.transitions[transition])
                for target_alpha, target in self._split(abstraction, result):
                    yield transition, target_alpha, target

    def _split(
        self, abstraction: PredicateAbstraction, state: SymbolicState
    ) -> Iterator[tuple[AbstractState, Explored]]:
        self.run.poll()
        for mask, condition in abstraction.split_state(state):
            part = normalised(self.system, SymbolicState(state.control, state.values, condition))
            alpha = abstraction.encode(state.control, mask)
            instances = few_instances(part, self.few)
            if instances is None:
                yield alpha, part
            else:
                for instance in instances:
                    yield alpha, instance
