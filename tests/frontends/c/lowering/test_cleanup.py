"""The attribute `cleanup`: its calls are made when the variable's block is left, as in compiled code."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.program.control_flow import Unsupported
from tests.frontends.c.compiled_c import assert_same_result, needs_compiler
from tests.frontends.c.lowered_c import labels, lowered

NAMES = """
#include <stdlib.h>
long long result; static void put(int n) { result = result * 7 + n; }
static void done(int *p) { put(*p); } static void release(char **p) { put(**p); free(*p); }
#define owned __attribute__((cleanup(done)))
static int early(int n) {
    owned int a = n; if (n > 3) return a * 2;
    { owned int b = n + 1; if (n > 1) return b; }
    a = 9; return a;
}
static int value(void) { owned int x = 5; return x += 1; }
"""
BODIES = [
    "{ owned int a = 1, b = 2; put(3); } put(4);",
    "for (int i = 0; i < 5; i++) { owned int a = i; if (i == 1) continue; if (i == 3) break; put(10 + i); }",
    "put(early(5)); put(early(2)); put(early(1)); put(value());",
    "{ __attribute__((cleanup(release))) char *p = malloc(1); *p = 8; put(1); }",
    "switch (2) { case 2: { owned int a = 3; break; } default: put(9); }",
    "int n = ({ owned int a = 6; a + 1; }); put(n);",
    "for (owned int i = 0; i < 2; i++) put(i); put(6);",
    "owned int last = 4; put(5); if (result > 3) return 0;",
]


@needs_compiler
@pytest.mark.parametrize("body", BODIES)
def test_variables_are_cleaned_up_as_in_compiled_code(body: str, tmp_path: Path) -> None:
    assert_same_result(tmp_path, f"{NAMES} int main(void) {{ {body} return 0; }}")


def test_a_goto_past_a_cleanup_is_refused_by_name(tmp_path: Path) -> None:
    text = f"{NAMES} int main(void) {{ {{ owned int a = 1; if (a) goto out; }} out: return 0; }}"
    assert Unsupported("goto where a variable waits for its cleanup") in labels(lowered(tmp_path, text), Unsupported)
