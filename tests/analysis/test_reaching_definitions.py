"""Definitions reach their uses within a procedure, with may-alias, and data dependence goes through calls."""

from __future__ import annotations

from pathlib import Path

from pincer.analysis.definitions import DataDependence, DataPlaces, branch_terms, used_by
from pincer.analysis.reaching_definitions import ReachingDefinition, reaching_definitions, written_by_procedures
from pincer.analysis.thread_facts import ThreadFacts
from pincer.program.control_flow import Assume
from tests.analysis.threaded_programs import analysed, edges_at, line_of


def definitions(folder: Path, text: str, procedure: str = "main") -> tuple[ReachingDefinition, ...]:
    """What reaches the branch of the line marked HERE."""
    facts = analysed(folder, text)
    written = written_by_procedures(facts.calls, facts.pointers)
    found = reaching_definitions(facts.program.procedures[procedure], facts.threads, facts.pointers, written)
    branches = [edge for edge in edges_at(facts, text, "HERE") if isinstance(edge.label, Assume)]
    return found.of(branches[0].source, branch_terms(branches))


def lines(found: tuple[ReachingDefinition, ...]) -> set[int]:
    return {definition.edge.position.line for definition in found}


def test_both_definitions_of_a_variable_reach_a_join_and_the_overwritten_one_does_not(tmp_path: Path) -> None:
    text = """
int main(void) {
  int v = 0;
  v = 1; /* FIRST */
  if (__VERIFIER_nondet_int())
    v = 2; /* SECOND */
  if (v > 1) reach_error(); /* HERE */
  return 0;
}
"""
    assert lines(definitions(tmp_path, text)) == {line_of(text, "FIRST"), line_of(text, "SECOND")}


def test_a_store_through_a_pointer_may_define_its_targets(tmp_path: Path) -> None:
    text = """
int x, y;
int main(void) {
  int *p = __VERIFIER_nondet_int() ? &x : &y;
  x = 1; /* DIRECT */
  *p = 2; /* THROUGH */
  if (x > 1) reach_error(); /* HERE */
  return 0;
}
"""
    assert lines(definitions(tmp_path, text)) == {line_of(text, "DIRECT"), line_of(text, "THROUGH")}


def test_a_store_to_the_same_place_hides_the_one_before(tmp_path: Path) -> None:
    text = """
int x; int *keep = &x;
int main(void) {
  x = 1;
  *keep = 2; /* LAST */
  if (x > 1) reach_error(); /* HERE */
  return 0;
}
"""
    assert lines(definitions(tmp_path, text)) == {line_of(text, "LAST")}


def test_a_call_defines_what_its_procedures_write(tmp_path: Path) -> None:
    text = """
int x;
void deep(void) { x = 3; }
void set(void) { deep(); }
int main(void) {
  set(); /* CALL */
  if (x > 1) reach_error(); /* HERE */
  return 0;
}
"""
    (found,) = definitions(tmp_path, text)
    assert found.by_callee and found.edge.position.line == line_of(text, "CALL")


def branch_uses(facts: ThreadFacts, text: str) -> DataPlaces:
    branches = [edge for edge in edges_at(facts, text, "HERE") if isinstance(edge.label, Assume)]
    return used_by(branch_terms(branches), facts.pointers)


def test_data_dependence_follows_arguments_results_and_other_threads(tmp_path: Path) -> None:
    text = """
int shared;
int twice(int n) {
  int r = n + n; /* RESULT */
  return r;
}
void check(int v) {
  if (v > 4) reach_error(); /* HERE */
}
void *run(void *arg) {
  shared = 3; /* OTHER */
  return 0;
}
int main(void) {
  pthread_t t; pthread_create(&t, 0, run, 0);
  check(twice(shared));
  return 0;
}
"""
    facts = analysed(tmp_path, text)
    found = list(DataDependence(facts.calls, facts.pointers).definitions_of(branch_uses(facts, text)))
    levels = {edge.position.line: level for level, edge in found}
    assert levels[line_of(text, "RESULT")] < levels[line_of(text, "OTHER")]
