"""A procedure is paired with the nodes of an automaton, and executions with its runs."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.cutpoints.unfolding import below, best_nodes, everywhere, lifted, possible_nodes, unfolded
from pincer.engines.termination.verify import violations
from pincer.execution.machine import World
from pincer.execution.testing import Node, Tester
from pincer.program.control_flow import ControlFlowProgram, Fail, Observe
from tests.engines.termination.formula_programs import observed

COUNTS = "int x; int main(void) { while (x < 3) x++; return 0; }"


def path_of(program: ControlFlowProgram) -> list[Node]:
    tester = Tester(World(program, concrete=True))
    last, _ = tester.run(tester.root(), 200)
    return last.path()


def test_ends_that_the_automaton_accepts_are_errors(tmp_path: Path) -> None:
    program = observed(tmp_path, COUNTS, "<>{x == 5}")
    product = unfolded(program.procedures["main"], violations(program.formula))
    assert any(isinstance(edge.label, Fail) for edge in product.procedure.edges)
    assert not any(isinstance(edge.label, Observe) for edge in product.procedure.edges)
    assert set(product.origins) == set(product.places.values())
    places, nodes = zip(*product.places, strict=True)
    assert set(places) <= set(program.procedures["main"].locations)
    assert set(nodes) <= set(range(product.automaton.size))


def test_an_execution_is_in_all_nodes_that_its_states_allow(tmp_path: Path) -> None:
    program = observed(tmp_path, COUNTS, "[]{x < 3}")
    automaton = violations(program.formula)
    path = path_of(program)
    certain = automaton.certain()
    assert certain is not None
    reached = [certain in nodes for nodes in possible_nodes(automaton, path)]
    assert not reached[0] and reached[-1]
    assert all(path[i].state.registers != path[0].state.registers for i, found in enumerate(reached) if found)
    product = unfolded(program.procedures["main"], automaton)
    assert {below(node).location for node in everywhere(product, path)} <= {node.location for node in path}


def test_the_best_run_accepts_as_often_as_it_can(tmp_path: Path) -> None:
    program = observed(tmp_path, "int x; int main(void) { for (;;) x = !x; }", "<>[]{x}")
    automaton = violations(program.formula)
    path = path_of(program)
    nodes = best_nodes(automaton, path)
    assert nodes is not None
    assert any(automaton.accepting[q] for q in nodes[-20:])
    assert [node.q for node in lifted(unfolded(program.procedures["main"], automaton), path)] == nodes


def test_no_run_where_the_automaton_is_stuck(tmp_path: Path) -> None:
    program = observed(tmp_path, COUNTS, "<>{x == 0}")
    assert best_nodes(violations(program.formula), path_of(program)) is None
