"""Worker processes for cases of any kind: a hard time limit for each, and a fresh process now and then."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Callable, Iterable, Iterator
from multiprocessing.connection import Connection, wait
from typing import Generic, TypeVar

CASES_PER_PROCESS = 60
STARTING = 15.0

Item = TypeVar("Item")
Answer = TypeVar("Answer")


class Worker(Generic[Item, Answer]):
    """One process that applies a function to one item at a time."""

    def __init__(self, function: Callable[[Item], Answer], limit: float) -> None:
        self._function = function
        self._limit = limit
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, self._function))
        self._process.start()
        theirs.close()
        self._served = 0

    def give(self, item: Item) -> None:
        if self._served >= CASES_PER_PROCESS:
            self.restart()
        grace = STARTING if self._served == 0 else 0.0
        self._served += 1
        self.item, self.deadline = item, time.monotonic() + self._limit + grace
        self.connection.send(item)

    def take(self) -> Answer | None:
        """The answer; None if the process died over it."""
        try:
            answer: Answer = self.connection.recv()
        except (EOFError, OSError):
            self.restart()
            return None
        return answer

    def restart(self) -> None:
        self.stop()
        self._start()

    def stop(self) -> None:
        self.connection.close()
        self._process.kill()
        self._process.join()


def run_all(
    function: Callable[[Item], Answer], items: Iterable[Item], jobs: int, limit: float
) -> Iterator[tuple[Item, Answer | None]]:
    """Items with their answers as they are finished, None for one that took longer than `limit` seconds."""
    remaining = iter(items)
    workers = [Worker(function, limit) for _ in range(jobs)]
    busy: dict[Connection, Worker[Item, Answer]] = {}
    try:
        for worker in workers:
            _give_next(worker, remaining, busy)
        while busy:
            ready = set(wait(list(busy), timeout=1.0))
            for connection, worker in list(busy.items()):
                late = worker.deadline < time.monotonic()
                if connection not in ready and not late:
                    continue
                del busy[connection]
                if connection in ready:
                    yield worker.item, worker.take()
                else:
                    worker.restart()
                    yield worker.item, None
                _give_next(worker, remaining, busy)
    finally:
        for worker in workers:
            worker.stop()


def _give_next(
    worker: Worker[Item, Answer], items: Iterator[Item], busy: dict[Connection, Worker[Item, Answer]]
) -> None:
    item = next(items, None)
    if item is not None:
        worker.give(item)
        busy[worker.connection] = worker


def _serve(connection: Connection, function: Callable[[Item], Answer]) -> None:
    try:
        while True:
            connection.send(function(connection.recv()))
    except EOFError:
        pass
