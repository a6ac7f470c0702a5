"""Words of which one or another gets smaller between any two visits, where no tuple does from step to step.

How a state has to do with an earlier visit is a disjunction of cubes: bounds on how much a word now exceeds one then.
The cubes are found from counterexamples: a step, or a visit that has to do with the state before it and a step, whose
outcome is not covered yet, gives a cube, or weakens one that is close to it. If no outcome is left open, and in every
cube about two visits of the same place some word has become smaller, no run stays there for ever (*Transition Predicate
Abstraction and Fair Termination*, POPL 2005; *Transition Invariants*, LICS 2004).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import TypeAlias

from msgspec import Struct

from pincer.engines.cutpoints.proof import Pair, Visits
from pincer.engines.termination.limits import LIMITS
from pincer.engines.termination.relation import Relation, Values, leaves, named
from pincer.evidence.c_proof.visits import earlier
from pincer.execution.machine import World
from pincer.logic import bitvectors
from pincer.logic.bitvectors import constant, extend, width
from pincer.logic.solver import SolverUnknown
from pincer.logic.terms import Term, conjunction, disjunction, equal, negate

_ROOM = 3
"""Bits by which words are widened, so that bounds between two of them do not wrap around."""

BOUNDS = ((-1, 0), (-2, -1, 0, 1, 2))
"""By how much at most a word now exceeds a word then, as far as cubes say it: few bounds first."""

SHARES = (0.0, 0.6, 1.0)
"""How much of two cubes must be left where they become one: few weak ones first."""

Bounds: TypeAlias = tuple[int | None, ...]
"""For each word then and each word now the bound, None where there is none."""


class Moving(Struct, frozen=True):
    """Steps between two places that count, with a condition on `names` of what is observed."""

    source: int
    target: int
    condition: Term


class VisitSearch:
    """Looks for the cubes of some words at each place, with some bounds. Two cubes become one as long as a word
    has become smaller in it, and it says at least a share of what they do."""

    def __init__(
        self,
        relation: Relation,
        moves: Sequence[Moving],
        observed: tuple[Term, ...],
        words: Mapping[int, Sequence[Term]],
    ) -> None:
        self._relation, self._moves, self._observed = relation, moves, observed
        self._names = relation.names(observed)
        widest = max(width(word) for known in words.values() for word in known)
        self._words = {place: tuple(_ordered(word, widest) for word in known) for place, known in words.items()}
        self._then = {place: earlier(known) for place, known in self._words.items()}

    def found(self, bounds: Sequence[int], share: float) -> Visits | None:
        """The words with cubes that cover everything, None if there are none of this kind."""
        cubes: dict[Pair, list[Bounds]] = {}
        try:
            for _ in range(LIMITS.cubes):
                outcome = self._uncovered(cubes)
                if outcome is None:
                    return self._visits(cubes)
                pair, values = outcome
                cube = self._cube(pair, values, bounds)
                if not self._falls(pair, cube):
                    return None
                _add(cubes.setdefault(pair, []), cube, share, partial(self._falls, pair))
        except SolverUnknown:
            return None
        return None

    def _visits(self, cubes: Mapping[Pair, list[Bounds]]) -> Visits:
        return Visits(self._words, {pair: self._formula(cubes, pair) for pair in cubes})

    def _uncovered(self, cubes: Mapping[Pair, list[Bounds]]) -> tuple[Pair, Values] | None:
        """A step, and a visit at its beginning or before, of which the cubes do not cover the end. Raises
        SolverUnknown."""
        for move in self._moves:
            here = zip(self._then[move.source], self._words[move.source], strict=True)
            begun = conjunction(*(equal(then, self._names.earlier(word)) for then, word in here))
            known = [
                (place, self._names.earlier(self._formula(cubes, (place, at))))
                for place, at in cubes
                if at == move.source
            ]
            for visited, before in ((move.source, begun), *known):
                pair = visited, move.target
                open_ = negate(self._names.later(self._formula(cubes, pair)))
                wanted, then = conjunction(move.condition, before, open_), self._then[visited]
                values = self._relation.model(move.source, move.target, self._observed, wanted, also=then)
                if values is not None:
                    return pair, values
        return None

    def _cube(self, pair: Pair, values: Values, bounds: Sequence[int]) -> Bounds:
        """The bounds that hold of one outcome."""
        now = [World.evaluate_symbols(self._names.later(word), values) for word in self._words[pair[1]]]
        then = [values[variable] for variable in self._then[pair[0]]]
        return tuple(next((b for b in bounds if new - old <= b), None) for old in then for new in now)

    def _falls(self, pair: Pair, cube: Bounds) -> bool:
        """Whether a word has become smaller between two visits of the same place; about others some bound is enough."""
        if pair[0] != pair[1]:
            return any(bound is not None for bound in cube)
        step = len(self._words[pair[0]]) + 1
        return any(bound is not None and bound < 0 for bound in cube[::step])

    def _formula(self, cubes: Mapping[Pair, list[Bounds]], pair: Pair) -> Term:
        return disjunction(*(self._said(pair, cube) for cube in cubes.get(pair, ())))

    def _said(self, pair: Pair, cube: Bounds) -> Term:
        visited, place = pair
        ends = [(then, now) for then in self._then[visited] for now in self._words[place]]
        return conjunction(
            *map(_inside, self._then[visited]),
            *(
                bitvectors.compare("bvule", now, bitvectors.binary("bvadd", then, constant(bound, width(then))))
                for bound, (then, now) in zip(cube, ends, strict=True)
                if bound is not None
            ),
        )


def goals(visits: Visits, visited: int, source: int, formula: Term) -> Iterator[Term]:
    """What must be so at a place for a formula to hold there of each visit of another, one now or an earlier one."""
    if visited == source:
        words = visits.words[visited]
        yield named(formula, dict(zip(earlier(words), words, strict=True)))
    if (visited, source) in visits.since:
        yield disjunction(negate(visits.since[visited, source]), formula)


def _add(cubes: list[Bounds], cube: Bounds, share: float, falls: Callable[[Bounds], bool]) -> None:
    """One cube more, or a weaker one in the place of the one that it says most with: at least a share of both."""
    best: tuple[int, int, Bounds] | None = None
    for number, other in enumerate(cubes):
        both = tuple(None if a is None or b is None else max(a, b) for a, b in zip(cube, other, strict=True))
        kept = _said_by(both)
        much = kept >= share * min(_said_by(cube), _said_by(other))
        if much and falls(both) and (best is None or kept > best[0]):
            best = kept, number, both
    if best is None:
        cubes.append(cube)
    else:
        cubes[best[1]] = best[2]


def _said_by(cube: Bounds) -> int:
    return sum(bound is not None for bound in cube)


def _inside(then: Term) -> Term:
    """A word is far enough from the ends of its range for bounds not to wrap around."""
    quarter, bits = 1 << (width(then) - 2), width(then)
    low, high = (
        bitvectors.compare("bvule", *ends)
        for ends in ((constant(quarter, bits), then), (then, constant(3 * quarter, bits)))
    )
    return conjunction(low, high)


def _ordered(word: Term, bits: int) -> Term:
    """A signed word as an unsigned one that is wide enough for bounds."""
    whole = bits + _ROOM
    return bitvectors.binary("bvxor", constant(1 << (whole - 1), whole), extend(word, whole - width(word), True))


def word_lists(
    places: Iterable[int], values: Sequence[Term], local: Mapping[int, Sequence[Term]], conditions: Iterable[Term]
) -> Iterator[dict[int, tuple[Term, ...]]]:
    """Lists of words to be tried for each place, as signed numbers: those that all places have, and values of its own,
    which may grow. What conditions compare as signed numbers is one, and what is left is none."""
    atoms = [c.args[0] if c.op == "not" else c for c in conditions]
    compared = [atom for atom in atoms if atom.op in ("bvule", "bvsle", "same") and atom.args[0].sort.width]
    signed = {leaf for atom in compared if atom.op == "bvsle" for leaf in leaves(atom)}

    def number(value: Term) -> Term:
        return extend(value, 1, value in signed)

    plain = tuple(map(number, values))
    own = {place: [w for v in local.get(place, ()) for w in (number(v), bitvectors.negative(number(v)))]
           for place in places}  # fmt: skip
    most = LIMITS.compared + 1
    apart = tuple(_differences(compared))[: LIMITS.compared]
    with_differences = (tuple(dict.fromkeys((*apart, *plain)))[:most],) if apart else ()
    for common in (plain[: LIMITS.compared], *with_differences):
        yield {place: (*common[: most - min(2, len(words))], *words)[:most] for place, words in own.items()}


def _differences(compared: Iterable[Term]) -> Iterator[Term]:
    """How far the sides of comparisons are apart, both ways."""
    for atom in compared:
        left, right = (extend(side, 2, atom.op == "bvsle") for side in atom.args)
        if leaves(left) and leaves(right):
            yield bitvectors.binary("bvsub", left, right)
            yield bitvectors.binary("bvsub", right, left)
