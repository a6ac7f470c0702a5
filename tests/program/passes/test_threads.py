"""Races and deadlocks are no edges: a program stays as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.program.passes import CProgramProperty, Deadlocks, Races, instrumented
from tests.program.passes.passed_programs import FAILING, lowered


@pytest.mark.parametrize("wanted", [Races(), Deadlocks()])
def test_edges_stay_as_they_are(tmp_path: Path, wanted: CProgramProperty) -> None:
    program = lowered(tmp_path, FAILING)
    assert list(instrumented(program, wanted).edges()) == list(program.edges())
