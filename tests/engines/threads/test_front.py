"""The front: unsafe with a schedule that runs again, safe only by exhaustion, everything else undecided."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.bench.agse_rows import agse_rows, load_threaded
from pincer.bench.rows import Row, ThreadQuestion
from pincer.engines.schedules.again import confirmed
from pincer.engines.schedules.findings import Violation
from pincer.engines.task import Claim
from pincer.engines.threads.task import EngineName, ScheduleSearch, ThreadOptions
from pincer.execution.threads.schedules import Schedule, ThreadChoice
from pincer.program.property import PropertyKind
from pincer.runtime.reasons import INTERRUPTED
from pincer.runtime.run import Run
from tests.engines.agse.agse_programs import FIGURE_2
from tests.engines.agse.guided_programs import COUNTER, CROSSED, ORDERED, RACING, lowered
from tests.engines.claims import reason_of, thread_claims

GUIDED = ThreadOptions(engines=("agse",))


def found_by(claim: Claim) -> Violation | None:
    """The violation that a search has found."""
    assert isinstance(claim.explored, ScheduleSearch)
    return claim.explored.violation


@pytest.mark.parametrize(
    ("text", "name", "verdict"),
    [
        (FIGURE_2, "assertions", "unsafe"),
        (CROSSED, "deadlock", "unsafe"),
        (ORDERED, "deadlock", "safe"),
        (ORDERED, "race", "safe"),
        (ORDERED, "memory", "safe"),
        (RACING, "race", "unsafe"),
        (RACING, "assertions", "safe"),
    ],
)
def test_properties_of_small_programs(tmp_path: Path, text: str, name: PropertyKind, verdict: str) -> None:
    (result,) = thread_claims(lowered(tmp_path, text), [name], Run(timeout=20))
    assert (result.name, result.verdict) == (name, verdict)
    assert (found_by(result) is not None) == (verdict == "unsafe")
    assert "threads interleave under sequential consistency" in map(str, result.assumptions)


def test_what_is_reported_has_been_executed_again(tmp_path: Path) -> None:
    program = lowered(tmp_path, CROSSED)
    (result,) = thread_claims(program, ["deadlock"], Run(timeout=20), GUIDED)
    found = found_by(result)
    assert found is not None
    limits = GUIDED.execution_limits
    assert confirmed(program, "deadlock", found.schedule, limits) is not None
    assert confirmed(program, "assertions", found.schedule, limits) is None
    assert confirmed(program, "deadlock", Schedule((ThreadChoice(7),)), limits) is None


def test_the_guided_search_alone_never_proves(tmp_path: Path) -> None:
    (result,) = thread_claims(lowered(tmp_path, ORDERED), ["deadlock"], Run(timeout=20), GUIDED)
    assert (result.verdict, result.engine) == ("unknown", "agse")
    assert reason_of(result) == "the guided search found no execution that shows a violation"


def test_warnings_that_nothing_confirms_are_listed_and_not_reported(tmp_path: Path) -> None:
    text = RACING.replace("if (y == 3)", "if (y == 3 && y == 4)")
    program = lowered(tmp_path, text)
    (open_,) = thread_claims(program, ["race"], Run(timeout=20), GUIDED)
    assert open_.verdict == "unknown" and any("access x at the same time" in text for text in open_.warnings)
    (settled,) = thread_claims(program, ["race"], Run(timeout=20))
    assert settled.verdict == "safe" and not settled.warnings


@pytest.mark.parametrize("engine", ["agse", "exhaustive", "contexts", "random"])
def test_every_engine_can_be_chosen_and_signs_its_answer(tmp_path: Path, engine: EngineName) -> None:
    options = ThreadOptions(engines=(engine,))
    (result,) = thread_claims(lowered(tmp_path, CROSSED), ["deadlock"], Run(timeout=20), options)
    assert (result.verdict, result.engine) == ("unsafe", engine)
    assert {"states", "time_s", "memory_mb", "trials"} <= result.statistics.keys()


def test_answers_repeat_with_their_seed(tmp_path: Path) -> None:
    program = lowered(tmp_path, COUNTER.replace("LIMIT", "5"))
    options = ThreadOptions(engines=("agse",), seed=3, jobs=2)
    first, second = (thread_claims(program, ["assertions"], Run(timeout=20), options)[0] for _ in range(2))
    one, other = found_by(first), found_by(second)
    assert one is not None and other is not None
    assert one.schedule.choices == other.schedule.choices
    assert first.statistics["states"] == second.statistics["states"]


def test_a_run_that_is_stopped_leaves_the_properties_undecided(tmp_path: Path) -> None:
    run = Run(timeout=20)
    run.stop(INTERRUPTED)
    results = thread_claims(lowered(tmp_path, CROSSED), ["deadlock", "race"], run)
    assert [(result.verdict, reason_of(result)) for result in results] == [("unknown", "interrupted")] * 2


def kind_of(row: Row) -> PropertyKind:
    assert isinstance(row.question, ThreadQuestion)
    return row.question.kind


def test_time_limits_hold(tmp_path: Path) -> None:
    (row,) = [row for row in agse_rows() if row.name == "bank(7)-fixed"]
    run = Run(timeout=1.5)
    (result,) = thread_claims(load_threaded(row, tmp_path), ["deadlock"], run)
    assert result.verdict == "unknown" and "1.5 s" in reason_of(result)


@pytest.mark.parametrize("row", [row for row in agse_rows() if row.published], ids=lambda row: row.name)
def test_table_2_is_found_with_at_most_twice_the_published_states(row: Row, tmp_path: Path) -> None:
    (result,) = thread_claims(load_threaded(row, tmp_path), [kind_of(row)], Run(timeout=30), GUIDED)
    assert result.verdict == "unsafe"
    assert result.statistics["states"] <= 2 * row.published["agse"]["states"]


@pytest.mark.parametrize("row", [row for row in agse_rows() if row.group == "airline"], ids=lambda row: row.name)
def test_by_the_rules_of_the_paper_refinements_are_the_published_ones(row: Row, tmp_path: Path) -> None:
    options = ThreadOptions(engines=("agse",), paper=True)
    (result,) = thread_claims(load_threaded(row, tmp_path), [kind_of(row)], Run(timeout=60), options)
    assert result.verdict == "unsafe"
    assert result.statistics["refinements"] == row.published["agse"]["refinements"]


@pytest.mark.parametrize(
    "row", [row for row in agse_rows() if not row.published and "3" in row.name], ids=lambda row: row.name
)
def test_families_are_decided(row: Row, tmp_path: Path) -> None:
    (result,) = thread_claims(load_threaded(row, tmp_path), [kind_of(row)], Run(timeout=30))
    assert result.verdict == row.expected
