"""Words of other verifiers mean what they mean there; no other undeclared function makes a program hold."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.checking.answers import answer, confirmed, reason, safe
from tests.evidence.c.recorded_tests import needs_compiler


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@needs_compiler
@pytest.mark.parametrize(
    "body",
    [
        'int x = nondet_int(); __CPROVER_assume(x > 0); __CPROVER_assert(x > 1, "");',
        'long x = nondet_long(); __ESBMC_assume(x > 1L << 40); __ESBMC_assert(x != 1L << 41, "large");',
        'int x; klee_make_symbolic(&x, sizeof x, "x"); klee_assume(x > 3); assert(x != 7);',
        'int a[3]; klee_make_symbolic(a, sizeof a, "a"); assert(a[2] != 7);',
        'int x = klee_range(3, 5, "x"); assert(x == 3);',
        "unsigned char x = nondet_uchar(); if (x == 200) reach_error();",
        "int x = 1; assert(x == 2);",
        "char *p = 0; assert(p);",
        "__VERIFIER_assert(__VERIFIER_nondet_int() != 4);",
    ],
)
def test_the_words_of_other_verifiers_need_no_declaration(body: str) -> None:
    found = confirmed(answer(f"int main(void) {{ {body} return 0; }}\n"))
    assert not found.warnings and not found.assumptions


@pytest.mark.parametrize(
    "body",
    [
        'int x = nondet_int(); __CPROVER_assume(x > 1); __CPROVER_assert(x > 1, "");',
        'unsigned x = nondet_uint(); __ESBMC_assume(x < 4); __ESBMC_assert(x < 5, "");',
        'char x[2]; klee_make_symbolic(x, 2, "x"); klee_assume(x[1] == 1); assert(x[1] == 1);',
        'unsigned n = klee_range(1, 3, "n"); assert(n < 3);',
    ],
)
def test_what_they_assume_is_assumed(body: str) -> None:
    assert not safe(answer(f"int main(void) {{ {body} return 0; }}\n")).warnings


@needs_compiler
def test_klees_header_is_there() -> None:
    body = 'int x; klee_make_symbolic(&x, sizeof x, "x"); klee_assume(x > 3 & x < 9); klee_assert(x != 7); return 0;'
    found = confirmed(answer(f"#include <klee/klee.h>\nint main(void) {{ {body} }}\n"))
    assert [(given.name, given.value) for given in found.run.inputs] == [("x by klee_make_symbolic", "7")]


def test_declarations_of_the_words_change_nothing() -> None:
    declared = "extern void __CPROVER_assume(_Bool), __CPROVER_assert(_Bool, const char *); extern int nondet_int();\n"
    body = 'int x = nondet_int(); __CPROVER_assume(x > 5); __CPROVER_assert(x > 4, ""); return 0;'
    safe(answer(f"{declared}int main(void) {{ {body} }}\n"))


def test_an_undeclared_function_is_warned_of_and_leaves_the_property_open() -> None:
    found = answer("int main(void) {\n  asert(0);\n  return 0;\n}\n")
    assert "`asert`, which is not declared (p.c:2:3), asserts nothing" in reason(found)
    assert found.warnings == ("`asert` is not declared (is `assert` meant?), and called at p.c:2:3",)


@needs_compiler
def test_violations_beyond_an_undeclared_function_are_found() -> None:
    found = confirmed(answer("#include <assert.h>\nint main(void) { prepare(); assert(0); return 0; }\n"))
    assert found.warnings == ("`prepare` is not declared, and called at p.c:2:18",)


def test_a_library_function_without_its_header_is_warned_of() -> None:
    found = safe(answer('int main(void) { assert(strlen("ab") == 2); return 0; }\n'))
    assert found.warnings == ("`strlen` is not declared, and called at p.c:1:25",)


def test_unknown_words_of_verifiers_are_named() -> None:
    found = answer("int main(void) { __CPROVER_array_set(0, 0); return 0; }\n")
    assert "the word __CPROVER_array_set of another verifier" in reason(found)
