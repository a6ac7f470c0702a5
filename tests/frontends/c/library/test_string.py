"""Blocks of memory that are set, copied and moved."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.program.control_flow import Unsupported
from tests.frontends.c.library.results import result_after
from tests.frontends.c.lowered_c import labels, lowered, outcome


@pytest.mark.parametrize(
    ("statements", "result"),
    [
        ("int a[3]; memset(a, 1, sizeof a); result = a[2];", 0x01010101),
        ("int a[2] = {3, 4}, b[2]; memcpy(b, a, 8); memmove(b, b + 1, 4); result = b[0] * 10 + b[1];", 44),
    ],
)
def test_results(tmp_path: Path, statements: str, result: int) -> None:
    assert result_after(tmp_path, statements) == result


@pytest.mark.parametrize(
    ("statement", "end"),
    [
        ("memcmp(a, b, 4)", "main returned"),
        ("memcmp(a + 1, b, 4)", "memcmp reads a + 1 beyond the end of its object"),
        ("bcmp(a, b, n)", "bcmp reads a beyond the end of its object"),
        ("memcmp(a, b + 5, 0)", "main returned"),
    ],
)
def test_all_bytes_that_are_compared_must_be_there(tmp_path: Path, statement: str, end: str) -> None:
    head = "#include <string.h>\n#include <strings.h>\n"
    ended = outcome(tmp_path, f"{head}int main(void) {{ char a[4] = {{1}}, b[4] = {{2}}; int n = 5; {statement}; }}\n")
    assert ended.stop.message == end


@pytest.mark.parametrize(
    ("statement", "end"),
    [
        ('strcpy(s.a, "abc")', "main returned"),
        ('strcpy(s.a, "abcd")', "strcpy writes beyond the 4 bytes of s.a"),
        ('strcpy(p->a, "abcd")', "strcpy writes beyond the 4 bytes of p->a"),
        ('strcpy(p->b, "abcdefg")', "main returned"),
        ('s.a[0] = 0; strcat(s.a, "abc"); strcat(s.a, "d")', "strcat writes beyond the 4 bytes of s.a"),
        ('strncpy(s.a, "ab", 5)', "strncpy writes beyond the 4 bytes of s.a"),
        ('strncpy(s.a, "abcd", 4)', "main returned"),
        ('strcpy(names[0], "12345")', "main returned"),
        ('strcpy(names[0], "123456")', "main returned"),
        ('strcpy((char *)&s, "abcdef")', "main returned"),
        ('memcpy(s.a, "abcdef", 7)', "main returned"),
        ('sprintf(s.a, "%d", 123)', "main returned"),
        ('sprintf(s.a, "%d", 1234)', "sprintf writes beyond the 4 bytes of s.a"),
        ('snprintf(p->a, 4, "%d", 1234)', "main returned"),
        ('snprintf(p->a, 5, "%d", 1234)', "snprintf writes beyond the 4 bytes of p->a"),
        ('snprintf(p->a, 5, "%d", 12)', "main returned"),
    ],
)
def test_texts_stay_inside_of_the_members_they_are_written_to(tmp_path: Path, statement: str, end: str) -> None:
    head = "#include <stdio.h>\n#include <string.h>\nstruct s { char a[4]; char b[8]; };\nint main(void) {\n"
    ended = outcome(tmp_path, f"{head}struct s s, *p = &s; char names[3][6]; {statement}; return 0; }}\n")
    assert ended.stop.message == end


def test_large_members_are_assumed_to_be_large_enough(tmp_path: Path) -> None:
    text = '#include <string.h>\nstruct s { char a[400], b; } s;\nint main(void) { strcpy(s.a, "abc"); return 0; }\n'
    assert any("more than 256 bytes" in assumption.text for assumption in lowered(tmp_path, text).assumptions)


def test_builtins_of_any_length_are_the_functions(tmp_path: Path) -> None:
    text = (
        "int main(int argc, char **argv) { char a[9] = {0}, b[9] = {0}; unsigned n = argc % 9u; "
        "__builtin_memcpy(a, b, n); __builtin_memmove(a, a + 1, n / 2); __builtin_memset(b, 1, n); return a[0]; }"
    )
    assert labels(lowered(tmp_path, text), Unsupported) == []
