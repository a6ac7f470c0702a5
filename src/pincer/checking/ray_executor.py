"""The same work on a cluster: requests become tasks of Ray, which schedules them, moves them and repeats what is lost.

What comes back of a task is its result as a whole, so a task that was begun twice counts once.
"""

from __future__ import annotations

import contextlib
import os
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from msgspec import Struct

from pincer.checking.messages import Request, event_of
from pincer.checking.parcel import delivered, packed, wanted_files
from pincer.checking.supervise import Ending, Limits, News, interrupts
from pincer.errors import PincerError
from pincer.runtime.reasons import INTERRUPTED


class RayLimits(Struct, frozen=True):
    """How long a cluster is waited for, and how often."""

    wait_seconds: float = 0.1
    """For results, before wishes of the user are looked at again."""
    news_seconds: float = 0.5
    """Between two looks at what tasks tell."""
    posts_per_second: float = 2000.0
    """What one process collects without trouble."""
    grace_seconds: float = 10.0
    """For tasks that were asked to stop; then they are ended."""
    knock_seconds: float = 10.0
    """For an address at which there may be no cluster."""
    attempts: int = 4
    """A node may die under a task, and the next one too; a task that kills its nodes must come to an end."""


LIMITS = RayLimits()


class RayExecutor:
    """Tasks on the nodes of a cluster; `module` is the one whose worker does the work there."""

    def __init__(self, ray: Any, module: str) -> None:
        from pincer.checking.ray_node import NewsDesk, WorkOrder, work

        self._ray = ray
        processors = max(1, int(ray.cluster_resources().get("CPU", 1)))
        self.slots = 2 * processors  # So that no node waits for its next task.
        self._order = WorkOrder(module, max(LIMITS.news_seconds, processors / LIMITS.posts_per_second))
        here = ray.util.scheduling_strategies.NodeAffinitySchedulingStrategy(
            ray.get_runtime_context().get_node_id(), soft=False
        )
        self._desk = ray.remote(num_cpus=0, scheduling_strategy=here)(NewsDesk).remote()
        self._work = ray.remote(num_cpus=1, max_retries=LIMITS.attempts - 1, scheduling_strategy="SPREAD")(work)
        self._requests: dict[Any, tuple[int, Request]] = {}
        self._submitted = 0
        self._is_stopping = False
        self._cancelled_at: float | None = None
        self._next_news = 0.0

    def submit(self, request: Request, limits: Limits) -> int:
        number = self._submitted
        self._submitted += 1
        task = self._work.remote(number, packed(request), limits, self._desk, self._order)
        self._requests[task] = (number, request)
        if self._cancelled_at is not None:
            self._take_back(task)
        return number

    def news(self) -> Iterator[tuple[int, News]]:
        while self._requests:
            done, _ = self._ray.wait(list(self._requests), timeout=LIMITS.wait_seconds)
            for task in done:
                number, request = self._requests.pop(task)
                for news in self._outcome(task, request):
                    yield number, news
            yield from self._collected()
            self._stop_if_wanted()

    def cancel(self) -> None:
        self._is_stopping = True

    def kill(self) -> None:
        """End all tasks at once."""
        for task in list(self._requests):
            self._take_back(task, force=True)

    def _take_back(self, task: Any, force: bool = False) -> None:
        """A task that has not begun never will; one that runs is asked to stop, or ended."""
        with contextlib.suppress(Exception):  # It may be over, or its node gone.
            self._ray.cancel(task, force=force)

    def _outcome(self, task: Any, request: Request) -> Iterator[News]:
        errors = self._ray.exceptions
        try:
            delivery = self._ray.get(task)
        except errors.TaskCancelledError:
            yield Ending(stopped=INTERRUPTED, interrupted=True)
        except errors.RayTaskError as error:
            yield Ending(died=f"a node could not do it: {str(error.cause or error).strip().splitlines()[-1]}")
        except errors.RayError:
            lost = f"the nodes that worked at it were lost, {LIMITS.attempts} times"
            yield Ending(stopped=INTERRUPTED, interrupted=True) if self._is_stopping else Ending(died=lost)
        else:
            delivered(delivery.made, wanted_files(request))
            yield from map(event_of, delivery.events)
            yield delivery.ending

    def _collected(self) -> Iterator[tuple[int, News]]:
        """What tasks have told since the last time."""
        if time.monotonic() < self._next_news:
            return
        self._next_news = time.monotonic() + LIMITS.news_seconds
        under_way = {number for number, _ in self._requests.values()}
        try:
            found = self._ray.get(self._desk.collect.remote(), timeout=LIMITS.grace_seconds)
        except self._ray.exceptions.RayError:
            return
        yield from ((number, tick) for number, tick in found.items() if number in under_way)

    def _stop_if_wanted(self) -> None:
        """Whoever asks to stop does so in the midst of something else; here it is done. Each task is asked once, and
        ended when it takes too long."""
        if self._is_stopping and self._cancelled_at is None:
            self._cancelled_at = time.monotonic()
            self._desk.stop.remote()
            for task in list(self._requests):
                self._take_back(task)
        elif self._cancelled_at is not None and time.monotonic() - self._cancelled_at > LIMITS.grace_seconds:
            self.kill()


def connected(address: str | None) -> Any:
    """Ray, connected to a cluster: the one that is named, that of the environment, or the one on this machine."""
    try:
        import ray
        import ray.util.scheduling_strategies
    except ImportError:
        raise PincerError("--on ray needs Ray: pip install 'pincer[ray]'") from None
    if not ray.is_initialized():
        # What Ray says of lost workers would stand in the midst of our answers on standard output, which tell it, too.
        ray._private.worker.print_to_stdstream = lambda *_, **__: None
        try:
            _knock(address or os.environ.get("RAY_ADDRESS", ""))
            ray.init(address=address or "auto", log_to_driver=False, logging_level="ERROR")
        except (OSError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
            where = address or "here"
            hint = "start one with `ray start --head`, or name one with --ray-address"
            raise PincerError(f"no Ray cluster answers {where} ({str(error).splitlines()[0]}); {hint}") from None
    return ray


def _knock(address: str) -> None:
    """Ray waits for minutes for a cluster that is not there."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if host and port.isdecimal():
        socket.create_connection((host, int(port)), LIMITS.knock_seconds).close()


@contextmanager
def ray_executor(address: str | None, module: str) -> Iterator[RayExecutor]:
    """An executor on a cluster that Ctrl-C stops everywhere; nothing of it goes on after the block."""
    ray = connected(address)
    executor = RayExecutor(ray, module)
    try:
        with interrupts(executor.cancel, executor.kill):
            yield executor
    finally:
        executor.kill()
        ray.shutdown()
