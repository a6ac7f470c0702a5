"""The second oracle: Spacer in one persistent child process, replaced when it hangs or dies."""

from __future__ import annotations

import multiprocessing
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Literal

from pincer.bench.spacer import solve_horn

Verdict = Literal["safe", "unsafe", "unknown"]

GRACE = 1.0


class SpacerChild:
    """Answers Horn scripts; every question has a hard time limit."""

    def __init__(self, timeout: float) -> None:
        self._timeout = timeout
        self._context = multiprocessing.get_context("spawn")
        self._start()

    def __enter__(self) -> SpacerChild:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def verdict(self, script: str) -> Verdict:
        """What Spacer says; "unknown" also when it took too long or crashed."""
        try:
            self._connection.send(script)
            if self._connection.poll(self._timeout + GRACE):
                answer: Verdict = self._connection.recv()
                return answer
        except (EOFError, OSError):
            pass
        self.stop()
        self._start()
        return "unknown"

    def _start(self) -> None:
        self._connection, theirs = self._context.Pipe()
        self._process = self._context.Process(target=_serve, args=(theirs, self._timeout), daemon=True)
        self._process.start()
        theirs.close()

    def stop(self) -> None:
        self._connection.close()
        self._process.kill()
        self._process.join()


def _serve(connection: Connection, timeout: float) -> None:
    while True:
        try:
            script = connection.recv()
        except EOFError:
            return
        verdict, _ = solve_horn(script, timeout)
        connection.send(verdict)
