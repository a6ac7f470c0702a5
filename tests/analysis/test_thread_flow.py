"""What has happened since the start of a thread: here, which lines it has certainly passed."""

from __future__ import annotations

from pathlib import Path

from pincer.analysis.thread_facts import ThreadFacts
from pincer.analysis.thread_flow import ThreadFlow
from pincer.program.control_flow import Edge
from tests.analysis.threaded_programs import analysed, line_of, thread_of

TEXT = """
int g;
void deeper(void) { g = 1; } /* DEEPER */
void below(int n) {
  if (n) deeper();
  g = 2; /* BELOW */
}
void never(void) { for (;;) g++; }
int main(void) {
  if (g) g = 3;
  below(g);
  return 0;
}
"""
Lines = frozenset[int]


class _Passed(ThreadFlow[Lines]):
    def joined(self, left: Lines, right: Lines) -> Lines:
        return left & right

    def then(self, first: Lines, second: Lines) -> Lines:
        return first | second

    def operate(self, edge: Edge, before: Lines) -> Lines:
        return before | {edge.position.line}


def flow(facts: ThreadFacts) -> _Passed:
    return _Passed(facts.threads, facts.pointers, frozenset())


def test_summaries_go_through_calls(tmp_path: Path) -> None:
    whole = flow(analysed(tmp_path, TEXT)).whole["main"]
    assert whole is not None
    assert line_of(TEXT, "BELOW") in whole and line_of(TEXT, "DEEPER") not in whole


def test_what_does_not_return_has_no_summary(tmp_path: Path) -> None:
    found = flow(analysed(tmp_path, TEXT.replace("below(g);", "never();")))
    assert found.whole["never"] is None and found.whole["main"] is None


def test_a_thread_takes_along_what_happened_before_it(tmp_path: Path) -> None:
    facts = analysed(tmp_path, TEXT)
    found = flow(facts).of_thread(thread_of(facts, "main"), frozenset((-7,)))
    assert all(-7 in passed for passed in found.values())
    assert line_of(TEXT, "BELOW") not in found[facts.program.procedures["deeper"].entry]
