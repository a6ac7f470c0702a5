"""A run: states until the program ends, comes back to where it was, breaks, or is cut."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from msgspec import Struct

from pincer.execution.msvl.machine import Machine
from pincer.execution.msvl.records import (
    DEFAULTS,
    Concretised,
    ExecutionError,
    InconsistentState,
    InputRead,
    Limit,
    Options,
    OutputText,
    PathConstraint,
    RunEnding,
)
from pincer.execution.msvl.residual import EMPTY, pending_symbols
from pincer.execution.msvl.snapshots import Snapshot
from pincer.execution.msvl.stepping import CONTINUES, settled
from pincer.execution.msvl.store import Contents, same_concretely
from pincer.frontends.msvl.program import Program
from pincer.frontends.msvl.syntax import Node
from pincer.frontends.source import generous_limits
from pincer.runtime.run import Run

_NO_INPUTS: Mapping[str, int] = {}


class Execution(Struct, frozen=True):
    """A finished run.

    `programs[i]` is what was stepped at state i, so there is one more of them than of states unless a state failed;
    the last is what remains. Constraints, inputs, outputs and concretisations carry the number of their state.
    """

    states: tuple[Snapshot, ...]
    programs: tuple[Node, ...]
    constraints: tuple[PathConstraint, ...]
    inputs: tuple[InputRead, ...]
    outputs: tuple[OutputText, ...]
    concretised: tuple[Concretised, ...]
    warnings: tuple[str, ...]
    ending: RunEnding

    @property
    def complete(self) -> bool:
        """Whether the symbolic values speak for every input that satisfies the constraints."""
        return not self.concretised

    def input_values(self) -> dict[str, int]:
        """The inputs by name: running again with them gives the same run."""
        return {read.name: read.value for read in self.inputs}

    def word(self) -> tuple[range, range]:
        """The states of a lasso as u and v of the word u v v v ..., both as short as the values allow."""
        assert self.ending.start is not None
        start, end = self.ending.start, len(self.states)
        while start > 0 and self._alike(start - 1, end - 1):
            start, end = start - 1, end - 1
        return range(start), range(start, end)

    def _alike(self, left: int, right: int) -> bool:
        a, b = self.states[left], self.states[right]
        same = a.scopes == b.scopes and a.objects == b.objects and a.active == b.active
        return same and a.contents == b.contents


@dataclass(slots=True)
class _Configuration:
    """Where a run stood before a state."""

    program: Node
    contents: Contents
    objects: object
    scopes: object
    inputs: int
    constraints: int
    state: int


def execute(
    program: Program,
    inputs: Mapping[str, int] = _NO_INPUTS,
    options: Options = DEFAULTS,
    run: Run | None = None,
    passed: list[Node] | None = None,
) -> Execution:
    """Run the program on the inputs, named as `s_x`, `s_x#2`; what they leave open is drawn at random.

    The statements that were stepped are added to `passed`."""
    machine = Machine(program, options, inputs, passed=passed)
    with generous_limits(), _collector_paused():
        driver = _Driver(machine, program.core, run)
        ending = driver.drive()
    return Execution(
        tuple(driver.states),
        tuple(driver.programs),
        tuple(machine.constraints),
        tuple(machine.inputs),
        tuple(machine.outputs),
        tuple(machine.concretised),
        (*program.warnings, *machine.warnings),
        ending,
    )


@contextmanager
def _collector_paused() -> Iterator[None]:
    """A run makes many long-lived objects and no cycles: looking for garbage among them would only cost time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class _Driver:
    def __init__(self, machine: Machine, program: Node, run: Run | None) -> None:
        self.machine = machine
        self.run = run
        self.states: list[Snapshot] = []
        self.programs: list[Node] = [program]
        self._seen: dict[tuple[int, int], list[_Configuration]] = {}

    def drive(self) -> RunEnding:
        m = self.machine
        while True:
            number = len(self.states)
            if number >= m.options.max_states:
                return RunEnding("cut", f"stopped after {number} states")
            if self.run is not None:
                self.run.poll()
            back = self._seen_before(number)
            if back is not None:
                return back
            m.begin_state(number)
            try:
                outcome = settled(m, self.programs[-1])
            except InconsistentState as error:
                return RunEnding("inconsistent", error.message, error)
            except ExecutionError as error:
                return RunEnding("error", error.message, error)
            except Limit as limit:
                return RunEnding("cut", str(limit))
            store = m.store
            layouts = m.program.layouts
            active = tuple(m.books.active)
            self.states.append(
                Snapshot(layouts, store.contents, store.objects, store.scopes, active, store.generations)
            )
            if outcome.kind != CONTINUES:
                self.programs.append(EMPTY)
                return RunEnding("terminated")
            m.leave_state()
            self.programs.append(outcome.rest)

    def _seen_before(self, number: int) -> RunEnding | None:
        """The lasso that closes here: same remaining program and store, and no input on the way."""
        m = self.machine
        program = self.programs[-1]
        store = m.store
        past = len(m.inputs), len(m.constraints), number
        here = _Configuration(program, store.contents, store.objects, store.scopes, *past)
        known = self._seen.setdefault((hash(program), store.fingerprint), [])
        for earlier in reversed(known):
            if earlier.inputs == here.inputs and self._same(earlier, here):
                reason = f"the program is again where it was before state {earlier.state}"
                return RunEnding("lasso", reason, None, earlier.state, _symbolically(earlier, here))
        known.append(here)
        return None

    @staticmethod
    def _same(earlier: _Configuration, here: _Configuration) -> bool:
        return (
            earlier.program == here.program
            and same_concretely(earlier.contents, here.contents)
            and earlier.objects == here.objects
            and earlier.scopes == here.scopes
        )


def _symbolically(earlier: _Configuration, here: _Configuration) -> bool:
    return (
        earlier.constraints == here.constraints
        and earlier.contents == here.contents
        and list(pending_symbols(earlier.program)) == list(pending_symbols(here.program))
    )
