"""Bodies that are offered for inlining only are no definitions of what is known anyway."""

from __future__ import annotations

from pathlib import Path

from tests.frontends.c.lowered_c import result_of

ATTRIBUTES = "__attribute__((__always_inline__)) __attribute__((__gnu_inline__))"
COPY = f"extern __inline {ATTRIBUTES} unsigned long strlen(const char *s) {{ return __builtin___strlen_chk(s); }}\n"


def test_the_library_function_is_taken_instead_of_its_copy(tmp_path: Path) -> None:
    text = f'{COPY}long long result; int main(void) {{ result = strlen("abc"); return 0; }}'
    assert result_of(tmp_path, text) == 3


def test_a_copy_of_something_unknown_is_used(tmp_path: Path) -> None:
    text = f"extern __inline {ATTRIBUTES} int twice(int n) {{ return 2 * n; }}\n"
    assert result_of(tmp_path, f"{text}long long result; int main(void) {{ result = twice(4); return 0; }}") == 8
