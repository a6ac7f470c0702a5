"""A file's way to its answer is short, and leads down."""

import pytest

from .walk import EXAMPLES, walk

STATIONS = 12


@pytest.mark.parametrize("language", EXAMPLES)
def test_a_way_has_few_stations_and_no_step_upwards(language: str) -> None:
    found = walk(language)
    assert len(found.stations) <= STATIONS
    assert not found.upwards
    assert (found.readings, found.loads) == (1, 1)
