"""Functions of math.h: exact ones compute what the C library computes, others give any number in their range."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.sequential import SequentialSettings, check
from pincer.engines.task import EngineTask
from pincer.program.control_flow import Input, Unsupported
from pincer.runtime.run import Run
from tests.frontends.c.lowered_c import labels, lowered, result_of

HEAD = "#include <math.h>\n#include <float.h>\nlong long result; int e; double w; float v;\n"


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("fmod(7.5, 2.0) == 1.5 && fmod(-7.5, 2) == -1.5 && fmod(1e300, 7) == 1.0", 1),
        ("signbit(fmod(-4.0, 2.0)) && isnan(fmod(1, 0)) && isnan(fmod(INFINITY, 1)) && fmod(2, INFINITY) == 2", 1),
        ("remainder(5, 2) == 1 && remainder(7, 2) == -1 && remainder(-3, 2) == 1 && remainderf(1, 3) == 1", 1),
        ("frexp(-12.0, &e) == -0.75 && e == 4", 1),
        ("frexp(DBL_TRUE_MIN, &e) == 0.5 && e == -1073", 1),
        ("modf(-3.25, &w) == -0.25 && w == -3 && modff(INFINITY, &v) == 0 && isinf(v)", 1),
        ("isnan(NAN) && isinf(-INFINITY) == -1 && !isnan(1.0f) && isfinite(DBL_MAX) && !isfinite(HUGE_VAL)", 1),
        ("fpclassify(1e-40f) * 10 + fpclassify(1e-40)", 34),
        ("fpclassify(0.0f) * 100 + fpclassify(INFINITY) * 10 + fpclassify(NAN)", 210),
        ("isnormal(FLT_MIN) && !isnormal(FLT_MIN / 2) && isnormal(FLT_MIN / 2.0)", 1),
        ("lround(2.5) * 1000 + lrint(2.5) * 100 + llround(-0.5) * -10 + lrintf(0.5f)", 3210),
        ("ldexp(1.0, -1074) == DBL_TRUE_MIN && ldexp(DBL_TRUE_MIN, 2097) == 0x1p1023 && isinf(ldexp(1, 1024))", 1),
        ("ldexp(3.0, -1075) == 2 * DBL_TRUE_MIN && ldexpf(3.0f, -150) == 2 * FLT_TRUE_MIN", 1),
        ("nextafter(1.0, 2.0) - 1 == DBL_EPSILON && nextafterf(0, -1) == -FLT_TRUE_MIN", 1),
        ("fmax(NAN, 2) + fmin(3, NAN) + fmaxf(1, 2) + fmin(-1, 1)", 6),
        ("sqrt(2.0) == M_SQRT2 && sqrtf(16) == 4 && isnan(sqrt(-1)) && signbit(sqrt(-0.0))", 1),
        ("floor(-0.5) == -1 && signbit(ceil(-0.5)) && trunc(-2.7) == -2 && round(0.5) == 1 && rint(0.5) == 0", 1),
        ("isless(1, 2.0) && !isless(NAN, 1) && isunordered(NAN, 1) && islessgreater(1, 2)", 1),
        ("copysign(3, -0.0) == -3 && fabsf(-1.5f) == 1.5 && fma(2, 3, 4) == 10 && fdim(1, 2) == 0", 1),
        ("ilogb(10.0) * 10 + (int)logb(0.25f)", 28),
        ("__builtin_fabs(-2.0) == 2 && __builtin_sqrtf(9) == 3 && __builtin_isnan(__builtin_nan(\"\"))", 1),
        ("nan(\"\") != nan(\"\") && sqrtl(4.0L) == 2.0L", 1),
    ],
)  # fmt: skip
def test_exact_functions(tmp_path: Path, expression: str, value: int) -> None:
    assert result_of(tmp_path, f"{HEAD}int main(void) {{ result = {expression}; return 0; }}") == value


def test_other_functions_give_any_number_and_say_so(tmp_path: Path) -> None:
    program = lowered(tmp_path, f"{HEAD}int main(void) {{ return sin(1.0) > 0; }}")
    [given] = labels(program, Input)
    assert given.floating and given.source == "result of sin()"
    assert any("`sin` returns any number in its range" in str(assumption) for assumption in program.assumptions)


@pytest.mark.parametrize(
    ("assertion", "verdict"),
    [
        ("hypot(x, 4) >= 0 || x != x", "safe"),
        ("hypot(x, 4) >= 0", "unsafe"),
        ("exp(x) >= 0 || x != x", "safe"),
        ("cos(x) <= 1 || !isfinite(x)", "safe"),
        ("asin(x) <= 2", "unsafe"),
    ],
)
def test_results_that_are_numbers_lie_in_the_range(tmp_path: Path, assertion: str, verdict: str) -> None:
    head = f"{HEAD}#include <assert.h>\ndouble __VERIFIER_nondet_double(void);\n"
    text = f"{head}int main(void) {{ double x = __VERIFIER_nondet_double(); assert({assertion}); return 0; }}"
    [claim] = check(EngineTask(lowered(tmp_path, text), ("assertions",), SequentialSettings()), Run())
    assert claim.verdict == verdict


@pytest.mark.parametrize("call", ["sinl(1.0L)", "fmodl(1, 2)", "powl(1, 2)"])
def test_functions_of_long_double_are_not_modelled(tmp_path: Path, call: str) -> None:
    assert labels(lowered(tmp_path, f"{HEAD}int main(void) {{ return {call} > 0; }}"), Unsupported)
