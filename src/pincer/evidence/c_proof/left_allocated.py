"""The checker's own look at the heap where a path ends: is there an object that nothing points to?

A word of memory, at a multiple of its size, or a register points to an object when its value is one constant on the
path, and lies inside of the object. What depends on inputs is taken to point nowhere, so that an object said to be
reached is reached whatever the inputs are.
"""

from __future__ import annotations

from collections import defaultdict

from pincer.evidence.c_proof.path_state import PathState, Thing
from pincer.evidence.c_proof.smt import Node
from pincer.program.control_flow import LeftAllocated


def lost_object(state: PathState, label: LeftAllocated) -> str:
    """Why it is not certain that all memory of the heap can be reached at this end; empty when it is."""
    slot, word = state.facts.program.layout.slot, state.bits // 8
    heap = {start: thing for start, thing in state.things.items() if thing.heap and not thing.ended}
    if any(thing.size.value == 0 for thing in heap.values()):
        return "an object without bytes is allocated, or was"
    bytes_of: dict[int, dict[int, Node]] = defaultdict(dict)
    for (number, offset), byte in state.contents.items():
        bytes_of[number][offset] = byte
    waiting = [thing for start, thing in state.things.items() if start not in heap and not thing.ended]
    values = _values_of_registers(state, label)
    reached: set[int] = set()
    while True:
        for value in values:
            start = value - value % slot
            thing = heap.get(start)
            if thing is not None and start not in reached and _is_inside(thing, value % slot):
                reached.add(start)
                waiting.append(thing)
        if not waiting:
            break
        following = waiting.pop()
        values = _values_in(following, bytes_of[following.number], word)
    return "" if reached == heap.keys() else "an object may be lost"


def _is_inside(thing: Thing, offset: int) -> bool:
    return offset == 0 or (thing.size.value is not None and offset < thing.size.value)


def _values_of_registers(state: PathState, label: LeftAllocated) -> list[int]:
    """What global registers hold, and where calls have not returned those of their procedures."""
    shown = list(state.registers.items())
    running: set[str | None] = set()
    if label.frames:
        shown += [item for activation in state.stack for item in activation.kept.items()]
        running = {state.procedure.name, *(activation.caller.name for activation in state.stack)}
    facts = state.facts
    roots = (
        node
        for name, node in shown
        if name in facts.globals or (facts.owner(name) in running and not facts.is_temporary(name))
    )
    return [node.value for node in roots if node.width == state.bits and node.value is not None]


def _values_in(thing: Thing, known: dict[int, Node], word: int) -> list[int]:
    """The constant words of an object: what was written, and what was there at first."""
    first = b"" if thing.contents is None else thing.contents
    starts = {offset - offset % word for offset in known} | set(range(0, len(first), word))
    found = []
    for start in starts:
        parts = [known.get(start + i) for i in range(word)]
        numbers = [part.value if part is not None else _first_byte(thing, start + i) for i, part in enumerate(parts)]
        if all(number is not None for number in numbers):
            found.append(sum((number or 0) << 8 * i for i, number in enumerate(numbers)))
    return found


def _first_byte(thing: Thing, offset: int) -> int | None:
    if thing.contents is None:
        return None
    return thing.contents[offset] if offset < len(thing.contents) else 0
