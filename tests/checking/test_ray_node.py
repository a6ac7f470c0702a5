"""A node does what this machine would do, tells what goes on, and stops when nobody wants it any more."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pincer.checking.messages import Check, Done, Text, event_of
from pincer.checking.parcel import Parcel, packed
from pincer.checking.supervise import Limits, Tick
from pincer.checking.task import Source, Task

pytest.importorskip("ray", reason="Ray is not installed")

from pincer.checking import ray_node
from pincer.checking.ray_node import Delivery, NewsDesk, WorkOrder, work

WORKERS = "tests.checking.cluster_workers"


class FakeRay:
    """Answers at once; `exceptions` are those of Ray."""

    def __init__(self, answer: Callable[[Any], Any]) -> None:
        import ray

        self.exceptions = ray.exceptions
        self._answer = answer

    def get(self, asked: Any, timeout: float) -> Any:
        assert timeout > 0
        return self._answer(asked)


class Desk:
    """A desk whose posts are remembered."""

    def __init__(self, is_stopped: bool = False) -> None:
        self.posts: list[tuple[int, Tick]] = []
        self.post = SimpleNamespace(remote=self._post)
        self._is_stopped = is_stopped

    def _post(self, number: int, tick: Tick) -> bool:
        self.posts.append((number, tick))
        return self._is_stopped


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(ray_node, "ray", FakeRay(lambda answer: answer))
    for name in ("good.c", "stuck.c", "dying.c"):
        Path(name).write_text("int main(void) { return 0; }\n", encoding="utf-8")
    return tmp_path


def parcel(name: str) -> Parcel:
    return packed(Check(Task(Source(name))))


def done(name: str, desk: Desk, number: int = 5) -> Delivery:
    return work(number, parcel(name), Limits(), desk, WorkOrder(WORKERS, 0.0))


def test_events_come_back_as_lines() -> None:
    delivery = done("good.c", Desk())
    events = [event_of(line) for line in delivery.events]
    assert events[0] == Text("good.c") and all(isinstance(event, Text | Done) for event in events)
    assert delivery.ending.died is None and not delivery.ending.interrupted


def test_a_worker_that_dies_is_told() -> None:
    delivery = done("dying.c", Desk())
    assert delivery.ending.died is not None and "killed" in delivery.ending.died
    assert [event_of(line) for line in delivery.events] == [Text("dying.c")]


def test_who_is_not_wanted_any_more_stops() -> None:
    desk = Desk(is_stopped=True)
    delivery = done("stuck.c", desk)
    assert delivery.ending.interrupted
    assert {number for number, _ in desk.posts} == {5} and all(isinstance(tick, Tick) for _, tick in desk.posts)
    assert Text("stopped") in [event_of(line) for line in delivery.events]


def test_who_is_heard_by_nobody_stops(monkeypatch: pytest.MonkeyPatch) -> None:
    import ray

    def gone(_: Any) -> Any:
        raise ray.exceptions.GetTimeoutError

    monkeypatch.setattr(ray_node, "ray", FakeRay(gone))
    assert done("stuck.c", Desk()).ending.interrupted


@pytest.mark.parametrize("version", ["", "0.0.0"])
def test_another_version_does_nothing(version: str) -> None:
    desk = Desk()
    delivery = work(5, parcel("dying.c"), Limits(), desk, WorkOrder(WORKERS, 0.0, version))
    assert delivery.ending.died is not None and "install the same version" in delivery.ending.died
    assert delivery.events == () and delivery.made == {} and desk.posts == []


def test_nothing_of_a_parcel_is_left_behind(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(place))
    done("good.c", Desk())
    assert list(place.iterdir()) == []


def test_a_desk_keeps_the_latest_news_of_each_and_gives_them_once() -> None:
    first, second = (Tick(None, 1.0, seconds) for seconds in (1.0, 2.0))
    desk = NewsDesk()
    assert desk.collect() == {}
    assert not desk.post(1, first) and not desk.post(1, second) and not desk.post(2, first)
    assert desk.collect() == {1: second, 2: first} and desk.collect() == {}


def test_a_desk_that_stops_says_so_to_everybody() -> None:
    tick = Tick(None, 1.0, 1.0)
    desk = NewsDesk()
    desk.stop()
    assert desk.post(1, tick) and desk.post(2, tick) and desk.collect() == {1: tick, 2: tick}
