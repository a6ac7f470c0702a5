"""Ranks: what leads to the trace comes first, and who has arrived stays."""

from __future__ import annotations

import random
from pathlib import Path

from pincer.engines.agse.followed_traces import Following, TraceGuide
from pincer.engines.agse.ranks import AT_TARGET, NOWHERE, RandomRanks
from pincer.execution.threads.calls import Waiting
from tests.engines.agse.guided_programs import CROSSED, guided, lowered


def test_remaining_locations_count_first_then_the_distance(tmp_path: Path) -> None:
    search = guided(lowered(tmp_path, CROSSED), "deadlock")
    ranking = RandomRanks(search.following, random.Random(0), "deadlock")
    here = search._restarted()
    assert ranking.h1(here.guides) == sum(len(guide.remaining) for guide in here.guides)
    h1, distance, _ = ranking.of_thread(here.threads, here.guides, 0, {})
    assert h1 == ranking.h1(here.guides) and 0 < distance < NOWHERE


def test_who_holds_what_a_follower_waits_for_is_better_than_nobody(tmp_path: Path) -> None:
    search = guided(lowered(tmp_path, CROSSED), "deadlock")
    ranking = RandomRanks(search.following, random.Random(0), "deadlock")
    here = search._restarted()
    end = search.system.flow.facts.program.procedures["main"].exit
    guides = (TraceGuide((end, end), thread=5),)
    assert ranking.of_thread(here.threads, guides, 0, {})[1] == NOWHERE
    assert ranking.of_thread(here.threads, guides, 0, {5: Waiting("a lock", (0,))})[1] < NOWHERE


def test_a_thread_at_its_target_should_stay(tmp_path: Path) -> None:
    search = guided(lowered(tmp_path, CROSSED), "deadlock")
    following: Following = search.following
    ranking = RandomRanks(following, random.Random(0), "deadlock")
    here = search._restarted()
    location = here.threads.threads[0].location
    guides = (TraceGuide((location,), thread=0),)
    assert ranking.at_target(here.threads, guides, 0)
    assert ranking.of_thread(here.threads, guides, 0, {})[1] == AT_TARGET
