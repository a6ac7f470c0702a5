"""The analyses of a program with threads together."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.analysis.thread_facts import ThreadFacts
from tests.analysis.threaded_programs import analysed, lock, two_threads, unlock

TEXT = two_threads(
    f"{lock('a', 'b')} g = 1; {unlock('b', 'a')}", f"{lock('b', 'a')} g = 2; {unlock('a', 'b')}", main="g = 3;"
)


class Stop(Exception):
    pass


def test_cycles_and_races_are_found_from_what_is_held(tmp_path: Path) -> None:
    facts = analysed(tmp_path, TEXT)
    assert [len(cycle.members) for cycle in facts.lock_cycles] == [2]
    assert len(facts.race_pairs) == 2
    assert facts.must_held.keys() == facts.may_held.keys() == set(facts.threads.all)


def test_the_analyses_can_be_ended(tmp_path: Path) -> None:
    program = analysed(tmp_path, TEXT).program

    def stop() -> None:
        raise Stop

    with pytest.raises(Stop):
        _ = ThreadFacts(program, stop).pointers
