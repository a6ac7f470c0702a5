"""Whether merged execution is likely to come to an end: what its share of the work depends on.

A loop over bytes of input goes round about as often as there are bytes. One that inputs keep going, and that has gone
round much more often than there were inputs when it was entered, may as well never end: no number of rounds closes it.
One that reads an input in each of its rounds most likely asks it whether to go on.
Loops that go on whatever the inputs are say nothing, since each of their rounds costs the same.
"""

from __future__ import annotations

from msgspec import Struct

from pincer.engines.merged.limits import LIMITS
from pincer.engines.merged.order import Key
from pincer.logic.decision_diagrams import Function


class Entry(Struct, frozen=True):
    """How a loop was entered: by which executions, and after how many inputs."""

    guard: Function
    inputs: int


class Prospects:
    """The loops of a run. The prospects are `good` until one of them goes round too often."""

    def __init__(self) -> None:
        self.good = True
        self._entries: dict[Key, Entry] = {}

    def entered(self, loop: Key, guard: Function, inputs: int) -> None:
        """A loop is entered from outside."""
        self._entries[loop] = Entry(guard, inputs)

    def again(self, loop: Key, guard: Function, rounds: int, inputs: int) -> None:
        """A loop goes round once more, for executions that satisfy a guard, after so many inputs in all."""
        entry = self._entries[loop]
        most = LIMITS.rounds_anyway + LIMITS.rounds_per_input * entry.inputs
        if inputs - entry.inputs >= rounds:
            most = LIMITS.rounds_with_inputs
        if guard != entry.guard and rounds > most:
            self.good = False
