"""The page about C lists the functions of the library that have a body."""

from __future__ import annotations

import re
from pathlib import Path

from pincer.frontends.c.library.bodies import library_functions

_PAGE = Path(__file__).parents[2] / "docs" / "c.md"


def test_all_functions_with_a_body_are_listed() -> None:
    section = _PAGE.read_text(encoding="utf-8").split("### Functions with a body", 1)[1].split("\n\n", 2)[1]
    listed = set(re.findall(r"`(\w+)`", section))
    assert listed == {name for name in library_functions() if not name.startswith("_")} - {"errno"}
