"""Enumerations and sizes, and the integers that a program needs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.frontends.msvl.from_c.translated_c import assert_computes, ran

MEANINGS: dict[str, tuple[str, dict[str, Any]]] = {
    "enumerations": ("enum e { A, B = 5, C } r; int main(void) { r = C; r -= 7; }", {"r": 4294967295}),
    "sizes": (
        "struct s { char c; long l; } t; long r; int a[7]; int main(void) { r = sizeof t + sizeof a / sizeof *a; }",
        {"r": 23},
    ),
}


@pytest.mark.parametrize("what", MEANINGS)
def test_the_translation_computes_what_c_computes(what: str, tmp_path: Path) -> None:
    assert_computes(*MEANINGS[what], tmp_path)


@pytest.mark.parametrize(
    ("text", "int32"),
    [
        ("int a; short b; signed char c; unsigned char d; _Bool e; int main(void) { a = b + c + d + e; }", True),
        ("unsigned a; int main(void) { }", False),
        ("int a; int main(void) { a = 2147483648 > a; }", False),
    ],
)
def test_programs_that_fit_into_32_bits_are_written_for_them(text: str, int32: bool, tmp_path: Path) -> None:
    assert ran(text, tmp_path).translation.int32 == int32
