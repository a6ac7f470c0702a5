"""The heap where merged paths end: under which guard is there an object that nothing points to?

As in `left_allocated`: a word of memory, at a multiple of its size, or a register points to an object where its value
is a number inside of it. Words that are no numbers are taken to point nowhere, so that an object said to be reached is
reached whatever the inputs are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pincer.evidence.c_proof.diagrams import FALSE
from pincer.evidence.c_proof.merged_memory import Either, Given, Memory, Origin, Thing
from pincer.evidence.c_proof.merged_state import State
from pincer.evidence.c_proof.program_facts import ProgramFacts
from pincer.evidence.c_proof.summaries import Value
from pincer.evidence.c_proof.words import Guard
from pincer.program.control_flow import LeftAllocated


class HeapAtEnd:
    """What can be reached in a state in which the program ends, and under which guard."""

    def __init__(self, facts: ProgramFacts, memory: Memory, state: State) -> None:
        self._facts = facts
        self._memory = memory
        self._words = memory.words
        self._state = state
        self._slot = facts.program.layout.slot
        self._word = facts.program.layout.pointer_bits // 8
        self._reached: dict[int, Guard] = {}
        self._waiting: list[tuple[Thing, Guard]] = []

    def lost(self, label: LeftAllocated, callers: Sequence[tuple[str, State]]) -> Guard:
        """Where it is not certain that all memory of the heap can be reached at this end.

        `callers` are the procedures of the calls under way with their states, that which ends the program last."""
        words, guard = self._words, self._state.guard
        for value in self._roots(label, callers):
            self._point(value, guard)
        for thing in self._state.things.values():
            self._waiting.append((thing, words.both(thing.live, thing.heap ^ 1)))
        while self._waiting:
            thing, where = self._waiting.pop()
            if words.both(where, guard) != FALSE:
                for offset in self._offsets(thing):
                    self._point(self._memory.inside(thing, offset, self._word, guard), where)
        found = FALSE
        for start, thing in self._state.things.items():
            owed = words.both(words.both(thing.live, thing.heap), guard)
            kept = words.both(self._reached.get(start, FALSE), self._empty(thing) ^ 1)
            found = words.either(found, words.both(owed, kept ^ 1))
        return found

    def _empty(self, thing: Thing) -> Guard:
        """An object without bytes cannot be told from one that has ended."""
        return self._words.any_of(inner for node, inner in thing.size if node.value == 0)

    def _roots(self, label: LeftAllocated, callers: Sequence[tuple[str, State]]) -> Iterator[Value]:
        facts = self._facts
        yield from (value for name, value in self._state.shared.items() if name in facts.globals)
        for procedure, state in callers if label.frames else ():
            for name, value in state.own.items():
                if facts.owner(name) == procedure and not facts.is_temporary(name):
                    yield value

    def _point(self, value: Value, where: Guard) -> None:
        words = self._words
        if value[0][0].width != 8 * self._word:
            return
        for node, inner in value:
            thing = None if node.value is None else self._state.things.get(node.value - node.value % self._slot)
            if node.value is None or thing is None or thing.heap == FALSE:
                continue
            offset = node.value % self._slot
            now = words.both(words.both(where, inner), self._covers(thing, offset))
            before = self._reached.get(node.value - offset, FALSE)
            after = words.either(before, now)
            if after != before:
                self._reached[node.value - offset] = after
                self._waiting.append((thing, words.both(after, words.both(thing.live, thing.heap))))

    def _covers(self, thing: Thing, offset: int) -> Guard:
        if offset == 0:
            return FALSE ^ 1
        sizes = ((node.value, inner) for node, inner in thing.size)
        return self._words.any_of(inner for size, inner in sizes if size is not None and offset < size)

    def _offsets(self, thing: Thing) -> list[int]:
        """Where words may be that are numbers: what was written, and what was there at first."""
        written = {offset - offset % self._word for offset in thing.cells}
        return sorted(written | set(range(0, _given(thing.origin), self._word)))


def _given(origin: Origin) -> int:
    match origin:
        case Given(contents):
            return len(contents)
        case Either(_, then, otherwise):
            return max(_given(then), _given(otherwise))
    return 0
