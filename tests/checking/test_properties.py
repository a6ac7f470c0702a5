"""Properties of C programs: what they are called, and what SV-COMP calls their violations."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.checking.properties import (
    ASSERTIONS,
    check_witness_can_state,
    lines_property,
    property_named,
    violated,
)
from pincer.errors import PincerError, Position, UnsupportedError
from pincer.evidence.c.failures import FailureKind
from pincer.evidence.c.trace import CTest, Failure
from pincer.program.passes import Leaks, MemorySafety
from tests.checking.c_files import UNREACH, write_files


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_files()
    return tmp_path


def failed(kind: FailureKind) -> CTest:
    failure = Failure(Position("p.c", 1, 1), "it fails", kind=kind)
    return CTest("p.c", "memory", "memory", (), (), failure, "LP64", "main")


def test_a_function_that_is_no_error_function_cannot_be_asked_about() -> None:
    Path("call.prp").write_text(UNREACH.replace("reach_error", "panic"), encoding="utf-8")
    with pytest.raises(UnsupportedError, match="panic"):
        property_named("call.prp")


def test_a_rule_has_no_specification_for_witnesses() -> None:
    with pytest.raises(PincerError, match="cannot state Once"):
        property_named("once.rule").specification_for("main")


def test_lines_of_threads_have_no_specification_for_witnesses() -> None:
    wanted = lines_property(["p.c:3"], Path("p.c"))
    with pytest.raises(PincerError, match="cannot state target"):
        wanted.specification_for("main")


@pytest.mark.parametrize(
    ("kind", "verdict"),
    [
        (FailureKind.DEREFERENCE, "false(valid-deref)"),
        (FailureKind.DIVISION, "false(division-by-zero)"),
        (FailureKind.OVERFLOW, "false(no-overflow)"),
        (FailureKind.LEAK, "false(valid-memtrack)"),
        (FailureKind.UNFREED, "false(valid-memcleanup)"),
    ],
)
def test_undefined_behaviour_is_named_by_what_failed(kind: FailureKind, verdict: str) -> None:
    assert violated(property_named("memory"), failed(kind)) == verdict


def test_a_witness_states_only_what_a_specification_of_svcomp_speaks_of() -> None:
    check_witness_can_state(property_named("memory"), failed(FailureKind.DEREFERENCE))
    with pytest.raises(PincerError, match=r"no specification of SV-COMP is violated here \(division-by-zero\)"):
        check_witness_can_state(property_named("overflow"), failed(FailureKind.DIVISION))


def test_a_witness_states_what_the_users_own_specification_says() -> None:
    Path("zero.prp").write_text("CHECK( init(main()), LTL(G ! division-by-zero) )\n", encoding="utf-8")
    wanted = property_named("zero.prp")
    check_witness_can_state(wanted, failed(FailureKind.DIVISION))
    assert "division-by-zero" in wanted.specification_for("main")


def test_memory_safety_of_svcomp_asks_for_lost_memory_too() -> None:
    wanted = property_named("valid-memsafety.prp").meaning()
    assert isinstance(wanted, MemorySafety)
    assert wanted.leaks == Leaks(lost=True)


def test_svcomp_verdicts_of_assertions() -> None:
    assert violated(ASSERTIONS, failed(FailureKind.DIVISION)) == "false(unreach-call)"
