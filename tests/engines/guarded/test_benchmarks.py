"""The benchmark models: true verdicts in every mode, and the published counts in paper mode."""

from __future__ import annotations

import json
from typing import Any

import pytest

from pincer.frontends.gcl import load
from tests.engines.claims import check_of
from tests.engines.guarded.judged import BENCHMARKS, Engine, judge

ROWS: dict[str, dict[str, Any]] = {
    row["name"]: row for row in json.loads((BENCHMARKS / "published.json").read_text(encoding="utf-8"))["rows"]
}
SMALL = [
    *("bakery2", "RAX", "elev4", "ticket2", "ticket3", "mesi", "berkley", "b_bakery2-e", "ticket2-e"),
    *("ticket3-5", "ticket3-10", "RAX-5", "RAX-10", "ticket2-any", "peterson2", "bakery2-any", "mesi-any"),
    *("synapse", "ticket2-e-any", "ticket3-e-any", "RAX-deadlock"),
]
COUNTED = ["ticket2", "ticket3", "RAX", "RAX-5", "RAX-10", "ticket3-5", "ticket3-10", "mesi", "berkley"]
CHECKS = {"SF": "safe-fragment", "II": "inductive-invariant", None: None}


def test_every_model_is_tried() -> None:
    assert {ROWS[name]["model"] for name in SMALL} == {row["model"] for row in ROWS.values()}


@pytest.mark.parametrize("paper", [False, True], ids=["default", "paper"])
@pytest.mark.parametrize("name", SMALL)
def test_ase_gives_the_true_verdict(name: str, paper: bool) -> None:
    row = ROWS[name]
    program = load(BENCHMARKS / row["model"], row["defines"])
    result = judge(program, properties=[row["property"]], paper=paper)[row["property"]]
    assert result.verdict == row["expected"]


@pytest.mark.parametrize("engine", ["ase", "ur"])
@pytest.mark.parametrize("name", COUNTED)
def test_the_exact_rows_are_reproduced_count_for_count(name: str, engine: Engine) -> None:
    row = ROWS[name]
    expected = row["expect_paper_mode"].get(engine)
    if expected is None:
        pytest.skip("the engine does not answer this row")
    program = load(BENCHMARKS / row["model"], row["defines"])
    result = judge(program, engine, properties=[row["property"]], paper=engine == "ase")[row["property"]]
    assert result.verdict == row["expected"]
    counted = {key: result.statistics[key] for key in ("iterations", "states", "abstract_states")}
    assert counted == {key: expected[key] for key in counted}
    assert row["tag"] == "EXACT"
    if "check" in expected:
        assert check_of(result) == CHECKS[expected["check"]]


@pytest.mark.parametrize("engine", ["ase", "ur"])
@pytest.mark.parametrize("name", COUNTED)
def test_the_counts_promised_for_predicates_are_kept(name: str, engine: Engine) -> None:
    row = ROWS[name]
    expected = row["expect_paper_mode"].get(engine, {})
    if "predicates" not in expected:
        pytest.skip("nothing is promised")
    program = load(BENCHMARKS / row["model"], row["defines"])
    result = judge(program, engine, properties=[row["property"]], paper=engine == "ase")[row["property"]]
    assert result.statistics["predicates"] == expected["predicates"]


@pytest.mark.parametrize("name", ["ticket2", "ticket3", "mesi", "berkley", "ticket3-10"])
def test_ase_needs_no_more_iterations_and_predicates_than_ur(name: str) -> None:
    row = ROWS[name]
    program = load(BENCHMARKS / row["model"], row["defines"])
    ase, ur = (judge(program, engine, [row["property"]])[row["property"]].statistics for engine in ("ase", "ur"))
    assert ase["iterations"] <= ur["iterations"]
    assert ase["predicates"] <= ur["predicates"]
