"""A request about a C program: its properties, and the program as each property sees it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pincer.checking.c_programs import (
    ASSERTIONS,
    CProperty,
    CTarget,
    check_witness_can_state,
    program_of,
    property_named,
    svcomp_verdict,
    target_of,
    undecided_part,
)
from pincer.errors import PincerError, UnsupportedError
from pincer.evidence.c.trace import CTest, Failure
from pincer.program.control_flow import Check, ControlFlowProgram, Fail

PROGRAM = """\
#include <assert.h>
int *lookup(int);
void acquire(void);
int main(void)
{
    int x = __VERIFIER_nondet_int();
    acquire();
    assert(x != 3);
    *lookup(x) = 10 / x;
    if (x > 3)
        reach_error();
    return 0;
}
"""
RULE = """\
rule Once "acquire is called once";
state bool taken = 0;
on call acquire before {
    assert !taken "acquire is called twice";
    taken = 1;
}
"""
UNREACH = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"
MEMSAFETY = "".join(f"CHECK( init(main()), LTL(G {part}) )\n" for part in ("valid-free", "valid-deref"))
REQUEST: dict[str, Any] = {
    "file": "p.c",
    "define": {},
    "engine": "auto",
    "property": [],
    "rule": [],
    "data_model": None,
    "entry": None,
    "include": [],
}


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("p.c").write_text(PROGRAM, encoding="utf-8")
    Path("once.rule").write_text(RULE, encoding="utf-8")
    Path("unreach-call.prp").write_text(UNREACH, encoding="utf-8")
    Path("safe.prp").write_text(MEMSAFETY, encoding="utf-8")
    return tmp_path


def failures(program: ControlFlowProgram) -> set[str]:
    return {edge.label.message for edge in program.edges() if isinstance(edge.label, Fail)}


def checks(program: ControlFlowProgram) -> set[str]:
    return {edge.label.kind for edge in program.edges() if isinstance(edge.label, Check)}


def test_assertions_are_checked_when_nothing_is_asked_for() -> None:
    assert target_of(REQUEST).properties == (ASSERTIONS,)


def test_properties_keep_their_order_and_come_once() -> None:
    request = {**REQUEST, "property": ["memory", "assertions", "memory", "once.rule"], "rule": ["once.rule"]}
    assert [wanted.name for wanted in target_of(request).properties] == ["memory", "assertions", "Once"]


def test_a_task_gives_program_data_model_and_properties() -> None:
    Path("t.yml").write_text(
        'format_version: "2.0"\ninput_files: p.c\nproperties:\n'
        "  - property_file: unreach-call.prp\n  - property_file: safe.prp\n"
        "options:\n  language: C\n  data_model: ILP32\n",
        encoding="utf-8",
    )
    target = target_of({**REQUEST, "file": "t.yml"})
    assert (target.source, target.data_model) == (Path("p.c"), "ILP32")
    assert [wanted.kind for wanted in target.properties] == ["assertions", "memory"]
    assert target_of({**REQUEST, "file": "t.yml", "data_model": "LP64"}).data_model == "LP64"
    assert target_of({**REQUEST, "file": "t.yml", "property": ["memory"]}).properties == (
        CProperty("memory", "memory"),
    )


def test_a_task_about_other_properties_only_is_unsupported() -> None:
    Path("t.yml").write_text(
        'format_version: "2.0"\ninput_files: p.c\nproperties:\n  - property_file: termination.prp\n', encoding="utf-8"
    )
    with pytest.raises(UnsupportedError, match="termination"):
        program_of({**REQUEST, "file": "t.yml"})


@pytest.mark.parametrize(
    ("request_", "words"),
    [
        ({"property": ["speed"]}, "no property 'speed'"),
        ({"property": ["no.prp"]}, "no.prp"),
        ({"rule": ["no.rule"]}, "no.rule"),
        ({"engine": "ase"}, "ase"),
        ({"define": {"N": 3}}, "-D"),
        ({"file": "gone.c"}, "cannot read gone.c"),
    ],
)
def test_a_request_that_cannot_be_served_says_why(request_: dict[str, Any], words: str) -> None:
    with pytest.raises(PincerError, match=words):
        target_of({**REQUEST, **request_})


def test_a_function_that_is_no_error_function_cannot_be_asked_about() -> None:
    Path("call.prp").write_text(UNREACH.replace("reach_error", "panic"), encoding="utf-8")
    with pytest.raises(UnsupportedError, match="panic"):
        property_named("call.prp")


def test_all_errors_of_a_kind_count_by_default() -> None:
    program = CTarget("p.c", Path("p.c")).load(ASSERTIONS)
    assert failures(program) == {"assertion x != 3 fails", "reach_error() is called"}
    assert checks(program) >= {"dereference", "division"}


def test_unreach_call_is_about_calls_and_not_about_asserts() -> None:
    program = CTarget("p.c", Path("p.c")).load(property_named("unreach-call.prp"))
    assert failures(program) == {"reach_error() is called"}


def test_unreach_call_keeps_sight_of_undefined_behaviour() -> None:
    program = CTarget("p.c", Path("p.c")).load(property_named("unreach-call.prp"))
    assert checks(program) >= {"dereference", "division"}


def test_memory_safety_is_not_about_division() -> None:
    program = CTarget("p.c", Path("p.c")).load(property_named("safe.prp"))
    assert "dereference" in checks(program)
    assert "division" not in checks(program)


def test_a_rule_has_no_specification_for_witnesses() -> None:
    with pytest.raises(PincerError, match="cannot state Once"):
        property_named("once.rule").specification_for("main")


def test_lines_of_threads_have_no_specification_for_witnesses() -> None:
    (wanted,) = target_of(REQUEST | {"target": ["p.c:3"]}).properties
    with pytest.raises(PincerError, match="cannot state target"):
        wanted.specification_for("main")


def test_a_rule_is_not_broken_by_the_programs_own_assertions() -> None:
    program = CTarget("p.c", Path("p.c")).load(property_named("once.rule"))
    assert failures(program) == {"Once: acquire is called twice"}


def failed(program: ControlFlowProgram, kind: str) -> CTest:
    edge = next(e for e in program.edges() if isinstance(e.label, Check) and e.label.kind == kind)
    assert isinstance(edge.label, Check)
    return CTest("p.c", "memory", "memory", (), (), Failure(edge.position, edge.label.message), "LP64", "main")


@pytest.mark.parametrize(
    ("kind", "verdict"), [("dereference", "false(valid-deref)"), ("division", "false(division-by-zero)")]
)
def test_undefined_behaviour_is_named_by_the_check_that_failed(kind: str, verdict: str) -> None:
    memory = property_named("memory")
    program = CTarget("p.c", Path("p.c")).load(memory)
    assert svcomp_verdict(program, memory, "unsafe", failed(program, kind)) == verdict


def test_a_witness_states_only_what_a_specification_of_svcomp_speaks_of() -> None:
    memory = property_named("memory")
    program = CTarget("p.c", Path("p.c")).load(memory)
    check_witness_can_state(memory, program, failed(program, "dereference"))
    with pytest.raises(PincerError, match=r"no specification of SV-COMP is violated here \(division-by-zero\)"):
        check_witness_can_state(memory, program, failed(program, "division"))


def test_a_witness_states_what_the_users_own_specification_says() -> None:
    Path("zero.prp").write_text("CHECK( init(main()), LTL(G ! division-by-zero) )\n", encoding="utf-8")
    wanted = property_named("zero.prp")
    program = CTarget("p.c", Path("p.c")).load(wanted)
    check_witness_can_state(wanted, program, failed(program, "division"))
    assert "division-by-zero" in wanted.specification_for("main")


def test_leaks_are_left_open_only_where_memory_is_allocated() -> None:
    wanted = property_named("valid-memsafety.prp")
    Path("heap.c").write_text("int main(void) { free(malloc(4)); return 0; }\n", encoding="utf-8")
    opened = [undecided_part(CTarget(name, Path(name)).load(wanted), wanted) for name in ("p.c", "heap.c")]
    assert opened == ["", "valid-memtrack"]


def test_svcomp_verdicts_of_assertions() -> None:
    program = CTarget("p.c", Path("p.c")).load(ASSERTIONS)
    test = failed(program, "division")
    assert svcomp_verdict(program, ASSERTIONS, "unsafe", test) == "false(unreach-call)"
    assert svcomp_verdict(program, ASSERTIONS, "safe", None) == "true"
    assert svcomp_verdict(program, ASSERTIONS, "unknown", None) == "unknown"


def test_a_rule_that_miscounts_parameters_before_a_result_is_refused() -> None:
    Path("count.rule").write_text(
        'rule R "r"; on return from f(a) giving r { assert r != 1 "one"; }\n', encoding="utf-8"
    )
    Path("count.c").write_text(
        "struct S { int x; } s; struct S g(int a) { return s; }\nint f(int a, int b) { return 0; }\n"
        "int main(void) { g(1); return f(1, 2); }\n",
        encoding="utf-8",
    )
    target = CTarget("count.c", Path("count.c"))
    with pytest.raises(PincerError, match="`f` has 2 parameters, the rule lists 1"):
        target.load(property_named("count.rule"))
