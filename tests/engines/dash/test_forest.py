"""The forest: states by activation, where tests ended, and states under other inputs."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.dash.forest import Forest
from pincer.engines.dash.limits import LIMITS
from pincer.execution.testing import Node
from pincer.runtime.run import Run
from tests.engines.dash.dash_runs import loaded

TEXT = """
int twice(int x) { return x + x; }
int main(void) { int x = __VERIFIER_nondet_int(); if (twice(x) == 8) return 1; return 0; }"""


def forest(folder: Path, text: str = TEXT) -> tuple[Forest, list[Node]]:
    placed: list[Node] = []
    return Forest(loaded(folder, text), Run(), placed.append), placed


def test_every_state_is_kept_by_its_activation_and_told(tmp_path: Path) -> None:
    made, placed = forest(tmp_path)
    stop = made.run_on(made.tester.root(), LIMITS.steps_per_test)
    assert stop.kind == "halt" and made.ends == [placed[-1]]
    assert {frame.procedure.name for frame in made.nodes_of} == {"main", "twice"}
    assert sorted(map(id, made.nodes())) == sorted(map(id, placed)) and made.steps == len(placed)
    [(before, entered)] = made.activation.items()
    assert before.frame.procedure.name == "main" and entered.call_node is before
    entry = entered.procedure.entry
    assert made.at([entry]) == {entry: [made.nodes_of[entered][0]]}


def test_a_state_under_other_inputs_follows_the_same_path(tmp_path: Path) -> None:
    made, placed = forest(tmp_path)
    made.run_on(made.tester.root(), LIMITS.steps_per_test)
    node = next(node for node in placed if node.frame.procedure.name == "twice")
    [symbol] = node.state.values
    changed = made.under(node, {symbol: 4})
    assert placed[-1] is changed and changed.parent is node.parent
    assert changed.state.registers[node.frame.procedure.parameters[0]] == 4
    assert made.under(node, {}) is node


def test_a_test_without_end_is_cut_off(tmp_path: Path) -> None:
    made, _ = forest(tmp_path, "int main(void) { for (;;) ; }")
    assert made.run_on(made.tester.root(), LIMITS.steps_per_test).kind == "steps"
    assert made.steps <= LIMITS.steps_per_test + 1
