"""A few programs of the fuzzer of proofs by cut points, and what it would say of a checker that believes everything."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from pincer.frontends.c.load import load

from . import buffer_loops
from .buffer_loops import failures, judged, list_text, program_text, unproved


@pytest.fixture(autouse=True)
def few_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is proved does not matter here."""
    monkeypatch.setattr(buffer_loops, "CALLS", 500)


@pytest.mark.parametrize("seed", [2, 6])
def test_nothing_that_a_run_breaks_is_accepted(tmp_path: Path, seed: int) -> None:
    counts: Counter[str] = Counter()
    assert judged(seed, tmp_path, counts) == []
    assert sum(number for what, number in counts.items() if "wrong" in what) >= 1


@pytest.mark.parametrize("seed", [3, 6])
def test_nothing_that_a_run_breaks_is_accepted_of_lists(tmp_path: Path, seed: int) -> None:
    counts: Counter[str] = Counter()
    assert judged(seed, tmp_path, counts, list_text) == []
    assert sum(number for what, number in counts.items() if "wrong" in what) >= 1


def test_a_checker_that_accepts_everything_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(buffer_loops, "accepts", lambda *_: True)
    assert judged(2, tmp_path, Counter())


def test_programs_differ_and_unproved_facts_are_many(tmp_path: Path) -> None:
    assert len({program_text(seed) for seed in range(40)}) > 30
    file = tmp_path / "buffer.c"
    file.write_text(program_text(2))
    program = load(file)
    assert failures(program)
    assert all(len(point.facts) > 10 for point in unproved(program).points)
