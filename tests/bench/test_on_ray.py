"""Rows travel with the files that they read, are measured in a folder of their own, and come back in their order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from pincer.bench import on_ray
from pincer.bench.measurement import Job, Measurement
from pincer.bench.on_ray import RowParcel, measure_on_ray, measured
from pincer.bench.rows import CQuestion, Row
from pincer.errors import PincerError


class FakeRayError(Exception):
    """Stands for the errors of Ray."""


class FakeRay:
    """Does the work of a cluster at once, and delivers it in the opposite order."""

    exceptions = SimpleNamespace(RayError=FakeRayError)

    def __init__(self) -> None:
        self.results: list[Callable[[], Any]] = []
        self.options: dict[str, Any] = {}
        self.is_over = False

    def remote(self, **options: Any) -> Callable[[Callable[..., Any]], SimpleNamespace]:
        self.options = options

        def submit(function: Callable[..., Any], *given: Any) -> int:
            self.results.append(lambda: function(*given))
            return len(self.results) - 1

        return lambda function: SimpleNamespace(remote=lambda *given: submit(function, *given))

    def wait(self, tasks: Sequence[int], timeout: float) -> tuple[list[int], list[int]]:
        assert tasks and timeout > 0
        return [tasks[-1]], list(tasks[:-1])

    def get(self, task: int) -> Any:
        return self.results[task]()

    def shutdown(self) -> None:
        self.is_over = True


@pytest.fixture
def ray(monkeypatch: pytest.MonkeyPatch) -> FakeRay:
    made = FakeRay()
    monkeypatch.setattr(on_ray, "connected", lambda _: made)
    return made


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project whose rows are measured in its folder `work`."""
    root = tmp_path / "here"
    for name, text in {
        "work/a.c": '#include "a.h"\n#include <deep.h>\n', "work/a.h": "", "work/b.c": "", "include/deep.h": "",
        "rules/r.rule": "state", "work/unrelated.c": "",
    }.items():  # fmt: skip
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(root / "work")
    return root


def job(name: str, *options: str, question: CQuestion | None = None, file: Path | None = None) -> Job:
    return Job(Row(name, "group", file or Path(f"{name}.c"), "safe", question or CQuestion()), "tool", options=options)


def seen(job: Job) -> Measurement:
    """What a measurement finds: the files below the folder that stands for `/`, and what it was asked."""
    root = Path(str(job.row.file).partition("/here/")[0])
    names = sorted(path.name for path in root.rglob("*") if path.is_file())
    words = [*job.options, *(job.row.question.options if isinstance(job.row.question, CQuestion) else ())]
    return Measurement(job.row.name, job.tool, "safe", "safe", reason=" ".join(names), remark=" ".join(words))


def test_measurements_come_back_in_the_order_of_the_rows(ray: FakeRay) -> None:
    done: list[str] = []
    found = measure_on_ray([job("a"), job("b"), job("a", "-x")], seen, None, lambda one: done.append(one.row))
    assert [one.row for one in found] == ["a", "b", "a"] and found[2].remark == "-x"
    assert sorted(done) == ["a", "a", "b"] and done == ["a", "b", "a"][::-1]
    assert ray.is_over and ray.options["num_cpus"] == 1 and ray.options["max_retries"] >= 1


def test_no_rows_are_no_work(ray: FakeRay) -> None:
    assert measure_on_ray([], seen, None, lambda _: None) == [] and ray.is_over


def test_files_travel_with_the_headers_they_include(ray: FakeRay, project: Path) -> None:
    [plain] = measure_on_ray([job("a")], seen, None, lambda _: None)
    assert plain.reason == "a.c a.h"
    [with_folder] = measure_on_ray([job("a", "-I", "../include")], seen, None, lambda _: None)
    assert with_folder.reason == "a.c a.h deep.h" and with_folder.remark == "-I ../include"
    asked = job("a", question=CQuestion(("-I", str(project / "include"), "--rule", str(project / "rules/r.rule"))))
    [with_rule] = measure_on_ray([asked], seen, None, lambda _: None)
    assert with_rule.reason == "a.c a.h deep.h r.rule"


def test_a_task_travels_with_its_source(ray: FakeRay) -> None:
    question = CQuestion(source=Path("a.c"))
    [found] = measure_on_ray([job("b", question=question)], seen, None, lambda _: None)
    assert found.reason == "a.c a.h b.c"


def test_a_node_measures_in_a_folder_of_its_own(project: Path) -> None:
    here = str(project / "work")
    files = {f"{here}/b.c": b"int x;", f"{project}/rules/r.rule": b"r"}
    asked = job("b", f"{project}/rules/r.rule", "r.rule", question=CQuestion(("x", here), source=Path("b.c")))
    before, roots = Path.cwd(), list[Path]()

    def measure(moved: Job) -> Measurement:
        root = Path(str(moved.row.file).removesuffix(f"{here}/b.c"))
        roots.append(root)
        assert root != Path("/") and Path.cwd() == Path(f"{root}{here}") != before
        assert moved.row.file.read_bytes() == b"int x;" and moved.row.file == Path(f"{root}{here}/b.c")
        assert moved.options == (f"{root}{project}/rules/r.rule", "r.rule")
        assert Path(moved.options[0]).read_bytes() == b"r"
        assert isinstance(moved.row.question, CQuestion)
        assert moved.row.question.options == ("x", f"{root}{here}")
        assert moved.row.question.source == moved.row.file
        return seen(moved)

    assert measured(RowParcel(asked, here, files), measure).row == "b"
    assert Path.cwd() == before and len(roots) == 1 and not roots[0].exists()


def test_a_node_goes_back_after_a_failure(project: Path) -> None:
    before = Path.cwd()

    def fail(_: Job) -> Measurement:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        measured(RowParcel(job("b"), str(project / "work"), {}), fail)
    assert Path.cwd() == before


def test_no_file_leaves_the_folder(project: Path) -> None:
    with pytest.raises(PincerError):
        measured(RowParcel(job("b"), str(project / "work"), {"/../../up.c": b""}), seen)


@pytest.mark.parametrize(
    ("error", "reason"),
    [(FakeRayError("first\n  last line\n"), "last line"), (FakeRayError(""), "FakeRayError")],
)
def test_a_row_that_is_lost_is_a_crash_and_no_end(ray: FakeRay, error: Exception, reason: str) -> None:
    def measure(asked: Job) -> Measurement:
        if asked.row.name == "b":
            raise error
        return seen(asked)

    first, lost = measure_on_ray([job("a"), job("b")], measure, None, lambda _: None)
    assert first.status == "safe"
    assert (lost.row, lost.tool, lost.status, lost.expected) == ("b", "tool", "crash", "safe")
    assert lost.reason.strip() == reason


def test_other_errors_end_the_work_and_the_connection(ray: FakeRay) -> None:
    def fail(_: Job) -> Measurement:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        measure_on_ray([job("a")], fail, None, lambda _: None)
    assert ray.is_over


def test_limits_stay_as_they_are(ray: FakeRay) -> None:
    kept: list[Job] = []

    def measure(asked: Job) -> Measurement:
        kept.append(asked)
        return seen(asked)

    asked = replace(job("a"), timeout=7.0, memory_mb=99, seed=3)
    measure_on_ray([asked], measure, None, lambda _: None)
    assert (kept[0].timeout, kept[0].memory_mb, kept[0].seed) == (7.0, 99, 3)
