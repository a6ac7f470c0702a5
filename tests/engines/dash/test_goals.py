"""The graph of a search: straight stretches are one hop, and the target is where the search wants to get."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.dash.errors import error_groups
from pincer.engines.dash.goals import TARGET, one_procedure, whole_program
from pincer.logic import bitvectors, terms
from pincer.program.control_flow import Assume
from tests.engines.dash.dash_runs import loaded


def test_straight_stretches_are_one_hop_and_branches_are_not(tmp_path: Path) -> None:
    text = "int main(void) { int x = __VERIFIER_nondet_int(), a = x + 1, b = a * 2; if (b > 3) b = 1; assert(b < 4); }"
    program = loaded(tmp_path, text)
    [group] = error_groups(program, "assertions")
    graph = whole_program(program, "assertions", group.errors)
    joined = [each for each in graph.hops if len(each.edges) > 1]
    assert joined
    for each in joined:
        assert [edge.target for edge in each.edges[:-1]] == [edge.source for edge in each.edges[1:]]
        assert graph.locations().isdisjoint(edge.source for edge in each.edges[1:])


def test_the_target_of_a_nested_search_is_the_exit_in_some_states(tmp_path: Path) -> None:
    procedure = loaded(tmp_path, "int f(int x) { return x; } int main(void) { f(1); }").procedures["f"]
    assert procedure.result is not None
    goal = terms.equal(procedure.result, bitvectors.constant(3, 32))
    (arrival,) = one_procedure(procedure, goal, "assertions").incoming[TARGET]
    assert (arrival.source, arrival.conditions) == (procedure.exit, (goal,))
    assert isinstance(arrival.label, Assume)
