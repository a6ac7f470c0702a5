"""The checks that a server has been asked for: they wait in line, run a few at a time, and are kept for a while."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from msgspec import Struct

from pincer.cli.serving.orders import Bounds, Order
from pincer.errors import PincerError

State = Literal["waiting", "running", "done"]
_KEPT = 1_000
"""How many finished checks can still be looked at."""

_KEPT_CHARACTERS = 200_000_000
"""How long their reports may be altogether."""


class Cancelled(Exception):
    """Nobody wants to know any more."""


class Outcome(Struct, frozen=True):
    """What came out: the properties in short, the report as a page, what was wrong with the input, and the test that
    shows a violation, packed."""

    properties: tuple[Mapping[str, Any], ...] = ()
    report: str = ""
    error: Mapping[str, Any] | None = None
    test: bytes = b""


@dataclass(eq=False)
class Check:
    """One order on its way. Only its queue changes it."""

    id: str
    order: Order
    state: State = "waiting"
    progress: Mapping[str, Any] = field(default_factory=dict)
    outcome: Outcome = field(default_factory=Outcome)
    cancelled: threading.Event = field(default_factory=threading.Event)

    def on_progress(self, progress: Mapping[str, Any]) -> None:
        """Where the analysis is; raises `Cancelled` to end it."""
        if self.cancelled.is_set():
            raise Cancelled
        self.progress = progress


Runner = Callable[[Order, Bounds, Callable[[Mapping[str, Any]], None]], Outcome]


class CheckQueue:
    """Runs checks in threads of its own, first come, first served."""

    def __init__(self, runner: Runner, bounds: Bounds, at_once: int) -> None:
        self.bounds = bounds
        self._runner = runner
        self._waiting: deque[Check] = deque()
        self._checks: OrderedDict[str, Check] = OrderedDict()
        self._changed = threading.Condition()
        self._closed = False
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(at_once)]
        for thread in self._threads:
            thread.start()

    def submit(self, order: Order) -> Check:
        """Take an order; its check can be found by its id from now on."""
        with self._changed:
            if len(self._waiting) >= self.bounds.waiting:
                raise PincerError(f"{self.bounds.waiting} checks are waiting already; try again later")
            check = Check(secrets.token_urlsafe(12), order)
            self._checks[check.id] = check
            self._waiting.append(check)
            self._forget_old()
            self._changed.notify()
        return check

    def find(self, id_: str) -> Check | None:
        with self._changed:
            return self._checks.get(id_)

    def position(self, check: Check) -> int:
        """How many are served before this one."""
        with self._changed:
            return self._waiting.index(check) if check in self._waiting else 0

    def cancel(self, check: Check) -> None:
        """End a check: at once while it waits, and with its next progress while it runs."""
        check.cancelled.set()
        with self._changed:
            if check in self._waiting:
                self._waiting.remove(check)
                check.outcome = _cancelled()
                check.state = "done"

    def close(self) -> None:
        """Stop what runs; nothing is begun any more."""
        with self._changed:
            self._closed = True
            self._waiting.clear()
            for check in self._checks.values():
                check.cancelled.set()
            self._changed.notify_all()
        for thread in self._threads:
            thread.join(timeout=5)

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._waiting and not self._closed:
                    self._changed.wait()
                if self._closed:
                    return
                check = self._waiting.popleft()
                check.state = "running"
            check.outcome = self._outcome(check)
            check.state = "done"

    def _outcome(self, check: Check) -> Outcome:
        """A check has an outcome whatever happens: a lost one would be waited for without end."""
        try:
            return self._runner(check.order, self.bounds, check.on_progress)
        except Cancelled:
            return _cancelled()
        except PincerError as error:
            return Outcome(error={"kind": "error", "message": str(error)})
        except Exception as error:
            return Outcome(error={"kind": "internal", "message": f"{type(error).__name__}: {error}"})

    def _forget_old(self) -> None:
        finished = [check for check in self._checks.values() if check.state == "done"]
        size = sum(len(check.outcome.report) for check in finished)
        for check in finished:
            if len(self._checks) <= _KEPT + len(self._waiting) and size <= _KEPT_CHARACTERS:
                return
            size -= len(check.outcome.report)
            del self._checks[check.id]


def _cancelled() -> Outcome:
    return Outcome(error={"kind": "cancelled", "message": "cancelled"})
