"""Executions that come to the same state at a loop head again: with the inputs they had before they go on for ever.

The states of a round are listed one by one, and inputs depend on which of them it is.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from msgspec import Struct

from pincer.engines.cutpoints.candidates import values
from pincer.engines.cutpoints.cutting import Cut
from pincer.engines.cutpoints.induction import Facts
from pincer.engines.cutpoints.unfolding import below
from pincer.engines.cutpoints.view import View
from pincer.engines.sampling.inputs import compared_numbers, drawn_input, is_truth_value
from pincer.engines.termination.limits import LIMITS
from pincer.engines.termination.long_runs import CHOICES, moves_from, with_automaton
from pincer.execution.machine import World
from pincer.execution.testing import Node, Tester
from pincer.logic.bitvectors import constant, load, room, state_reads, width
from pincer.logic.terms import Term, conditional, conjunction, disjunction, equal
from pincer.program.control_flow import Allocate, Call, Edge, Input
from pincer.program.labels import read_terms
from pincer.runtime.run import Run


class Lasso(Struct, frozen=True):
    """The nodes of an execution at cut points: the last one is in the same state as the one with number `begin`."""

    view: View
    nodes: tuple[Node, ...]
    begin: int
    moves: frozenset[tuple[int, int]] = frozenset()
    reads: tuple[Term, ...] = ()
    """What the round reads of memory, by addresses that are numbers."""

    @property
    def round(self) -> tuple[Node, ...]:
        return self.nodes[self.begin : -1]

    def facts(self) -> Facts:
        """At each cut point of the round, the states one by one."""
        found: dict[int, list[Term]] = {}
        for node in self.round:
            found.setdefault(node.location, []).append(state_of(self.view, node, self.reads))
        return {place: {disjunction(*states): None} for place, states in found.items()}

    def choices(self) -> Iterator[tuple[int, Edge, Term]]:
        """The inputs that are read on the ways from cut points, in each state as in the round."""
        read: dict[tuple[int, Edge], list[tuple[Term, Term]]] = {}
        for node, following in zip(self.round, self.nodes[self.begin + 1 :], strict=True):
            for edge, value in _inputs_between(node, following):
                state = state_of(self.view, node, self.reads)
                read.setdefault((node.location, edge), []).append((state, value))
        for (place, edge), known in read.items():
            term = known[-1][1]
            for state, value in known[:-1]:
                term = conditional(state, value, term)
            yield place, edge, term


def observed_at(view: View, place: int) -> list[Term]:
    """What tells states at a cut point apart."""
    return [value for value in values(view, place) if value.op in ("var", "load") and value is not view.program.top]


def state_of(view: View, node: Node, reads: Sequence[Term] = ()) -> Term:
    """The condition of being in the state of a node."""
    observed = (*observed_at(view, node.location), *reads)
    return conjunction(*(equal(v, constant(node.state.value(v), width(v))) for v in observed))


def _inputs_between(first: Node, last: Node) -> Iterator[tuple[Edge, Term]]:
    node, first = below(last), below(first)
    while node is not first and node.parent is not None:
        edge = node.edge
        if edge is not None and isinstance(edge.label, Input) and edge.label.kind in CHOICES:
            register = edge.label.register
            yield edge, constant(node.state.registers[register], width(register))
        node = node.parent


def memory_read(first: Node, last: Node) -> tuple[Term, ...]:
    """What is read of memory between two nodes of an execution, with numbers for addresses."""
    node, first = below(last), below(first)
    found: dict[Term, None] = {}
    while node is not first and node.parent is not None:
        before = node.parent.state
        label = None if node.edge is None else node.edge.label
        for term in () if label is None or isinstance(label, Call) else read_terms(label):
            for read in state_reads(term):
                address = constant(before.value(read.args[0]), width(read.args[0]))
                found[load(address, read.args[1]) if read.op == "load" else room(address)] = None
        node = node.parent
    return tuple(found)


def _allocates(first: Node, last: Node) -> bool:
    """Whether a round allocates memory, which the model cannot do for ever."""
    node, first = below(last), below(first)
    while node is not first and node.parent is not None:
        if node.edge is not None and isinstance(node.edge.label, Allocate):
            return True
        node = node.parent
    return False


def lassos(cut: Cut, run: Run) -> Iterator[Lasso]:
    """Executions with inputs that vary, each up to the first state that comes again."""
    numbers = compared_numbers(cut.program)
    places = frozenset(cut.view.live) - {cut.view.procedure.entry}
    observed = {place: observed_at(cut.view, place) for place in places}
    for seed in range(LIMITS.lassos + LIMITS.short_lassos):
        rng = random.Random(seed)
        steps = LIMITS.steps_per_lasso if seed < LIMITS.lassos else LIMITS.steps_per_short_lasso

        def draw(label: Input, symbol: Term, rng: random.Random = rng, few: bool = seed >= LIMITS.lassos) -> int:
            if few and label.kind in CHOICES and not is_truth_value(label):
                return rng.randrange(min(LIMITS.few_inputs, 1 << width(symbol)))
            return drawn_input(rng, label, symbol, numbers)

        tester = Tester(World(cut.program, draw, concrete=True))
        last, stop = tester.run(tester.root(), steps, run.poll)
        if cut.product is not None and stop.kind != "steps":
            continue
        path = with_automaton(cut, last.path())
        nodes: list[Node] = []
        seen: dict[tuple[int, ...], int] = {}
        accepted: Node | None = None
        for count, node in enumerate(path):
            if cut.product is not None and cut.product.accepts(node.location):
                accepted = node
            if node.location not in places:
                continue
            key = (node.location, *map(node.state.value, observed[node.location]))
            nodes.append(node)
            begin = seen.get(key)
            if begin is None or len(nodes) - 1 - begin > LIMITS.period:
                seen[key] = len(nodes) - 1
                continue
            reads = memory_read(nodes[begin], node)
            if len(reads) > LIMITS.reads:
                break
            if any(nodes[begin].state.value(read) != node.state.value(read) for read in reads):
                seen[key] = len(nodes) - 1
                continue
            moves = moves_from(path[: count + 1], nodes[begin])
            if cut.product is not None and (accepted is None or accepted not in path[path.index(nodes[begin]) :]):
                continue
            if not _allocates(nodes[begin], node):
                yield Lasso(cut.view, tuple(nodes), begin, moves, reads)
            break
