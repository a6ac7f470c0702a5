"""Undefined behaviour that only a sanitizer sees, from the source to the evidence."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.checking.task import Asked, Source, Task
from tests.checking.answers import answer, answers, confirmed, safe
from tests.evidence.c.recorded_tests import needs_compiler

INT = "int __VERIFIER_nondet_int(void);\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@needs_compiler
@pytest.mark.parametrize(
    "text",
    [
        "#include <string.h>\nint main(void) { _Bool b; char c = 2; memcpy(&b, &c, 1); return b; }",
        "union { int i; _Bool b; } u; int main(void) { u.i = 0x102; if (u.b) return 1; return 0; }",
    ],
)
def test_a_truth_value_that_is_none_is_shown(text: str) -> None:
    assert "not a valid value for type" in confirmed(answer(text, "memory")).evidence.remark


def test_a_flag_that_is_set_through_a_pointer_stays_a_truth_value() -> None:
    text = "static void set(_Bool *p, int x) { *p = x > 3; }\n"
    text += "int main(void) { _Bool b = 0; while (!b) set(&b, __VERIFIER_nondet_int()); return b; }"
    safe(answer(INT + text, "memory"))


@needs_compiler
@pytest.mark.parametrize("length", ["-1", "0"])
def test_an_array_without_elements_is_shown(length: str) -> None:
    result = confirmed(answer(f"int main(void) {{ int n = {length}; int a[2][n]; (void)a; return 0; }}", "memory"))
    assert "variable length array bound" in result.evidence.remark


def test_arrays_of_computed_length_are_small_enough_beside_undefined_behaviour() -> None:
    text = "int main(void) { int n = 4, a[n]; for (int i = 0; i <= n; i++) a[i] = i; return 0; }"
    safe(answer(text, "overflow"))


@needs_compiler
def test_leading_zeros_of_zero_are_an_error_of_overflow() -> None:
    text = "int main(void) { volatile unsigned x = 0; return __builtin_clz(x) == 77; }"
    confirmed(answer(text, "overflow"))


@needs_compiler
def test_what_an_entry_is_given_reaches_the_compiled_test() -> None:
    text = "struct P { int a; short b; };\n"
    text += "int f(struct P *p, struct P q) { return p->a == 77 && q.b == -5 ? 1 / (q.a - 9) : 0; }"
    Path("p.c").write_text(text)
    task = Task(Source("p.c", entry="f"), Asked(("overflow",)))
    confirmed(answers(task)["overflow"])


def test_a_sum_of_many_inputs_keeps_no_other_property_waiting() -> None:
    text = "int main(void) { int s = 0, x; while ((x = __VERIFIER_nondet_int()) >= 0) s += x; return 0; }"
    safe(answer(INT + text, "memory"))
