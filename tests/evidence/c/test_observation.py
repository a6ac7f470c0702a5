"""What a compiled test shows counts only when it is the same failure at the same place as the model's."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from pincer.errors import Position
from pincer.evidence.c.failures import STATED, FailureKind, Observed, Place
from pincer.evidence.c.observation import disagreement, observed, place_of, same_statement
from pincer.evidence.c.tokens import read
from pincer.evidence.c.trace import CStep, CTest
from pincer.runtime.commands import Finished
from tests.evidence.c.recorded_tests import recorded

SOURCE = read('# 1 "program.c"\nint main(void) {\n  f(1,\n    2);\n  for (i = 0;\n    i < 3; i++)\n    g();\n}\n')
ASAN = """\
==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602 at pc 0x55 bp 0x7f sp 0x7f
WRITE of size 1 at 0x602 thread T0
    #0 0x7f in strcpy ../../../../src/libsanitizer/asan/asan_interceptors.cpp:563
    #1 0x55 in copy /tmp/x/program.c:3
    #2 0x55 in main /tmp/x/program.c:6

0x602 is located 0 bytes after 4-byte region
"""


def seen(errors: str, status: int = 1) -> Observed:
    found = observed(Finished(status, errors), SOURCE, Path())
    assert found is not None
    return found


def claiming(kind: FailureKind | None, line: int) -> CTest:
    test = recorded(kind="assertions" if kind in STATED else "memory", line=line)
    return replace(test, failure=replace(test.failure, kind=kind))


@pytest.mark.parametrize(
    ("report", "kind"),
    [
        ("/x/program.c:5:9: runtime error: division by zero", FailureKind.DIVISION),
        ("program.c:5:9: runtime error: passing zero to clz(), which is not a valid argument", FailureKind.DIVISION),
        (
            "program.c:5:9: runtime error: load of value 2, which is not a valid value for type '_Bool'",
            FailureKind.TRUTH,
        ),
        (
            "program.c:5:9: runtime error: variable length array bound evaluates to non-positive value",
            FailureKind.BOUNDS,
        ),
        ("program.c:5:9: runtime error: shift exponent 40 is too large", FailureKind.SHIFT),
        ("program.c:5:9: runtime error: signed integer overflow: 1 + 2", FailureKind.OVERFLOW),
        ("program.c:5:9: runtime error: index 4 out of bounds for type 'int [4]'", FailureKind.BOUNDS),
        ("program.c:5:9: runtime error: load of null pointer of type 'int'", FailureKind.DEREFERENCE),
    ],
)
def test_a_report_of_undefined_behaviour_has_its_kind_and_place(report: str, kind: FailureKind) -> None:
    found = seen(report + "\n")
    assert kind in found.kinds and found.place == Place("program.c", 5)
    assert disagreement(claiming(kind, 5), found, SOURCE) == ""
    assert "another place" in disagreement(claiming(kind, 2), found, SOURCE)
    assert "another failure" in disagreement(claiming(FailureKind.FREE, 5), found, SOURCE)


def test_the_place_of_a_report_is_the_innermost_line_of_the_program() -> None:
    found = seen(ASAN)
    assert found.place == Place("program.c", 3)
    assert disagreement(claiming(FailureKind.DEREFERENCE, 3), found, SOURCE) == ""
    assert "line 3, another place" in disagreement(claiming(FailureKind.DEREFERENCE, 6), found, SOURCE)
    assert "another failure" in disagreement(claiming(FailureKind.DIVISION, 3), found, SOURCE)


def test_a_report_from_the_harness_confirms_nothing() -> None:
    found = seen("ERROR: AddressSanitizer: heap-buffer-overflow on address 0x1\n    #0 0x5 in f /tmp/x/harness.c:3\n\n")
    assert disagreement(claiming(FailureKind.DEREFERENCE, 3), found, SOURCE) == "nobody can say where"


def test_running_out_of_stack_is_no_failure_of_the_model() -> None:
    found = seen("ERROR: AddressSanitizer: stack-overflow on address 0x1\n    #0 0x5 in f /tmp/x/program.c:3\n\n")
    assert disagreement(claiming(None, 3), found, SOURCE) != ""


def test_an_assertion_counts_at_its_place_only() -> None:
    found = seen("\npincer: reached a failing assertion at program.c:2\n", 97)
    assert disagreement(claiming(FailureKind.ASSERTION, 2), found, SOURCE) == ""
    assert "another place" in disagreement(claiming(FailureKind.ASSERTION, 6), found, SOURCE)
    assert "another failure" in disagreement(claiming(FailureKind.DIVISION, 2), found, SOURCE)


def test_parts_of_a_statement_may_be_placed_on_other_lines_of_it() -> None:
    assert same_statement(SOURCE, Place("program.c", 2), 3)
    assert same_statement(SOURCE, Place("program.c", 5), 4)
    assert not same_statement(SOURCE, Place("program.c", 3), 4)
    assert not same_statement(SOURCE, Place("program.c", 1), 2)


def test_a_failure_in_the_library_has_the_place_of_the_call() -> None:
    call = CStep(Position("program.c", 7, 3), "main", "call of strcpy", depth=0)
    inside = CStep(Position("<library>", 4, 3), "strcpy", "", depth=1)
    test = recorded(kind="memory", line=1, steps=(call, inside))
    test = replace(test, failure=replace(test.failure, position=Position("<library>", 5, 1), depth=1))
    assert place_of(test) == Place("program.c", 7)
