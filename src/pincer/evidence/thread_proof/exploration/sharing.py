"""Which objects only one thread can know: it has made them and shown their address to nobody.

Steps on such objects concern nobody else. An object is shown when its address is written to what is shared, given to a
new thread, or returned by an ending one, and all that it leads to is shown with it. Nothing rests on finding all of
this: a thread that touches an object of another thread that has not been shown ends the exploration.
"""

from __future__ import annotations

from pincer.evidence.thread_proof.exploration.states import Value, WorkingState
from pincer.evidence.thread_proof.exploration.values import TermValues


class SlotSharing:
    """Shows objects to other threads; `slot` is the size of slots, `word` that of pointers."""

    def __init__(self, values: TermValues, slot: int, word: int) -> None:
        self._values = values
        self._slot = slot
        self._word = word

    def show_value(self, state: WorkingState, value: Value | None) -> None:
        """A value is where others can see it; the object that it points to, too, if it is a pointer."""
        if isinstance(value, int) and state.owners:
            self.show(state, value - value % self._slot)

    def show(self, state: WorkingState, base: int) -> None:
        pending = [base]
        while pending:
            start = pending.pop()
            if start in state.owners:
                del state.owners[start]
                pending.extend(self._pointers(state, start, 0, state.memory[start].size))

    def show_bytes(self, state: WorkingState, base: int, offset: int, size: int) -> None:
        """All pointers among some bytes of an object are where others can see them."""
        for pointer in self._pointers(state, base, offset, size) if state.owners else ():
            self.show(state, pointer)

    def _pointers(self, state: WorkingState, base: int, offset: int, size: int) -> list[int]:
        """The slots that aligned words point to."""
        thing, word = state.memory[base], self._word
        first = offset - offset % word
        values = (thing.number(at, word) for at in range(first, min(offset + size, len(thing.data)) - word + 1, word))
        return [value - value % self._slot for value in values if value]
