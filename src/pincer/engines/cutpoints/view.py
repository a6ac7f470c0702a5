"""What guesses at cut points are made from: the program with its calls put in place, and states of its tests."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from msgspec import Struct

from pincer.engines.cutpoints.limits import LIMITS
from pincer.engines.cutpoints.unfolding import Unfolded, everywhere
from pincer.engines.sampling.inputs import drawn_input, is_character, looked_for
from pincer.execution.machine import State, World
from pincer.execution.testing import Node, Tester, spread
from pincer.logic import ranges
from pincer.logic.bitvectors import constant, width
from pincer.logic.terms import FALSE, TRUE, Term, rebuild, substitute
from pincer.program.control_flow import Allocate, ControlFlowProgram, Input, Layout, Procedure
from pincer.program.labels import read_registers, read_terms, written_register
from pincer.runtime.run import Run


class Sampling(Struct, frozen=True):
    """How many tests guesses are tried on, and for how many steps each."""

    tests: int = LIMITS.tests
    steps: int = LIMITS.steps_per_test


class View(Struct, frozen=True):
    """A procedure without calls, and at its cut points: registers that facts are about, and the states of tests.

    Registers count as `live` if they are read later, or if the size of some object was computed from them."""

    program: ControlFlowProgram
    procedure: Procedure
    live: Mapping[int, frozenset[Term]]
    states: Mapping[int, Sequence[State]]

    @property
    def layout(self) -> Layout:
        return self.program.layout

    def terms(self) -> list[Term]:
        """All terms that the steps of the procedure evaluate, each once."""
        return list(dict.fromkeys(term for edge in self.procedure.edges for term in read_terms(edge.label)))

    def holds(self, formula: Term, cut: int) -> bool:
        """Whether no test shows that a formula does not hold at a cut point."""
        return all(in_state(formula, state) for state in self.states.get(cut, ()))


def view_of(program: ControlFlowProgram, procedure: Procedure, cuts: frozenset[int],
            hidden: Mapping[int, frozenset[Term]], run: Run, sampling: Sampling | None = None,
            product: Unfolded | None = None) -> View:  # fmt: skip
    live = _live(procedure)
    always = {program.top}.union(*(e.label.size.variables for e in procedure.edges if isinstance(e.label, Allocate)))
    seen = {cut: (live.get(cut, frozenset()) | always) - hidden.get(cut, frozenset()) for cut in cuts}
    return View(program, procedure, seen, _tested(program, cuts, run, sampling or Sampling(), product))


def _live(procedure: Procedure) -> dict[int, frozenset[Term]]:
    """The registers at each place whose values some later step may read."""
    live: dict[int, frozenset[Term]] = {}
    waiting = dict.fromkeys(reversed(procedure.edges))
    while waiting:
        edge = next(iter(waiting))
        del waiting[edge]
        written = written_register(edge.label)
        needed = live.get(edge.target, frozenset()) - ({written} if written is not None else set())
        here = live.get(edge.source, frozenset())
        more = here | needed | read_registers(edge.label)
        if more != here or edge.source not in live:
            live[edge.source] = more
            waiting |= dict.fromkeys(procedure.incoming.get(edge.source, ()))
    return live


def _tested(
    program: ControlFlowProgram, cuts: frozenset[int], run: Run, sampling: Sampling, product: Unfolded | None
) -> dict[int, list[State]]:
    """The states at cut points in some tests with small inputs."""
    found: dict[int, list[Node]] = {cut: [] for cut in cuts}
    numbers = looked_for(program)

    def observe(node: Node) -> None:
        if node.location in found:
            found[node.location].append(node)

    for seed in range(sampling.tests):
        rng = random.Random(seed)

        def draw(label: Input, symbol: Term, rng: random.Random = rng, seed: int = seed) -> int:
            # Lengths are small, so that loops come to their end; contents are what the program looks for.
            if seed % 2 and width(symbol) >= LIMITS.length_bits and not is_character(label):
                return rng.randint(0, 2 + seed % 11)
            return drawn_input(rng, label, symbol, numbers)

        tester = Tester(World(program, draw, concrete=True), observe if product is None else None)
        last, _ = tester.run(tester.root(), sampling.steps, run.poll)
        for node in () if product is None else everywhere(product, last.path()):
            observe(node)
    return {cut: [node.state for node in spread(nodes, LIMITS.states)] for cut, nodes in found.items()}


def in_state(formula: Term, state: State) -> bool:
    """Whether a formula holds in a state; of long ranges only the first cells are looked at."""
    return bool(state.value(_expanded(formula, state) if _has_range(formula) else formula))


_ranged: dict[Term, bool] = {}


def _has_range(formula: Term) -> bool:
    known = _ranged.get(formula)
    if known is None:
        known = _ranged[formula] = bool(ranges.ranges_in([formula]))
    return known


def _expanded(formula: Term, state: State) -> Term:
    if formula.op in ("and", "or", "not", "iff"):
        return rebuild(formula, lambda part: _expanded(part, state))
    if formula.op != "every":
        return formula
    bound, lower, upper, body = formula.args
    low, high = state.value(lower), state.value(upper)
    for i in range(low, min(high, low + LIMITS.cells)):
        if not state.value(substitute(body, {bound: constant(i, width(bound))})):
            return FALSE
    return TRUE
