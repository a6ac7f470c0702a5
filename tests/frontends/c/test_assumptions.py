"""What a program's verdicts rest on is said with the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.cli.c_confirmation import SHARED_ASSUMPTIONS
from pincer.frontends.c.lifetimes import BLOCKS_NOT_KEPT
from pincer.frontends.c.load import load

CALLED_TWICE = """
int *kept;
int f(int first) { int x = 5; if (first) kept = &x; else *kept = 7; return x; }
int main(void) { f(1); return f(0); }
"""
ONLY_IN_MAIN = "int main(void) { int x = 5; int *p = &x; return *p; }\n"


@pytest.mark.parametrize("text", [CALLED_TWICE, ONLY_IN_MAIN])
def test_lifetimes_of_locals_rest_on_no_assumption(tmp_path: Path, text: str) -> None:
    source = tmp_path / "p.c"
    source.write_text(text, encoding="utf-8")
    assert not load(source).assumptions


def test_compiled_code_reuses_the_addresses_of_blocks_too() -> None:
    assert BLOCKS_NOT_KEPT in SHARED_ASSUMPTIONS
