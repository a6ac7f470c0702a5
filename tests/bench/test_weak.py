"""Weak reachability: must-transitions reach nothing that ASE does not explore."""

from __future__ import annotations

from pincer.bench.weak import compare


def test_what_must_transitions_reach_is_explored() -> None:
    found = compare("peterson2", 60.0)
    assert found.predicates > 0
    assert 0 < found.weak <= found.explored
    assert found.missed == 0
