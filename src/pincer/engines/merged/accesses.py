"""Where addresses of merged states lead: reading, writing and measuring objects."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import gcd

from msgspec.structs import replace

from pincer.engines.merged.limits import LIMITS
from pincer.engines.merged.memory import Contents, Memory, Slot, Thing
from pincer.engines.merged.state import GoalKind, Noting, State, Unmodelled
from pincer.engines.merged.values import Case, Cases, Value, Values
from pincer.logic import bitvectors, terms
from pincer.logic.bitvectors import width
from pincer.logic.decision_diagrams import FALSE, TRUE, Function
from pincer.logic.machine_arithmetic import signed
from pincer.logic.terms import Term
from pincer.program.control_flow import ControlFlowProgram

_OUTSIDE = "write outside of all objects"


class Accesses:
    """Accesses to memory. What an access may do wrong is `noted`, with the condition under which it does."""

    def __init__(self, program: ControlFlowProgram, values: Values, noting: Noting) -> None:
        layout = program.layout
        self.values, self.contents, self.top = values, Contents(values), program.top
        self._diagrams = values.conditions.diagrams
        self._noted = noting.note
        self._bits, self._slot = layout.pointer_bits, layout.slot
        self._slot_mask = ((1 << layout.pointer_bits) - 1) & ~(layout.slot - 1)
        self.made = 0
        self.initial: Memory = {
            static.address: ((TRUE, Thing(self.number(), static.size, static.contents, read_only=static.read_only)),)
            for static in program.objects
        }

    def number(self) -> int:
        """A number for a new object."""
        self.made += 1
        return self.made

    def slot(self, state: State, base: int) -> Slot:
        found = state.memory.get(base)
        return self.initial.get(base, ()) if found is None else found

    def divided(self, address: int) -> tuple[int, int]:
        """An address as the start of its slot and an offset."""
        base = address & self._slot_mask
        return base, address - base

    def load(self, state: State, address: Value, size: int) -> Value:
        """Bytes at an address; outside of all objects they are arbitrary."""
        if isinstance(address, int):
            return self._load_at(state, address, size, state.guard)
        found: list[Case] = []
        for condition, part in self.values.spread(address, state.guard):
            within = self._diagrams.both(state.guard, condition)
            if within == FALSE:
                continue
            if isinstance(part, int):
                value = self._load_at(state, part, size, within)
            else:
                value = self._load_chosen(state, part, size, within)
            found += self._under(condition, value)
        return self.values.gathered(found, 8 * size)

    def _under(self, condition: Function, value: Value) -> list[Case]:
        if not isinstance(value, Cases):
            return [(condition, value)]
        return [(self._diagrams.both(condition, own), part) for own, part in value.cases]

    def _load_at(self, state: State, address: int, size: int, guard: Function) -> Value:
        base, offset = self.divided(address)
        slot = self.slot(state, base)
        if len(slot) == 1 and slot[0][0] == TRUE:
            return self._load_from(slot[0][1], offset, size, guard)
        found: list[Case] = []
        left = guard
        for when, thing in slot:
            if not self._diagrams.are_apart(when, guard):
                found += self._under(when, self._load_from(thing, offset, size, guard))
                left = self._diagrams.both(left, when ^ 1)
        if left != FALSE:
            found.append((left, self.values.fresh(8 * size)))
        return self.values.gathered(found, 8 * size)

    def _load_from(self, thing: Thing, offset: int, size: int, guard: Function) -> Value:
        if isinstance(thing.size, int) and offset + size > thing.size:
            return self.values.fresh(8 * size)
        return self.contents.load(thing, offset, size, guard)

    def _load_chosen(self, state: State, address: Term, size: int, guard: Function) -> Value:
        """A read at a place that inputs decide about, inside of one slot: the cell that it is, of the object that is
        there; anything elsewhere."""
        base, bits = self._base(address), 8 * size
        found: list[Case] = []
        left = guard
        for when, thing in self.slot(state, base):
            here = self._diagrams.both(left, when)
            if here != FALSE:
                found += self._under(when, self._load_indexed(thing, base, address, size, here))
                left = self._diagrams.both(left, when ^ 1)
        if left != FALSE:
            found.append((left, self.values.fresh(bits)))
        return self.values.gathered(found, bits)

    def _load_indexed(self, thing: Thing, base: int, address: Term, size: int, guard: Function) -> Value:
        bits = 8 * size
        places = list(self._places(base, thing, address, size, guard))
        if self.values.conditions.wires(address) is not None:
            found: list[Case] = []
            for place, here in places:
                found += self._under(here, self.contents.load(thing, place, size, guard))
            covered = self._covered(here for _, here in places)
            if not self._diagrams.implies(guard, covered):
                found.append((covered ^ 1, self.values.fresh(bits)))
            return self.values.gathered(found, bits)
        word: Term = self.values.fresh(bits)
        for place, _ in reversed(places):
            value = self.values.word(self.contents.load(thing, place, size, guard), bits)
            word = terms.conditional(self._is_at(address, base + place), value, word)
        return word

    def _covered(self, conditions: Iterator[Function]) -> Function:
        covered = FALSE
        for condition in conditions:
            covered = self._diagrams.either(covered, condition)
        return covered

    def _is_at(self, address: Term, place: int) -> Term:
        """When an address is a number; of a narrow index times a power of two the index is compared."""
        coefficients, offset = bitvectors.linear_parts(address)
        if len(coefficients) == 1 and offset <= place and coefficients[0][0].op == "zero_extend":
            ((extended, size),) = coefficients
            index = extended.args[1]
            number, rest = divmod(place - offset, size)
            if size & (size - 1) == 0 and width(index) + size.bit_length() <= self._bits:
                fits = rest == 0 and number < 1 << width(index)
                return terms.equal(index, bitvectors.constant(number, width(index))) if fits else terms.FALSE
        return terms.equal(address, bitvectors.constant(place, self._bits))

    def _base(self, address: Term) -> int:
        """The slot that an address with an index is in, if it is where its constant part leads to."""
        _, offset = bitvectors.linear_parts(address)
        return (offset + self._slot // 2) & self._slot_mask

    def _places(
        self, base: int, thing: Thing, address: Term, size: int, guard: Function
    ) -> Iterator[tuple[int, Function]]:
        """The offsets that an address may have inside of an object, and when; for relations that are not followed
        when it may have it."""
        coefficients, offset = bitvectors.linear_parts(address)
        step = gcd(*(signed(c, self._bits) for _, c in coefficients))
        first = (offset - base) % step
        last = self._largest(thing.size, guard) - size
        if last // step > LIMITS.places:
            raise Unmodelled("an index chooses among too many cells")
        is_wired = self.values.conditions.wires(address) is not None
        known = self.values.conditions.ranges.range(address)
        for place in range(first, last + 1, step):
            if not known.low <= base + place <= known.high:
                continue
            here = self.values.conditions.function(self._is_at(address, base + place)) if is_wired else TRUE
            if not self._diagrams.are_apart(here, guard):
                yield place, here

    def _largest(self, size: Value, guard: Function) -> int:
        """The most that a size may be."""
        largest = 0
        for condition, part in self.values.narrowed_cases(size, guard):
            if isinstance(part, int):
                largest = max(largest, part)
                continue
            most = 1
            here = self._diagrams.both(guard, condition)
            while not self._diagrams.implies(here, self.fits_below(part, most)):
                most *= 2
                if most > LIMITS.places:
                    raise Unmodelled("an index into an object whose size depends on inputs")
            largest = max(largest, most)
        return largest

    def store(self, state: State, address: Value, size: int, value: Value) -> None:
        """Set bytes at an address; what may be written elsewhere is noted."""
        if isinstance(address, int):
            self.store_at(state, address, size, value, TRUE)
            return
        for condition, part in self.values.spread(address, state.guard):
            if self._diagrams.are_apart(condition, state.guard):
                continue
            if isinstance(part, int):
                self.store_at(state, part, size, value, condition)
            else:
                self._store_chosen(state, part, size, value, condition)

    def store_at(self, state: State, address: int, size: int, value: Value, condition: Function) -> None:
        """Set bytes on those paths that satisfy a condition."""
        base, offset = self.divided(address)
        self.writable(state, base, offset, size, condition)
        self.put(state, base, offset, size, value, condition)

    def put(self, state: State, base: int, offset: int, size: int, value: Value, condition: Function) -> None:
        """Set bytes that may be written."""

        def stored(thing: Thing, when: Function) -> Thing:
            return self.contents.store(thing, offset, size, value, when, state.guard)

        self.changed(state, base, condition, stored)

    def writable(self, state: State, base: int, offset: int, size: int, condition: Function) -> None:
        """Note when bytes are not inside of an object, or inside of a constant one."""
        both = self._diagrams.both
        left = both(state.guard, condition)
        for when, thing in self.slot(state, base):
            here = both(when, thing.live)
            if self._diagrams.are_apart(here, left):
                continue
            if thing.read_only:
                self._noted(GoalKind.CHECK, both(left, here), "write to a constant")
            else:
                here = both(here, self.fits(thing.size, offset + size))
            left = both(left, here ^ 1)
            if left == FALSE:
                return
        self._noted(GoalKind.CHECK, left, _OUTSIDE)

    def unreadable(self, slot: Slot, offset: int, size: int, guard: Function) -> Function:
        """When bytes are not inside of a live object."""
        left = guard
        for when, thing in slot:
            here = self._diagrams.both(when, thing.live)
            if not self._diagrams.are_apart(here, left):
                enough = self.fits(thing.size, offset + size)
                left = self._diagrams.both(left, self._diagrams.both(here, enough) ^ 1)
        return left

    def fits_below(self, size: Value, most: int) -> Function:
        """When a size is at most some number."""
        return self._compared(
            size, lambda word: bitvectors.compare("bvule", word, bitvectors.constant(most, self._bits))
        )

    def _compared(self, size: Value, relation: Callable[[Term], Term]) -> Function:
        holding = FALSE
        for condition, part in self.values.narrowed_cases(size, TRUE):
            here = self.values.conditions.function(relation(self.values.word(part, self._bits)))
            holding = self._diagrams.either(holding, self._diagrams.both(condition, here))
        return holding

    def fits(self, size: Value, needed: int) -> Function:
        """When an object has so many bytes."""
        wanted = bitvectors.constant(needed, self._bits)
        return self._compared(size, lambda word: bitvectors.compare("bvule", wanted, word))

    def changed(self, state: State, base: int, condition: Function, change: Callable[[Thing, Function], Thing]) -> None:
        """Change the objects of a slot on the paths of a condition."""
        after = []
        for when, thing in self.slot(state, base):
            if self._diagrams.are_apart(self._diagrams.both(when, condition), state.guard):
                after.append((when, thing))
            else:
                after.append((when, change(thing, condition)))
        state.memory[base] = tuple(after)

    def _store_chosen(self, state: State, address: Term, size: int, value: Value, condition: Function) -> None:
        """A write at a place that inputs decide about, inside of one slot; what may be elsewhere is noted."""
        base = self._base(address)
        after: list[tuple[Function, Thing]] = []
        both = self._diagrams.both
        left = both(state.guard, condition)
        for when, thing in self.slot(state, base):
            here = both(left, both(when, thing.live))
            if here == FALSE:
                after.append((when, thing))
                continue
            inside = FALSE if thing.read_only else self._inside(thing, base, address, size)
            self._noted(GoalKind.CHECK, both(here, inside ^ 1), _OUTSIDE)
            changed = thing
            if not thing.read_only:
                for place, at in self._places(base, thing, address, size, here):
                    changed = self._stored_perhaps(changed, address, base, place, at, size, value, condition, here)
            after.append((when, changed))
            left = both(left, here ^ 1)
        self._noted(GoalKind.CHECK, left, _OUTSIDE)
        state.memory[base] = tuple(after)

    def _inside(self, thing: Thing, base: int, address: Term, size: int) -> Function:
        """When bytes at an address lie in an object."""
        offset = bitvectors.combination(((address, 1),), -base, self._bits)
        holding = FALSE
        for condition, part in self.values.narrowed_cases(thing.size, TRUE):
            room = bitvectors.combination(((self.values.word(part, self._bits), 1),), -size, self._bits)
            enough = self.values.conditions.function(bitvectors.compare("bvule", offset, room))
            fits = self._diagrams.both(enough, self.fits(part, size))
            holding = self._diagrams.either(holding, self._diagrams.both(condition, fits))
        return holding

    def _stored_perhaps(
        self, thing: Thing, address: Term, base: int, place: int, here: Function, size: int, value: Value,
        condition: Function, guard: Function,
    ) -> Thing:  # fmt: skip
        """An object after a write that is to one of its places."""
        if here != TRUE:
            return self.contents.store(thing, place, size, value, self._diagrams.both(condition, here), guard)
        bits = 8 * size
        before = self.values.word(self.contents.load(thing, place, size, guard), bits)
        chosen = terms.conditional(self._is_at(address, base + place), self.values.word(value, bits), before)
        stored = chosen if chosen.op != "bvconst" else int(chosen.args[0])
        return self.contents.store(thing, place, size, stored, condition, guard)

    def room(self, state: State, address: Value, bits: int) -> Value:
        """How many bytes the live object of an address has."""
        if isinstance(address, int):
            return self._room_at(state, self.divided(address)[0], bits)
        found: list[Case] = []
        for condition, part in self.values.narrowed_cases(address, state.guard):
            if isinstance(part, int):
                found += self._under(condition, self._room_at(state, self.divided(part)[0], bits))
            else:
                found += self._under(condition, self._room_of(state, part, bits))
        return self.values.gathered(found, bits)

    def _room_at(self, state: State, base: int, bits: int) -> Value:
        slot = self.slot(state, base)
        if len(slot) == 1 and slot[0][0] == TRUE and slot[0][1].live == TRUE:
            return slot[0][1].size
        found: list[Case] = []
        covered = FALSE
        for when, thing in slot:
            here = self._diagrams.both(when, thing.live)
            found += self._under(here, thing.size)
            covered = self._diagrams.either(covered, here)
        found.append((covered ^ 1, 0))
        return self.values.gathered(found, bits)

    def _room_of(self, state: State, address: Term, bits: int) -> Value:
        """The room at an address with an index: that of the object which its constant part leads to, if it is in it."""
        leaves = list(self.values.alternatives(address))
        if len(leaves) > 1:
            return self.room(state, Cases(tuple(leaves)), bits)
        base = self._base(address)
        inside = bitvectors.combination(((address, 1),), -base, self._bits)
        same = bitvectors.compare("bvule", inside, bitvectors.constant(self._slot - 1, self._bits))
        here = self.values.conditions.function(same)
        return self.values.choose(here, self._room_at(state, base, bits), self.values.fresh(bits), bits)

    def ended(self, state: State, base: int, condition: Function) -> None:
        """The objects of a slot end on the paths of a condition."""

        def dead(thing: Thing, when: Function) -> Thing:
            return replace(thing, live=self._diagrams.both(thing.live, when ^ 1))

        self.changed(state, base, condition, dead)

    def begun(self, state: State, base: int, thing: Thing, condition: Function) -> None:
        """An object takes a slot on the paths of a condition."""
        both = self._diagrams.both
        before = ((both(when, condition ^ 1), known) for when, known in self.slot(state, base))
        kept = tuple((when, known) for when, known in before if when != FALSE)
        state.memory[base] = (*kept, (condition, thing))
