"""A trace has one state more than it has steps."""

from __future__ import annotations

from pincer.evidence.gcl.trace import Step, Trace


def test_the_states_of_a_trace_begin_with_the_initial_one() -> None:
    trace = Trace("ok", {"x": 0}, (Step("up", {"x": 1}), Step("up", {"x": 2})))
    assert trace.states == ({"x": 0}, {"x": 1}, {"x": 2})
    assert Trace("ok", {"x": 0}, ()).states == ({"x": 0},)
