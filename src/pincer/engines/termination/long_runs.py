"""Executions that do not come to an end soon, with inputs that are chosen in the same way in every round.

An input has one word for each place where it is read: a number, or what some variable is then, or a number next to it.
So a round can be repeated, also where it goes on only for an input that varies with the state.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from msgspec import Struct

from pincer.engines.cutpoints.candidates import values
from pincer.engines.cutpoints.cutting import Cut
from pincer.engines.cutpoints.unfolding import Lifted, below, lifted
from pincer.engines.sampling.inputs import compared_numbers, drawn_input, is_truth_value
from pincer.engines.termination.endless_region import Chosen, Visits
from pincer.engines.termination.limits import LIMITS
from pincer.execution.machine import State, World
from pincer.execution.stepping import Stop
from pincer.execution.testing import Node, Tester, spread
from pincer.logic.bitvectors import binary, constant, width
from pincer.logic.terms import Term
from pincer.program.control_flow import ControlFlowProgram, Edge, Input, Observe
from pincer.runtime.run import Run

CHOICES = frozenset(("nondet", "external"))
"""Inputs that may have a value of their own in every round: what is not initialised is read once."""


class LongRun(Struct, frozen=True):
    """The nodes at cut points, in their order, and the words for inputs by the edge that reads them.

    The `tester` can go on from its nodes. `moves` are those of an automaton in the second half."""

    nodes: tuple[Node, ...]
    inputs: Chosen
    tester: Tester
    moves: frozenset[tuple[int, int]] = frozenset()

    @property
    def late(self) -> tuple[Node, ...]:
        return self.nodes[len(self.nodes) // 2 :]

    def visits(self) -> Visits:
        """The states at the cut points that the run comes back to in its second half."""
        found: dict[int, list[Node]] = {}
        for node in self.late:
            found.setdefault(node.location, []).append(node)
        return {place: [node.state for node in spread(nodes, LIMITS.visits)] for place, nodes in found.items()}

    def chosen(self) -> Chosen:
        """The inputs that are read in the second half."""
        found: dict[Edge, Term] = {}
        node: Node | None = below(self.nodes[-1])
        first = below(self.late[0])
        while node is not None and node is not first:
            edge = node.edge
            if edge is not None and isinstance(edge.label, Input) and edge.label.kind in CHOICES:
                found[edge] = self.inputs[edge]
            node = node.parent
        return found


class Endings(Struct):
    """How executions ended: where behaviour is undefined, and where nothing is modelled."""

    undefined: dict[Edge, Stop] = {}
    unsupported: dict[Edge, str] = {}
    judge: Callable[[Sequence[Node]], None] | None = None
    """What looks at executions that have ended, and at the beginnings of others."""

    def note(self, stop: Stop, path: Sequence[Node]) -> None:
        if self.judge is not None and stop.kind in ("halt", "steps"):
            self.judge(path)
        if stop.edge is not None and stop.kind == "check":
            self.undefined.setdefault(stop.edge, stop)
        elif stop.edge is not None and stop.kind == "unsupported":
            self.unsupported.setdefault(stop.edge, f"{stop.message} {stop.edge.position.said}")


def long_runs(cut: Cut, run: Run, endings: Endings) -> Iterator[LongRun]:
    """Executions that go on for long, each different from the others; how the others end is noted."""
    drawing = _Drawing(cut)
    seen: set[tuple[object, ...]] = set()
    for seed in range(LIMITS.runs):
        found = [_long_run(cut, drawing.numbers(seed), run, endings)]
        if drawing.follows and seed % LIMITS.following == 0:
            found.append(_long_run(cut, drawing.following(seed), run, endings))
        for longer in found:
            if longer is None:
                continue
            like = (*sorted({node.location for node in longer.late}), -1, *longer.inputs.values())
            if like not in seen:
                seen.add(like)
                yield longer


def _long_run(cut: Cut, words: Callable[[Input, Term], Term], run: Run, endings: Endings) -> LongRun | None:
    """An execution that goes on for long, with a word for each input that is found when it is read first."""
    edges = inputs_of(cut)
    inputs: dict[Edge, Term] = {}
    state: State | None = None

    def observed(node: Node) -> None:
        nonlocal state
        state = node.state

    def draw(label: Input, symbol: Term) -> int:
        edge = edges[id(label)]
        if edge not in inputs:
            inputs[edge] = words(label, symbol)
        assert state is not None
        return state.value(inputs[edge])

    tester = Tester(World(cut.program, draw, concrete=True), observed)
    last, stop = tester.run(tester.root(), LIMITS.steps_per_run, run.poll)
    path = last.path()
    endings.note(stop, path)
    if stop.kind != "steps":
        return None
    whole = with_automaton(cut, path)
    places = frozenset(cut.view.live) - {cut.view.procedure.entry}
    nodes = [node for node in whole if node.location in places]
    if len(nodes) < 4:
        return None
    return LongRun(tuple(nodes), inputs, tester, moves_from(whole, nodes[len(nodes) // 2]))


class _Drawing:
    """Words for inputs, drawn at random."""

    def __init__(self, cut: Cut) -> None:
        self._compared = compared_numbers(cut.program)
        heads = frozenset(cut.view.live) & frozenset(cut.view.procedure.loop_heads)
        observed = (value for head in sorted(heads) for value in values(cut.view, head) if value.op in ("var", "load"))
        self._observed = [value for value in dict.fromkeys(observed) if value is not cut.program.top]
        widths = {width(value) for value in self._observed}
        labels = [edge.label for edge in inputs_of(cut).values()]
        self.follows = any(
            isinstance(label, Input) and label.kind in CHOICES and width(label.register) in widths for label in labels
        )

    def numbers(self, seed: int) -> Callable[[Input, Term], Term]:
        """The same number whenever an input is read."""
        rng = random.Random(seed)
        return lambda label, symbol: constant(
            _drawn(rng, seed % 4, label, symbol, self._compared), width(label.register)
        )

    def following(self, seed: int) -> Callable[[Input, Term], Term]:
        """What a variable is when the input is read, or a number next to it."""
        rng, numbers = random.Random(seed), self.numbers(seed)

        def word(label: Input, symbol: Term) -> Term:
            bits = width(label.register)
            alike = [value for value in self._observed if width(value) == bits]
            if label.kind not in CHOICES or not alike or rng.random() < LIMITS.numbers_beside:
                return numbers(label, symbol)
            apart = rng.choice((0, 0, 1, -1)) % (1 << bits)
            return binary("bvadd", rng.choice(alike), constant(apart, bits))

        return word


def note_endings(program: ControlFlowProgram, run: Run, endings: Endings) -> None:
    """How some executions of a program end."""
    numbers = compared_numbers(program)
    for seed in range(LIMITS.endings):
        rng = random.Random(seed)

        def draw(label: Input, symbol: Term, rng: random.Random = rng, style: int = seed % 4) -> int:
            return _drawn(rng, style, label, symbol, numbers)

        tester = Tester(World(program, draw, concrete=True))
        last, stop = tester.run(tester.root(), LIMITS.steps_per_run, run.poll)
        endings.note(stop, last.path())


def inputs_of(cut: Cut) -> dict[int, Edge]:
    """The edges that read inputs, by the identity of their labels, which copies of an edge share."""
    edges = cut.program.procedures[cut.program.entry].edges
    return {id(edge.label): edge for edge in edges if isinstance(edge.label, Input)}


def moves_from(path: Sequence[Node], first: Node) -> frozenset[tuple[int, int]]:
    """Between which nodes an automaton goes from one node of an execution on."""
    found: set[tuple[int, int]] = set()
    late = path[path.index(first) :]
    for node, following in pairwise(late):
        observed = following.edge is not None and isinstance(following.edge.label, Observe)
        if observed and isinstance(node, Lifted) and isinstance(following, Lifted):
            found.add((node.q, following.q))
    return frozenset(found)


def with_automaton(cut: Cut, path: Sequence[Node]) -> Sequence[Node]:
    """The nodes of an execution, with a run of the automaton where one reads its states."""
    return path if cut.product is None else lifted(cut.product, path)


def _drawn(rng: random.Random, style: int, label: Input, symbol: Term, numbers: dict[int, list[int]]) -> int:
    """A value for an input: one that is compared, an extreme one, any, or a small one."""
    bits = width(symbol)
    if style == 0 or is_truth_value(label):
        return drawn_input(rng, label, symbol, numbers)
    if style == 1:
        half = 1 << (bits - 1)
        return rng.choice((0, 1, half - 1, half, 2 * half - 1)) & (2 * half - 1)
    return rng.getrandbits(bits) if style == 2 else rng.randint(0, 10) & ((1 << bits) - 1)


def calls_of(node: Node) -> tuple[tuple[str, int], ...]:
    """The calls that are open at a node, outermost first."""
    found: list[tuple[str, int]] = []
    frame = node.frame
    while frame.caller is not None and frame.call is not None:
        caller = frame.caller.procedure
        found.append((caller.name, caller.edges.index(frame.call)))
        frame = frame.caller
    return tuple(reversed(found))
