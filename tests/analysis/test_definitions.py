"""Where values come from, through procedures, threads and memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.analysis.definitions import DataDependence, DataPlaces, branch_terms, defined_by, used_by
from pincer.analysis.thread_facts import ThreadFacts
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign
from tests.analysis.threaded_programs import analysed, edges_at, two_threads


def register(facts: ThreadFacts, name: str) -> Term:
    (found,) = [known.register for known in facts.program.variables if known.name == name]
    assert found is not None
    return found


def definition_lines(facts: ThreadFacts, name: str) -> dict[int, int]:
    """The lines of the definitions of a global variable, with the least distance of each."""
    found: dict[int, int] = {}
    wanted = DataPlaces(frozenset((register(facts, name),)))
    for level, edge in DataDependence(facts.calls, facts.pointers).definitions_of(wanted):
        found.setdefault(edge.position.line, level)
    return found


def test_values_are_followed_through_arguments_and_results(tmp_path: Path) -> None:
    text = """
int g;
int twice(int n) { return 2 * n; }
int main(void) {
  int s = __VERIFIER_nondet_int(); /* INPUT */
  g = twice(s); /* G */
  return 0;
}
"""
    facts = analysed(tmp_path, text)
    found = definition_lines(facts, "g")
    (at_g,) = {edge.position.line for edge in edges_at(facts, text, "G *")}
    (at_input,) = {edge.position.line for edge in edges_at(facts, text, "INPUT")}
    assert at_input in found and at_input < at_g


def test_values_are_followed_through_memory(tmp_path: Path) -> None:
    text = "int g, cell, *p;\nint main(void) {\n  p = &cell;\n  *p = 7; /* STORE */\n  g = cell;\n  return 0;\n}\n"
    facts = analysed(tmp_path, text)
    (at_store,) = {edge.position.line for edge in edges_at(facts, text, "STORE")}
    assert definition_lines(facts, "g")[at_store] == 1


def test_what_is_used_and_defined(tmp_path: Path) -> None:
    text = two_threads("\nif (cell > g) /* BRANCH */\n  cell = 4; /* STORE */\n", "", "int cell, *p = &cell;")
    facts = analysed(tmp_path, text)
    stores = [defined_by(edge, facts.pointers) for edge in edges_at(facts, text, "STORE")]
    conditions = branch_terms(edges_at(facts, text, "BRANCH"))
    assert conditions
    assert any(found.regions for found in stores)
    loads = [e.label.value for e in edges_at(facts, text, "BRANCH") if isinstance(e.label, Assign)]
    read = used_by(loads, facts.pointers)
    assert register(facts, "g") in read.registers
    assert any(read.meets(found) for found in stores)


@pytest.mark.parametrize("empty", [DataPlaces(), DataPlaces(frozenset(), ())])
def test_nothing_meets_nothing(empty: DataPlaces) -> None:
    assert not empty and not empty.meets(empty) and empty.joined(empty) == empty
