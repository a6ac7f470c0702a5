"""States of a program with threads: what the threads share, and each thread's activations and registers.

Like the states of one thread they are persistent. The machine state always belongs to the thread that ran last: its
own registers are in it beside the global ones. The registers of all other threads are put away until they run.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

from immutables import Map
from msgspec import Struct, field
from msgspec.structs import replace

from pincer.execution.machine import History, State
from pincer.execution.testing import ExecutionFrame
from pincer.execution.threads.objects import SyncObject
from pincer.logic.terms import Term
from pincer.program.registers import is_local


class Phase(Struct, frozen=True):
    """A call that takes several steps is past its first: waiting for a condition or at a barrier until it is `woken`,
    or staying at a location that the user asks about.

    `result` is what waiting for a condition gives; a `serial` thread is the one that its barrier chose for the special
    result."""

    kind: Literal["condition", "barrier", "target"]
    address: int
    mutex: int = 0
    woken: bool = False
    result: int = 0
    timed: bool = False
    serial: bool = False


class Thread(Struct, frozen=True):
    """One thread. `registers` and `symbols` are up to date only while another thread runs.

    `fresh` threads have not taken a step; a `stuck` one has met an assumption that does not hold. `result` is what an
    ended thread returned, as a number and, if it depends on inputs, as a term.
    """

    number: int
    start: str
    location: int
    frame: ExecutionFrame
    registers: Map[Term, int]
    symbols: Map[Term, Term]
    fresh: bool = True
    stuck: bool = False
    ended: bool = False
    detached: bool = False
    joined: bool = False
    phase: Phase | None = None
    result: tuple[int, Term | None] = (0, None)

    @property
    def live(self) -> bool:
        return not self.ended


class ThreadedState(Struct, frozen=True):
    """`sync` maps addresses to the memory instance a synchronisation object lives in, and the object; `owners` maps
    objects that only one thread knows to that thread; `conditions` are what the inputs have to satisfy so far."""

    state: State
    running: int
    threads: Map[int, Thread]
    sync: Map[int, tuple[int, SyncObject]] = field(default_factory=Map)
    owners: Map[int, int] = field(default_factory=Map)
    conditions: History | None = None

    def live(self) -> list[Thread]:
        return [thread for _, thread in sorted(self.threads.items()) if thread.live]

    def with_thread(self, thread: Thread) -> ThreadedState:
        return replace(self, threads=self.threads.set(thread.number, thread))

    def resumed(self, number: int, shared: Iterable[Term]) -> ThreadedState:
        """The same state with another thread's registers in the machine state; `shared` are the global registers."""
        if number == self.running:
            return self
        state = self.state
        threads = self.parked()
        before, after = threads[self.running], threads[number]
        current = {register: state.registers[register] for register in shared if register in state.registers}
        symbols = state.symbols
        for key in before.symbols:
            symbols = symbols.delete(key)
        state = replace(state, registers=after.registers.update(current), symbols=symbols.update(after.symbols))
        return replace(self, state=state, running=number, threads=threads)

    def parked(self) -> Map[int, Thread]:
        """All threads with their own registers, the running one too."""
        state = self.state
        running = replace(
            self.threads[self.running], registers=state.registers, symbols=Map(_own_symbols(state.symbols))
        )
        return self.threads.set(self.running, running)

    def under(self, model: dict[Term, int]) -> ThreadedState:
        """The state the same schedule leads to when inputs take other values that follow the same path."""
        state = self.state.under(model)
        threads = self.threads
        for number, thread in self.threads.items():
            changed = _reevaluated(thread, model, state) if number != self.running else thread
            threads = threads.set(number, _with_result(changed, model, state))
        return replace(self, state=state, threads=threads)


def _own_symbols(symbols: Map[Any, Term]) -> dict[Term, Term]:
    return {key: term for key, term in symbols.items() if isinstance(key, Term) and is_local(key)}


def _reevaluated(thread: Thread, model: dict[Term, int], state: State) -> Thread:
    registers = thread.registers
    for register, term in thread.symbols.items():
        if not term.variables.isdisjoint(model):
            registers = registers.set(register, state.world.evaluate_symbols(term, state.values))
    return replace(thread, registers=registers)


def _with_result(thread: Thread, model: dict[Term, int], state: State) -> Thread:
    _, term = thread.result
    if term is None or term.variables.isdisjoint(model):
        return thread
    return replace(thread, result=(state.world.evaluate_symbols(term, state.values), term))
