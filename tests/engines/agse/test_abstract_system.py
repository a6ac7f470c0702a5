"""The abstract system has the locations of the paper's figures, and Eqs. 2 to 4 add what they say."""

from __future__ import annotations

from pathlib import Path

from pincer.analysis.definitions import DataDependence
from pincer.engines.agse.abstract_system import AbstractSystem, abstract_system
from pincer.engines.agse.system_flow import SystemFlow
from pincer.engines.agse.targets import target_sets
from tests.analysis.threaded_programs import analysed
from tests.engines.agse.agse_programs import FIGURE_2, line_of, lines


def system_for(folder: Path, text: str) -> AbstractSystem:
    """The abstract system for the first assertion."""
    facts = analysed(folder, text)
    return abstract_system(SystemFlow(facts), target_sets(facts, "assertions")[0].locations)


def has(system: AbstractSystem, text: str, mark: str) -> bool:
    return line_of(text, mark) in lines(system.flow, system.locations)


def test_the_example_of_the_paper_has_the_locations_of_figure_3a(tmp_path: Path) -> None:
    system = system_for(tmp_path, FIGURE_2)
    for mark in ("TARGET", "BRANCH", "CALL", "LOCK A", "UNLOCK A"):
        assert has(system, FIGURE_2, mark), mark
    for mark in ("LOCK B", "UNLOCK B", "BRANCH B", "CALL RESET", "RESET"):
        assert not has(system, FIGURE_2, mark), mark
    routines = {system.flow.facts.calls.home(start) for start in system.starts}
    assert routines == {"main", "a", "b"}


def test_refinement_adds_the_definition_of_figure_3b_with_the_way_to_it(tmp_path: Path) -> None:
    system = system_for(tmp_path, FIGURE_2)
    flow = system.flow
    (branch,) = [at for at in system.locations if flow.branch(at)]
    dependence = DataDependence(flow.facts.calls, flow.facts.pointers)
    nearest = [edge for level, edge in dependence.definitions_of(flow.uses(branch)) if level == 0]
    assert line_of(FIGURE_2, "RESET") in {edge.position.line for edge in nearest}
    extended = system.extended(edge.source for edge in nearest)
    for mark in ("RESET", "CALL RESET", "LOCK B", "UNLOCK B", "BRANCH B", "INPUT"):
        assert has(extended, FIGURE_2, mark), mark
    assert system.locations < extended.locations


def test_edges_join_neighbours_and_calls_lead_to_starts(tmp_path: Path) -> None:
    system = system_for(tmp_path, FIGURE_2)
    flow = system.flow
    (call,) = [at for at in system.locations if lines(flow, (at,)) == [line_of(FIGURE_2, "CALL")]]
    check = flow.facts.program.procedures["check"].entry
    assert system.call_edges[call] == (check,)
    (unlock,) = [at for at in system.locations if lines(flow, (at,)) == [line_of(FIGURE_2, "UNLOCK A")]]
    assert set(system.successors[call]) == {check, unlock}


def test_nested_branches_and_the_definitions_they_use_are_added(tmp_path: Path) -> None:
    text = """
int main(void) {
  int n = __VERIFIER_nondet_int(); /* OUTER DEFINITION */
  int m = 0; /* INNER DEFINITION */
  int unused = 7; /* UNUSED */
  if (n > 3) { /* OUTER */
    m = n; /* REDEFINITION */
    if (m < 9) /* INNER */
      reach_error();
  }
  if (unused) m = 1; /* UNRELATED */
  return m;
}
"""
    system = system_for(tmp_path, text)
    for mark in ("OUTER", "INNER", "OUTER DEFINITION", "REDEFINITION"):
        assert has(system, text, mark), mark
    for mark in ("INNER DEFINITION", "UNUSED", "UNRELATED"):
        assert not has(system, text, mark), mark


def test_the_creation_of_a_thread_is_a_call_with_its_own_branches(tmp_path: Path) -> None:
    text = """
void *run(void *arg) { reach_error(); return 0; }
int main(void) {
  pthread_t t;
  int n = __VERIFIER_nondet_int(); /* INPUT */
  if (n == 5) /* BRANCH */
    pthread_create(&t, 0, run, 0); /* CREATE */
  return 0;
}
"""
    system = system_for(tmp_path, text)
    for mark in ("CREATE", "BRANCH", "INPUT"):
        assert has(system, text, mark), mark


def test_recursion_and_loops_come_to_an_end(tmp_path: Path) -> None:
    text = """
int f(int n) { if (n > 100) reach_error(); while (n > 3) n = n / 2; return n > 0 ? f(n - 1) : 0; }
int main(void) { return f(__VERIFIER_nondet_int()); }
"""
    system = system_for(tmp_path, text)
    assert system.locations >= system.targets
