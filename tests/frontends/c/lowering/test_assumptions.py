"""What a program's verdicts rest on is said with the program."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.load import load
from pincer.frontends.c.lowering.lifetimes import BLOCKS_NOT_KEPT
from pincer.frontends.c.lowering.program import EMPTY_ARE_APART, NOT_USED_AGAIN

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
    assert BLOCKS_NOT_KEPT.compiled


@pytest.mark.parametrize(
    ("body", "assumed"),
    [
        ("int *p = malloc(4), *old = p; free(p); p = malloc(4); return p == old;", True),
        ("int *p = malloc(4), *old = p; free(p); p = malloc(4); return p < old;", True),
        ("int *p = malloc(4), *old = p; free(p); p = malloc(4); return p == 0;", False),
        ("int *p = malloc(4), *q = malloc(4); return p == q;", False),
    ],
)
def test_comparing_pointers_rests_on_addresses_that_are_not_used_again(
    tmp_path: Path, body: str, assumed: bool
) -> None:
    source = tmp_path / "p.c"
    source.write_text(f"#include <stdlib.h>\nint main(void) {{ {body} }}\n", encoding="utf-8")
    assert (NOT_USED_AGAIN in load(source).assumptions) == assumed


@pytest.mark.parametrize(
    ("declared", "compared", "assumed"),
    [
        ("struct empty {} a, b;", "&a == p", True),
        ("int a[0], b;", "p == a", True),
        ("struct empty {} a;", "p == 0", False),
        ("struct one { char c; } a, b;", "&a == p", False),
    ],
)
@pytest.mark.parametrize("within", [True, False])
def test_comparing_pointers_rests_on_objects_of_no_bytes_having_addresses(
    tmp_path: Path, declared: str, compared: str, assumed: bool, within: bool
) -> None:
    source = tmp_path / "p.c"
    outside, inside = ("", declared) if within else (declared, "")
    source.write_text(f"{outside}\nint main(void) {{ {inside} void *p = &a; return {compared}; }}\n", encoding="utf-8")
    assert (EMPTY_ARE_APART in load(source).assumptions) == assumed
