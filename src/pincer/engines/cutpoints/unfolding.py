"""A procedure together with an automaton that reads its observed states: a location for each node of the automaton.

An observation becomes a decision: each edge of the automaton is one way on, where its guard holds in the state. Where
the program ends, an automaton that accepts the end is an error. Executions are lifted: a run of the automaton goes with
each, one that passes accepting nodes as often as possible.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count

from msgspec import Struct

from pincer.execution.testing import Node
from pincer.logic.terms import FALSE, Term, conjunction, disjunction, negate
from pincer.program.automaton import Automaton, Guard
from pincer.program.control_flow import Assume, Edge, Fail, Observe, Procedure, Skip

Letters = tuple[tuple[str, Term], ...]


class Unfolded(Struct, frozen=True):
    """`origins` are the location and the node of the automaton that each location stands for, `places` is the inverse;
    `moves` the nodes of the automaton between which each edge made of an observation leads."""

    automaton: Automaton
    procedure: Procedure
    origins: Mapping[int, tuple[int, int]]
    places: Mapping[tuple[int, int], int]
    moves: Mapping[Edge, tuple[int, int]]

    def accepts(self, place: int) -> bool:
        origin = self.origins.get(place)
        return origin is not None and self.automaton.accepting[origin[1]]


class Lifted(Node):
    """A node of an execution with a node of the automaton; `below` is the node of the execution alone."""

    __slots__ = ("below", "q")

    def __init__(self, place: int, below: Node, q: int) -> None:
        super().__init__(place, below.state, below.frame, below.parent, below.edge, below.conditions)
        self.below = below
        self.q = q


def below(node: Node) -> Node:
    """The node of the execution alone."""
    return node.below if isinstance(node, Lifted) else node


def guard_term(guard: Guard, letters: Letters) -> Term:
    """The condition on a state that a guard is."""
    meaning = dict(letters)
    cubes = (conjunction(*(meaning[n] if value else negate(meaning[n]) for n, value in cube)) for cube in guard)
    return disjunction(*cubes)


def unfolded(procedure: Procedure, automaton: Automaton) -> Unfolded:
    """The procedure with a location for each location and node that a run may be in."""
    fresh = count(1 + max(procedure.locations))
    entry, end, wrong = next(fresh), next(fresh), next(fresh)
    places: dict[tuple[int, int], int] = {}
    edges: list[Edge] = []
    moves: dict[Edge, tuple[int, int]] = {}
    waiting: list[tuple[int, int]] = []

    def place(location: int, q: int) -> int:
        if (location, q) not in places:
            places[location, q] = next(fresh)
            waiting.append((location, q))
        return places[location, q]

    edges += [Edge(entry, place(procedure.entry, q), Skip(), procedure.position) for q in automaton.initial]
    while waiting:
        location, q = waiting.pop()
        here = places[location, q]
        if location == procedure.exit:
            edges.append(Edge(here, end, Skip(), procedure.position))
            continue
        for edge in procedure.outgoing.get(location, ()):
            match edge.label:
                case Observe(letters=letters, last=True):
                    ending = guard_term(automaton.ends[q], letters)
                    if ending is not FALSE:
                        before = next(fresh)
                        edges.append(Edge(here, before, Assume(ending), edge.position))
                        edges.append(
                            Edge(
                                before, wrong, Fail("the run ends here, and the property is false of it"), edge.position
                            )
                        )
                case Observe(letters=letters):
                    for step in automaton.leaving(q):
                        taken = guard_term(step.guard, letters)
                        if taken is not FALSE:
                            made = Edge(here, place(edge.target, step.target), Assume(taken), edge.position)
                            moves[made] = (q, step.target)
                            edges.append(made)
                case label:
                    edges.append(Edge(here, place(edge.target, q), label, edge.position))
    heads = frozenset(number for (location, _), number in places.items() if location in procedure.loop_heads)
    whole = Procedure(
        procedure.name, procedure.parameters, procedure.result, entry, end, tuple(edges), procedure.position, heads
    )
    return Unfolded(automaton, whole, {number: origin for origin, number in places.items()}, places, moves)


def letter_of(node: Node, observation: Observe) -> frozenset[str]:
    """The propositions that hold in a state."""
    return frozenset(name for name, condition in observation.letters if node.state.value(condition))


class _Steps:
    """Where the automaton may go with each letter."""

    def __init__(self, automaton: Automaton) -> None:
        self._automaton = automaton
        self._known: dict[frozenset[str], tuple[tuple[int, int], ...]] = {}

    def with_letter(self, letter: frozenset[str]) -> tuple[tuple[int, int], ...]:
        if letter not in self._known:
            self._known[letter] = tuple(
                (edge.source, edge.target)
                for edge in self._automaton.edges
                if any(all((name in letter) is value for name, value in cube) for cube in edge.guard)
            )
        return self._known[letter]


def possible_nodes(automaton: Automaton, path: Sequence[Node]) -> Iterator[frozenset[int]]:
    """The nodes that the automaton may be in at each node of an execution from its beginning."""
    steps, current = _Steps(automaton), frozenset(automaton.initial)
    for node in path:
        observed = node.edge.label if node.edge is not None else None
        if isinstance(observed, Observe) and not observed.last:
            taken = steps.with_letter(letter_of(node, observed))
            current = frozenset(target for source, target in taken if source in current)
        yield current


def best_nodes(automaton: Automaton, path: Sequence[Node]) -> list[int] | None:
    """A run of the automaton on a whole execution that passes accepting nodes most often, late ones above all."""
    steps = _Steps(automaton)
    score = dict.fromkeys(automaton.initial, 0)
    back: list[tuple[int, dict[int, int]]] = []
    for number, node in enumerate(path):
        observed = node.edge.label if node.edge is not None else None
        if not isinstance(observed, Observe) or observed.last:
            continue
        following: dict[int, int] = {}
        came: dict[int, int] = {}
        for source, target in steps.with_letter(letter_of(node, observed)):
            if source not in score:
                continue
            gained = score[source] + int(automaton.accepting[target])
            if target not in following or (gained, source == target) > (following[target], came[target] == target):
                following[target], came[target] = gained, source
        if not following:
            return None
        score = following
        back.append((number, came))
    if not score:
        return None
    q = max(score, key=lambda node: score[node])
    found = [q] * len(path)
    end = len(path)
    for number, came in reversed(back):
        found[number:end] = [q] * (end - number)
        q, end = came[q], number
    found[:end] = [q] * end
    return found


def everywhere(product: Unfolded, path: Sequence[Node]) -> Iterator[Lifted]:
    """An execution with all nodes that the automaton may be in."""
    for node, nodes in zip(path, possible_nodes(product.automaton, path), strict=True):
        for q in sorted(nodes):
            place = product.places.get((node.location, q))
            if place is not None:
                yield Lifted(place, node, q)


def lifted(product: Unfolded, path: Sequence[Node]) -> list[Lifted]:
    """An execution with one run of the automaton; nothing if the automaton has none."""
    nodes = best_nodes(product.automaton, path) or ()
    return [Lifted(product.places.get((n.location, q), -1), n, q) for n, q in zip(path, nodes, strict=False)]
