"""Words of CBMC and ESBMC about objects: what they mean, and that compiled code agrees."""

from __future__ import annotations

from pathlib import Path

import pytest

import pincer
from pincer.program.control_flow import Input, Unsupported
from tests.frontends.c.lowered_c import labels, lowered

HOLD = """
char *p = malloc(4);
__CPROVER_assert(__CPROVER_r_ok(p, 4) && __CPROVER_w_ok(p + 1, 3) && !__CPROVER_rw_ok(p + 1, 4), "inside");
__CPROVER_assert(!__CPROVER_r_ok((char *)0, 1) && __CPROVER_r_ok((char *)0, 0), "null");
__CPROVER_assert(__CPROVER_OBJECT_SIZE(p) == 4 && __CPROVER_POINTER_OFFSET(p + 3) == 3, "places");
__CPROVER_assert(__CPROVER_same_object(p, p + 2) && !__CPROVER_same_object(p, &p), "objects");
free(p);
__CPROVER_assert(!__CPROVER_r_ok(p, 1), "gone");
"""
FAIL = """
int a[3] = {0}, n = __VERIFIER_nondet_int();
__CPROVER_assert(n < 0 || n > 4 || __CPROVER_r_ok(a, n * sizeof *a), "too long");
"""
TAKES_ANYTHING = 'struct { int x, y; } s = {1, 2}; __CPROVER_havoc_object(&s.y); __CPROVER_assert(s.x == 1, "");'


MEMORY = 'int a[2] = {1, 2}; __VERIFIER_nondet_memory(a, sizeof a); __CPROVER_assert(a[1] != 77, "");'


@pytest.mark.parametrize(
    "body, verdict", [(HOLD, "safe"), (FAIL, "unsafe"), (TAKES_ANYTHING, "unsafe"), (MEMORY, "unsafe")]
)
def test_questions_about_objects_are_decided_and_confirmed(body: str, verdict: str) -> None:
    program = f"#include <stdlib.h>\nint main(void) {{ {body} return 0; }}\n"
    [answer] = pincer.check_text(program, "c", property="assertions", timeout=60).properties
    assert answer.verdict == verdict, answer.reason


def test_slices_are_filled_and_hints_are_nothing(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int main(void) { int a[2]; __CPROVER_havoc_slice(a, 8); __CPROVER_cover(a[0]); }")
    assert [label.source for label in labels(program, Input)] == [
        "__CPROVER_havoc_slice",
        "byte 4 of __CPROVER_havoc_slice",
    ]
    assert labels(program, Unsupported) == []


@pytest.mark.parametrize("call", ["__CPROVER_r_ok(p)", "__CPROVER_same_object(p)", "__CPROVER_havoc_object()"])
def test_words_with_other_arguments_are_named(tmp_path: Path, call: str) -> None:
    program = lowered(tmp_path, f"int main(void) {{ int *p = 0; {call}; return 0; }}")
    assert "arguments" in labels(program, Unsupported)[0].what


def test_the_size_of_what_is_gone_is_not_told() -> None:
    program = (
        "#include <stdlib.h>\nint main(void) { int *p = malloc(8); free(p); return __CPROVER_OBJECT_SIZE(p) == 8; }"
    )
    [answer] = pincer.check_text(program, "c", property="assertions", timeout=60).properties
    assert answer.verdict == "unknown" and "an object that is not there" in answer.reason
