"""Assertions, calls of error functions and error labels as errors."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.program.control_flow import Fail, FailKind, Halt
from pincer.program.passes import (
    CALLS_OF_ERROR_FUNCTIONS,
    Assertions,
)
from tests.program.passes.passed_programs import FAILING, checks, failures, lowered, seen_by

ASSERTION, CALL, LABEL, RULE = "assertion x != 3 fails", "reach_error() is called", "the label ERROR is reached", "kept"


def test_a_failure_says_what_it_is(tmp_path: Path) -> None:
    found = {
        edge.label.kind: edge.label.message for edge in lowered(tmp_path, FAILING).edges() if type(edge.label) is Fail
    }
    assert found == {
        FailKind.ASSERTION: ASSERTION,
        FailKind.ERROR_FUNCTION: CALL,
        FailKind.LABEL: LABEL,
        FailKind.RULE: RULE,
    }


@pytest.mark.parametrize(
    ("wanted", "kept"),
    [(Assertions(), {ASSERTION, CALL, LABEL, RULE}), (CALLS_OF_ERROR_FUNCTIONS, {CALL, LABEL, RULE})],
)
def test_other_failures_end_the_program(tmp_path: Path, wanted: Assertions, kept: set[str]) -> None:
    program = seen_by(tmp_path, FAILING, wanted)
    assert failures(program) == kept
    ended = {edge.label.what for edge in program.edges() if isinstance(edge.label, Halt)}
    assert kept | ended >= {ASSERTION, CALL, LABEL, RULE}
    assert "division" in checks(program)


def test_an_assertion_is_no_error_function_whatever_its_text(tmp_path: Path) -> None:
    text = "extern void __assert_fail(const char *, const char *, unsigned, const char *);\n"
    text += 'int main(void) { __assert_fail("never", "p.c", 1, "main"); return 0; }\n'
    assert not failures(seen_by(tmp_path, text, CALLS_OF_ERROR_FUNCTIONS))
    text = "extern void reach_error(void);\nint main(void) { reach_error(); return 0; }\n"
    assert failures(seen_by(tmp_path, text, CALLS_OF_ERROR_FUNCTIONS)) == {CALL}
