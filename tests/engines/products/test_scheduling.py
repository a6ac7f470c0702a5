from __future__ import annotations

from typing import get_args

import pytest

from pincer.engines.products.scheduling import Pace, Scheduler
from pincer.evidence.thread_proof.regions.claim import ENDED, Region
from pincer.evidence.thread_proof.regions.shape import check_shape
from tests.evidence.thread_proof.regions.region_programs import BOTH, LOCKSTEP, known
from tests.evidence.thread_proof.threaded_programs import lowered


def scheduled(text: str, pace: Pace) -> list[Region]:
    found = known(text)
    scheduling = Scheduler(lowered(text), found.system, found.product.objects, found.frozen, pace).regions()
    while True:
        try:
            next(scheduling)
        except StopIteration as ended:
            regions: list[Region] = ended.value
            check_shape(found.system, regions)
            assert all(found.frozen.problem(region) is None for region in regions)
            return regions


@pytest.mark.parametrize("pace", get_args(Pace))
def test_independent_threads_move_alone(pace: Pace) -> None:
    assert all(len(region.move) == 1 for region in scheduled(LOCKSTEP, pace))


def test_loops_go_side_by_side() -> None:
    """In lockstep the second thread does not wait for the end of the first; one after the other, it does."""

    def second_before_end(regions: list[Region]) -> bool:
        return any(region.move == (2,) and region.at[1] != ENDED for region in regions[8:])

    assert second_before_end(scheduled(LOCKSTEP, "every loop"))
    after = [region for region in scheduled(LOCKSTEP, "one after the other") if region.move == (2,)]
    assert sum(region.at[1] != ENDED for region in after) <= 1


def test_threads_that_depend_on_each_other_all_move() -> None:
    text = "int x; void *f(void *a) { x = 1; return 0; } void *g(void *a) { x = 2; return 0; }" + BOTH
    regions = scheduled(text.replace("AFTER", "assert(x);"), "every loop")
    assert any(set(region.move) >= {1, 2} for region in regions)
