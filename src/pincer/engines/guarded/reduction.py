"""Partial-order reduction: processes that others do not notice go on first, one after the other.

The reduced system is the whole one with stronger guards: in a state in which some process stands at a local place
(`pincer.evidence.gcl.local_steps`), only the steps out of that place are taken. Exploring, refining and proving work on
it as on any other system. Which places are local is decided by the checker's own module; the checker asks it again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from msgspec import Struct
from msgspec.structs import replace

from pincer.abstraction.symmetry import symmetry_of
from pincer.engines.guarded.limits import LIMITS
from pincer.errors import PincerError
from pincer.evidence.gcl.local_steps import LocalSteps, Place
from pincer.evidence.gcl.smtlib import property_formula
from pincer.logic import terms
from pincer.logic.queries import Queries
from pincer.logic.terms import Term
from pincer.program.guarded import FiniteType, GuardedProgram
from pincer.program.lowering import formula_terms
from pincer.program.transition_system import SafetyProperty, TransitionSystem

Groups = tuple[tuple[Place, ...], ...]


class Reduced(Struct, frozen=True):
    """A system that leaves steps out, and the groups of places that say which; no groups where nothing is left out."""

    system: TransitionSystem
    groups: Groups = ()


def reduced(system: TransitionSystem, properties: Sequence[SafetyProperty], queries: Queries) -> Reduced:
    """The system with as many local places as are found, for these properties."""
    program = system.program
    formulas = [property_formula(program, item.name) for item in properties]
    finder = LocalSteps(program, formulas, frozenset())
    depths = {place: depth for name in _candidates(program) for place, depth in _chain(finder, program, name).items()}
    listed = frozenset(name for name, _ in depths)
    steps = LocalSteps(program, formulas, listed)
    kept = {p: d for p, d in depths.items() if steps.mistake(p) is None and _goes_on(program, steps, p, queries)}
    if not kept:
        return Reduced(system)
    copies = all(t.deterministic for t in system.transitions) and symmetry_of(system, properties) is not None
    groups = _most_advanced_first(kept) if copies else _one_by_one(kept)
    return Reduced(_with_guards(system, steps, groups), groups)


def _candidates(program: GuardedProgram) -> Iterator[str]:
    """Finite variables with few values that transitions assign."""
    assigned = {name for transition in program.transitions for name, _ in transition.assignments}
    for variable in program.variables:
        kind = variable.type
        if variable.name in assigned and isinstance(kind, FiniteType) and kind.high - kind.low < LIMITS.local_values:
            yield variable.name


def _chain(finder: LocalSteps, program: GuardedProgram, name: str) -> dict[Place, int]:
    """The local places of a variable, each with how many may still follow; those that close a circle are left out."""
    kind = program.variable(name).type
    assert isinstance(kind, FiniteType)
    values = range(kind.low, kind.high + 1)
    local = {value for value in values if finder.others((name, value)) and finder.mistake((name, value)) is None}
    depths: dict[Place, int] = {}

    def depth(value: int, path: frozenset[int]) -> int:
        if (name, value) in depths or value not in local:
            return depths.get((name, value), 0)
        following = finder.following((name, value))
        if not path.isdisjoint(following):
            local.discard(value)
            return 0
        depths[name, value] = 1 + max((depth(after, path | {after}) for after in following), default=0)
        return depths[name, value]

    for value in values:
        depth(value, frozenset((value,)))
    return depths


def _goes_on(program: GuardedProgram, steps: LocalSteps, place: Place, queries: Queries) -> bool:
    """Whether some own step of the place can be taken, whatever the integers are."""
    try:
        ways = list(steps.ways_on(place))
    except PincerError:
        return False
    return all(queries.valid(way, purpose="local steps") for way in formula_terms(program, ways))


def _one_by_one(depths: Mapping[Place, int]) -> Groups:
    """One process after the other."""
    return tuple(tuple(places) for _, places in groupby(depths, key=lambda place: place[0]))


def _most_advanced_first(depths: Mapping[Place, int]) -> Groups:
    """Processes that are copies of each other: those first that have least to do, whoever they are."""
    ordered = sorted(depths, key=lambda place: (depths[place], place[1]))
    alike = groupby(ordered, key=lambda place: (depths[place], place[1]))
    return tuple(tuple(places) for _, places in alike)


def _with_guards(system: TransitionSystem, steps: LocalSteps, groups: Groups) -> TransitionSystem:
    """The system in which only own steps of the first group with a place in the state are taken."""
    numbers = {transition.name: number for number, transition in enumerate(system.program.transitions)}
    earlier: list[Term] = []
    allowed: dict[int, list[Term]] = {number: [] for number in numbers.values()}
    for group in groups:
        none_before = terms.conjunction(*earlier)
        for number in {n for place in group for n in steps.own(place)}:
            mine = [place for place in group if number in steps.own(place)]
            allowed[number].append(terms.conjunction(none_before, _somewhere(mine)))
        earlier.append(terms.negate(_somewhere(group)))
    nowhere = terms.conjunction(*earlier)
    transitions = tuple(
        replace(t, guard=terms.conjunction(t.guard, terms.disjunction(nowhere, *allowed[numbers[t.name]])))
        for t in system.transitions
    )
    return replace(system, transitions=transitions)


def _somewhere(places: Iterable[Place]) -> Term:
    return terms.disjunction(*(terms.equal(terms.variable(name), terms.integer(value)) for name, value in places))
