"""SV-COMP task definitions and property files."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError, UnsupportedError
from pincer.frontends.svcomp import kinds_of_part, load_property, load_task

TASK = """format_version: '2.0'
input_files: 'program.i'
properties:
  - property_file: ../properties/unreach-call.prp
    expected_verdict: true
  - property_file: valid-memsafety.prp
    expected_verdict: false
    subproperty: valid-deref
  - property_file: coverage-branches.prp
options:
  language: C
  data_model: ILP32
"""


def task_file(folder: Path, text: str = TASK) -> Path:
    path = folder / "task.yml"
    path.write_text(text)
    return path


def property_file(folder: Path, *formulas: str) -> Path:
    path = folder / "some.prp"
    path.write_text("".join(f"CHECK( init(main()), LTL({formula}) )\n" for formula in formulas))
    return path


def test_a_task_names_its_file_properties_and_data_model(tmp_path: Path) -> None:
    task = load_task(task_file(tmp_path))
    assert (task.source, task.data_model) == (tmp_path / "program.i", "ILP32")
    assert [item.property_file.name for item in task.properties] == [
        "unreach-call.prp",
        "valid-memsafety.prp",
        "coverage-branches.prp",
    ]
    assert [item.expected for item in task.properties] == [True, False, None]
    assert [item.verdict for item in task.properties] == ["true", "false(valid-deref)", None]


def test_the_data_model_is_lp64_unless_given(tmp_path: Path) -> None:
    text = "format_version: '1.0'\ninput_files:\n  - a.c\nproperties: []\n"
    assert load_task(task_file(tmp_path, text)).data_model == "LP64"


def test_a_program_of_a_task_may_have_several_files(tmp_path: Path) -> None:
    task = load_task(task_file(tmp_path, "format_version: '2.0'\ninput_files: ['a.c', 'b.c']\nproperties: []\n"))
    assert (task.source.name, [other.name for other in task.others]) == ("a.c", ["b.c"])


@pytest.mark.parametrize(
    "before, after, line, message",
    [
        ("'program.i'", "['a.c', 3]", 2, "name a C file, or a list"),
        ("'program.i'", "[]", 2, "name a C file, or a list"),
        ("ILP32", "LP32", 12, "ILP32 or LP64"),
        ("language: C", "language: Java", 11, "tasks in C"),
        ("expected_verdict: true", "expected_verdict: maybe", 5, "true or false"),
        ("'2.0'", "'7.0'", 1, "formats 1.0 to 2.1"),
        ("- property_file: valid", "- file: valid", 3, "needs a property_file"),
        ("format_version: '2.0'", "version: 1", 1, "no task definition"),
        ("properties:", "properties: {", 4, "not YAML"),
    ],
)
def test_mistakes_in_tasks_are_errors_with_a_place(
    tmp_path: Path, before: str, after: str, line: int, message: str
) -> None:
    path = task_file(tmp_path, TASK.replace(before, after, 1))
    with pytest.raises(PincerError, match=message) as caught:
        load_task(path)
    assert caught.value.position is not None
    assert (caught.value.position.file, caught.value.position.line) == (str(path), line)


def test_a_missing_task_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(PincerError, match="cannot read the task"):
        load_task(tmp_path / "none.yml")


@pytest.mark.parametrize(
    "formula, kind, part",
    [
        ("G ! call(reach_error())", "assertions", "unreach-call"),
        ("G ! label(ERROR)", "assertions", "unreach-label"),
        ("G assert", "assertions", "assert"),
        ("G valid-deref", "memory", "valid-deref"),
        ("G valid-free", "memory", "valid-free"),
        ("G ! overflow", "overflow", "no-overflow"),
        ("G ! uninitialised-read", "uninitialised", "uninitialised-read"),
        ("G ! data-race", "no-data-race", "no-data-race"),
        ("F end", "termination", "termination"),
        ('[]("x > 0")', "temporal", "temporal"),
    ],
)
def test_formulas_are_known_by_what_they_say(tmp_path: Path, formula: str, kind: str, part: str) -> None:
    found = load_property(property_file(tmp_path, formula))
    assert (found.kind, found.parts) == (kind, (part,))
    assert found.specification == f"CHECK( init(main()), LTL({formula}) )"


def test_the_function_not_to_be_called_and_the_entry_are_read(tmp_path: Path) -> None:
    path = tmp_path / "own.prp"
    path.write_text("CHECK( init(start()), LTL(G ! call(__VERIFIER_error())) )")
    found = load_property(path)
    assert (found.entry, found.target) == ("start", "__VERIFIER_error")


def test_memory_safety_includes_leaks(tmp_path: Path) -> None:
    found = load_property(property_file(tmp_path, "G valid-free", "G valid-deref", "G valid-memtrack"))
    assert (found.name, found.checked_as()) == ("valid-memsafety", "memory")


@pytest.mark.parametrize("part", ["valid-memtrack", "valid-memcleanup"])
def test_leaks_can_be_asked_about_alone(tmp_path: Path, part: str) -> None:
    found = load_property(property_file(tmp_path, f"G {part}"))
    assert (found.checked_as(), found.parts) == ("leaks", (part,))
    assert sorted(kinds_of_part(part)) == ["leaks", "memory"]


@pytest.mark.parametrize("formula", ["G F end", '<>("x")'])
def test_properties_that_are_not_checked_are_refused_by_name_when_used(tmp_path: Path, formula: str) -> None:
    found = load_property(property_file(tmp_path, formula))
    with pytest.raises(UnsupportedError, match=found.name):
        found.checked_as()


def test_coverage_is_a_kind_of_its_own(tmp_path: Path) -> None:
    path = tmp_path / "cover.prp"
    path.write_text("COVER( init(main()), FQL(COVER EDGES(@DECISIONEDGE)) )\n")
    assert load_property(path).kind == "coverage"


def test_usual_properties_are_known_by_name_when_the_file_is_missing(tmp_path: Path) -> None:
    assert load_property(tmp_path / "unreach-call.prp").kind == "assertions"
    assert "valid-memtrack" in load_property(tmp_path / "valid-memsafety.prp").parts
    with pytest.raises(PincerError, match="is not there"):
        load_property(tmp_path / "house-rules.prp")


@pytest.mark.parametrize("text", ["", "# only a comment\n", "G ! call(f())\n"])
def test_files_without_a_property_are_errors(tmp_path: Path, text: str) -> None:
    path = tmp_path / "bad.prp"
    path.write_text(text)
    with pytest.raises(PincerError, match="CHECK"):
        load_property(path)


def test_kinds_are_not_mixed(tmp_path: Path) -> None:
    with pytest.raises(PincerError, match="different kinds"):
        load_property(property_file(tmp_path, "F end", "G valid-free"))


def test_division_by_zero_is_a_part_of_overflow(tmp_path: Path) -> None:
    found = load_property(property_file(tmp_path, "G ! division-by-zero"))
    assert (found.name, found.checked_as(), found.parts) == ("division-by-zero", "overflow", ("division-by-zero",))
