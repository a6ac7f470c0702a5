"""One question on two cores: strategies that execute go on in a process of their own, the others stay.

The process is forked in the midst of the first round, so it knows what was known by then. From then on both sides tell
each other over a pipe what they put on their boards: inputs of tests, facts, places where tests have ended. The first
answer ends the other side. If the process dies, its strategies are taken back where they were when it began. The
verdict is that of one core; the way to it depends on who is faster.
"""

from __future__ import annotations

import multiprocessing
import os
import queue
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, TypeAlias

from msgspec import Struct

from pincer.engines.board import Answer, Board, Holds, Inputs, NoAnswer, Violated
from pincer.engines.portfolio import NOTHING, Ended, Going, Idle, Portfolio, Share, Strategy
from pincer.execution.stepping import Stop
from pincer.logic.term_pickles import packed, unpacked
from pincer.logic.terms import Term
from pincer.program.control_flow import Edge
from pincer.runtime.processes import end_with_parent
from pincer.runtime.reasons import Reason
from pincer.runtime.run import Run, Stopped

HELPER = "helper"
EXECUTING = frozenset(("straight", "hunting", "paths", "walks", "merged", "merged to the end"))
"""Those that follow executions of the program as it is: what others know about regions and loops does not help them."""

_LOOK_SECONDS = 0.02
"""How long a turn waits for news: where nobody else has work left, this is what is done."""


class News(Struct, frozen=True):
    """What is new on a board; edges are numbers in the order of the program."""

    inputs: tuple[Inputs, ...] = ()
    facts: tuple[tuple[int, tuple[Term, ...]], ...] = ()
    undefined: tuple[tuple[int, str, str], ...] = ()
    unsupported: tuple[tuple[int, str], ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.inputs or self.facts or self.undefined or self.unsupported)


class Outcome(Struct, frozen=True):
    """How the process has ended: with an answer, or with what is left to say; and who did what in it."""

    answer: Answer | None
    account: dict[str, dict[str, Any]]


Message: TypeAlias = News | Outcome


class BoardLink:
    """One end of the pipe, with what the other side knows of this one's board."""

    def __init__(self, board: Board, send: Callable[[bytes], None], receive: Callable[[float], bytes | None]) -> None:
        """`receive` waits a little for a message."""
        self._send, self._receive = send, receive
        self._board = board
        self._edges: Sequence[Edge] = tuple(board.program.edges())
        self._numbers = {edge: number for number, edge in enumerate(self._edges)}
        self._inputs, self._undefined, self._unsupported = len(board.inputs), set[int](), set[int]()
        self._facts = dict(board.facts)
        self._note_places()

    def _note_places(self) -> None:
        self._undefined |= {self._numbers[edge] for edge in self._board.undefined if edge in self._numbers}
        self._unsupported |= {self._numbers[edge] for edge in self._board.unsupported if edge in self._numbers}

    def tell(self) -> None:
        """Send what is new here."""
        news = self._news()
        if not news.is_empty:
            self._send(packed(news))

    def _news(self) -> News:
        board = self._board
        inputs = tuple(dict(values) for values in board.inputs[self._inputs :])
        facts = tuple((place, known) for place, known in board.facts.items() if self._facts.get(place) != known)
        undefined = [(self._numbers.get(edge), stop) for edge, stop in board.undefined.items()]
        unsupported = [(self._numbers.get(edge), text) for edge, text in board.unsupported.items()]
        news = News(
            inputs,
            facts,
            tuple((n, stop.kind, stop.message) for n, stop in undefined if n is not None and n not in self._undefined),
            tuple((n, text) for n, text in unsupported if n is not None and n not in self._unsupported),
        )
        self._heard()
        return news

    def _heard(self) -> None:
        """Both sides know now what is on the board."""
        self._inputs, self._facts = len(self._board.inputs), dict(self._board.facts)
        self._note_places()

    def hear(self, seconds: float = 0.0) -> Outcome | None:
        """Put on the board what the other side has told; its outcome, once it has one."""
        while (data := self._receive(seconds)) is not None:
            said: Message = unpacked(data)
            if isinstance(said, Outcome):
                return said
            self._put(said)
        return None

    def _put(self, news: News) -> None:
        self.tell()
        self._board.inputs.extend(news.inputs)
        self._board.add_facts(dict(news.facts))
        for number, kind, message in news.undefined:
            edge = self._edges[number]
            self._board.undefined.setdefault(edge, Stop("fail" if kind == "fail" else "check", message, edge))
        for number, text in news.unsupported:
            self._board.unsupported.setdefault(self._edges[number], text)
        self._heard()


class Answered(Stopped):
    """The other side has answered while a strategy was at work here."""


class LinkedRun(Run):
    """The run of a question, which also ends when the other side has an answer."""

    def __init__(self, outer: Run) -> None:
        super().__init__(outer.timeout, None, outer.started)
        self.outer = outer
        self.look: Callable[[], None] | None = None

    def poll(self) -> None:
        self.outer.poll()
        if self.look is not None:
            self.look()

    @property
    def stop_reason(self) -> Reason | None:
        return self.outer.stop_reason

    def stop(self, reason: Reason) -> None:
        self.outer.stop(reason)

    def is_over(self) -> bool:
        return self.outer.is_over()

    def remaining(self) -> float | None:
        return self.outer.remaining()

    def interruptible(self, interrupt: Callable[[], None]) -> None:
        self.outer.interruptible(interrupt)

    def publish(self, engine: str, phase: str, **numbers: int) -> None:
        self.outer.publish(engine, phase, **numbers)


