"""The C benchmarks: the paper's families are programs, and every file of the suite belongs to a complete task."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml

from pincer.bench.dash_families import fig3, fig6
from pincer.errors import PincerError
from pincer.frontends.c.load import load
from pincer.frontends.c.rules import load_rules
from pincer.program.control_flow import Allocate, Assume, Fail

SUITE = Path(__file__).parents[2] / "benchmarks" / "dash"
RULES = {"SpinLock", "CancelSpinLock", "MarkIrpPending", "InterlockedQueuedIrps"}


@pytest.mark.parametrize("n", [1, 2, 5])
def test_figure_3_has_n_fresh_records_and_one_test_of_them_all(tmp_path: Path, n: int) -> None:
    source = tmp_path / "fig3.c"
    source.write_text(fig3(n))
    program = load(source)
    foo = program.procedures["foo"]
    assert len(foo.parameters) == n + 1
    assert sum(isinstance(edge.label, Allocate) for edge in program.edges()) >= 1
    assert fig3(n).count("malloc(sizeof(DE))") == n
    assert any(isinstance(edge.label, Fail) for edge in program.edges())


@pytest.mark.parametrize("n", [1, 4])
def test_figure_6_has_n_decisions_in_a_row(tmp_path: Path, n: int) -> None:
    source = tmp_path / "fig6.c"
    source.write_text(fig6(n))
    edges = load(source).procedures["prove_me3"].edges
    assert sum(isinstance(edge.label, Assume) and edge.label.branch is True for edge in edges) == n + 1


@pytest.mark.parametrize("family", [fig3, fig6])
def test_a_family_begins_with_one(family: Callable[[int], str]) -> None:
    with pytest.raises(PincerError, match="begins with n = 1"):
        family(0)


def test_every_program_of_the_suite_has_a_task_with_a_verdict() -> None:
    programs = [path for path in SUITE.rglob("*.c") if path.parent != SUITE / "properties"]
    assert len(programs) > 100
    for program in programs:
        task = yaml.safe_load(program.with_suffix(".yml").read_text(encoding="utf-8"))
        assert task["format_version"] == "2.0"
        assert task["input_files"] == program.name
        assert task["properties"]
        for checked in task["properties"]:
            assert (program.parent / checked["property_file"]).is_file()
            assert isinstance(checked["expected_verdict"], bool)


def test_every_published_row_has_its_driver_and_its_rule() -> None:
    rows = json.loads((SUITE / "published.json").read_text(encoding="utf-8"))["rows"]
    assert len(rows) == 18
    for row in rows:
        assert (SUITE / row["model"]).is_file()
        assert load_rules(SUITE / row["rule"]).name == row["property"]
        assert row["property"] in RULES
        assert row["expected"] == ("safe" if row["printed"].endswith("correct") else "unsafe")
        assert row["dash"]["iterations"] == row["dash"]["queries"]
