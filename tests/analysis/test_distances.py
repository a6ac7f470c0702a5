"""Distances count steps, through calls and back."""

from __future__ import annotations

from pathlib import Path

from pincer.analysis.distances import Distances
from pincer.analysis.thread_facts import ThreadFacts
from pincer.program.control_flow import Call
from tests.analysis.threaded_programs import analysed, edges_at

TEXT = """
int x, y; int *keep = &x;
void deep(void) {
  x = 1; /* DEEP */
}
void shallow(void) { deep(); }
void never(void) { while (1) y = 2; }
void *run(void *arg) {
  x = 3; /* RUN */
  return 0;
}
int main(void) {
  y = 1; /* START */
  shallow(); /* CALL */
  y = 2; /* AFTER */
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  never();
  y = 4; /* BEYOND */
  return 0;
}
"""


def at(facts: ThreadFacts, mark: str) -> int:
    return edges_at(facts, TEXT, mark)[0].source


def test_a_call_is_entered_or_passed(tmp_path: Path) -> None:
    facts = analysed(tmp_path, TEXT)
    found = Distances(facts.calls)
    assert found.down(at(facts, "DEEP"))[at(facts, "START")] == 3
    assert found.down(at(facts, "AFTER"))[at(facts, "CALL")] == 5


def test_returns_lead_back_to_callers(tmp_path: Path) -> None:
    facts = analysed(tmp_path, TEXT)
    found = Distances(facts.calls)
    deep, after = at(facts, "DEEP"), at(facts, "AFTER")
    assert deep not in found.down(after)
    assert found.anywhere(after)[deep] == 3
    calls = [edge for edge in facts.program.edges() if isinstance(edge.label, Call)]
    returns = {edge.label.procedure: edge.target for edge in calls if isinstance(edge.label, Call)}
    assert found.from_stack(deep, [returns["deep"], returns["shallow"]], after) == 3
    assert found.from_stack(deep, [returns["deep"]], after) is None


def test_threads_to_be_created_are_ahead(tmp_path: Path) -> None:
    facts = analysed(tmp_path, TEXT)
    assert Distances(facts.calls).down(at(facts, "RUN"))[at(facts, "AFTER")] > 0


def test_what_comes_after_a_call_that_never_returns_is_out_of_reach(tmp_path: Path) -> None:
    facts = analysed(tmp_path, TEXT)
    found = Distances(facts.calls)
    assert at(facts, "START") not in found.anywhere(at(facts, "BEYOND"))
    assert found.from_stack(at(facts, "START"), [], at(facts, "BEYOND")) is None


def test_recursion_has_a_shortest_way(tmp_path: Path) -> None:
    text = "int f(int n) { return n > 0 ? f(n - 1) : 0; }\nint main(void) { return f(5); }\n"
    facts = analysed(tmp_path, text)
    main = facts.program.procedures["main"]
    assert 0 < Distances(facts.calls).to_exit[main.entry] < 12
