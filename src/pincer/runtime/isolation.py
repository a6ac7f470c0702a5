"""A piece of work in a fresh process, one core, under a hard limit of time and memory.

The work is a generator: each value it yields is one phase, sent to the parent as soon as it is there, so that
a phase cut short never loses the results of the ones before it. Native code that hangs or aborts (solvers do
both) ends the child and nothing else.
"""

from __future__ import annotations

import multiprocessing
import os
import resource
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, Generic, Literal, TypeVar

from msgspec import Struct

Argument = TypeVar("Argument")
Result = TypeVar("Result")

Ending = Literal["finished", "time", "memory", "crash"]

STARTUP_LIMIT = 60.0


class IsolatedOutcome(Struct, Generic[Result], frozen=True):
    """The phases that were completed, how the work ended, and a sentence where it did not finish."""

    results: tuple[Result, ...]
    ending: Ending
    reason: str = ""


def run_isolated(
    work: Callable[[Argument], Iterator[Result]],
    argument: Argument,
    time_limits: Sequence[float],
    memory_mb: int,
) -> IsolatedOutcome[Result]:
    """Run `work(argument)` in a child; `time_limits` has one limit in seconds for each phase."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=_child, args=(sender, work, argument, memory_mb), daemon=True)
    child.start()
    sender.close()
    try:
        return _collect(child, receiver, time_limits)
    finally:
        child.kill()
        child.join()
        receiver.close()


def _collect(child: BaseProcess, receiver: Connection, time_limits: Sequence[float]) -> IsolatedOutcome[Any]:
    results: list[Any] = []
    limits = iter((STARTUP_LIMIT, *time_limits))
    limit = next(limits)
    while True:
        if not receiver.poll(limit):
            return IsolatedOutcome(tuple(results), "time", f"stopped after {limit:g} s")
        try:
            kind, value = receiver.recv()
        except EOFError:
            child.join()
            return IsolatedOutcome(tuple(results), "crash", f"the process died with exit status {child.exitcode}")
        if kind == "result":
            results.append(value)
        elif kind != "ready":
            return IsolatedOutcome(tuple(results), kind, value)
        limit = next(limits, limit)


def _child(sender: Connection, work: Callable[[Any], Iterator[Any]], argument: Any, memory_mb: int) -> None:
    limit = memory_mb * 1024 * 1024
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    sender.send(("ready", None))
    try:
        for result in work(argument):
            sender.send(("result", result))
        sender.send(("finished", ""))
    except MemoryError:
        sender.send(("memory", f"more than {memory_mb} MB needed"))
    except Exception as error:
        ending = "memory" if "memory" in str(error).lower() else "crash"
        sender.send((ending, f"{type(error).__name__}: {error}"))
