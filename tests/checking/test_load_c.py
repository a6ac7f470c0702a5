"""A C program as a task names it, and as each of its properties sees it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

import pincer.frontends.c.load
from pincer.checking.load import CSource, asked_source, c_source
from pincer.checking.properties import ASSERTIONS, CProperty, property_named
from pincer.checking.task import Asked, Options, Source, Task
from pincer.errors import PincerError, UnsupportedError
from pincer.frontends.c.load import load
from pincer.program.control_flow import Check, ControlFlowProgram, Fail
from tests.checking.c_files import write_files

TASK = Task(Source("p.c"))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_files()
    return tmp_path


def failures(program: ControlFlowProgram) -> set[str]:
    return {edge.label.message for edge in program.edges() if isinstance(edge.label, Fail)}


def checks(program: ControlFlowProgram) -> set[str]:
    return {edge.label.kind for edge in program.edges() if isinstance(edge.label, Check)}


def test_all_that_can_go_wrong_is_checked_when_nothing_is_asked_for() -> None:
    assert asked_source(TASK).names == ("assertions", "memory", "overflow")
    assert asked_source(replace(TASK, options=Options(paper=True))).properties == (ASSERTIONS,)


def test_properties_may_be_listed_with_commas() -> None:
    assert asked_source(replace(TASK, asked=Asked(("memory,overflow", "leaks")))).names == (
        "memory",
        "overflow",
        "leaks",
    )


def test_properties_keep_their_order_and_come_once() -> None:
    task = replace(TASK, asked=Asked(("memory", "assertions", "memory", "once.rule"), ("once.rule",)))
    assert asked_source(task).names == ("memory", "assertions", "Once")


def test_a_task_gives_program_data_model_and_properties() -> None:
    Path("t.yml").write_text(
        'format_version: "2.0"\ninput_files: p.c\nproperties:\n'
        "  - property_file: unreach-call.prp\n  - property_file: safe.prp\n"
        "options:\n  language: C\n  data_model: ILP32\n",
        encoding="utf-8",
    )
    task = Task(Source("t.yml"))
    source = asked_source(task)
    assert (source.source, source.data_model) == (Path("p.c"), "ILP32")
    assert [wanted.kind for wanted in source.properties] == ["assertions", "memory"]
    assert asked_source(Task(Source("t.yml", data_model="LP64"))).data_model == "LP64"
    assert asked_source(replace(task, asked=Asked(("memory",)))).properties == (CProperty("memory", "memory"),)


def test_a_task_about_other_properties_only_is_unsupported() -> None:
    Path("t.yml").write_text(
        'format_version: "2.0"\ninput_files: p.c\nproperties:\n  - property_file: coverage.prp\n', encoding="utf-8"
    )
    with pytest.raises(UnsupportedError, match="coverage"):
        c_source(Source("t.yml"))


@pytest.mark.parametrize(
    ("task", "words"),
    [
        (replace(TASK, asked=Asked(("speed",))), "no property 'speed'"),
        (replace(TASK, asked=Asked(("no.prp",))), "no.prp"),
        (replace(TASK, asked=Asked(rules=("no.rule",))), "no.rule"),
        (replace(TASK, options=Options(engine="ase")), "ase"),
        (Task(Source("gone.c")), "cannot read gone.c"),
    ],
)
def test_a_task_that_cannot_be_done_says_why(task: Task, words: str) -> None:
    with pytest.raises(PincerError, match=words):
        asked_source(task)


def test_all_errors_of_a_kind_count_by_default() -> None:
    program = CSource("p.c", Path("p.c")).program(ASSERTIONS)
    assert failures(program) == {"assertion x != 3 fails", "reach_error() is called"}
    assert checks(program) >= {"dereference", "division"}


def test_unreach_call_is_about_calls_and_not_about_asserts() -> None:
    program = CSource("p.c", Path("p.c")).program(property_named("unreach-call.prp"))
    assert failures(program) == {"reach_error() is called"}


def test_unreach_call_keeps_sight_of_undefined_behaviour() -> None:
    program = CSource("p.c", Path("p.c")).program(property_named("unreach-call.prp"))
    assert checks(program) >= {"dereference", "division"}


def test_memory_safety_is_not_about_division() -> None:
    program = CSource("p.c", Path("p.c")).program(property_named("safe.prp"))
    assert "dereference" in checks(program)
    assert "division" not in checks(program)


def test_a_rule_is_not_broken_by_the_programs_own_assertions() -> None:
    program = CSource("p.c", Path("p.c")).program(property_named("once.rule"))
    assert failures(program) == {"Once: acquire is called twice"}


def test_a_rule_that_miscounts_parameters_before_a_result_is_refused() -> None:
    Path("count.rule").write_text(
        'rule R "r"; on return from f(a) giving r { assert r != 1 "one"; }\n', encoding="utf-8"
    )
    Path("count.c").write_text(
        "struct S { int x; } s; struct S g(int a) { return s; }\nint f(int a, int b) { return 0; }\n"
        "int main(void) { g(1); return f(1, 2); }\n",
        encoding="utf-8",
    )
    source = CSource("count.c", Path("count.c"))
    with pytest.raises(PincerError, match="`f` has 2 parameters, the rule lists 1"):
        source.program(property_named("count.rule"))


def test_a_program_is_lowered_once_for_all_its_properties(monkeypatch: pytest.MonkeyPatch) -> None:
    lowered: list[Path] = []

    def noted(path: Path, **options: Any) -> ControlFlowProgram:
        lowered.append(path)
        return load(path, **options)

    monkeypatch.setattr(pincer.frontends.c.load, "load", noted)
    source = asked_source(replace(TASK, asked=Asked(("memory", "assertions", "safe.prp", "race"))))
    for wanted in source.properties:
        source.program(wanted)
    assert len(lowered) == 1
    rule = property_named("once.rule")
    assert source.program(rule) is not source.program(rule)
    assert len(lowered) == 2
