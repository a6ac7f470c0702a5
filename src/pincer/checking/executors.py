"""Who does the work: an executor takes requests, does several at a time, and tells what becomes of each.

The local one has a process for each request that is under way (`checking.supervise` looks after it). A process that
dies or is killed is the end of its own request only.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol, TypeAlias

from pincer.checking.messages import Event, Request
from pincer.checking.supervise import Ending, Limits, Tick, Watch, interrupts, supervised

News: TypeAlias = Event | Tick | Ending
"""What is told about a request; an `Ending` is the last of it."""


class Executor(Protocol):
    """`slots` is how many requests are worth having under way; whoever submits keeps to it."""

    slots: int

    def submit(self, request: Request, limits: Limits) -> int:
        """Begin with a request; the number is what its news come with."""
        ...

    def news(self) -> Iterator[tuple[int, News]]:
        """What becomes of the requests, as it comes, until none is under way; more may be submitted meanwhile."""
        ...

    def cancel(self) -> None:
        """Ask all requests under way to stop; each of them still tells its ending."""
        ...


class LocalExecutor:
    """Processes of this machine; `command` starts one."""

    def __init__(self, slots: int, command: Sequence[str], verbose: bool = False) -> None:
        self.slots = slots
        self._command, self._verbose = command, verbose
        self._news: queue.SimpleQueue[tuple[int, News]] = queue.SimpleQueue()
        self._watches: dict[int, Watch] = {}
        self._under_way = 0
        self._submitted = 0
        self._cancelled = False

    def submit(self, request: Request, limits: Limits) -> int:
        number = self._submitted
        self._submitted += 1
        self._under_way += 1
        threading.Thread(target=self._supervise, args=(number, request, limits), daemon=True).start()
        return number

    def news(self) -> Iterator[tuple[int, News]]:
        while self._under_way:
            number, news = self._news.get()
            if isinstance(news, Ending):
                self._under_way -= 1
            yield number, news

    def cancel(self) -> None:
        self._cancelled = True
        for watch in list(self._watches.values()):
            watch.interrupt()

    def kill(self) -> None:
        """End all processes at once."""
        for watch in list(self._watches.values()):
            watch.helper.kill()

    def _supervise(self, number: int, request: Request, limits: Limits) -> None:
        ending = Ending(interrupted=self._cancelled)
        try:
            if not self._cancelled:
                with supervised(request, limits, self._command, self._verbose) as watch:
                    self._watches[number] = watch
                    ending = watch.ending
                    if self._cancelled:
                        watch.interrupt()
                    for event in watch.events():
                        self._news.put((number, event))
        except OSError as error:
            ending = Ending(died=f"the analysis process could not be started: {error.strerror or error}")
        finally:
            self._watches.pop(number, None)
            self._news.put((number, ending))


@contextmanager
def local_executor(slots: int, command: Sequence[str], verbose: bool = False) -> Iterator[LocalExecutor]:
    """An executor on this machine that Ctrl-C stops; no process of it outlives the block."""
    executor = LocalExecutor(slots, command, verbose)
    with interrupts(executor.cancel, executor.kill):
        try:
            yield executor
        finally:
            executor.kill()
