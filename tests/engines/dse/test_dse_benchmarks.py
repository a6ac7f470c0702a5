"""Every program of the benchmark suite gives the verdicts written down for it, and its counterexamples replay."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

import pytest

from pincer.bench.dse_rows import dse_rows
from pincer.bench.rows import Row, TemporalQuestion, benchmarks_directory, matching
from pincer.engines.dse.options import CheckOptions
from pincer.engines.dse.verify import check
from pincer.engines.task import EngineTask
from pincer.errors import PincerError
from pincer.evidence.msvl.replay import replay
from pincer.execution.trees import SearchBounds
from pincer.frontends.msvl import load
from pincer.runtime.run import Run
from pincer.temporal.property import parse_properties
from tests.engines.claims import counterexample_of

PROGRAMS = [(file, list(group)) for file, group in groupby(dse_rows(), key=lambda row: row.file)]


@pytest.mark.parametrize(("file", "wanted"), PROGRAMS, ids=[file.stem for file, _ in PROGRAMS])
def test_the_verdicts_are_as_expected(file: Path, wanted: list[Row]) -> None:
    program = load(file)
    properties = parse_properties(program.source.text, str(file))
    question = wanted[0].question
    assert isinstance(question, TemporalQuestion)
    options = CheckOptions(bounds=SearchBounds(max_runs=question.max_runs or 1_000))
    results = list(check(EngineTask(program, tuple(properties), options), Run(60)))
    assert [result.verdict for result in results] == [row.expected for row in wanted]
    for result in results:
        found = counterexample_of(result)
        if found is not None:
            assert replay(program, found).confirmed


def test_every_program_has_its_rows() -> None:
    assert {row.file for row in dse_rows()} == set(benchmarks_directory("dse").rglob("*.m"))


def test_rows_are_chosen_by_name_or_group() -> None:
    assert {row.group for row in matching(dse_rows(), "paper")} == {"paper"}
    assert [row.name for row in matching(dse_rows(), "ac_*, sorting 2")][-1] == "sorting 2"
    with pytest.raises(PincerError, match="no row matches"):
        matching(dse_rows(), "nothing")
