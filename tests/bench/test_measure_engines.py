"""Engines for threads and for temporal properties are measured, and what they found is run again."""

from __future__ import annotations

from pincer.bench.agse_rows import agse_rows
from pincer.bench.dse_rows import dse_rows
from pincer.bench.measure_engines import measure_temporal, measure_threads
from pincer.bench.measurement import Job
from pincer.bench.rows import matching


def test_a_deadlock_is_found_and_confirmed_by_compiled_code() -> None:
    [row] = matching(agse_rows(), "bank(3)")
    measured = measure_threads(Job(row, "exhaustive"))
    assert (measured.status, measured.right) == ("unsafe", True)
    assert measured.evidence in ("confirmed", "not confirmed")
    assert measured.figures["states"]


def test_a_temporal_counterexample_is_replayed() -> None:
    row = next(row for row in dse_rows() if row.group == "paper" and row.expected == "unsafe")
    measured = measure_temporal(Job(row, "dse"))
    assert (measured.status, measured.evidence, measured.right) == ("unsafe", "replayed", True)
    assert set(measured.figures) == {"runs", "tree_nodes", "product", "solver_calls"}
