"""The numbers of a run over time: every change while there is room, evenly thinned afterwards."""

from __future__ import annotations

from itertools import pairwise

from pincer.report.history import History


def test_points_keep_time_phase_and_numbers() -> None:
    history = History()
    history.add(0.12345, "ase", "exploring", {"states": 3})
    assert history.to_json() == [{"t": 0.123, "phase": "ase exploring", "numbers": {"states": 3}}]


def test_what_says_nothing_new_is_left_out() -> None:
    history = History()
    for seconds in (0.1, 0.2, 0.3):
        history.add(seconds, "ase", "exploring", {"states": 3})
    history.add(0.4, "ase", "starting", {})
    history.add(0.5, "ase", "checking", {"states": 3})
    assert [point["t"] for point in history.to_json()] == [0.1, 0.5]


def test_many_points_are_thinned_and_the_last_one_stays() -> None:
    history = History(most=10)
    for number in range(1001):
        history.add(float(number), "ase", "exploring", {"states": number})
    times = [point["t"] for point in history.to_json()]
    assert len(times) <= 11
    assert (times[0], times[-1]) == (0.0, 1000.0)
    gaps = {later - earlier for earlier, later in pairwise(times[:-1])}
    assert len(gaps) == 1


def test_no_progress_is_no_history() -> None:
    assert History().to_json() == []
