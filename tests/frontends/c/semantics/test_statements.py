"""Programs that no compiler accepts are refused with a position and a reason."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.program.control_flow import Unsupported
from tests.frontends.c.lowered_c import labels, lowered


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("int main(void) { int a[3]; a = 0; return 0; }", "cannot be assigned as a whole"),
        ("int main(void) { int a[3]; a++; return 0; }", "no number or pointer"),
        ("int a[1 / 0]; int main(void) { return 0; }", "has no value"),
        ("static int x = 1 / 0; int main(void) { return x; }", "has no value"),
        ('_Static_assert(0, "no"); int main(void) { return 0; }', "static assertion fails"),
        ('int main(void) { _Static_assert(sizeof(int) == 3, "no"); return 0; }', "static assertion fails"),
        ("int main(void) { switch (1) { case 1: case 1: ; } return 0; }", "a second `case` for the value 1"),
        ("int main(void) { switch (1) { default: default: ; } return 0; }", "a second `default`"),
        ("enum E { A, B, A }; int main(void) { return A; }", "`A` is defined twice"),
        ("struct S { int a; struct S s; }; int main(void) { return 0; }", "incomplete"),
        ("int f(int a) { return a; } int main(void) { return f(); }", "takes 1 argument, not 0"),
        ("void *malloc(unsigned long); int main(void) { return malloc() == 0; }", "takes 1 argument, not 0"),
    ],
)
def test_mistakes_are_refused_where_they_are(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(PincerError, match=reason) as caught:
        lowered(tmp_path, text)
    assert caught.value.position is not None and caught.value.position.line == 1


def test_static_assertions_that_hold_are_accepted(tmp_path: Path) -> None:
    text = '_Static_assert(sizeof(int) == 4, "int"); struct S { int a; _Static_assert(1, "x"); };'
    lowered(tmp_path, text + " int main(void) { return 0; }")


def test_a_nested_function_is_not_modelled_where_it_is_reached(tmp_path: Path) -> None:
    text = "int main(void) { int k = 3; if (k > 5) { int add(int x) { return x + k; } return add(2); } return 0; }"
    assert Unsupported("a nested function") in labels(lowered(tmp_path, text), Unsupported)
