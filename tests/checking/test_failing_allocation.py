"""With `--malloc-may-fail` allocations fail, in the model and in the compiled test; without it the verdict says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.checking.task import Asked, Source, Task
from pincer.program.c_file import CFlags
from tests.checking.answers import answers, confirmed, safe

_FAILING = CFlags(malloc_may_fail=True)


def _memory(folder: Path, statements: str, flags: CFlags) -> Task:
    file = folder / "program.c"
    file.write_text(f"#include <stdlib.h>\nint main(void) {{ {statements} return 0; }}\n")
    return Task(Source(str(file), flags=flags), Asked(("memory",)))


@pytest.mark.parametrize(
    "statements",
    [
        "int *p = malloc(4); *p = 1; free(p);",
        "int *p = malloc(4); int *q = calloc(2, 4); if (p) q[1] = 2; free(p); free(q);",
        "char *p = malloc(4); if (!p) return 1; p = realloc(p, 8); p[7] = 1; free(p);",
    ],
)
def test_a_result_that_is_not_looked_at_is_found(statements: str, tmp_path: Path) -> None:
    confirmed(answers(_memory(tmp_path, statements, _FAILING))["memory"])
    held = safe(answers(_memory(tmp_path, statements, CFlags()))["memory"])
    assert any("never fails" in assumed.text for assumed in held.assumptions)


def test_a_result_that_is_looked_at_holds_without_the_assumption(tmp_path: Path) -> None:
    statements = "int *p = malloc(4); if (p) *p = 1; free(p);"
    held = safe(answers(_memory(tmp_path, statements, _FAILING))["memory"])
    assert not any("never fails" in assumed.text for assumed in held.assumptions)


def test_the_option_is_said_again_in_calls() -> None:
    assert _FAILING.words() == ("--malloc-may-fail",) and _FAILING.compiler_words() == ()
