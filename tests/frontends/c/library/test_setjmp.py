"""`setjmp.h`: what is not a place to come back to is refused by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.library.setjmp import FUNCTIONS
from pincer.program.control_flow import Check, Unsupported
from tests.frontends.c.lowered_c import labels, lowered


@pytest.mark.parametrize("name", ["setjmp", "_setjmp", "__builtin_setjmp", "longjmp", "__builtin_longjmp"])
def test_all_names_are_known(name: str) -> None:
    assert name in FUNCTIONS


def test_a_buffer_is_written_and_read(tmp_path: Path) -> None:
    text = "void *b[5]; int main(void) { if (!__builtin_setjmp(b)) __builtin_longjmp(b, 1); return 0; }"
    assert [check.kind for check in labels(lowered(tmp_path, text), Check)] == ["jump", "jump"]


def test_a_call_without_a_buffer_is_refused_by_name(tmp_path: Path) -> None:
    text = "int setjmp(); int main(void) { return setjmp(); }"
    assert labels(lowered(tmp_path, text), Unsupported) == [Unsupported("setjmp without a buffer")]
