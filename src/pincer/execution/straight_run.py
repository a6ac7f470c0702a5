"""A run in which no input decides anything, as fast as generated code goes: only the values of now are remembered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pincer.execution.stepping import Stop
from pincer.execution.straight_code import StraightCode
from pincer.execution.straight_memory import NeedsInput, RunEnded, StraightMemory
from pincer.program.control_flow import Allocate, Call, ControlFlowProgram, Edge

_AT_ONCE = 2_000
"""Stretches between two looks at the steps taken."""


@dataclass(frozen=True, slots=True)
class WaitingCall:
    """An activation that has called another: its registers, and the call."""

    registers: list[int]
    call: Edge


class StraightRun:
    """A run from the start of a program until it ends or asks for an input (`NeedsInput`)."""

    def __init__(self, program: ControlFlowProgram) -> None:
        self.program = program
        self.memory = StraightMemory(program)
        self.code = StraightCode(program, self.memory)
        self.steps = 0
        self.waiting: list[WaitingCall] = []
        places, entry = self.code.places, program.procedures[program.entry]
        top = places.of(program.top, entry.name)
        self._top = int(top[2:-1])
        for register in program.initial:
            places.of(register, entry.name)
        self.registers = [0] * len(places.own[entry.name])
        self.shared = [0] * len(places.shared)
        self.shared[self._top] = program.first_free
        for register, value in program.initial.items():
            self.shared[places.shared[register]] = value
        self._next = self.code.at(entry.entry)

    @property
    def location(self) -> int:
        """Where the run goes on."""
        return self.code.location(self._next)

    def run(self, steps: int, poll: Callable[[], None], at_once: int = _AT_ONCE) -> Stop | None:
        """Go on for about so many steps: how the program ended, or None. Raises `NeedsInput` where an input decides."""
        until, stretch = self.steps + steps, self._next
        try:
            while self.steps < until:
                for _ in range(at_once):
                    stretch = stretch(self)
                poll()
        except RunEnded as ended:
            return ended.stop
        except (TypeError, AttributeError) as unknown:
            raise NeedsInput from unknown
        finally:
            self._next = stretch
        return None

    def enter(self, call: Edge, registers: list[int]) -> None:
        self.waiting.append(WaitingCall(self.registers, call))
        self.registers = registers

    def leave(self, result: int) -> Callable[[StraightRun], object]:
        """Back to the caller; the stretch there."""
        self.steps += 1
        if not self.waiting:
            raise RunEnded(Stop("halt", f"{self.program.entry} returned"))
        back = self.waiting.pop()
        self.registers = back.registers
        label = back.call.label
        assert isinstance(label, Call)
        if label.result is not None:
            self._set(label.result.args[0].owner, label, result)
        return self.code.at(back.call.target)

    def _set(self, owner: str | None, label: Call, value: int) -> None:
        assert label.result is not None
        if owner is None:
            self.shared[self.code.places.shared[label.result]] = value
        else:
            self.registers[self.code.places.own[owner][label.result]] = value

    def allocate(self, size: int, edge: Edge) -> int:
        """A new object: its address."""
        layout, label = self.program.layout, edge.label
        assert isinstance(label, Allocate)
        base = self.shared[self._top]
        following = base + layout.slot
        if size > layout.slot // 2 or following >> layout.pointer_bits:
            raise NeedsInput
        self.shared[self._top] = following
        self.memory.begin(base, size, edge, label.zero, f"the {label.storage} object of line {edge.position.line}")
        return base
