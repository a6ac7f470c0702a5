"""The same seed, the same run: what a check does depends on nothing else, least of all on the clock."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pincer.bench.rows import benchmarks_directory
from pincer.engines import dse
from pincer.engines.dse.options import CheckOptions
from pincer.engines.dse.verify import check
from pincer.engines.task import EngineTask
from pincer.execution.msvl import Options
from pincer.execution.trees import SearchBounds
from pincer.frontends.msvl import load
from pincer.runtime.run import Run
from pincer.temporal.property import parse_properties
from tests.engines.claims import counterexample_of

PROGRAMS = sorted(benchmarks_directory("dse").rglob("*.m"))[:8]


def _outcome(file: Path, seed: int) -> list[Any]:
    """All that a check finds and counts, without the time it took."""
    program = load(file)
    options = CheckOptions(Options(seed=seed), SearchBounds(max_runs=40))
    found = []
    asked = parse_properties(program.source.text, str(file))
    for result in check(EngineTask(program, asked, options), Run()):
        statistics = {**result.statistics, "solver": {**result.statistics["solver"], "time_s": 0}}
        del statistics["queries_by_purpose"]
        found.append((result.verdict, result.said, counterexample_of(result), statistics))
    return found


@pytest.mark.parametrize("file", PROGRAMS, ids=lambda file: file.stem)
def test_the_same_seed_gives_the_same_run(file: Path) -> None:
    assert _outcome(file, 3) == _outcome(file, 3)


def test_no_decision_of_the_engine_reads_the_clock() -> None:
    for module in Path(str(dse.__file__)).parent.glob("*.py"):
        assert "import time" not in module.read_text(encoding="utf-8"), module
