"""Messages say the same in the process that reads them."""

from __future__ import annotations

import pytest

from pincer.checking.messages import (
    Certify,
    Check,
    Done,
    Draw,
    Event,
    Execute,
    Explored,
    Judge,
    MistakeMade,
    Order,
    ProgramRead,
    Replay,
    Request,
    StopWish,
    Text,
    Translate,
    Working,
    WriteTests,
    encoded,
    event_of,
    order_of,
    stop_of,
)
from pincer.checking.task import Asked, Source, Task
from pincer.errors import Mistake
from pincer.program.c_file import CFlags
from pincer.runtime.reasons import time_is_up
from pincer.runtime.run import Progress
from tests.checking.scripted_worker import SAFE, UNKNOWN, UNSAFE, decided

REQUESTS: list[Request] = [
    Check(Task(Source("p.c", flags=CFlags(("inc",))), Asked(("memory",)))),
    Replay("w.json"),
    Certify("c.json", "p.gcl", "both"),
    Draw(Source("p.gcl", flags=CFlags(macros=(("N", "3"),))), "tree", limit=5),
    WriteTests(Source("p.c"), "suite"),
    Execute("p.m", {"x": -(10**30)}),
    Judge("<> p", ltl=True),
    Translate("p.c"),
]
EVENTS: list[Event] = [
    ProgramRead({"file": "\udcff.c"}, ("a", "b")),
    *decided(SAFE, UNSAFE, UNKNOWN),
    Explored("a", {"graphs": []}),
    MistakeMade(Mistake("error", "unknown name", "p.gcl", 3, 5)),
    Working(Progress("ase", "exploring", {"states": 10**20}), 12.5),
    Working(None, 1.0),
    Text("é\n"),
    Done(),
]


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: type(request).__name__)
def test_an_order_arrives_as_it_was_given(request_: Request) -> None:
    order = Order(request_, 2.5, 100.25)
    assert order_of(encoded(order)) == order


@pytest.mark.parametrize("event", EVENTS, ids=lambda event: type(event).__name__)
def test_an_event_arrives_as_it_was_told_on_one_line(event: Event) -> None:
    line = encoded(event)
    assert line.endswith(b"\n") and line.count(b"\n") == 1 and line.isascii()
    assert event_of(line) == event


def test_a_wish_to_stop_has_its_cause() -> None:
    assert stop_of(encoded(StopWish(time_is_up(3.0)))).reason == time_is_up(3.0)
