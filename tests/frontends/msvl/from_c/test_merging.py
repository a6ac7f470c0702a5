"""Declarations that share a state where that is asked for."""

from __future__ import annotations

from pathlib import Path

from pincer.execution.msvl import execute
from pincer.frontends.msvl import parse_program
from pincer.frontends.msvl.from_c import Scheme
from tests.frontends.msvl.from_c.translated_c import translated


def test_leading_declarations_share_a_state_on_request(tmp_path: Path) -> None:
    text = "int r; int main(){ int a = 1; int b = a + 1; r = b; }"
    separate, together = (
        execute(parse_program(translated(text, tmp_path, scheme).text, "program.m"))
        for scheme in (Scheme(), Scheme(merge_declarations=True))
    )
    assert len(separate.states) == len(together.states) + 1
    assert separate.states[-1].value("r") == together.states[-1].value("r") == 2
