"""Properties of C programs: what they are called, and what SV-COMP calls their violations."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.checking.load import CSource
from pincer.checking.properties import (
    ASSERTIONS,
    check_witness_can_state,
    lines_property,
    property_named,
    undecided_part,
    violated,
)
from pincer.errors import PincerError, UnsupportedError
from pincer.evidence.c.trace import CTest, Failure
from pincer.program.control_flow import Check, ControlFlowProgram, Fail, Label
from tests.checking.c_files import UNREACH, write_files


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_files()
    return tmp_path


def _kind_of_failure(label: Label) -> str | None:
    return label.kind.value if isinstance(label, Fail) else None


def failed(program: ControlFlowProgram, kind: str) -> CTest:
    edge = next(e for e in program.edges() if kind in (getattr(e.label, "kind", None), _kind_of_failure(e.label)))
    assert isinstance(edge.label, Check | Fail)
    return CTest("p.c", "memory", "memory", (), (), Failure(edge.position, edge.label.message), "LP64", "main")


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
    ("name", "kind", "verdict"),
    [("memory", "dereference", "false(valid-deref)"), ("overflow", "division", "false(division-by-zero)")],
)
def test_undefined_behaviour_is_named_by_the_check_that_failed(name: str, kind: str, verdict: str) -> None:
    wanted = property_named(name)
    program = CSource("p.c", Path("p.c")).program(wanted)
    assert violated(program, wanted, failed(program, kind)) == verdict


def test_a_witness_states_only_what_a_specification_of_svcomp_speaks_of() -> None:
    memory = property_named("memory")
    program = CSource("p.c", Path("p.c")).program(memory)
    check_witness_can_state(memory, program, failed(program, "dereference"))
    overflow = property_named("overflow")
    program = CSource("p.c", Path("p.c")).program(overflow)
    with pytest.raises(PincerError, match=r"no specification of SV-COMP is violated here \(division-by-zero\)"):
        check_witness_can_state(overflow, program, failed(program, "division"))


def test_a_witness_states_what_the_users_own_specification_says() -> None:
    Path("zero.prp").write_text("CHECK( init(main()), LTL(G ! division-by-zero) )\n", encoding="utf-8")
    wanted = property_named("zero.prp")
    program = CSource("p.c", Path("p.c")).program(wanted)
    check_witness_can_state(wanted, program, failed(program, "division"))
    assert "division-by-zero" in wanted.specification_for("main")


def test_leaks_are_left_open_only_where_memory_is_allocated() -> None:
    wanted = property_named("valid-memsafety.prp")
    Path("heap.c").write_text("int main(void) { free(malloc(4)); return 0; }\n", encoding="utf-8")
    opened = [undecided_part(CSource(name, Path(name)).program(wanted), wanted) for name in ("p.c", "heap.c")]
    assert opened == ["", "valid-memtrack"]


def test_svcomp_verdicts_of_assertions() -> None:
    program = CSource("p.c", Path("p.c")).program(ASSERTIONS)
    test = failed(program, "division")
    assert violated(program, ASSERTIONS, test) == "false(unreach-call)"
