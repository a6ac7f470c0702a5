"""A measurement knows what is right and what is wrong; many keep their order."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from pincer.bench.measurement import Job, Measurement, known, measure_all, present
from pincer.bench.rows import CQuestion, Row

RIGHT = Measurement("p", "ase", "safe", "safe", 0.5, {"states": 3}, evidence="certified")


def test_a_verdict_against_the_truth_and_rejected_evidence_are_wrong() -> None:
    assert (RIGHT.right, RIGHT.wrong) == (True, False)
    assert replace(RIGHT, status="unsafe").wrong
    assert replace(RIGHT, evidence="rejected").wrong
    assert not replace(RIGHT, evidence="rejected").right
    assert not replace(RIGHT, status="time").wrong
    assert not replace(RIGHT, expected=None).wrong


def test_where_the_method_cannot_conclude_a_verdict_is_neither_right_nor_wrong() -> None:
    decided = replace(RIGHT, expected="unknown")
    assert (decided.right, decided.wrong) == (False, False)
    assert replace(decided, status="unknown").right


def test_the_cost_of_a_command_is_all_that_a_user_waits() -> None:
    assert RIGHT.cost_s == 0.5
    assert replace(RIGHT, figures={"wall_s": 2.0}).cost_s == 2.0
    assert replace(RIGHT, time_s=None).cost_s == 0.0


def test_figures_that_are_not_known_are_not_there() -> None:
    assert present(a=1, b=None) == {"a": 1}
    assert known({"a": 1, "b": None, "c": 3}, "a", "b", "d") == {"a": 1}


def test_plain_data_has_the_published_figures_beside_ours() -> None:
    row = Row("p", "", Path("p.c"), "safe", CQuestion(), {"ase": {"states": 4}})
    data = RIGHT.to_json(row)
    assert (data["figures"], data["published"], data["wrong"]) == ({"states": 3}, {"states": 4}, False)


@pytest.mark.parametrize("at_once", [1, 4])
def test_several_jobs_keep_their_order(at_once: int) -> None:
    jobs = [Job(Row(str(i), "", Path("p.c"), "safe", CQuestion()), "pincer") for i in range(20)]
    seen: list[str] = []
    measured = measure_all(
        jobs, lambda job: replace(RIGHT, row=job.row.name), at_once, lambda done: seen.append(done.row)
    )
    assert [done.row for done in measured] == [str(i) for i in range(20)]
    assert sorted(seen, key=int) == [str(i) for i in range(20)]
