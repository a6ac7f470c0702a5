"""Every failure and every check of a program is of a kind that compiled code can be held against."""

from __future__ import annotations

from typing import get_args

from pincer.evidence.c.failures import FailureKind, Place, kind_of
from pincer.logic import terms
from pincer.program.control_flow import Check, CheckKind, Fail, FailKind


def test_every_step_that_can_fail_has_a_kind() -> None:
    assert {kind_of(Fail("", kind)).value for kind in FailKind} == {kind.value for kind in FailKind}
    checks = set(get_args(CheckKind)) - {"choice"}  # That is a mark, and never a step.
    assert {kind_of(Check(kind, terms.FALSE, "")).value for kind in checks} == checks
    assert FailureKind.LEAK in FailureKind


def test_a_place_in_another_file_names_it() -> None:
    assert Place.of("/tmp/a/list.h", 3).told("main.c") == "list.h:3"
    assert Place.of("/tmp/a/main.c", 3).told("b/main.c") == "line 3"
