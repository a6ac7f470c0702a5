"""Which undefined behaviour is an error."""

from __future__ import annotations

from pathlib import Path

from pincer.program.control_flow import Unsupported
from pincer.program.passes import MemorySafety, memory_safety
from pincer.program.passes.memory import CATEGORIES
from pincer.program.passes.overflow import ARITHMETIC
from tests.program.passes.passed_programs import FAILING, checks, failures, seen_by

SHIFT = "extern int __VERIFIER_nondet_int(void);\nint main(void) { return 1 << __VERIFIER_nondet_int(); }\n"
COPY = """\
void *memcpy(void *, const void *, unsigned long);
extern unsigned __VERIFIER_nondet_uint(void);
char a[8];
int main(void) { memcpy(a + 1, a, __VERIFIER_nondet_uint()); return 0; }
"""


def test_all_but_arithmetic_counts_when_no_category_is_named(tmp_path: Path) -> None:
    assert memory_safety(()) == MemorySafety()
    assert MemorySafety().kinds | ARITHMETIC == frozenset(CATEGORIES) and not MemorySafety().kinds & ARITHMETIC
    program = seen_by(tmp_path, COPY, MemorySafety())
    assert checks(program) >= {"dereference", "overlap"} and not program.assumptions


def test_failures_are_left_as_they_are(tmp_path: Path) -> None:
    assert len(failures(seen_by(tmp_path, FAILING, MemorySafety()))) == 4


def test_a_division_that_is_not_asked_about_ends_the_execution(tmp_path: Path) -> None:
    program = seen_by(tmp_path, FAILING, memory_safety({"valid-deref"}))
    assert "division" not in checks(program)
    assert not any(isinstance(edge.label, Unsupported) for edge in program.edges())


def test_what_follows_an_undefined_shift_is_not_known(tmp_path: Path) -> None:
    program = seen_by(tmp_path, SHIFT, memory_safety({"valid-deref", "valid-free"}))
    assert not checks(program)
    (unknown,) = [edge.label for edge in program.edges() if isinstance(edge.label, Unsupported)]
    assert "negative or too large shift" in unknown.what


def test_a_shift_by_a_constant_is_seen_to_be_defined(tmp_path: Path) -> None:
    program = seen_by(tmp_path, "int main(void) { int n = 3; return 1 << n; }\n", memory_safety({"valid-free"}))
    assert not any(isinstance(edge.label, Unsupported) for edge in program.edges())


def test_what_follows_a_pointer_that_is_moved_into_the_slot_of_another_object_is_not_known(tmp_path: Path) -> None:
    text = "unsigned long n; char a[8]; int main(void) { char *q = a + n; return *q; }\n"
    program = seen_by(tmp_path, text, memory_safety({"valid-deref"}))
    (unknown,) = [edge.label for edge in program.edges() if isinstance(edge.label, Unsupported)]
    assert "moved far from its object by a + n" in unknown.what
    assert not any(
        isinstance(e.label, Unsupported) for e in seen_by(tmp_path, text, memory_safety({"valid-free"})).edges()
    )
