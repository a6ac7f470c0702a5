"""Abstract traces are the simple paths to a target, made one by one, those with the fewest calls first."""

from __future__ import annotations

from itertools import islice, pairwise
from pathlib import Path

import pytest

from pincer.engines.agse.abstract_system import AbstractSystem, abstract_system
from pincer.engines.agse.abstract_traces import abstract_traces
from pincer.engines.agse.system_flow import SystemFlow
from pincer.engines.agse.targets import target_sets
from tests.analysis.threaded_programs import analysed
from tests.engines.agse.agse_programs import FIGURE_2, line_of, lines


def prepared(folder: Path, text: str) -> tuple[AbstractSystem, int]:
    facts = analysed(folder, text)
    (target,) = target_sets(facts, "assertions")[0].locations
    return abstract_system(SystemFlow(facts), (target,)), target


def test_the_first_trace_of_the_example_is_that_of_the_paper(tmp_path: Path) -> None:
    system, target = prepared(tmp_path, FIGURE_2)
    first = next(abstract_traces(system, target))
    marks = ["LOCK A", "CALL", "BRANCH", "TARGET"]
    shown = lines(system.flow, first)
    assert [line for line in shown if line in {line_of(FIGURE_2, mark) for mark in marks}][-1] == shown[-1]
    assert [line for line in dict.fromkeys(shown) if line in {line_of(FIGURE_2, m) for m in marks}] == [
        line_of(FIGURE_2, mark) for mark in marks
    ]
    assert system.flow.facts.calls.home(first[0]) == "a"


def brute_force(system: AbstractSystem, target: int) -> set[tuple[int, ...]]:
    """All simple paths, by walking them all."""
    found: set[tuple[int, ...]] = set()
    waiting: list[tuple[int, ...]] = [(start,) for start in system.starts]
    while waiting:
        path = waiting.pop()
        if path[-1] == target:
            found.add(path)
            continue
        waiting.extend((*path, following) for following in system.successors[path[-1]] if following not in path)
    return found


BRANCHING = """
int f(int n) { if (n > 2) return 1; if (n < -7) reach_error(); return 0; }
int g(int n) { return f(n + 1) + f(n - 1); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < 3; i++) { if (n > i) n = f(n); else n = g(n); }
  return n;
}
"""


@pytest.mark.parametrize("text", [FIGURE_2, BRANCHING])
def test_every_simple_path_is_enumerated_once_with_fewer_calls_first(tmp_path: Path, text: str) -> None:
    system, target = prepared(tmp_path, text)
    found = list(abstract_traces(system, target))
    assert len(found) == len(set(found))
    assert set(found) == brute_force(system, target)
    costs = [
        (sum(after in system.call_edges[before] for before, after in pairwise(trace)), len(trace)) for trace in found
    ]
    assert costs == sorted(costs)


def test_traces_of_a_long_program_come_at_once(tmp_path: Path) -> None:
    steps = "\n".join(f"  if (n > {i}) n = n - {i}; else n = n + {i};" for i in range(1, 40))
    checks = "  if (n == 77) reach_error();"
    text = f"int main(void) {{ int n = __VERIFIER_nondet_int();\n{steps}\n{checks}\n return 0; }}\n"
    system, target = prepared(tmp_path, text)
    assert len(list(islice(abstract_traces(system, target), 5))) == 5
