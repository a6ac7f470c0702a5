"""Names of C that hide each other or mean something else in MSVL."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pincer.frontends.msvl.from_c.names import TranslatedNames
from tests.frontends.msvl.from_c.translated_c import assert_computes

MEANINGS: dict[str, tuple[str, dict[str, Any]]] = {
    "names that hide each other": (
        "int x = 1, r; int f(int x) { { int x = 5; r += x; } return x; } int main(void) { r += f(3) * x; }",
        {"r": 8},
    ),
    "words of MSVL as names": (
        "int len = 1, RValue = 2; struct frame { int next; } skip; int output(int empty) { return empty + len; }"
        " int main(void) { int string = 3; skip.next = output(string) + RValue; }",
        {"skip": {"next$": 6}},
    ),
}


@pytest.mark.parametrize("what", MEANINGS)
def test_the_translation_computes_what_c_computes(what: str, tmp_path: Path) -> None:
    assert_computes(*MEANINGS[what], tmp_path)


def test_a_name_that_is_taken_gets_as_many_marks_as_it_needs() -> None:
    outer = TranslatedNames()
    inner = TranslatedNames(outer)
    assert [outer.claim("x"), inner.claim("x"), inner.claim("x"), outer.claim("while")] == ["x", "x$", "x$$", "while$"]
    assert inner.has("x$") and not outer.has("x$")


def test_a_name_may_hide_one_of_the_scope_around_it_unless_that_is_forbidden() -> None:
    outer = TranslatedNames()
    outer.claim("x")
    assert TranslatedNames(outer).claim_hiding("x", set()) == "x"
    assert TranslatedNames(outer).claim_hiding("x", {"x"}) == "x$"