class ExecutingProcess:
    """The strategy that stands for the process on the side that stays."""

    def __init__(self, board: Board, run: LinkedRun, table: Sequence[Share]) -> None:
        self._board, self._run = board, run
        self._rest = tuple(share for share in table if share.strategy in EXECUTING)
        self._link: BoardLink | None = None
        self._process: Any = None
        self._messages: queue.SimpleQueue[bytes | None] = queue.SimpleQueue()
        self._outcome: Outcome | None = None
        self._lent: dict[str, Strategy[Answer]] = {}
        self.account: dict[str, dict[str, Any]] = {}
        self.strategies: dict[str, Strategy[Answer]] = {}

    def step(self, budget: Any) -> Going | Ended | Answer:
        if self._link is None:
            self._start()
            return Going()
        try:
            self._link.tell()
            outcome = self._outcome or self._link.hear(_LOOK_SECONDS)
        except (EOFError, OSError):
            self.strategies.update(self._lent)
            return Ended("the process of those that execute ended without an answer")
        if outcome is None:
            return Going(NOTHING)
        self.account = outcome.account
        return Ended("those that execute have ended") if outcome.answer is None else outcome.answer

    def _look(self) -> None:
        """While others work: an answer ends their turn."""
        if self._link is None or self._outcome is not None or self._messages.empty():
            return
        try:
            self._outcome = self._link.hear()
        except (EOFError, OSError):
            return
        if self._outcome is not None and self._outcome.answer is not None:
            raise Answered("the question is decided")

    def decided(self, portfolio: Portfolio[Answer]) -> Answer | None:
        """The answer of those that stay, or of the process, which ends with it."""
        try:
            return portfolio.decide()
        except Answered:
            assert self._outcome is not None
            self.account = self._outcome.account
            return self._outcome.answer
        finally:
            self._stop()

    def _start(self) -> None:
        context = multiprocessing.get_context("fork")
        here, there = context.Pipe()
        self._lent = {name: self.strategies[name] for name in EXECUTING if name in self.strategies}
        self._process = context.Process(target=self._work, args=(there,), daemon=True)
        self._process.start()
        there.close()
        threading.Thread(target=self._read, args=(here,), daemon=True).start()
        self._link = BoardLink(self._board, here.send_bytes, self._received)
        self._run.look = self._look
        for name in self._lent:
            del self.strategies[name]

    def _read(self, connection: Any) -> None:
        """Empty the pipe at all times: the process must never wait to be heard, or both would."""
        with suppress(EOFError, OSError):
            while True:
                self._messages.put(connection.recv_bytes())
        self._messages.put(None)

    def _received(self, seconds: float) -> bytes | None:
        try:
            data = self._messages.get(timeout=seconds) if seconds else self._messages.get_nowait()
        except queue.Empty:
            return None
        if data is None:
            self._messages.put(None)
            raise EOFError
        return data

    def _work(self, connection: Any) -> None:
        """In the forked process: only messages leave it, whatever happens."""
        end_with_parent()
        self._run.outer.on_progress = None
        link = BoardLink(
            self._board,
            connection.send_bytes,
            lambda seconds: connection.recv_bytes() if connection.poll(seconds) else None,
        )
        portfolio = Portfolio[Answer](_with_news(self._rest), {**self._lent, HELPER: _Teller(link)}, self._run)
        try:
            answer = portfolio.decide()
            link.tell()
            account = {name: work for name, work in portfolio.account().items() if name != HELPER}
            connection.send_bytes(packed(Outcome(_sendable(answer), account)))
        finally:
            connection.close()
            os._exit(0)

    def _stop(self) -> None:
        """End the process."""
        self._run.look = None
        if self._process is not None:
            self._process.kill()
            self._process.join()


class _Teller:
    """The strategy of the process that tells and hears."""

    def __init__(self, link: BoardLink) -> None:
        self._link = link

    def step(self, budget: Any) -> Idle:
        self._link.tell()
        self._link.hear()
        return Idle()


def divided(table: Sequence[Share], start: Share) -> tuple[Share, ...]:
    """The table of the side that stays: the process begins before a row, and is asked after every later one.

    The rows of those that execute are for the case that they are taken back."""
    at = table.index(start)
    asked = Share(HELPER, NOTHING, NOTHING)
    rest = [(share,) if share.strategy in EXECUTING else (share, asked) for share in table[at:]]
    return (*table[:at], asked, *chain.from_iterable(rest))


def _with_news(table: Sequence[Share]) -> tuple[Share, ...]:
    """News after every turn."""
    return tuple(part for share in table for part in (share, Share(HELPER, NOTHING, NOTHING)))


def _sendable(answer: Answer | None) -> Answer | None:
    """An answer without what means something in one process only."""
    match answer:
        case Violated(test, inputs, _):
            return Violated(test, inputs, frozenset())
        case Holds() | NoAnswer() | None:
            return answer
