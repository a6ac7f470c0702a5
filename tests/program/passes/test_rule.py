"""Only a rule's own assertions are errors where it is to be kept."""

from __future__ import annotations

from pathlib import Path

from pincer.program.passes import KeptRule
from tests.program.passes.passed_programs import FAILING, checks, failures, seen_by


def test_the_programs_own_failures_end_the_program(tmp_path: Path) -> None:
    program = seen_by(tmp_path, FAILING, KeptRule())
    assert failures(program) == {"kept"}
    assert "division" in checks(program)
