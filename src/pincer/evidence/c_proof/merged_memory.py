"""Memory of merged paths: objects by slot, with their sizes, lifetimes and bytes under guards.

A byte that was written is a part of the value that was stored: what is stored as a whole is loaded as a whole. All
updates are made where a guard holds, and leave the rest as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pincer.errors import PincerError
from pincer.evidence.c_proof.diagrams import FALSE, TRUE
from pincer.evidence.c_proof.operations import Operation
from pincer.evidence.c_proof.path_state import LARGEST_BLOCK
from pincer.evidence.c_proof.program_facts import ProgramFacts
from pincer.evidence.c_proof.smt import Node
from pincer.evidence.c_proof.summaries import Summaries, Value, one
from pincer.evidence.c_proof.words import Guard

MOST_PLACES = 4_096
"""Places that an address which is no number is compared with, one by one."""

Cell: TypeAlias = tuple[Value, int]
"""A byte: which one of a value."""


Joined: TypeAlias = dict[tuple[int, int], tuple[Value, Value, Value]]
"""What two values, told by their identities, have become."""


class Given(Struct, frozen=True):
    """Bytes that an object has from the start, zero behind them."""

    contents: bytes


class Arbitrary(Struct, frozen=True):
    """Bytes that nobody has given an object."""

    number: int


class Either(Struct, frozen=True):
    """Bytes of two origins."""

    guard: Guard
    then: Origin
    otherwise: Origin


Origin: TypeAlias = Given | Arbitrary | Either
"""What the bytes of an object are that were never written."""


class Thing(Struct, frozen=True, eq=False):
    """An object in its slot. `live` is where it has not ended, `heap` where it is one of the heap."""

    size: Value
    origin: Origin
    live: Guard
    heap: Guard
    cells: dict[int, Cell] = {}


Things: TypeAlias = dict[int, Thing]
"""The objects of a state by the start of their slot; never changed once a state has it."""


class Update(Struct, frozen=True):
    """`size` bytes get what `new` gives for each of them, or, as a `whole`, the value that it gives for the first."""

    size: int
    new: Callable[[int], Value]
    whole: bool = False


class Memory:
    """What is known of all memory: reads and writes of a state's objects.

    `bad_write` is told where, by whichever state, something is written outside of all objects."""

    def __init__(self, facts: ProgramFacts, summaries: Summaries, bad_write: Callable[[Guard], None]) -> None:
        layout = facts.program.layout
        self.values = summaries
        self.words = summaries.words
        self._slot = layout.slot
        self._bits = layout.pointer_bits
        self._largest = facts.largest_object
        self._bad_write = bad_write
        self._made = 0
        self.nothing = summaries.number(0, self._bits)

    def begun(self, size: Value, contents: bytes | None, heap: bool = False) -> Thing:
        """A new object; without contents they are arbitrary."""
        self._made += 1
        origin = Arbitrary(self._made) if contents is None else Given(contents)
        return Thing(size, origin, TRUE, TRUE if heap else FALSE)

    def ended(self, thing: Thing, guard: Guard, here: Guard) -> Thing:
        """No room is left in a slot where a guard holds; its bytes stay what they were."""
        size = self.values.chosen(guard, self.nothing, thing.size, here)
        return replace(thing, size=size, live=self.words.both(thing.live, guard ^ 1))

    def merged(self, guard: Guard, then: Thing | None, otherwise: Thing | None, here: Guard) -> Thing:
        """One object where a guard holds, another elsewhere; None is a slot without one."""
        words, chosen = self.words, self.values.chosen
        then = then or Thing(self.nothing, Given(b""), FALSE, FALSE)
        otherwise = otherwise or Thing(self.nothing, Given(b""), FALSE, FALSE)
        origin = then.origin if then.origin == otherwise.origin else Either(guard, then.origin, otherwise.origin)
        cells = dict(otherwise.cells)
        joined: Joined = {}
        for offset in then.cells.keys() | otherwise.cells.keys():
            first, second = then.cells.get(offset), otherwise.cells.get(offset)
            if first is not second:
                cells[offset] = self._merged_cell(
                    guard, first or self._first(then, offset), second or self._first(otherwise, offset), here, joined
                )
        return Thing(
            chosen(guard, then.size, otherwise.size, here),
            origin,
            words.choice(guard, then.live, otherwise.live),
            words.choice(guard, then.heap, otherwise.heap),
            cells,
        )

    def _merged_cell(self, guard: Guard, first: Cell, second: Cell, here: Guard, joined: Joined) -> Cell:
        """Parts of two values of the same size are the same part of the merged one."""
        (left, i), (right, k) = first, second
        if i != k or left[0][0].width != right[0][0].width:
            left, right, i = self._byte(first, here), self._byte(second, here), 0
            return self.values.chosen(guard, left, right, here), 0
        key = (id(left), id(right))
        if key not in joined:
            # The pair is kept with what it becomes: an identity says nothing once its object is gone.
            joined[key] = left, right, self.values.chosen(guard, left, right, here)
        return joined[key][2], i

    def _byte(self, cell: Cell, here: Guard) -> Value:
        value, index = cell
        if value[0][0].width == 8:
            return value
        return self.values.applied(Operation("extract", 8, (8 * index + 7, 8 * index)), (value,), here)

    def _first(self, thing: Thing, offset: int) -> Cell:
        return self._original(thing.origin, offset), 0

    def _original(self, origin: Origin, offset: int) -> Value:
        match origin:
            case Given(contents):
                return self.values.number(contents[offset] if offset < len(contents) else 0, 8)
            case Arbitrary(number):
                return one(self.words.variable(f"merged byte {number} {offset}", 8))
            case Either(guard, then, otherwise):
                return self.values.chosen(guard, self._original(then, offset), self._original(otherwise, offset))

    def load(self, things: Things, address: Value, size: int, here: Guard) -> Value:
        """The bytes at an address; outside of all objects they are arbitrary."""
        if len(address) == 1:
            node = address[0][0]
            if node.value is not None:
                return self._at(things, node.value, size, here)
            looked_up = self._looked_up(things, node, size, here)
            if looked_up is not None:
                return looked_up
        words = self.words
        found: dict[Node, Guard] = {}
        numbers, others = self.values.cases(self.values.pruned(address, here), here)
        reads = [(self._at(things, number, size, words.both(here, guard)), guard) for number, guard in numbers]
        reads += [(one(self._anywhere(things, node, size, words.both(here, guard))), guard) for node, guard in others]
        for value, guard in reads:
            for node, inner in value:
                more = words.both(guard, inner)
                if words.both(more, here) != FALSE:
                    found[node] = words.either(found.get(node, FALSE), more)
        return self.values.value(found) if found else one(words.fresh("read of no state", 8 * size))

    def _looked_up(self, things: Things, address: Node, size: int, here: Guard) -> Value | None:
        """What a table of numbers holds at an index of one byte of input."""
        byte, table = self.words.byte_of(address), self.words.table(address)
        if byte is None or table is None:
            return None
        reads = {number: self._at(things, number, size, here) for number in dict.fromkeys(table)}
        numbers = {number: value[0][0].value for number, value in reads.items() if len(value) == 1}
        results = [numbers.get(number) for number in table]
        known = tuple(result for result in results if result is not None)
        return one(self.words.tabulated(byte, known, 8 * size)) if len(known) == len(results) else None

    def _at(self, things: Things, address: int, size: int, here: Guard) -> Value:
        offset = address % self._slot
        thing = things.get(address - offset)
        if thing is None:
            return one(self.words.fresh("stray read", 8 * size))
        outside = self._beyond(thing, offset + size, here)
        if outside == FALSE:
            return self.inside(thing, offset, size, here)
        if self.words.both(here, outside ^ 1) == FALSE:
            return one(self.words.fresh("stray read", 8 * size))
        stray = one(self.words.fresh("stray read", 8 * size))
        return self.values.chosen(outside, stray, self.inside(thing, offset, size, here), here)

    def _beyond(self, thing: Thing, end: int, here: Guard) -> Guard:
        """Where an object is known to be shorter; one whose size depends on inputs is at most as large as any."""
        words, found = self.words, FALSE
        for node, guard in thing.size:
            if end > (self._largest if node.value is None else node.value) and words.both(guard, here) != FALSE:
                found = words.either(found, guard)
        return found

    def inside(self, thing: Thing, offset: int, size: int, here: Guard) -> Value:
        """Some bytes of an object."""
        cells = [thing.cells.get(offset + i) for i in range(size)]
        first = cells[0]
        if first is not None and first[1] == 0 and first[0][0][0].width == 8 * size:
            value = first[0]
            if all(cell is not None and cell[0] is value and cell[1] == i for i, cell in enumerate(cells)):
                return self.values.pruned(value, here)
        whole: Value = ()
        for i, cell in enumerate(cells):
            byte = self.values.pruned(self._byte(cell or self._first(thing, offset + i), here), here)
            if i == 0:
                whole = byte
            else:
                whole = self.values.applied(Operation("concat", 8 * (i + 1)), (byte, whole), here)
        return whole

    def places(self, things: Things, address: Node, size: int, here: Guard) -> list[int] | None:
        """The numbers in objects that an address with room for some bytes can be; None for too many."""
        low, high = self.words.range(address)
        step, rest = _stride(address)
        found: list[int] = []
        for start, thing in things.items():
            if start + self._slot <= low or start > high:
                continue
            room = self._most_room(thing, here)
            first = max(start, low)
            first += (rest - first) % step
            inside = range(first, min(start + room - size, high) + 1, step)
            if len(found) + len(inside) > MOST_PLACES:
                return None
            found.extend(inside)
        return found

    def _most_room(self, thing: Thing, here: Guard) -> int:
        both = self.words.both
        sizes = [self.words.range(node)[1] for node, guard in thing.size if both(guard, here) != FALSE]
        return min(max(sizes, default=0), self._largest)

    def _anywhere(self, things: Things, address: Node, size: int, here: Guard) -> Node:
        """The bytes at an address that is no number: compared with all places, arbitrary at others."""
        node = self.words.fresh("stray read", 8 * size)
        script, cells = self.words.script, dict[int, int]()
        for place in self.places(things, address, size, here) or ():
            same = script.equal(address, self.words.constant(place, self._bits))
            read = self.values.node(self._at(things, place, size, here))
            node = self.words.selected(self.words.opaque(same), read, node)
            if read.value is not None:
                cells[place] = read.value
        self.words.looked_up(node, address, cells)
        return node

    def room(self, things: Things, address: Value, here: Guard) -> Value:
        """The size of the object in the slot of an address."""
        words = self.words
        found: dict[Node, Guard] = {}
        for node, guard in self.values.pruned(address, here):
            low, high = words.range(node)
            if low // self._slot == high // self._slot:
                thing = things.get(low - low % self._slot)
                sizes = self.nothing if thing is None else thing.size
            else:
                sizes = self._room_of(things, node)
            for size, inner in sizes:
                more = words.both(guard, inner)
                found[size] = words.either(found.get(size, FALSE), more)
        return self.values.value({size: guard for size, guard in found.items() if guard != FALSE})

    def _room_of(self, things: Things, address: Node) -> Value:
        """By the slot: those that an address can be in."""
        low, high = self.words.range(address)
        words, shift = self.words, self._slot.bit_length() - 1
        slot = words.result(Operation("extract", self._bits - shift, (self._bits - 1, shift)), (address,))
        room = self.nothing
        for start, thing in things.items():
            if start + self._slot > low and start <= high:
                number = words.constant(start >> shift, slot.width)
                here = words.condition(Operation("same", 0), slot, number)
                room = self.values.chosen(here, thing.size, room)
        return room

    def store(self, things: Things, address: Value, value: Value, here: Guard) -> Things:
        """The objects after a store."""
        return self._written(things, address, Update(value[0][0].width // 8, lambda _: value, whole=True), here)

    def blocks(self, things: Things, target: Value, size: Value, new: Callable[[int], Value], here: Guard) -> Things:
        """The objects after `size` bytes from a target on got the values that `new` gives for each of them."""
        words = self.words
        sizes, open_sizes = self.values.cases(self.values.pruned(size, here), here)
        if open_sizes:
            most = max([*(words.range(node)[1] for node, _ in open_sizes), *(number for number, _ in sizes)])
            if most > MOST_PLACES:
                raise PincerError(f"a block is written whose size may be one of more than {MOST_PLACES} numbers")
            sizes = [(k, self._is_size(size, k, here)) for k in range(most + 1)]
        for length, guard in sizes:
            now = words.both(here, guard)
            if length and now != FALSE:
                written = self._written(things, target, Update(length, new), now)
                things = written if len(sizes) == 1 else self.mixed(guard, written, things, here)
        return things

    def _written(self, things: Things, address: Value, update: Update, here: Guard) -> Things:
        words = self.words
        numbers, others = self.values.cases(self.values.pruned(address, here), here)
        changes = [(numbers[0][0], TRUE)] if len(numbers) == 1 and not others else numbers
        for node, guard in others:
            changes.extend(self._split_write(things, node, update.size, guard, here))
        result = dict(things)
        for number, guard in changes:
            if words.both(guard, here) != FALSE:
                self._write_at(result, number, update, guard, here)
        return result

    def _split_write(
        self, things: Things, node: Node, size: int, guard: Guard, here: Guard
    ) -> Iterator[tuple[int, Guard]]:
        """The places that an address which is no number can be; where it is none of them, the write is a bad one."""
        words = self.words
        places = self.places(things, node, size, words.both(guard, here))
        if places is None:
            raise PincerError(f"a write whose address may be one of more than {MOST_PLACES} places")
        outside = guard
        for place in places:
            same = words.both(guard, words.condition(Operation("same", 0), node, words.constant(place, self._bits)))
            outside = words.both(outside, same ^ 1)
            yield place, same
        self._bad_write(words.both(here, outside))

    def _write_at(self, things: Things, address: int, update: Update, guard: Guard, here: Guard) -> None:
        """Write at one place where a guard holds, into `things`."""
        words, size, offset = self.words, update.size, address % self._slot
        thing = things.get(address - offset)
        if thing is None:
            self._bad_write(words.both(here, guard))
            return
        if size > LARGEST_BLOCK:
            raise PincerError(f"a path writes {size} bytes at once")
        self._bad_write(words.both(words.both(here, guard), self._beyond(thing, offset + size, here)))
        new = [(update.new(0), i) if update.whole else (update.new(i), 0) for i in range(size)]
        if guard != TRUE:
            joined: Joined = {}
            old = [thing.cells.get(offset + i) for i in range(size)]
            if update.whole and not any(old):
                whole = self.inside(thing, offset, size, TRUE)
                old = [(whole, i) for i in range(size)]
            kept = [cell or self._first(thing, offset + i) for i, cell in enumerate(old)]
            new = [self._merged_cell(guard, *pair, here, joined) for pair in zip(new, kept, strict=True)]
        cells = {**thing.cells, **{offset + i: cell for i, cell in enumerate(new)}}
        things[address - offset] = replace(thing, cells=cells)

    def _is_size(self, size: Value, number: int, here: Guard) -> Guard:
        constant = self.values.number(number, size[0][0].width)
        return self.values.holds(Operation("same", 0), (size, constant), here)

    def mixed(self, guard: Guard, then: Things, otherwise: Things, here: Guard) -> Things:
        """The objects of one state where a guard holds, those of another elsewhere."""
        if then is otherwise:
            return then
        result = dict(otherwise)
        for start in _slots(then, otherwise):
            first, second = then.get(start), otherwise.get(start)
            if first is not second:
                result[start] = self.merged(guard, first, second, here)
        return result


def _slots(then: Things, otherwise: Things) -> Iterable[int]:
    return then if then.keys() == otherwise.keys() else dict.fromkeys((*then, *otherwise))


def _stride(address: Node) -> tuple[int, int]:
    """A power of two and a remainder: the address is that remainder modulo it."""
    base = address.base or address
    if not base.summands:
        return 1, 0
    step = base.width
    for _, factor in base.summands:
        step = min(step, (factor & -factor).bit_length() - 1)
    return 1 << step, address.offset % (1 << step)
