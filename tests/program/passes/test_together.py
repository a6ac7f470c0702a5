"""Several properties as one: its errors are those of each, in the order in which an execution comes to them."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from pincer.logic.bitvectors import variable
from pincer.program.control_flow import ControlFlowProgram, Fail
from pincer.program.passes import MemorySafety, NothingWrong
from tests.execution.interpreted import interpret
from tests.program.passes.passed_programs import FAILING, checks, seen_by

TEXT = """\
#include <assert.h>
#include <limits.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
static int most = INT_MAX, zero;
int main(void) {
    int n = __VERIFIER_nondet_int(), *nothing = 0;
    for (; n > 0; n /= 10)
        switch (n % 10) {
        case 1: assert(n == 0); break;
        case 2: reach_error(); break;
        case 3: n = n + 10 * *nothing; break;
        case 4: free((char *)malloc(3) + 1); break;
        case 5: zero = most + 1; zero = 0; break;
        case 6: most = most << 40; most = INT_MAX; break;
        case 7: zero = 9 / zero; break;
        }
    return 0;
}
"""
ASSERTIONS, MEMORY, OVERFLOW = "12", "34", "567"
ENDS = "12347"
"""What ends an execution though it is not asked about: a failure, and undefined behaviour at which machines stop."""
OPEN = -1


def first_error(program: ControlFlowProgram, n: int) -> int:
    """The line of the check that an execution violates; 0 for none. A failure that is left is an end like others."""
    stop = interpret(program, {variable("input0", 32): n}).stop
    assert stop.kind != "steps"
    if stop.kind == "check":
        assert stop.edge is not None
        return stop.edge.position.line
    return OPEN if stop.kind == "unsupported" else 0


def expected_error(events: str, sought: str) -> int:
    """After a shift by too many bits machines go on somehow; after an overflow as the model does."""
    for digit in events:
        if digit in sought:
            return line_of(digit)
        if digit in ENDS:
            return 0
        if digit == "6":
            return OPEN
    return 0


def line_of(digit: str) -> int:
    return TEXT[: TEXT.index(f"case {digit}:")].count("\n") + 1


@pytest.mark.parametrize("wanted", [NothingWrong(*flags) for flags in product((True, False), repeat=3)][:-1])
def test_the_first_wanted_error_is_the_error(tmp_path: Path, wanted: NothingWrong) -> None:
    """The digits of the input, from the last one on, are what goes wrong one after the other."""
    program = seen_by(tmp_path, TEXT, wanted)
    sought = ASSERTIONS * wanted.assertions + MEMORY * wanted.memory + OVERFLOW * wanted.overflow
    for events in ("", *"12345678", "53", "51", "35", "31", "57", "71", "42", "85", "58", "5751", "61", "64", "56"):
        assert first_error(program, int(events[::-1] or 0)) == expected_error(events, sought), events


def test_kinds_of_failures_are_told_apart(tmp_path: Path) -> None:
    """A rule of an API, or a message of the library's own, is no failure of these."""
    joint = seen_by(tmp_path, FAILING, NothingWrong())
    assert {"assertion", "error function", "label"} <= checks(joint)
    assert not any(isinstance(edge.label, Fail) and edge.label.message != "kept" for edge in joint.edges())


def test_what_one_property_checks_all_together_check(tmp_path: Path) -> None:
    joint = seen_by(tmp_path, TEXT, NothingWrong())
    memory = seen_by(tmp_path, TEXT, MemorySafety())
    assert checks(memory) < checks(joint)
    assert checks(joint) - checks(memory) == {"assertion", "error function", "overflow", "shift", "division"}
