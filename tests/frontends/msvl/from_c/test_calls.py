"""Calls that are known: of the library, of assertions and ends."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.frontends.msvl.from_c.translated_c import assert_computes, ran

MEANINGS: dict[str, tuple[str, dict[str, Any]]] = {
    "library functions": (
        '#include <string.h>\n#include <stdlib.h>\nlong r; int main(void) { r = strlen("four") + abs(-3); }',
        {"r": 7},
    ),
}


@pytest.mark.parametrize("what", MEANINGS)
def test_the_translation_computes_what_c_computes(what: str, tmp_path: Path) -> None:
    assert_computes(*MEANINGS[what], tmp_path)


FAILING = """\
#include <assert.h>
#include <stdlib.h>
int r, n; int f(int x) { assert(x < 3); r++; return x; }
int main(void) { for (n = 0; n < 5; n++) r += f(n) * 10; r = -1; EXTRA return 0; }
"""


def test_a_failed_assertion_ends_the_program_where_it_stands(tmp_path: Path) -> None:
    done = ran(FAILING.replace("EXTRA", ""), tmp_path)
    assert done.run.ending.kind == "terminated"
    assert (done.final("r"), done.final("n"), done.states("error$")[-1]) == (33, 3, 1)


def test_exit_ends_the_program_without_an_error(tmp_path: Path) -> None:
    text = "#include <stdlib.h>\nint r; void f(void) { r = 1; exit(3); r = 2; } int main(void) { f(); r = 3; }"
    done = ran(text, tmp_path)
    assert (done.final("r"), done.translation.fails) == (1, False)


def test_an_assumption_that_fails_leaves_no_model(tmp_path: Path) -> None:
    text = "void __VERIFIER_assume(int); int x = X; int main(void) { __VERIFIER_assume(x > 3); x = 9; }"
    assert ran(text.replace("X", "4"), tmp_path).final("x") == 9
    assert ran(text.replace("X", "3"), tmp_path).run.ending.kind == "inconsistent"
