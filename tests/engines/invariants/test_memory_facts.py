"""Guesses about memory: what stores have put where, and the objects that a pointer was seen at."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.invariants.memory_facts import memory_facts, passed_by
from pincer.engines.invariants.sight import Sight
from pincer.execution.machine import World
from pincer.execution.testing import Node
from pincer.execution.testing import Tester as Executor
from pincer.logic import bitvectors, terms
from pincer.program.control_flow import Store
from tests.engines.dash.dash_runs import loaded

FILL = """
int a[3];
int main(void) {
    int *p = a;
    while (p != a + 3) { *p = 7; p++; }
}"""


def sight(folder: Path) -> Sight:
    """The loop with the states of one test at its locations."""
    program = loaded(folder, FILL)
    nodes: dict[int, list[Node]] = {}
    tester = Executor(World(program), lambda node: nodes.setdefault(node.location, []).append(node))
    tester.run(tester.root(), 1_000)
    return Sight(program.procedures["main"], nodes, (), program.layout)


def test_what_stores_leave_behind_is_guessed(tmp_path: Path) -> None:
    here = sight(tmp_path)
    store = next(edge.label for edge in here.procedure.edges if isinstance(edge.label, Store))
    assert terms.equal(bitvectors.load(store.address, 4), store.value) in list(memory_facts(here))


def test_the_targets_that_a_pointer_was_seen_at_are_guessed_and_hold_in_these_states(tmp_path: Path) -> None:
    here = sight(tmp_path)
    [head] = here.procedure.loop_heads
    [targets] = [guess for guess in memory_facts(here) if guess.op == "or"]
    assert len(targets.args) == 4
    assert all(node.state.value(targets) for node in here.nodes[head])


def test_what_a_region_denies_is_guessed_with_conditions_that_hold_where_it_fails(tmp_path: Path) -> None:
    here = sight(tmp_path)
    [head] = here.procedure.loop_heads
    start = here.nodes[head][0].state.value(next(iter(_pointer(here))))
    denied = terms.negate(terms.equal(bitvectors.load(bitvectors.constant(start, 64), 4), bitvectors.constant(7, 32)))
    guesses = list(passed_by(Sight(here.procedure, here.nodes, (denied,), here.layout)))
    assert guesses[0] is terms.negate(denied)
    assert len(guesses) > 1
    assert all(node.state.value(guess) for guess in guesses[1:] for node in here.nodes[head])


def _pointer(here: Sight) -> frozenset[terms.Term]:
    store = next(edge.label for edge in here.procedure.edges if isinstance(edge.label, Store))
    return store.address.variables
