"""What makes two states the same: equal fingerprints mean that exactly the same can happen from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pincer.execution.machine import History
from pincer.execution.testing import ExecutionFrame
from pincer.execution.threads.state import Thread, ThreadedState
from pincer.logic.terms import Term
from pincer.program.registers import Role, has_role, is_local

_START_MASK = (1 << 40) - 1


def fingerprint(threads: ThreadedState, shared: Iterable[Term]) -> object:
    """A hashable value. Objects are told apart by their addresses, not by when they were made.

    Values that depend on inputs are there as terms, with the path's conditions; inputs are numbered as they come, so
    paths that consumed them in another order count as different."""
    state = threads.state
    return (*snapshot(threads, shared), state.counters[1], state.counters[0] if state.world.has_undefined else 0)


def snapshot(threads: ThreadedState, shared: Iterable[Term]) -> tuple[object, ...]:
    """The same without how many inputs have been read and objects made: what a concrete state is, but for what
    uninitialised memory may hold."""
    state = threads.state
    bases = {found.instance: base for base, found in state.objects.items()}
    cells = frozenset(
        (bases[key >> 40], key & _START_MASK, value)
        for key, value in state.cells.items()
        if key not in state.symbols and key >> 40 in bases
    )
    symbols = frozenset(_symbols(state.symbols, bases))
    registers = frozenset((r, state.registers[r]) for r in shared if r in state.registers and r not in state.symbols)
    parked = threads.parked()
    everyone = tuple(_thread(thread) for _, thread in sorted(parked.items()))
    objects = frozenset((base, found.size, found.live, found.background) for base, found in state.objects.items())
    conditions = frozenset(_conditions(threads.conditions))
    return everyone, registers, cells, symbols, objects, threads.sync, threads.owners, conditions


def _symbols(symbols: Mapping[Any, Term], bases: Mapping[int, int]) -> Iterable[tuple[object, Term]]:
    """Without those of the running thread's registers, which are with the thread."""
    for key, term in symbols.items():
        if isinstance(key, Term):
            if not is_local(key):
                yield key, term
        elif not isinstance(key, int):
            yield key, term
        elif key >> 40 in bases:
            yield (bases[key >> 40], key & _START_MASK), term


def _conditions(history: History | None) -> Iterable[Term]:
    return () if history is None else iter(history)


def _thread(thread: Thread) -> object:
    symbols = thread.symbols
    own = frozenset(
        (register, value)
        for register, value in thread.registers.items()
        if (is_local(register) or has_role(register, Role.TOP)) and register not in symbols
    )
    if thread.ended:
        return thread.number, thread.detached, thread.joined, thread.result
    return (
        thread.number, thread.location, tuple(_frames(thread.frame)), own, frozenset(symbols.items()), thread.fresh,
        thread.stuck, thread.detached, thread.joined, thread.phase,
    )  # fmt: skip


def _frames(frame: ExecutionFrame | None) -> Iterable[tuple[int, int]]:
    while frame is not None:
        yield id(frame.procedure), id(frame.call)
        frame = frame.caller
