"""Processes that are copies of each other: states up to permutation.

A program is symmetric in the instances of a process when exchanging the variables of two of them (`x[1]` and `x[2]`,
for every array) maps its initial states, its transitions and its properties to themselves. Then whatever can follow a
state can follow its image, and one state of each orbit is enough to explore. An abstract state has an image as well,
once the predicates are closed under the exchanges.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, groupby, permutations, product
from math import factorial, prod
from operator import itemgetter
from typing import Any

from pincer.abstraction.predicates import AbstractState, PredicateAbstraction
from pincer.logic import terms
from pincer.logic.limits import LIMITS
from pincer.logic.terms import Term
from pincer.program.transition_system import Nondet, SafetyProperty, State, TransitionCase, TransitionSystem

Order = tuple[int, ...]
"""Which instance stands at each place."""
_ELEMENT = re.compile(r"(.+)\[(-?\d+)\]")


class Symmetry:
    """The blocks of variables, one for each instance, that may be exchanged freely."""

    def __init__(self, system: TransitionSystem, blocks: Sequence[Sequence[int]]) -> None:
        self.system = system
        self.blocks = tuple(map(tuple, blocks))
        self.size = len(blocks)
        self._flat = tuple(chain.from_iterable(self.blocks))
        self._readers = [_reader(block) for block in self.blocks]
        self.neighbours = [_exchanged(self.size, i, i + 1) for i in range(self.size - 1)]
        self.exchanges = [self.renaming(order) for order in self.neighbours]

    def renaming(self, order: Order) -> dict[Term, Term]:
        """The variables of each place, as those of the instance that stands there."""
        variables = self.system.variables
        return {
            variables[to]: variables[source]
            for place, instance in enumerate(order)
            for to, source in zip(self.blocks[place], self.blocks[instance], strict=True)
            if to != source
        }

    def closed(self, formulas: Iterable[Term]) -> list[Term]:
        """The atoms together with their images."""
        found = dict.fromkeys(formulas)
        pending = list(found)
        while pending:
            atom = pending.pop()
            for exchange in self.exchanges:
                for image in terms.atoms(terms.substitute(atom, exchange)):
                    if image not in found:
                        found[image] = None
                        pending.append(image)
        return list(found)

    def arranged(self, state: State, order: Order) -> State:
        """The image of a state in which the instances stand in another order."""
        image = list(state)
        for place, instance in enumerate(order):
            for to, source in zip(self.blocks[place], self.blocks[instance], strict=True):
                image[to] = state[source]
        return tuple(image)

    def sorted(self, state: State) -> State:
        """The image of a state in which the instances stand in the order of their values."""
        image = list(state)
        values = sorted([read(state) for read in self._readers])
        for place, chosen in zip(self._flat, chain.from_iterable(values), strict=True):
            image[place] = chosen
        return tuple(image)

    def orbit(self, state: State) -> dict[State, None]:
        """All images of a state."""
        return dict.fromkeys(self.arranged(state, order) for order in self._distinct(state))

    def _distinct(self, state: State) -> Iterator[Order]:
        """Orders that give every image at least once: instances with equal values are not exchanged."""
        kinds: dict[tuple[int, ...], list[int]] = {}
        for instance, block in enumerate(self.blocks):
            kinds.setdefault(tuple(state[i] for i in block), []).append(instance)
        if len(kinds) == self.size:
            yield from permutations(range(self.size))
            return
        yield from _arrangements(list(kinds.values()))


def _reader(block: tuple[int, ...]) -> Callable[[State], tuple[int, ...]]:
    """What reads the values of one instance off a state."""
    if len(block) > 1:
        return itemgetter(*block)
    return itemgetter(slice(block[0], block[0] + 1))


def _exchanged(size: int, first: int, second: int) -> Order:
    """All in order but two."""
    order = list(range(size))
    order[first], order[second] = second, first
    return tuple(order)


def _arrangements(kinds: list[list[int]]) -> Iterator[Order]:
    """Orders of instances in which those of one kind keep their own order."""

    def placed(left: tuple[int, ...], order: Order) -> Iterator[Order]:
        if len(order) == sum(map(len, kinds)):
            yield order
        for kind, used in enumerate(left):
            if used < len(kinds[kind]):
                more = (*left[:kind], used + 1, *left[kind + 1 :])
                yield from placed(more, (*order, kinds[kind][used]))

    return placed((0,) * len(kinds), ())


def _ranks(keys: Iterable[Any]) -> list[int]:
    """The place of each key among the different ones."""
    found = list(keys)
    places: list[Any] = []
    for key in sorted(found):
        if not places or places[-1] != key:
            places.append(key)
    return [bisect_left(places, key) for key in found]


def symmetry_of(system: TransitionSystem, properties: Sequence[SafetyProperty]) -> Symmetry | None:
    """The symmetry of a system with at least three instances of a process, if it has one."""
    for blocks in _candidates(system):
        symmetry = Symmetry(system, blocks)
        if all(_kept(system, properties, exchange) for exchange in symmetry.exchanges):
            return symmetry
    return None


def _candidates(system: TransitionSystem) -> Iterator[list[list[int]]]:
    """Arrays with the same indices, the instances of processes first."""
    arrays: dict[str, dict[str, int]] = {}
    for i, variable in enumerate(system.variables):
        found = _ELEMENT.fullmatch(str(variable.args[0]))
        if found:
            arrays.setdefault(found[1], {})[found[2]] = i
    for indices in dict.fromkeys(tuple(elements) for elements in arrays.values()):
        if len(indices) >= LIMITS.symmetric_instances:
            same = [elements for elements in arrays.values() if tuple(elements) == indices]
            yield [[elements[index] for elements in same] for index in indices]


def _kept(system: TransitionSystem, properties: Sequence[SafetyProperty], exchange: dict[Term, Term]) -> bool:
    """Whether initial states, domains, transitions and properties are their own images."""
    domains = dict(zip(system.control_variables, system.domains, strict=True))
    if any(domains.get(left) != domains.get(right) for left, right in exchange.items()):
        return False
    formulas = [system.initial, *(item.formula for item in properties)]
    if any(terms.substitute(formula, exchange) is not formula for formula in formulas):
        return False
    known = {_meaning(system, transition, {}) for transition in system.transitions}
    return all(_meaning(system, transition, exchange) in known for transition in system.transitions)


def _meaning(system: TransitionSystem, transition: TransitionCase, exchange: dict[Term, Term]) -> object:
    """What a transition does, whatever its name, after renaming."""

    def image(value: Term | Nondet) -> Term | Nondet:
        return value if isinstance(value, Nondet) else terms.substitute(value, exchange)

    updates = [(system.control_variables[i], update) for i, update in transition.control_updates]
    data = [(system.data_variables[i], update) for i, update in transition.data_updates]
    return (
        terms.substitute(transition.guard, exchange),
        frozenset((exchange.get(target, target), image(update)) for target, update in (*updates, *data)),
    )


class Quotient:
    """The abstract states of one predicate set, up to permutation of instances.

    The representative of an orbit has its instances in the order of their finite values, of the predicates about them
    alone and of those about pairs of them; where that leaves several orders, not too many of them and with different
    images, the one with the least mask is taken.
    """

    def __init__(self, symmetry: Symmetry, abstraction: PredicateAbstraction) -> None:
        self.symmetry = symmetry
        self.abstraction = abstraction
        split = len(symmetry.system.domains)
        self._control_blocks = [[i for i in block if i < split] for block in symmetry.blocks]
        self._places = {p: i for i, p in enumerate(abstraction.predicates)}
        one, two, self._shared = self._owners()
        instances = range(symmetry.size)
        self._own = [self._images(one, i) for i in instances]
        self._pairs = [[(j, self._images(two, i, j)) for j in instances if j != i] for i in instances] if two else []
        self._tables: dict[Order, list[tuple[int, int]]] = {}
        self._known: dict[AbstractState, tuple[AbstractState, Order]] = {}
        self._exchanges: dict[tuple[int, int], list[list[int]]] = {}
        self._turned: dict[State, tuple[AbstractState, State]] = {}

    def _owners(self) -> tuple[list[Term], list[Term], bool]:
        """The predicates about the first instance alone, those about the first two, and whether some are about
        several."""
        variables, blocks = self.symmetry.system.variables, self.symmetry.blocks
        owner = {variables[i]: instance for instance, block in enumerate(blocks) for i in block}
        owners = {p: {owner[v] for v in p.variables if v in owner} for p in self.abstraction.predicates}
        one = [p for p, found in owners.items() if found == {0}]
        two = [p for p, found in owners.items() if found == {0, 1}]
        return one, two, any(len(found) > 1 for found in owners.values())

    def _images(self, predicates: Sequence[Term], *instances: int) -> list[tuple[int, int]]:
        """What tells the truth of predicates about the first instances for others in their place."""
        variables, blocks = self.symmetry.system.variables, self.symmetry.blocks
        renaming = {
            variables[source]: variables[to]
            for place, instance in enumerate(instances)
            for source, to in zip(blocks[place], blocks[instance], strict=True)
        }
        return [self._place(terms.substitute(predicate, renaming)) for predicate in predicates]

    def representative(self, abstract: AbstractState) -> tuple[AbstractState, Order]:
        """The representative of an abstract state, and the order of instances that leads to it."""
        found = self._known.get(abstract)
        if found is None:
            found = self._known[abstract] = self._least(abstract)
        return found

    def _least(self, abstract: AbstractState) -> tuple[AbstractState, Order]:
        colours = self._colours(abstract)
        first = tuple(sorted(range(self.symmetry.size), key=lambda instance: colours[instance]))
        image = self.image(abstract, first)
        ties = [list(tied) for _, tied in groupby(first, key=lambda instance: colours[instance])]
        many = prod(factorial(len(tied)) for tied in ties) > LIMITS.symmetric_ties
        if not self._shared or many or self._alike(image, first, colours):
            return image, first
        orders = (tuple(i for part in parts for i in part) for parts in product(*map(permutations, ties)))
        return min((self.image(abstract, order), order) for order in orders)

    def _colours(self, abstract: AbstractState) -> list[int]:
        """A number for each instance, by what is said of it, and of it together with others of each number."""
        control, mask = self.abstraction.decode(abstract)
        colours = _ranks(
            (tuple(control[i] for i in block), tuple(mask >> i & 1 ^ flip for i, flip in own))
            for block, own in zip(self._control_blocks, self._own, strict=True)
        )
        count = len(set(colours))
        while self._pairs and count < self.symmetry.size:
            known = colours
            colours = _ranks(
                (known[i], sorted((known[j], *(mask >> k & 1 ^ flip for k, flip in said)) for j, said in with_others))
                for i, with_others in enumerate(self._pairs)
            )
            if len(set(colours)) == count:
                break
            count = len(set(colours))
        return colours

    def _alike(self, image: AbstractState, order: Order, colours: Sequence[int]) -> bool:
        """Whether instances with the same number may be exchanged without a difference."""
        return all(
            self.image(image, neighbours) == image
            for place, neighbours in enumerate(self.symmetry.neighbours)
            if colours[order[place]] == colours[order[place + 1]]
        )

    def image(self, abstract: AbstractState, order: Order) -> AbstractState:
        """An abstract state with its instances in another order."""
        control, mask = self.abstraction.decode(abstract)
        values = list(control)
        for place, instance in enumerate(order):
            for to, source in zip(self._control_blocks[place], self._control_blocks[instance], strict=True):
                values[to] = control[source]
        moved = 0
        for to, (source, flip) in enumerate(self._table(order)):
            moved |= (mask >> source & 1 ^ flip) << to
        return self.abstraction.encode(tuple(values), moved)

    def _table(self, order: Order) -> list[tuple[int, int]]:
        """For each predicate the one that tells its truth after reordering, and whether it is negated."""
        found = self._tables.get(order)
        if found is None:
            renaming = self.symmetry.renaming(order)
            found = self._tables[order] = [self._place(terms.substitute(p, renaming)) for p in self._places]
        return found

    def _place(self, literal: Term) -> tuple[int, int]:
        if literal in self._places:
            return self._places[literal], 0
        return self._places[terms.negate(literal)], 1

    def turned(self, state: State, alpha: Callable[[State], AbstractState]) -> tuple[AbstractState, State]:
        """The representative of a state, and its abstract state."""
        ordered = self.symmetry.sorted(state)
        found = self._turned.get(ordered)
        if found is None:
            abstract, order = self.representative(alpha(ordered))
            found = self._turned[ordered] = abstract, self.symmetry.arranged(ordered, order)
        return found

    def orbit(self, abstract: AbstractState, enough: int | None = None) -> dict[AbstractState, None]:
        """All images of an abstract state, or more than are enough.

        Every order of some instances is an order of all but the last of them, after which the last changes places with
        one of them or with none.
        """
        found = {abstract: None}
        for last in range(1, self.symmetry.size):
            for image in list(found):
                for other in range(last):
                    found[self._exchanged(image, other, last)] = None
                if enough is not None and len(found) > enough:
                    return found
        return found

    def _exchanged(self, abstract: AbstractState, first: int, second: int) -> AbstractState:
        """The image in which two instances have changed places: predicates are moved eight at a time."""
        tables = self._exchanges.get((first, second))
        if tables is None:
            tables = self._exchanges[first, second] = self._byte_tables(first, second)
        control, mask = self.abstraction.decode(abstract)
        values = list(control)
        for left, right in zip(self._control_blocks[first], self._control_blocks[second], strict=True):
            values[left], values[right] = control[right], control[left]
        moved = 0
        for table in tables:
            moved |= table[mask & 255]
            mask >>= 8
        return self.abstraction.encode(tuple(values), moved)

    def _byte_tables(self, first: int, second: int) -> list[list[int]]:
        """For each eight predicates, and each way they may hold, the predicates that hold after the exchange."""
        becomes: dict[int, tuple[int, int]] = {
            source: (1 << to, flip)
            for to, (source, flip) in enumerate(self._table(_exchanged(self.symmetry.size, first, second)))
        }
        tables = []
        for start in range(0, len(becomes), 8):
            table = [0]
            for source in range(start, min(start + 8, len(becomes))):
                bit, flip = becomes[source]
                without, holding = (bit, 0) if flip else (0, bit)
                table = [known | without for known in table] + [known | holding for known in table]
            tables.append(table)
        return tables
