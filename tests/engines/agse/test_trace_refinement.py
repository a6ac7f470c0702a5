"""Refinement (Fig. 6): which definitions come before a branch that goes the wrong way."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest

from pincer.engines.agse.abstract_system import abstract_system
from pincer.engines.agse.abstract_traces import abstract_traces
from pincer.engines.agse.followed_traces import Missed
from pincer.engines.agse.limits import AgseLimits
from pincer.engines.agse.system_flow import SystemFlow
from pincer.engines.agse.targets import target_sets
from pincer.engines.agse.trace_refinement import TraceRefinement, TraceSet
from pincer.program.control_flow import Assume, Edge
from tests.analysis.threaded_programs import analysed
from tests.engines.agse.agse_programs import line_of

FLAGS = """
int flag;
void *low(void *u) { flag = 3; /* LOW */ return 0; }
void *high(void *u) { flag = 7; /* HIGH */ return 0; }
void *reader(void *u) {
  if (flag > 5) /* BRANCH */
    reach_error();
  return 0;
}
int main(void) {
  pthread_t a, b, c;
  pthread_create(&a, 0, low, 0);
  pthread_create(&b, 0, high, 0);
  pthread_create(&c, 0, reader, 0);
  return 0;
}
"""

RETURNED = """
int level;
int asked(void) {
  if (level > 2) return 1; /* YES */
  return 0; /* NO */
}
void *raise(void *u) { level = 4; return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, raise, 0);
  int answer = asked();
  if (answer == 1) /* BRANCH */
    reach_error();
  return 0;
}
"""


class Stuck:
    """A trace to the only assertion of a program, stuck at the branch before it."""

    def __init__(self, folder: Path, text: str) -> None:
        facts = analysed(folder, text)
        self.text, self.flow = text, SystemFlow(facts)
        (target,) = target_sets(facts, "assertions")[0].locations
        self.system = abstract_system(self.flow, (target,))
        self.traces: TraceSet = (next(abstract_traces(self.system, target)),)
        wrong = [edge for edge in facts.program.edges() if self._is_wrong(edge)]
        remaining = self.traces[0][self.traces[0].index(wrong[0].source) :]
        self.missed = Missed(0, remaining, wrong[0])

    def _is_wrong(self, edge: Edge) -> bool:
        here = edge.position.line == line_of(self.text, "BRANCH")
        return here and isinstance(edge.label, Assume) and edge.label.branch is False

    def refined(self, bold: bool = True, seed: int = 0, executed: frozenset[Edge] = frozenset()) -> TraceSet:
        found = TraceRefinement(self.system, random.Random(seed), bold).refine_trace(self.traces, self.missed, executed)
        assert found is not None
        return found

    def definition_line(self, traces: TraceSet) -> int:
        """The line of the definition that was put in front."""
        last = traces[0][-len(self.traces[0]) - 1]
        return self.flow.edges(last)[0].position.line


def test_a_definition_that_satisfies_the_branch_comes_first(tmp_path: Path) -> None:
    stuck = Stuck(tmp_path, FLAGS)
    traces = stuck.refined()
    assert traces[0][-len(stuck.traces[0]) :] == stuck.traces[0]
    assert stuck.definition_line(traces) == line_of(FLAGS, "HIGH")


def test_refinement_that_is_not_bold_tries_other_definitions_too(tmp_path: Path) -> None:
    stuck = Stuck(tmp_path, FLAGS)
    chosen = {stuck.definition_line(stuck.refined(bold=False, seed=seed)) for seed in range(30)}
    assert chosen >= {line_of(FLAGS, "LOW"), line_of(FLAGS, "HIGH")}


def test_what_a_procedure_returns_counts_as_a_definition(tmp_path: Path) -> None:
    stuck = Stuck(tmp_path, RETURNED)
    assert stuck.definition_line(stuck.refined()) == line_of(RETURNED, "YES")


def test_a_constant_that_was_assigned_before_and_did_not_help_comes_last(tmp_path: Path) -> None:
    text = FLAGS.replace("flag > 5", "flag > other").replace("int flag;", "int flag, other = 5;")
    text = text.replace("pthread_t a, b, c;", "pthread_t a, b, c; other = 6;")
    stuck = Stuck(tmp_path, text)
    first = stuck.definition_line(stuck.refined())
    done = frozenset(e for e in stuck.flow.facts.program.edges() if e.position.line == first)
    assert stuck.definition_line(stuck.refined(executed=done)) != first


def test_a_branch_on_what_nothing_defines_cannot_be_refined(tmp_path: Path) -> None:
    text = FLAGS.replace("flag = 3;", "").replace("flag = 7;", "")
    stuck = Stuck(tmp_path, text)
    assert TraceRefinement(stuck.system, random.Random(0), True).refine_trace(stuck.traces, stuck.missed, set()) is None


@pytest.mark.parametrize(("most", "growth"), [(16, [1, 2, 4]), (2, [1, 2, 2]), (1, [1, 1, 1])])
def test_a_definition_that_did_not_do_comes_more_often(most: int, growth: list[int], tmp_path: Path) -> None:
    stuck = Stuck(tmp_path, FLAGS)
    refinement = TraceRefinement(stuck.system, random.Random(0), True, AgseLimits(most_copies=most))
    lengths = [len(stuck.traces[0])]
    traces: TraceSet | None = stuck.traces
    for _ in growth:
        assert traces is not None
        traces = refinement.refine_trace(traces, stuck.missed, frozenset())
        assert traces is not None
        lengths.append(len(traces[0]))
    once = lengths[1] - lengths[0]
    assert [(later - before) // once for before, later in itertools.pairwise(lengths)] == growth
