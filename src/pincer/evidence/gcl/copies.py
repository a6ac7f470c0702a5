"""Copies of a process: where nothing tells them apart, one of each kind of state is enough to look at.

Let the program stay the same when two copies change places (`x[1]` and `x[2]`, for every array), its initial states,
transitions and properties alike, and let the invariant stay the same, too: the cubes at a valuation of the finite
variables, renamed, are the cubes at the renamed valuation. Then a step leads out of the invariant from a cube exactly
if the renamed step does so from the renamed cube. It is enough to ask of one cube of each orbit, for all transitions.

Both is looked at here, literally, and for two exchanges that all others are made of. What is not found to be the same
is checked in full.

Variables whose values are numbers of copies (`turn := i`) have their values exchanged with the copies. Programs begin
with one of these numbers, so that initial states are not all their own images. They need not be: that the invariant
holds in them is asked of each.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import TypeAlias

from msgspec import Struct

from pincer.evidence.gcl.invariant import GuardedInvariant, Valuation
from pincer.evidence.gcl.literals import Cube, Union, Vocabulary
from pincer.evidence.gcl.local_steps import Groups
from pincer.evidence.gcl.process_names import NoName, Renaming, naming_variables
from pincer.evidence.gcl.renaming import Places, RenamingKeys, expression_key, formula_key
from pincer.program.guarded import Expression, Formula, GuardedChoice, GuardedProgram

Order: TypeAlias = tuple[int, ...]
"""Which copy stands at each place."""
Literals: TypeAlias = Mapping[int, int]
_ELEMENT = re.compile(r"(.+)\[(-?\d+)\]")

ENOUGH_CUBES = 200
"""Smaller invariants are checked in full: that is as fast."""


class Arrangement(Struct, frozen=True):
    """The variables of each copy, the number of each copy, and the variables that have these numbers for values."""

    blocks: Sequence[Sequence[str]]
    numbers: Sequence[int]
    names: frozenset[str] = frozenset()


class Copies:
    """The variables of each copy of a process, and what a program looks like when they change places."""

    def __init__(self, program: GuardedProgram, arrangement: Arrangement) -> None:
        self._program = program
        self._blocks = blocks = arrangement.blocks
        self._copy_numbers = arrangement.numbers
        self.names = arrangement.names
        self._numbers = {variable.name: number for number, variable in enumerate(program.variables)}
        finite = [variable.name for variable in program.variables if variable.finite]
        self._finite = [[finite.index(name) for name in block if name in finite] for block in blocks]
        self._named = [index for index, name in enumerate(finite) if name in self.names]
        size = len(blocks)
        self.neighbours = [_exchanged(size, place) for place in range(size - 1)]
        self.generators = (self.neighbours[0], (*range(1, size), 0))

    def places(self, order: Order) -> Places:
        """The variables by number, those of each copy with the numbers of the copy in whose place it stands."""
        numbers = dict(self._numbers)
        for place, copy in enumerate(order):
            for name, instead in zip(self._blocks[copy], self._blocks[place], strict=True):
                numbers[name] = self._numbers[instead]
        return numbers

    def renumbered(self, order: Order) -> Mapping[int, int]:
        """The number of each copy, as that of the copy in whose place it stands."""
        return {self._copy_numbers[copy]: self._copy_numbers[place] for place, copy in enumerate(order)}

    def moved(self, valuation: Valuation, order: Order) -> Valuation:
        values = list(valuation)
        for place, copy in enumerate(order):
            for to, source in zip(self._finite[place], self._finite[copy], strict=True):
                values[to] = valuation[source]
        if self._named:
            becomes = self.renumbered(order)
            for index in self._named:
                values[index] = becomes.get(values[index], values[index])
        return tuple(values)

    def own(self, valuation: Valuation) -> list[tuple[int, ...]]:
        """The finite values of each copy."""
        return [tuple([valuation[index] for index in block]) for block in self._finite]

    def keep(self, properties: Sequence[Formula], groups: Groups) -> bool:
        """Whether the program, the properties and the groups of local places stay what they are."""
        types = {variable.name: variable.type for variable in self._program.variables}
        if any(types[a] != types[b] for block in self._blocks for a, b in zip(block, self._blocks[0], strict=True)):
            return False
        if self.names and groups:
            return False
        try:
            same = self._looks(properties, groups, tuple(range(len(self._blocks))))
            return all(self._looks(properties, groups, order) == same for order in self.generators)
        except NoName:
            return False

    def _looks(self, properties: Sequence[Formula], groups: Groups, order: Order) -> Hashable:
        """All that is said, with places for names."""
        places, renaming = self.places(order), Renaming(self._program, self.names, self.renumbered(order))

        def said(formula: Formula) -> Hashable:
            return formula_key(renaming.formula(formula), places)

        def value(target: str, assigned: Expression | GuardedChoice) -> Hashable:
            becomes = renaming.assigned(target, assigned)
            return becomes if isinstance(becomes, GuardedChoice) else expression_key(becomes, places)

        return (
            None if self.names else said(self._program.init),
            frozenset(
                (said(t.guard), frozenset((places[name], value(name, v)) for name, v in t.assignments))
                for t in self._program.transitions
            ),
            frozenset(map(said, properties)),
            tuple(frozenset((places[name], number) for name, number in group) for group in groups),
        )


def representatives(
    invariant: GuardedInvariant,
    vocabulary: Vocabulary,
    keys: RenamingKeys,
    properties: Sequence[Formula],
    groups: Groups,
) -> Mapping[Valuation, Union] | None:
    """One cube of each orbit, by valuation; None where copies are told apart, or little is to be gained."""
    if sum(len(union.cubes) for union in invariant.unions.values()) < ENOUGH_CUBES:
        return None
    for arrangement in _candidates(vocabulary.program):
        copies = Copies(vocabulary.program, arrangement)
        if copies.keep(properties, groups):
            orbits = _Orbits(copies, invariant, vocabulary, keys)
            return orbits.chosen() if orbits.closed() else None
    return None


def _candidates(program: GuardedProgram) -> Iterator[Arrangement]:
    """The elements of arrays with the same indices, by index; then the same without variables that may be names."""
    arrays: dict[str, dict[int, str]] = {}
    for variable in program.variables:
        found = _ELEMENT.fullmatch(variable.name)
        if found:
            arrays.setdefault(found[1], {})[int(found[2])] = variable.name
    for indices in dict.fromkeys(tuple(elements) for elements in arrays.values()):
        if len(indices) > 1:
            alike = [elements for elements in arrays.values() if tuple(elements) == indices]
            yield Arrangement([[elements[index] for elements in alike] for index in indices], indices)
            names = naming_variables(program, min(indices), max(indices))
            others = [elements for elements in alike if names.isdisjoint(elements.values())]
            if names and others and len(indices) == max(indices) - min(indices) + 1:
                yield Arrangement([[elements[index] for elements in others] for index in indices], indices, names)


class _Orbits:
    """The cubes of an invariant up to permutation."""

    def __init__(self, copies: Copies, invariant: GuardedInvariant, vocabulary: Vocabulary, keys: RenamingKeys) -> None:
        self._copies = copies
        self._invariant = invariant
        self._vocabulary = vocabulary
        self._keys = keys
        used = {literal for union in invariant.unions.values() for cube in union.cubes for literal in cube}
        self._used = used | {-literal for literal in used}
        same = copies.places(tuple(range(len(copies.neighbours) + 1)))
        self._known = {keys.placed(literal, same): literal for literal in self._used}

    def closed(self) -> bool:
        """Whether the invariant stays the same when copies change places."""
        said = (self._vocabulary.atom(literal).names for literal in self._used)
        if self._copies.names and not all(self._copies.names.isdisjoint(names) for names in said):
            return False
        return all(map(self._is_closed_under, self._copies.generators))

    def _is_closed_under(self, order: Order) -> bool:
        table = self._table(order)
        if table is None:
            return False
        for valuation, union in self._invariant.unions.items():
            there = self._invariant.at(self._copies.moved(valuation, order)).members
            if len(there) != len(union.cubes) or any(_renamed(cube, table) not in there for cube in union.cubes):
                return False
        return True

    def _table(self, order: Order) -> Literals | None:
        """What each literal becomes; None when some become what nothing in the invariant says."""
        places = self._copies.places(order)
        found: dict[int, int] = {}
        for literal in self._used:
            becomes = self._known.get(self._keys.placed(literal, places))
            if becomes is None:
                return None
            found[literal] = becomes
        return found

    def chosen(self) -> Mapping[Valuation, Union] | None:
        """Of each orbit of cubes one, where the copies are in the order of their finite values."""
        tables = [table for order in self._copies.neighbours if (table := self._table(order)) is not None]
        if len(tables) < len(self._copies.neighbours):
            return None
        found: dict[Valuation, Union] = {}
        for valuation, union in self._invariant.unions.items():
            own = self._copies.own(valuation)
            if own != sorted(own):
                continue
            tied = [place for place, (left, right) in enumerate(pairwise(own)) if left == right]
            if self._copies.names:
                # The least of those that differ in names alone has no lesser one beside it.
                images = {place: self._copies.moved(valuation, self._copies.neighbours[place]) for place in tied}
                if any(image < valuation for image in images.values()):
                    continue
                tied = [place for place, image in images.items() if image == valuation]
            alike = [tables[place] for place in tied]
            found[valuation] = self._vocabulary.union(_one_of_each(union.cubes, alike))
        return found


def _one_of_each(cubes: Sequence[Cube], tables: Sequence[Literals]) -> frozenset[Cube]:
    """One cube of each orbit under the renamings."""
    seen: set[Cube] = set()
    chosen = []
    for cube in cubes:
        if cube in seen:
            continue
        chosen.append(cube)
        seen.add(cube)
        pending = [cube]
        while pending:
            current = pending.pop()
            for table in tables:
                image = _renamed(current, table)
                if image not in seen:
                    seen.add(image)
                    pending.append(image)
    return frozenset(chosen)


def _renamed(cube: Cube, table: Literals) -> Cube:
    return frozenset([table[literal] for literal in cube])


def _exchanged(size: int, place: int) -> Order:
    order = list(range(size))
    order[place], order[place + 1] = place + 1, place
    return tuple(order)
