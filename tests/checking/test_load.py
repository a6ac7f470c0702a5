"""Each file is read once, and its properties come with it."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.checking.load import GuardedSource, TemporalSource, load
from pincer.checking.task import Asked, Options, Source, Task
from pincer.errors import PincerError
from pincer.runtime.run import Run

COUNTER = "var x : int = 0; trans t: x < 2 -> x := x + 1; safety a: x >= 0; safety b: x < 2;"
BLOCKS = "</ define p: x=1; alw(p) />\r\n</ define p: x=1; som(p) />\r\nframe(x) and (int x and x<==1 and skip)\r\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("p.gcl").write_text(COUNTER, encoding="utf-8")
    Path("p.m").write_bytes(BLOCKS.encode())
    return tmp_path


def test_the_properties_of_a_model_keep_its_order() -> None:
    source = load(Task(Source("p.gcl"), Asked(("b", "a"))), Run())
    assert isinstance(source, GuardedSource)
    assert source.names == ("a", "b")
    assert source.described()["file"] == "p.gcl"


def test_termination_of_an_msvl_program_is_a_formula() -> None:
    source = load(Task(Source("p.m"), Asked(("termination",))), Run())
    assert isinstance(source, TemporalSource)
    assert [asked.text for asked in source.properties] == ["<>empty"]


def test_a_formula_may_be_longer_than_names_of_files() -> None:
    formula = " && ".join(["[]{x <= 1}"] * 60)
    source = load(Task(Source("p.m"), Asked((formula,))), Run())
    assert isinstance(source, TemporalSource)
    assert len(source.properties) == 1


def test_an_msvl_file_is_opened_once(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[Path] = []
    read = Path.read_bytes

    def noted(path: Path) -> bytes:
        opened.append(path)
        return read(path)

    monkeypatch.setattr(Path, "read_bytes", noted)
    source = load(Task(Source("p.m")), Run())
    assert isinstance(source, TemporalSource)
    assert source.names == ("property 1", "property 2")
    assert opened == [Path("p.m")]


@pytest.mark.parametrize(
    ("task", "words"),
    [
        (Task(Source("p.gcl"), Asked(("c",))), "there is no property 'c'"),
        (Task(Source("p.gcl"), options=Options(engine="dash")), "not for .gcl programs"),
        (Task(Source("p.m"), options=Options(engine="ase")), "not for MSVL programs"),
        (Task(Source("p.m"), Asked(("no.p",))), "there is no file no.p"),
        (Task(Source("p.m"), Asked(("ends",))), "termination, or is a formula"),
        (Task(Source("p.m"), Asked(("alw({y=1})",))), "`y` is not declared in the program"),
        (Task(Source("p.m"), Asked(("",))), "--property is empty"),
        (Task(Source("p.gcl"), Asked(("a", " "))), "--property is empty"),
        (Task(Source("p.c"), Asked(("",))), "--property is empty"),
        (Task(Source("p.gcl"), options=Options(fairness="weak")), "says `fairness weak P;` itself"),
        (Task(Source("p.m"), options=Options(fairness="strong")), "goes in lock step"),
    ],
)
def test_a_task_that_cannot_be_done_says_why(task: Task, words: str) -> None:
    with pytest.raises(PincerError, match=words):
        load(task, Run())
