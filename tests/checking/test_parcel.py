"""A request arrives on another machine with all it needs, and its answers name places as they are here."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.checking.messages import Check, Replay, Text, WriteTests, event_of
from pincer.checking.parcel import Parcel, delivered, packed, unpacked, wanted_files
from pincer.checking.store import StoreSettings
from pincer.checking.task import Asked, Options, Outputs, Source, Task
from pincer.errors import PincerError
from pincer.program.c_file import CFile, CFlags


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with headers here and there; the work is done in its folder `src`."""
    root = tmp_path / "here"
    for name, text in {
        "src/p.c": '#include "p.h"\n#include <deep.h>\n#include <stdio.h>\n',
        "src/p.h": "",
        "include/deep.h": '#include "../other/more.h"\n',
        "other/more.h": "",
        "other/q.c": "#include NAME\n",
        "other/any.h": "",
        "other/notes.txt": "",
        "src/my.rule": "",
        "src/unrelated.c": "",
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    monkeypatch.chdir(root / "src")
    return root


def names(parcel: Parcel, root: Path) -> set[str]:
    return {str(Path(path).relative_to(root)) for path in parcel.files}


def test_headers_and_rules_travel(project: Path) -> None:
    task = Task(Source("p.c", flags=CFlags(include=("../include",))), Asked(("assertions",), ("my.rule",)))
    found = packed(Check(task))
    assert names(found, project) == {"src/p.c", "src/p.h", "include/deep.h", "other/more.h", "src/my.rule"}
    assert found.folder == str(project / "src")


def test_where_a_macro_names_a_header_all_that_may_be_one_travel(project: Path) -> None:
    found = packed(WriteTests(Source(str(project / "other" / "q.c")), "suite"))
    assert names(found, project) == {"other/q.c", "other/any.h", "other/more.h"}


def test_a_store_does_not_travel() -> None:
    request = packed(Check(Task(Source("p.c"), store=StoreSettings("kept")))).request
    assert isinstance(request, Check)
    assert request.task.store is None


def test_only_programs_are_sent() -> None:
    with pytest.raises(PincerError, match="only checks"):
        packed(Replay("w.json"))


def test_relative_names_stay_and_others_move(project: Path, tmp_path: Path) -> None:
    away = tmp_path / "away"
    other = str(project / "other" / "q.c")
    flags = CFlags(include=(str(project / "include"), "../other"))
    task = Task(
        Source("p.c", flags=flags, others=(CFile(other),)),
        options=Options(tests="tests"),
        outputs=Outputs(certificate=str(project / "proof.json"), witness="w.yml"),
    )
    place = unpacked(packed(Check(task)), away)
    assert isinstance(place.request, Check)
    moved = place.request.task
    assert moved.source.file == "p.c"
    assert moved.source.others[0].path == f"{away}{other}"
    assert moved.source.flags.include == (f"{away}{project}/include", "../other")
    assert moved.outputs.certificate == f"{away}{project}/proof.json"
    assert moved.outputs.witness == "w.yml"
    assert place.folder == Path(f"{away}{project}/src")
    assert (place.folder / "p.c").read_bytes() == Path("p.c").read_bytes()
    assert Path(moved.source.others[0].path).is_file()


def test_what_comes_back_names_places_as_they_are_here(project: Path, tmp_path: Path) -> None:
    place = unpacked(packed(Check(Task(Source("p.c")))), tmp_path / "away")
    said = event_of(place.told(Text(f"see {place.folder}/p.c:1")))
    assert said == Text(f"see {project}/src/p.c:1")


def test_what_was_made_there_is_written_here_if_it_was_wanted(project: Path, tmp_path: Path) -> None:
    request = Check(Task(Source("p.c"), outputs=Outputs(certificate="proof.json", test_out="bug")))
    place = unpacked(packed(request), tmp_path / "away")
    for name in ("proof.json", "proof.memory.json", "bug/test.json", "stray", "p.o"):
        (place.folder / name).parent.mkdir(exist_ok=True)
        (place.folder / name).write_text(name, encoding="utf-8")
    delivered(place.made(), wanted_files(request))
    here = {str(path.relative_to(project / "src")) for path in (project / "src").rglob("*") if path.is_file()}
    assert here >= {"proof.json", "proof.memory.json", "bug/test.json"}
    assert here.isdisjoint({"stray", "p.o"})


@pytest.mark.parametrize("name", ["/../../up.c", "../up.c"])
def test_no_parcel_leaves_its_folder(name: str, tmp_path: Path) -> None:
    request = packed(Check(Task(Source("p.c")))).request
    with pytest.raises(PincerError, match="no place below"):
        unpacked(Parcel(request, "/work", {name: b"x"}), tmp_path / "away")
