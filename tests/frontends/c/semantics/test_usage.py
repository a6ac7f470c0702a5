"""What a translation unit mentions: addresses that are used, functions that are reached, declarations skipped."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.semantics.usage import Usage, analyse, settle
from pincer.frontends.c.syntax.parse import parse


def usage_of(text: str) -> Usage:
    found = Usage()
    analyse(parse(Path("program.c"), text).ast, found)
    settle(found, ["main"], {})
    return found


@pytest.mark.parametrize(
    ("body", "taken"),
    [
        ("g = 1;", False),
        ("int *p = &g;", True),
        ("int n = sizeof g;", False),
        ("{ int g; int *p = &g; }", False),
        ("{ int g; g = 1; } int *p = &g;", True),
        ("struct { int g; } s; int *p = &s.g;", False),
    ],
)
def test_a_name_is_taken_where_its_address_is_used(body: str, taken: bool) -> None:
    assert ("g" in usage_of(f"int g; int main(void) {{ {body} return 0; }}").taken) == taken


def test_functions_are_reached_by_calls_addresses_and_initialisers() -> None:
    found = usage_of(
        "int a(void) { return 1; } int b(void) { return a(); } int c(int x) { return x; } int d(int x) { return x; }"
        "int (*table[])(int) = {c}; int main(void) { return b() + table[0](1); }"
    )
    assert found.reachable == {"main", "a", "b", "c"}
    assert found.addressed == {"c"}
    assert found.candidates(1) == ["c"] and found.candidates(2) == []


def test_functions_that_may_be_active_twice_are_those_on_a_circle_of_calls() -> None:
    found = usage_of(
        "int odd(int n); int even(int n) { return n ? odd(n - 1) : 1; } int odd(int n) { return n ? even(n - 1) : 0; }"
        "int once(int n) { return even(n); } int main(void) { return once(3) + once(4); }"
    )
    assert found.several == {"even", "odd"}


def test_missing_names_have_no_body() -> None:
    found = usage_of("int f(void); int g(void) { return 1; } int main(void) { return f() + g() + h(); }")
    assert {"f", "h"} <= found.missing() and "g" not in found.missing()


def test_a_jump_skips_the_declarations_between_it_and_its_label() -> None:
    skipped = usage_of("int main(void) { goto in; { int x = 1; in: return x; } }")
    passed = usage_of("int main(void) { int x = 1; goto out; out: return x; }")
    assert (len(skipped.bypassed), len(passed.bypassed)) == (1, 0)


def test_open_ended_parameters_take_more_arguments() -> None:
    found = usage_of(
        "int f(int n, ...) { return n; } int g(void) { return 1; } int main(void) { return f(1, 2) + g(); }"
    )
    assert [found.accepts("f", count) for count in (0, 1, 5)] == [False, True, True]
    assert [found.accepts("g", count) for count in (0, 1)] == [True, False]
