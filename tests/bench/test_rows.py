"""The benchmark rows: complete, consistent with the published table, and loadable."""

from __future__ import annotations

import pytest

from pincer.bench.growth import FAMILIES
from pincer.bench.rows import load_rows
from pincer.errors import PincerError
from pincer.frontends.gcl import load

ROWS = load_rows()


def test_every_published_row_is_there() -> None:
    published = [row for row in ROWS if row.figure is not None]
    assert sum(row.figure == "7" for row in published) == 31
    assert sum(row.figure == "8" for row in published) == 7
    assert len({row.name for row in ROWS}) == len(ROWS)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_the_model_of_every_row_loads_and_has_its_property(row) -> None:  # type: ignore[no-untyped-def]
    program = load(row.model, row.defines)
    assert row.property in [item.name for item in program.properties]


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.name)
def test_families_load_at_their_largest_size(family) -> None:  # type: ignore[no-untyped-def]
    row = family.row(family.sizes[-1])
    assert load(row.model, row.defines).transitions


def test_rows_where_the_counter_value_is_reached_are_expected_unsafe() -> None:
    reached = [row for row in ROWS if row.property == "not_x"]
    assert len(reached) == 17
    assert all(row.expected == "unsafe" for row in reached)


def test_figures_are_those_of_the_published_table() -> None:
    (ticket3,) = load_rows("ticket3")
    assert ticket3.published["ase"].states == 182
    assert ticket3.published["ase"].check == "SF"
    assert ticket3.published["ur"].states == 41
    (rax,) = load_rows("RAX")
    assert "ur" not in rax.published


def test_exact_rows_say_what_the_paper_mode_must_reproduce() -> None:
    assert all("ase" in row.expected_counts for row in ROWS if row.tag == "EXACT")


def test_patterns_choose_rows_and_an_unmatched_one_is_an_error_that_lists_them() -> None:
    assert [row.name for row in load_rows("ticket[23],RAX")] == ["RAX", "ticket2", "ticket3"]
    with pytest.raises(PincerError, match="ticket4"):
        load_rows("nothing*")


def test_transitions_keep_the_order_of_the_published_models() -> None:
    (rax,) = load_rows("RAX")
    names = [transition.name for transition in load(rax.model, rax.defines).transitions]
    assert names == ["a1", "a2", "a3", "a4", "a2n", "a5", "a6", "b1", "b2", "b3", "b4", "b5", "b3n", "b6"]
    (ticket,) = load_rows("ticket2")
    names = [transition.name for transition in load(ticket.model, ticket.defines).transitions]
    assert names == ["think[1]", "enter[1]", "leave[1]", "think[2]", "enter[2]", "leave[2]"]
