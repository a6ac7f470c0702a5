"""Weak functions and variables that the file does not define need not exist: nothing is claimed about them."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.program.control_flow import Unsupported
from tests.frontends.c.lowered_c import labels, lowered


def refusals(folder: Path, text: str) -> list[str]:
    return [label.what for label in labels(lowered(folder, text), Unsupported)]


@pytest.mark.parametrize(
    "text",
    [
        "extern int f(void) __attribute__((weak)); int main(void) { return f != 0; }",
        "extern int f(void) __attribute__((__weak__)); int main(void) { if (f) return f(); return 0; }",
        "extern int f(void) __attribute__((weak)); int main(void) { return f(); }",
        "#pragma weak f\nextern int f(void);\nint main(void) { return f != 0; }",
        "#define WEAK(x) _Pragma(x)\nWEAK(\"weak f\")\nextern int f(void);\nint main(void) { return f != 0; }",
        "extern int v __attribute__((weak)); int main(void) { return &v != 0; }",
        "extern int v __attribute__((weak)); int main(void) { return v; }",
        "int main(void) { extern int f(void) __attribute__((weak)); return f != 0; }",
        "static int f(void) __attribute__((weakref(\"g\"))); int main(void) { return f != 0; }",
    ],
)  # fmt: skip
def test_uses_of_what_may_be_missing_are_unsupported(tmp_path: Path, text: str) -> None:
    assert any("which need not exist" in what for what in refusals(tmp_path, text))


@pytest.mark.parametrize(
    "text",
    [
        "int f(void) __attribute__((weak)); int f(void) { return 1; } int main(void) { return f != 0 && f(); }",
        "int v __attribute__((weak)); int main(void) { return &v != 0; }",
        "extern int f(void) __attribute__((weak)); int main(void) { return sizeof(f()); }",
    ],
)
def test_what_the_file_defines_or_never_uses_is_supported(tmp_path: Path, text: str) -> None:
    assert refusals(tmp_path, text) == []
