"""Which arithmetic is an error, and that no other property sees any of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.sequential import SequentialSettings, check
from pincer.engines.task import EngineTask
from pincer.program.control_flow import Check
from pincer.program.passes import NO_OVERFLOW, Assertions, DefinedArithmetic, MemorySafety, overflow_kinds
from pincer.runtime.run import Run
from tests.program.passes.passed_programs import failures, lowered, seen_by

INPUT = "extern int __VERIFIER_nondet_int(void);\nextern unsigned __VERIFIER_nondet_uint(void);\n#include <stdlib.h>\n"


def arithmetic(folder: Path, body: str, wanted: DefinedArithmetic | None = None) -> set[str]:
    """What may go wrong in a function with the ints x and y, the unsigned u, and the small numbers c and s."""
    text = f"{INPUT}int main(void) {{ int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();\n" + (
        f"unsigned u = __VERIFIER_nondet_uint(); signed char c = x; short s = y;\n{body}\nreturn 0; }}\n"
    )
    return {message.partition(" in ")[0] for message in failures(seen_by(folder, text, wanted or DefinedArithmetic()))}


@pytest.mark.parametrize(
    "operation",
    ["x + y", "x - y", "x * y", "-x", "++x", "x--", "x += y", "x *= 3", "abs(x)", "x + 1", "1 - x", "x / y", "c + x"],
)
def test_signed_arithmetic_may_overflow(tmp_path: Path, operation: str) -> None:
    assert "signed overflow" in arithmetic(tmp_path, f"int r = {operation};")


@pytest.mark.parametrize(
    "operation",
    [
        "u + u", "u * 3u", "-u", "c + s", "c * s", "c++", "s -= 1", "-c", "x & y", "~x", "x / 3", "x % 7 + y % 7",
        "(c < s) + 1", "(x & 255) * 100", "(int)u", "c / s", "sizeof(x + y)", "0 && x + y",
    ],
)  # fmt: skip
def test_what_cannot_overflow_is_not_looked_at(tmp_path: Path, operation: str) -> None:
    assert "signed overflow" not in arithmetic(tmp_path, f"int r = {operation};")


def test_shifts_and_divisions_have_failures_of_their_own(tmp_path: Path) -> None:
    shift = {"negative or too large shift", "left shift of a negative value", "signed overflow"}
    assert arithmetic(tmp_path, "int r = x << y;") == shift
    assert (
        arithmetic(tmp_path, "int r = x >> y;")
        == arithmetic(tmp_path, "u = u << y;")
        == {"negative or too large shift"}
    )
    assert arithmetic(tmp_path, "u = u / y;") == {"division by zero"}


def test_svcomp_asks_for_values_out_of_range_alone(tmp_path: Path) -> None:
    assert overflow_kinds({"no-overflow"}) == NO_OVERFLOW and overflow_kinds(()) == DefinedArithmetic()
    assert arithmetic(tmp_path, "int r = x << y; r = x / y; r = x % y;", NO_OVERFLOW) == {"signed overflow"}


@pytest.mark.parametrize("wanted", [Assertions(), MemorySafety()])
def test_other_properties_see_none_of_it(tmp_path: Path, wanted: Assertions | MemorySafety) -> None:
    text = f"{INPUT}int main(void) {{ int x = __VERIFIER_nondet_int(); if (x + 1 > 3 && x * x > 2) x++; return -x; }}\n"
    program = seen_by(tmp_path, text, wanted)
    assert program.procedures["main"].marks
    assert not any(isinstance(edge.label, Check) for edge in program.edges())
    assert len(lowered(tmp_path, text).procedures["main"].edges) == len(program.procedures["main"].edges)


DECIDED = {
    "if (x < 100) x = x + 1;": "safe",
    "if (x > 100) x = x + 1;": "unsafe",
    "int r = x > 0 && x - 1 > 5;": "safe",
    "int r = x > 0 || x - 1 > 5;": "unsafe",
    "int r = x > 0 ? x - 1 : x + 1;": "safe",
    "int r = x > 0 ? x + 1 : x - 1;": "unsafe",
    "int r = x ?: x + 1;": "safe",
    "int a[2] = {1, 2}; if (x == 1 && a[x] + y > 0 && y < 5) x = 2;": "unsafe",
    "int a[2] = {1, 2}; if (x == 1 && y < 5 && a[x] + y > 0) x = 2;": "safe",
    "int r = __builtin_constant_p(x + 1);": "safe",
    "if (y >= 0 && y < 16 && x >= 0 && x < 256) x = x << y;": "safe",
    "if (y >= 0 && y < 25 && x >= 0 && x < 256) x = x << y;": "unsafe",
    "long long l = (long long)x * y; if (l > 4) l = -l;": "safe",
    "if (y != 0) x = x / y;": "unsafe",
    "if (y > 1) x = x / y;": "safe",
    "for (int i = 0; i < 10; i++) s = s + i;": "safe",
}


@pytest.mark.parametrize("body", DECIDED)
def test_arithmetic_is_checked_where_it_is_evaluated(tmp_path: Path, body: str) -> None:
    text = f"{INPUT}int main(void) {{ int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(); short s = y;\n"
    program = seen_by(tmp_path, f"{text}{body}\nreturn 0; }}\n", DefinedArithmetic())
    [claim] = check(EngineTask(program, ("assertions",), SequentialSettings()), Run(timeout=60))
    assert claim.verdict == DECIDED[body]
