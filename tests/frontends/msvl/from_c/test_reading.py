"""What of a C file is translated."""

from __future__ import annotations

from pathlib import Path

from pincer.frontends.msvl.from_c import calls
from pincer.frontends.msvl.from_c.reading import TRANSLATED
from tests.frontends.msvl.from_c.translated_c import translated


def test_what_main_never_reaches_is_not_translated(tmp_path: Path) -> None:
    text = "int x; int f(void) { goto end; end: return 0; } int main(void) { x = 1; }"
    assert "function f" not in translated(text, tmp_path).text


def test_functions_with_a_translation_need_no_body() -> None:
    assert calls._HANDLERS.keys() == TRANSLATED
