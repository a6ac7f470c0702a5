"""The transition systems of many kinds: each says of all its properties what is true, and is decided that way."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.bench.rows import GuardedQuestion, Row
from pincer.bench.system_rows import system_rows
from pincer.engines.guarded.analysis import GuardedSettings
from pincer.engines.guarded.verify import verify
from pincer.engines.task import EngineTask, Proved, Refuted
from pincer.errors import PincerError
from pincer.evidence.gcl.certificate import Certificate
from pincer.evidence.gcl.checker import check_certificate
from pincer.evidence.gcl.replay import replay
from pincer.evidence.gcl.trace import Trace
from pincer.frontends.gcl import load
from pincer.runtime.run import Run

FILES = {row.file: [other for other in system_rows() if other.file == row.file] for row in system_rows()}


def test_there_are_many_and_some_are_violated() -> None:
    assert len(FILES) > 50
    assert 5 < sum(row.expected == "unsafe" for row in system_rows()) < len(FILES) / 3


def test_a_folder_of_others(tmp_path: Path) -> None:
    (tmp_path / "one.gcl").write_text("// expect: low holds\nvar x : int = 0;\nsafety low: x <= 0;\n", encoding="utf-8")
    (row,) = system_rows(tmp_path)
    assert (row.name, row.group, row.expected) == ("one: low", "one", "safe")
    (tmp_path / "two.gcl").write_text("var x : int;\n", encoding="utf-8")
    with pytest.raises(PincerError, match="expect"):
        system_rows(tmp_path)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_they_are_decided_with_evidence(file: Path) -> None:
    program, rows = load(file, {}), FILES[file]
    assert {_property(row) for row in rows} == {item.name for item in program.properties}
    claims = {claim.name: claim for claim in verify(EngineTask(program, (), GuardedSettings()), Run())}
    for row in rows:
        claim = claims[_property(row)]
        assert claim.verdict == row.expected
        if isinstance(claim, Proved):
            assert isinstance(claim.proof, Certificate)
            assert check_certificate(program, claim.proof).ok
        else:
            assert isinstance(claim, Refuted) and isinstance(claim.run, Trace)
            assert replay(program, claim.run).ok


def _property(row: Row) -> str:
    assert isinstance(row.question, GuardedQuestion)
    return row.question.property
