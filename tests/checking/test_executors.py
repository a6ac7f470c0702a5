"""The local executor: several requests at a time, each with its own news and its own end."""

from __future__ import annotations

import time

from pincer.checking.executors import LocalExecutor, News, local_executor
from pincer.checking.messages import Replay, Text
from pincer.checking.supervise import Ending, Limits, Tick
from tests.checking.scripted_worker import fake_worker

NO_LIMITS = Limits()
REQUEST = Replay("w.json")
UNTIL_STOPPED = """
emit("Text", text="begun")
json.loads(sys.stdin.readline())
emit("Text", text="stopped")
emit("Done")
"""


def told(executor: LocalExecutor, numbers: set[int]) -> dict[int, list[News]]:
    """What is told about each request, without ticks."""
    news: dict[int, list[News]] = {number: [] for number in numbers}
    for number, event in executor.news():
        if not isinstance(event, Tick):
            news[number].append(event)
    return news


def test_requests_run_side_by_side_and_each_has_its_news_in_order() -> None:
    with local_executor(2, fake_worker([Text("a"), Text("b")])) as executor:
        numbers = {executor.submit(REQUEST, NO_LIMITS) for _ in range(4)}
        news = told(executor, numbers)
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
        news = told(executor, {executor.submit(REQUEST, NO_LIMITS), executor.submit(REQUEST, NO_LIMITS)})
    for events in news.values():
        assert isinstance(events[-1], Ending)
        assert events[-1].died is not None and "killed" in events[-1].died


def test_a_command_that_cannot_be_started_is_told() -> None:
    with local_executor(1, ["/nonexistent/pincer-worker"]) as executor:
        news = told(executor, {executor.submit(REQUEST, NO_LIMITS)})
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
        news = told(executor, {executor.submit(REQUEST, NO_LIMITS)})
    assert [type(event) for event in news[0]] == [Ending]
    assert isinstance(news[0][0], Ending) and news[0][0].interrupted


def test_no_process_outlives_the_block() -> None:
    with local_executor(1, fake_worker(behaviour="emit('Text', text='x')\ntime.sleep(600)\n")) as executor:
        executor.submit(REQUEST, NO_LIMITS)
        number, event = next(item for item in executor.news() if isinstance(item[1], Text))
        assert (number, event) == (0, Text("x"))
        [watch] = executor._watches.values()
    patience = time.monotonic() + 30.0
    while watch.helper._process.poll() is None and time.monotonic() < patience:
        time.sleep(0.01)
    assert watch.helper._process.poll() is not None
