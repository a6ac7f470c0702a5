"""Worker processes for random cases: a hard time limit for each, and a fresh process now and then.

Solvers keep memory and may hang in native code; neither may stop a run of thousands of cases.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterable, Iterator
from multiprocessing.connection import Connection, wait

from .generator import generate
from .judge import Case, Court, judge
from .spacer_child import SpacerChild

CASES_PER_PROCESS = 400


class Worker:
    """One process that tries one case at a time."""

    def __init__(self, court: Court) -> None:
        self._court = court
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, self._court))
        self._process.start()
        theirs.close()
        self._tried = 0

    def give(self, seed: int) -> None:
        if self._tried >= CASES_PER_PROCESS:
            self.restart()
        self._tried += 1
        self.seed, self.deadline = seed, time.monotonic() + hard_limit(self._court)
        self.connection.send(seed)

    def take(self) -> Case:
        """The finished case; a worker that died is replaced, and its case counts as a crash."""
        try:
            case: Case = self.connection.recv()
        except (EOFError, OSError):
            self.restart()
            return Case(self.seed, generate(self.seed), crash="the process died")
        return case

    def give_up(self) -> Case:
        self.restart()
        return Case(self.seed, generate(self.seed), crash=f"no answer in {hard_limit(self._court):g} s")

    def stop(self) -> None:
        self.connection.close()
        self._process.kill()
        self._process.join()

    def restart(self) -> None:
        self.stop()
        self._start()


def hard_limit(court: Court) -> float:
    """Room for the verdict, its evidence and Spacer, each at its own limit, and for starting a process."""
    return 3 * court.timeout + 3 * court.spacer_timeout + 10


def try_cases(seeds: Iterable[int], court: Court, jobs: int) -> Iterator[Case]:
    """The cases of the seeds as they are finished, on `jobs` processes."""
    remaining = iter(seeds)
    workers = [Worker(court) for _ in range(jobs)]
    busy: dict[Connection, Worker] = {}
    try:
        for worker in workers:
            _give_next(worker, remaining, busy)
        while busy:
            ready = wait(list(busy), timeout=1.0)
            late = [c for c, worker in busy.items() if worker.deadline < time.monotonic() and c not in ready]
            for connection in [*busy.keys() & set(ready), *late]:
                worker = busy.pop(connection)
                yield worker.give_up() if connection in late else worker.take()
                _give_next(worker, remaining, busy)
    finally:
        for worker in workers:
            worker.stop()


def _give_next(worker: Worker, seeds: Iterator[int], busy: dict[Connection, Worker]) -> None:
    seed = next(seeds, None)
    if seed is not None:
        worker.give(seed)
        busy[worker.connection] = worker


def _serve(connection: Connection, court: Court) -> None:
    spacer = SpacerChild(court.spacer_timeout) if court.spacer_every else None
    try:
        while True:
            connection.send(judge(connection.recv(), court, spacer))
    except EOFError:
        pass
    finally:
        if spacer is not None:
            spacer.stop()
