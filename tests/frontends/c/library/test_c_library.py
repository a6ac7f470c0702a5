"""What the C library defines and nobody models is not guessed."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.library.c_library import c_library_names
from pincer.program.control_flow import Input, Unsupported
from tests.frontends.c.lowered_c import labels, lowered


def test_a_function_of_numbers_returns_any_of_them_and_is_not_replaced(tmp_path: Path) -> None:
    program = lowered(tmp_path, "long sysconf(int); int main(void) { return sysconf(1) > 2; }")
    assert [(label.source, label.kind) for label in labels(program, Input)] == [("sysconf", "library")]
    assert "the C library's `sysconf` returns any value" in program.assumptions[0].text


@pytest.mark.parametrize(
    ("declaration", "call"),
    [("int getloadavg(double *, int);", "getloadavg(0, 1)"), ("char *ttyname(int);", "ttyname(1) != 0")],
)
def test_a_function_with_pointers_is_unsupported_by_name(tmp_path: Path, declaration: str, call: str) -> None:
    program = lowered(tmp_path, f"{declaration} int main(void) {{ return {call}; }}")
    [what] = [label.what for label in labels(program, Unsupported)]
    assert what == f"the function {call.partition('(')[0]} of the C library"


def test_names_of_programs_are_not_among_them() -> None:
    assert "sysconf" in c_library_names() and "acquire" not in c_library_names()
