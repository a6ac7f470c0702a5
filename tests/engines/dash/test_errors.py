"""Errors are divided by the ways that lead to them, and every one belongs to a group."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.dash.errors import can_err, error_groups
from pincer.engines.dash.goals import TARGET
from pincer.program.control_flow import Check, Fail
from tests.engines.dash.dash_runs import loaded

THREE_WAYS = """
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x == 1) goto ERROR;
    if (x == 2) goto ERROR;
    if (x == 3) goto ERROR;
    return 0;
ERROR: reach_error();
}"""
CALLED = """
static void claim(int x) { if (!x) reach_error(); }
static int quiet(int x) { return x + 1; }
int main(void) { int x = __VERIFIER_nondet_int(); claim(x < 3); claim(quiet(x)); }
"""


def test_each_way_into_a_failure_is_a_group_without_the_others(tmp_path: Path) -> None:
    groups = error_groups(loaded(tmp_path, THREE_WAYS), "assertions")
    assert len(groups) == 3
    left_out = [group.apart for group in groups]
    assert all(len(apart) == 2 for apart in left_out) and len(set(left_out)) == 3
    assert len(frozenset.union(*left_out)) == 3
    assert all(hop.target == TARGET for group in groups for hop in group.errors)


def test_a_function_that_fails_is_looked_at_once_for_each_call(tmp_path: Path) -> None:
    program = loaded(tmp_path, CALLED)
    groups = error_groups(program, "assertions")
    calls = [edge for edge in program.procedures["main"].edges if edge in {group.call for group in groups}]
    assert [group.procedure for group in groups] == ["claim", "claim"] and len(calls) == 2


def test_errors_of_the_other_property_are_none(tmp_path: Path) -> None:
    program = loaded(tmp_path, "int main(void) { int a[2]; a[__VERIFIER_nondet_bool()] = 1; reach_error(); }")
    for kind, label in (("assertions", Fail), ("memory", Check)):
        found = {type(hop.edges[0].label) for group in error_groups(program, kind) for hop in group.errors}  # type: ignore[arg-type]
        assert found == {label}


def test_an_error_is_reached_from_those_who_call_it(tmp_path: Path) -> None:
    program = loaded(tmp_path, CALLED)
    assert can_err(program, "assertions") >= {"claim", "main"}
    assert "quiet" not in can_err(program, "assertions")
