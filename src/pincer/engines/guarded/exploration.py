"""What exploration leaves behind, and the steps it is made of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from dataclasses import dataclass, field

from msgspec import Struct

from pincer.abstraction.predicates import AbstractState, PredicateAbstraction
from pincer.execution.concrete import compile_choosing, compile_successors
from pincer.execution.symbolic import SymbolicState, execute, few_instances, initial_states, normalised, symbolic
from pincer.program.transition_system import State, TransitionSystem
from pincer.runtime.run import Run

Explored = State | SymbolicState


class Node:
    """An explored state and how it was reached."""

    __slots__ = ("alpha", "parent", "state", "transition")

    def __init__(self, state: Explored, alpha: AbstractState, parent: Node | None, transition: int) -> None:
        self.state = state
        self.alpha = alpha
        self.parent = parent
        self.transition = transition

    def path(self) -> list[Node]:
        """The nodes from the root to this one."""
        nodes = [self]
        while (above := nodes[-1].parent) is not None:
            nodes.append(above)
        return nodes[::-1]

    def repeats(self, alpha: AbstractState) -> bool:
        """Whether the abstract state is already on the path to this node."""
        node: Node | None = self
        while node is not None:
            if node.alpha == alpha:
                return True
            node = node.parent
        return False


@dataclass
class Exploration:
    """The abstract transition system that symbolic execution built, and what it stands on.

    `waiting` holds the states that are still to be expanded."""

    abstraction: PredicateAbstraction
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

    def initial(self, abstraction: PredicateAbstraction) -> Iterator[tuple[AbstractState, Explored]]:
        if self._initial is None:
            self._initial = list(initial_states(self.system, abstraction.queries))
        for state in self._initial:
            yield from self._split(abstraction, state)

    def successors(self, exploration: Exploration, node: Node) -> Iterator[tuple[int, AbstractState, Explored]]:
        """The transitions out of a node with the abstract state and the state each leads to."""
        abstraction, state = exploration.abstraction, node.state
        source: SymbolicState | None
        if isinstance(state, tuple):
            alpha, known = abstraction.alpha, exploration.expanded
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
