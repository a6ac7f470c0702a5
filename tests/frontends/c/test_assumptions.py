"""What a program's verdicts rest on is said with the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.cli.c_confirmation import SHARED_ASSUMPTIONS
from pincer.frontends.c.load import load
from pincer.frontends.c.lowering import LOCALS_NOT_KEPT

CALLED_TWICE = """
int *kept;
int f(int first) { int x = 5; if (first) kept = &x; else *kept = 7; return x; }
int main(void) { f(1); return f(0); }
"""
ONLY_IN_MAIN = "int main(void) { int x = 5; int *p = &x; return *p; }\n"
NO_OBJECTS = "int f(int n) { int x = n; return x; }\nint main(void) { return f(1) + f(2); }\n"


@pytest.mark.parametrize(("text", "assumed"), [(CALLED_TWICE, True), (ONLY_IN_MAIN, False), (NO_OBJECTS, False)])
def test_reused_addresses_of_locals_are_an_assumption(tmp_path: Path, text: str, assumed: bool) -> None:
    source = tmp_path / "p.c"
    source.write_text(text, encoding="utf-8")
    assert (LOCALS_NOT_KEPT in load(source).assumptions) == assumed


def test_compiled_code_reuses_addresses_too() -> None:
    assert LOCALS_NOT_KEPT in SHARED_ASSUMPTIONS
