"""Functions about characters may be asked about characters and the end of a file only."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.program.control_flow import Check
from pincer.program.passes import Assertions, MemorySafety, instrumented
from tests.frontends.c.lowered_c import labels, lowered, outcome


@pytest.mark.parametrize(
    ("call", "end"),
    [
        ("isspace(' ')", "main returned"),
        ("isspace(-1)", "main returned"),
        ("isspace(255)", "main returned"),
        ("isspace(c)", "isspace is given c, which is neither an unsigned char nor EOF"),
        ("toupper(256)", "toupper is given 256, which is neither an unsigned char nor EOF"),
        ("isalpha((unsigned char)c)", "main returned"),
        ("isascii(-200)", "main returned"),
    ],
)
def test_what_may_be_asked(tmp_path: Path, call: str, end: str) -> None:
    text = f"#include <ctype.h>\nint main(void) {{ char c = -20; {call}; return 0; }}\n"
    assert outcome(tmp_path, text).stop.message == end


def test_negative_characters_are_an_error_of_memory_only(tmp_path: Path) -> None:
    program = lowered(tmp_path, "#include <ctype.h>\nint f(char c) { return isspace(c); }\n", entry="f")
    kinds = {check.kind for check in labels(instrumented(program, Assertions()), Check)}
    assert "character" in {check.kind for check in labels(instrumented(program, MemorySafety()), Check)} - kinds


def test_the_library_asks_as_it_may(tmp_path: Path) -> None:
    text = '#include <stdlib.h>\nint main(void) { return atoi("\\x80") + atoi(" 7") != 7; }\n'
    assert outcome(tmp_path, text).stop.message == "main returned"
