"""Limits hold and nothing is lost, however the worker behaves."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from pincer.checking import supervise as module
from pincer.checking import worker
from pincer.checking.messages import Check, Decided, Replay, Text, Working
from pincer.checking.supervise import Ending, Limits, LocalExecutor, News, Tick, local_executor, supervised
from pincer.checking.task import Asked, Source, Task
from pincer.runtime.nursery import Nursery
from pincer.runtime.processes import Helper
from pincer.runtime.run import Progress
from tests.checking.scripted_worker import fake_worker

READY = "emit('Text', text='ready')\n"
OBEDIENT = (
    READY
    + """
stop = json.loads(sys.stdin.readline())["reason"]["text"]
emit("Text", text=stop)
emit("Done")
"""
)
STUCK = READY + "time.sleep(600)"
NO_LIMITS = Limits()
TEN_SECONDS = Limits(timeout=10.0)
PROGRESS = Working(Progress("ase", "p", {"states": 5}), 1.0)
REQUEST = Replay("w.json")
UNTIL_STOPPED = """
emit("Text", text="begun")
json.loads(sys.stdin.readline())
emit("Text", text="stopped")
emit("Done")
"""


@dataclass
class Clock:
    """A clock that stands still until the worker is ready; then ten seconds pass at once, and `step` with each look."""

    step: float = 0.0
    now: float = 0.0

    def monotonic(self) -> float:
        return self.now

    def ready(self) -> None:
        self.now += 10.0

    def tick(self, *_: object) -> None:
        if self.now:
            self.now += self.step


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(module, "time", made)
    return made


def watch(command: list[str], clock: Clock, limits: Limits = NO_LIMITS) -> tuple[list[str], Ending]:
    """The texts that a worker tells, and how it ended."""
    told: list[str] = []
    with supervised(REQUEST, limits, command) as worker:
        for event in worker.events():
            assert isinstance(event, Text | Tick)
            if isinstance(event, Tick):
                clock.tick()
            elif event.text == "ready":
                clock.ready()
            else:
                told.append(event.text)
    return told, worker.ending


def stopped(ending: Ending) -> str:
    return str(ending.stopped)


def test_events_arrive_in_order_and_the_end_is_clean(clock: Clock) -> None:
    told, ending = watch(fake_worker([Text(str(n)) for n in range(50)]), clock)
    assert told == list(map(str, range(50)))
    assert (ending.stopped, ending.died, ending.interrupted) == (None, None, False)


def test_time_limit_holds_within_ten_percent_when_the_worker_is_stuck(clock: Clock) -> None:
    clock.step = 0.1
    _, ending = watch(fake_worker(behaviour=STUCK), clock, TEN_SECONDS)
    assert stopped(ending) == "time limit of 10 s reached"
    assert 10.0 <= ending.elapsed <= 11.0


def test_a_worker_that_is_asked_to_stop_can_still_hand_over_results(clock: Clock) -> None:
    told, ending = watch(fake_worker(behaviour=OBEDIENT), clock, TEN_SECONDS)
    assert told == ["time limit of 10 s reached"]
    assert ending.died is None


def test_latest_progress_survives_a_killed_worker(clock: Clock) -> None:
    clock.step = 0.1
    _, ending = watch(fake_worker([PROGRESS], STUCK), clock, TEN_SECONDS)
    assert ending.progress is not None
    assert ending.progress.numbers == {"states": 5}


def test_memory_limit_stops_a_worker_that_grows(clock: Clock) -> None:
    grow = "keep = bytearray(b'x') * 300_000_000\ntime.sleep(600)"
    _, ending = watch(fake_worker(behaviour=grow), clock, Limits(memory_mb=150))
    assert stopped(ending) == "memory limit of 150 MB reached"


@pytest.mark.parametrize(
    ("death", "words"),
    [
        ("os.kill(os.getpid(), signal.SIGSEGV)", "SIGSEGV"),
        ("os.kill(os.getpid(), signal.SIGKILL)", "memory"),
        ("sys.exit(7)", "status 7"),
    ],
)
def test_a_lost_worker_is_named(death: str, words: str, clock: Clock) -> None:
    _, ending = watch(fake_worker(behaviour=death), clock)
    assert ending.died is not None
    assert words in ending.died


def test_a_worker_that_falls_over_while_stopping_is_no_internal_error(clock: Clock) -> None:
    clumsy = f"{READY}sys.stdin.readline()\nos._exit(1)"
    _, ending = watch(fake_worker(behaviour=clumsy), clock, TEN_SECONDS)
    assert (stopped(ending), ending.died) == ("time limit of 10 s reached", None)


def test_a_worker_ends_with_the_block_that_asked_for_it() -> None:
    command = fake_worker(behaviour=f"emit('Text', text=str(os.getpid()))\n{STUCK}")
    with pytest.raises(KeyError), supervised(REQUEST, NO_LIMITS, command) as worker:
        pid = next(int(event.text) for event in worker.events() if isinstance(event, Text))
        raise KeyError
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_no_process_outlives_its_supervision(clock: Clock) -> None:
    clock.step = 0.1
    told, _ = watch(fake_worker(behaviour=f"emit('Text', text=str(os.getpid()))\n{STUCK}"), clock, TEN_SECONDS)
    with pytest.raises(ProcessLookupError):
        os.kill(int(told[0]), 0)


def told_by(executor: LocalExecutor, numbers: set[int]) -> dict[int, list[News]]:
    """What is told about each request, without ticks."""
    news: dict[int, list[News]] = {number: [] for number in numbers}
    for number, event in executor.news():
        if not isinstance(event, Tick):
            news[number].append(event)
    return news


def test_requests_run_side_by_side_and_each_has_its_news_in_order() -> None:
    with local_executor(2, fake_worker([Text("a"), Text("b")])) as executor:
        numbers = {executor.submit(REQUEST, NO_LIMITS) for _ in range(4)}
        news = told_by(executor, numbers)
    assert numbers == {0, 1, 2, 3}
    for events in news.values():
        assert events[:-1] == [Text("a"), Text("b")]
        assert isinstance(events[-1], Ending) and events[-1].died is None


def test_more_is_submitted_while_news_come() -> None:
    ended: list[int] = []
    with local_executor(1, fake_worker([Text("a")])) as executor:
        executor.submit(REQUEST, NO_LIMITS)
        for number, event in executor.news():
            if isinstance(event, Ending):
                ended.append(number)
                if number < 2:
                    executor.submit(REQUEST, NO_LIMITS)
    assert ended == [0, 1, 2]


def test_a_process_that_dies_is_the_end_of_its_own_request_only() -> None:
    dying = "emit('Text', text='x')\nimport os, signal\nos.kill(os.getpid(), signal.SIGKILL)\n"
    with local_executor(2, fake_worker(behaviour=dying)) as executor:
        news = told_by(executor, {executor.submit(REQUEST, NO_LIMITS), executor.submit(REQUEST, NO_LIMITS)})
    for events in news.values():
        assert isinstance(events[-1], Ending)
        assert events[-1].died is not None and "killed" in events[-1].died


def test_a_command_that_cannot_be_started_is_told() -> None:
    with local_executor(1, ["/nonexistent/pincer-worker"]) as executor:
        news = told_by(executor, {executor.submit(REQUEST, NO_LIMITS)})
    assert isinstance(news[0][0], Ending) and "could not be started" in str(news[0][0].died)


def test_cancelled_requests_hand_over_what_they_have() -> None:
    texts: list[str] = []
    endings: list[Ending] = []
    with local_executor(2, fake_worker(behaviour=UNTIL_STOPPED)) as executor:
        executor.submit(REQUEST, NO_LIMITS)
        executor.submit(REQUEST, NO_LIMITS)
        for _, event in executor.news():
            match event:
                case Text("begun"):
                    executor.cancel()
                case Text(text):
                    texts.append(text)
                case Ending():
                    endings.append(event)
    assert len(endings) == 2 and all(ending.interrupted for ending in endings)
    assert texts and set(texts) == {"stopped"}


def test_nothing_is_begun_after_cancelling() -> None:
    with local_executor(1, fake_worker([Text("a")])) as executor:
        executor.cancel()
        news = told_by(executor, {executor.submit(REQUEST, NO_LIMITS)})
    assert [type(event) for event in news[0]] == [Ending]
    assert isinstance(news[0][0], Ending) and news[0][0].interrupted


def test_no_process_outlives_the_block() -> None:
    with local_executor(1, fake_worker(behaviour="emit('Text', text='x')\ntime.sleep(600)\n")) as executor:
        executor.submit(REQUEST, NO_LIMITS)
        number, event = next(item for item in executor.news() if isinstance(item[1], Text))
        assert (number, event) == (0, Text("x"))
        [watch] = executor._watches.values()
    assert isinstance(watch.helper, Helper)
    patience = time.monotonic() + 30.0
    while watch.helper._process.poll() is None and time.monotonic() < patience:
        time.sleep(0.01)
    assert watch.helper._process.poll() is not None


def test_forked_processes_check_as_others_do(tmp_path: Path) -> None:
    programs = {"a": ("x", "unsafe"), "b": ("!x", "safe")}
    requests = []
    for name, (condition, _) in programs.items():
        text = f"#include <assert.h>\nint main(void) {{ int x = 0; assert({condition}); return 0; }}\n"
        (tmp_path / f"{name}.c").write_text(text, encoding="utf-8")
        requests.append(Check(Task(Source(str(tmp_path / f"{name}.c")), Asked(("assertions",)))))
    nursery = Nursery(worker.__name__, ["pincer.checking.decide"])
    with local_executor(2, ["/nonexistent/pincer-worker"], nursery=nursery) as executor:
        news = told_by(executor, {executor.submit(request, NO_LIMITS) for request in requests})
    found = [[e.result.verdict for e in news[number] if isinstance(e, Decided)] for number in (0, 1)]
    assert found == [["unsafe"], ["safe"]]


def test_where_no_process_can_be_forked_one_is_started() -> None:
    nursery = Nursery("tests.runtime.echoing")
    nursery.end()
    with local_executor(1, fake_worker([Text("a")]), nursery=nursery) as executor:
        [events] = told_by(executor, {executor.submit(REQUEST, NO_LIMITS)}).values()
    assert events[0] == Text("a")
