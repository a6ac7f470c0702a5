"""What users choose about threads reaches the limits of every search."""

from __future__ import annotations

import pytest

from pincer.engines.threads.task import ThreadOptions
from pincer.execution.threads.limits import ADDRESS_REGIONS


@pytest.mark.parametrize("spurious", [False, True])
def test_all_searches_execute_threads_in_the_same_way(spurious: bool) -> None:
    options = ThreadOptions(spurious=spurious)
    limits = options.execution_limits
    assert limits.spurious == spurious
    assert options.schedule_limits.execution == options.agse_limits.execution == limits


def test_every_thread_has_a_region_of_addresses_beside_the_one_that_all_share() -> None:
    assert 0 < ThreadOptions().execution_limits.max_threads < ADDRESS_REGIONS
