"""Signals that are ignored, or left to end the program, need no model; handlers do."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.program.control_flow import Unsupported
from tests.frontends.c.lowered_c import labels, lowered

_START = "#include <signal.h>\nvoid handler(int number) { }\n"


@pytest.mark.parametrize(
    ("statement", "unsupported"),
    [
        ("signal(SIGPIPE, SIG_IGN);", False),
        ("if (signal(SIGINT, SIG_DFL) == SIG_ERR) return 1;", False),
        ("signal(SIGINT, handler);", True),
    ],
)
def test_only_handlers_are_not_modelled(statement: str, unsupported: bool, tmp_path: Path) -> None:
    program = lowered(tmp_path, f"{_START}int main(void) {{ {statement} return 0; }}")
    assert bool(labels(program, Unsupported, "main")) == unsupported
