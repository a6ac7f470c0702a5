"""What happened before what, and executions with independent transitions in another order."""

from __future__ import annotations

from pincer.execution.threads.accesses import Access, Footprint
from pincer.execution.threads.ordering import Event, initials, racing, reversible, without
from pincer.execution.threads.schedules import ThreadChoice
from pincer.logic import bitvectors

X, Y = (Footprint((Access("register", number, write=True),)) for number in (0, 1))


def event(thread: int, footprint: Footprint, past: int, inputs: tuple[int, int] = (0, 0)) -> Event:
    return Event(thread, 0, footprint, past, ((0, inputs[0]), (0, inputs[1])))


ONE_THEN_TWO = [event(1, X, 0b01), event(2, Y, 0b10)]


def test_only_conflicts_that_nothing_orders_can_be_reversed() -> None:
    assert reversible(ONE_THEN_TWO, 0, X) == [0]
    assert reversible(ONE_THEN_TWO, 0b01, X) == []
    assert reversible(ONE_THEN_TWO, 0, Footprint()) == []
    assert reversible(ONE_THEN_TWO, 0, Footprint((), ends=True)) == [1, 0]


def test_whoever_waits_for_nothing_can_come_first_instead() -> None:
    assert initials(ONE_THEN_TWO, 0, 3, 0, X) == [3, 2]
    assert initials(ONE_THEN_TWO, 0, 3, 0, X.joined(Y)) == [2]


def test_a_race_is_a_conflict_that_nothing_in_between_orders() -> None:
    found = racing(ONE_THEN_TWO, 0, event(3, X, 0b100))
    assert found is not None and found[0] == 0
    assert racing(ONE_THEN_TWO, 0b01, event(3, X, 0b101)) is None
    assert racing(ONE_THEN_TWO, 0, event(1, X, 0b101)) is None


def test_leaving_out_an_event_renumbers_the_inputs_of_the_others() -> None:
    first, second = (bitvectors.variable(f"input{number}", 8) for number in (0, 1))
    events = [event(1, X, 0b01, (0, 1)), event(2, Y, 0b10, (1, 2))]
    schedule = without(events, 0, {first: 5, second: 7})
    assert schedule.choices == (ThreadChoice(2),)
    assert schedule.inputs == {first: 7}
