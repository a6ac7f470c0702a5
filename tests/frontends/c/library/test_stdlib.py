"""Memory that is allocated, absolute values, ends of the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.frontends.c.library.results import result_after
from tests.frontends.c.lowered_c import outcome


@pytest.mark.parametrize(
    ("statements", "result"),
    [
        ("result = abs(-3) + labs(-4) + llabs(-5);", 12),
        ("int *p = calloc(2, 4); p[1] = 7; p = realloc(p, 12); result = p[0] + p[1]; free(p);", 7),
        ("char *p = alloca(4); p[3] = 2; result = p[3];", 2),
    ],
)
def test_results(tmp_path: Path, statements: str, result: int) -> None:
    assert result_after(tmp_path, statements) == result


def test_the_program_may_end_in_a_call(tmp_path: Path) -> None:
    text = "void exit(int); long long result; int main(void) { result = 1; exit(0); result = 2; return 0; }"
    assert outcome(tmp_path, text).global_value("result") == 1


def test_what_must_not_be_reached_is_undefined(tmp_path: Path) -> None:
    end = outcome(tmp_path, "int main(void) { __builtin_unreachable(); }")
    assert (end.stop.kind, end.stop.message) == ("check", "__builtin_unreachable is reached")
