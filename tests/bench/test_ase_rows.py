"""The benchmark rows: complete, consistent with the published table, and loadable."""

from __future__ import annotations

import pytest

from pincer.bench.ase_rows import GROWING, Family, ase_rows
from pincer.bench.rows import GuardedQuestion, Row, matching
from pincer.frontends.gcl import load

ROWS = ase_rows()


def asked(row: Row) -> GuardedQuestion:
    assert isinstance(row.question, GuardedQuestion)
    return row.question


def test_every_published_row_is_there() -> None:
    published = [row for row in ROWS if asked(row).figure is not None]
    assert sum(asked(row).figure == "7" for row in published) == 31
    assert sum(asked(row).figure == "8" for row in published) == 7
    assert len({row.name for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_model_of_every_row_loads_and_has_its_property(row: Row) -> None:
    program = load(row.file, asked(row).defines)
    assert asked(row).property in [item.name for item in program.properties]


@pytest.mark.parametrize("family", GROWING, ids=lambda family: family.name)
def test_families_load_at_their_largest_size(family: Family) -> None:
    row = family.row(family.sizes[-1])
    assert load(row.file, asked(row).defines).transitions


def test_rows_where_the_counter_value_is_reached_are_expected_unsafe() -> None:
    reached = [row for row in ROWS if asked(row).property == "not_x"]
    assert len(reached) == 17
    assert all(row.expected == "unsafe" for row in reached)


def test_figures_are_those_of_the_published_table() -> None:
    (ticket3,) = matching(ROWS, "ticket3")
    assert ticket3.published["ase"]["states"] == 182
    assert ticket3.published["ase"]["check"] == "SF"
    assert ticket3.published["ur"]["states"] == 41
    (rax,) = matching(ROWS, "RAX")
    assert "ur" not in rax.published


def test_exact_rows_say_what_the_paper_mode_must_reproduce() -> None:
    assert all("ase" in asked(row).expected_counts for row in ROWS if asked(row).tag == "EXACT")


def test_transitions_keep_the_order_of_the_published_models() -> None:
    (rax,) = matching(ROWS, "RAX")
    names = [transition.name for transition in load(rax.file, asked(rax).defines).transitions]
    assert names == ["a1", "a2", "a3", "a4", "a2n", "a5", "a6", "b1", "b2", "b3", "b4", "b5", "b3n", "b6"]
    (ticket,) = matching(ROWS, "ticket2")
    names = [transition.name for transition in load(ticket.file, asked(ticket).defines).transitions]
    assert names == ["think[1]", "enter[1]", "leave[1]", "think[2]", "enter[2]", "leave[2]"]
