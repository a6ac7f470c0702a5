"""Effects happen as often as in C, and in its order."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.frontends.msvl.from_c.translated_c import assert_computes

MEANINGS: dict[str, tuple[str, dict[str, Any]]] = {
    "postfix and prefix values": (
        "int i, a, b; int main(void) { a = i++ + 10; b = ++i * 10; }",
        {"i": 2, "a": 10, "b": 20},
    ),
    "an index that moves": (
        "int a[3], i; int main(void) { a[i++] = 5; a[i] = a[i - 1]++; }",
        {"a": (6, 5, 0), "i": 1},
    ),
    "short circuits spare their effects": (
        "int n; int f(void) { return ++n; } int main(void) { if (n && f()) n = 50; if (!n || f()) n += 10; }",
        {"n": 10},
    ),
    "a choice evaluates one side": (
        "int n, r; int f(int x) { n += x; return n; } int main(void) { r = n ? f(1) : f(2); }",
        {"n": 2, "r": 2},
    ),
    "an assignment as a condition": (
        "int n = 3, s; int f(void) { return n--; } int main(void) { int x; while ((x = f()) > 0) s += x; }",
        {"n": -1, "s": 6},
    ),
    "the left operand is read first": (
        "int n = 1, r; int f(void) { n = 10; return 5; } int main(void) { r = n - f(); }",
        {"r": -4},
    ),
    "chains of assignments": ("short a; int b; int main(void) { b = a = 70000; }", {"a": 4464, "b": 4464}),
    "commas": ("int i, j, s; int main(void) { for (i = 0, j = 3; i < j; i++, j--) s += j - i; }", {"s": 4}),
}


@pytest.mark.parametrize("what", MEANINGS)
def test_the_translation_computes_what_c_computes(what: str, tmp_path: Path) -> None:
    assert_computes(*MEANINGS[what], tmp_path)
