"""Is there an interval that satisfies a formula, and do all of them? Asked for finite and infinite intervals apart.

"unsat" is always right. "sat" comes with a model that was checked by other means than it was found with: a finite
one by derivatives, an infinite one by its truth as a lasso. Everything else is "unknown", with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Literal, TypeAlias, TypeVar

from msgspec import Struct

from pincer.temporal.cubes import Cube, cube_formula, cubes
from pincer.temporal.derivative import Letter, satisfies, some_letter
from pincer.temporal.formula import FALSE, TRUE, Formula, at_end, not_
from pincer.temporal.graph import Graph, components, expand, path
from pincer.temporal.iterations import RankedNode, iteration_graph
from pincer.temporal.lasso import Lasso, holds_on_lasso
from pincer.temporal.limits import DEFAULT_LIMITS, Meter, TemporalLimits, TooLarge, metered
from pincer.temporal.moves import NOTHING, Node, cube_moves, obligation_graph

Word: TypeAlias = tuple[Letter, ...]
NodeT = TypeVar("NodeT", Node, RankedNode)


class FormulaAnswer(Struct, frozen=True):
    """`model` belongs to "sat", `reason` to "unknown"."""

    verdict: Literal["sat", "unsat", "unknown"]
    model: Word | Lasso | None = None
    reason: str = ""


class Validity(Struct, frozen=True):
    """`counterexample` belongs to "invalid", `reason` to "unknown"."""

    verdict: Literal["valid", "invalid", "unknown"]
    counterexample: Word | Lasso | None = None
    reason: str = ""


_UNSAT = FormulaAnswer("unsat")


def satisfiable_finite(formula: Formula, limits: TemporalLimits = DEFAULT_LIMITS) -> FormulaAnswer:
    """Whether some finite interval satisfies the formula; the model is a shortest one."""
    return _answered(_search_finite, formula, limits)


def satisfiable_infinite(formula: Formula, limits: TemporalLimits = DEFAULT_LIMITS) -> FormulaAnswer:
    """Whether some infinite interval satisfies the formula; the model is a lasso."""
    return _answered(_search_infinite, formula, limits)


def valid_finite(formula: Formula, limits: TemporalLimits = DEFAULT_LIMITS) -> Validity:
    return _refuted(satisfiable_finite(not_(formula), limits))


def valid_infinite(formula: Formula, limits: TemporalLimits = DEFAULT_LIMITS) -> Validity:
    return _refuted(satisfiable_infinite(not_(formula), limits))


def proved_valid(formula: Formula, limits: TemporalLimits = DEFAULT_LIMITS) -> bool:
    """Whether the formula holds on every interval, finite or infinite; False also when that is not known."""
    if formula.atom is None:
        return formula is TRUE
    return valid_finite(formula, limits).verdict == "valid" and valid_infinite(formula, limits).verdict == "valid"


def _refuted(answer: FormulaAnswer) -> Validity:
    match answer.verdict:
        case "sat":
            return Validity("invalid", answer.model)
        case "unsat":
            return Validity("valid")
        case "unknown":
            return Validity("unknown", reason=answer.reason)


def _answered(
    search: Callable[[Formula, Meter], FormulaAnswer], formula: Formula, limits: TemporalLimits
) -> FormulaAnswer:
    try:
        with metered(limits) as meter:
            return search(formula, meter)
    except TooLarge as cut:
        return FormulaAnswer("unknown", reason=cut.reason)


def _search_finite(formula: Formula, meter: Meter) -> FormulaAnswer:
    came_from: dict[Cube, tuple[Cube, Formula] | None] = dict.fromkeys(cubes(formula))
    frontier = list(came_from)
    while frontier:
        for cube in frontier:
            last = at_end(cube_formula(cube))
            if last is not FALSE:
                word = (*_letters_to(cube, came_from), some_letter(last))
                assert satisfies(formula, word), "a path of the normal form graph is a model"
                return FormulaAnswer("sat", word)
        following = []
        for cube in frontier:
            for move in cube_moves(cube, NOTHING):
                if move.literals not in came_from and cube_formula(move.literals) is not FALSE:
                    came_from[move.literals] = (cube, move.guard)
                    following.append(move.literals)
            meter.count(len(came_from))
        frontier = following
    return _UNSAT


def _letters_to(cube: Cube, came_from: dict[Cube, tuple[Cube, Formula] | None]) -> list[Letter]:
    letters = []
    while (step := came_from[cube]) is not None:
        cube, guard = step
        letters.append(some_letter(guard))
    return letters[::-1]


def _search_infinite(formula: Formula, meter: Meter) -> FormulaAnswer:
    """The plain graph first; if all it offers are paths that are no models, the graph that is exact for iterations."""
    answer = _search_graph(formula, obligation_graph(formula), meter)
    if answer is _UNCONFIRMED:
        answer = _search_graph(formula, iteration_graph(formula, meter), meter)
    return answer


def _search_graph(formula: Formula, graph: Graph[NodeT], meter: Meter) -> FormulaAnswer:
    """Looks for a good component now and then while the graph grows, and confirms what it finds."""
    tried: set[Lasso] = set()
    size = meter.limits.first_look
    more = True
    cut: TooLarge | None = None
    while more and cut is None:
        try:
            more = expand(graph, meter, size)
        except TooLarge as reached:
            cut = reached
        for lasso in _candidates(graph, meter.limits):
            if lasso not in tried:
                tried.add(lasso)
                if holds_on_lasso(formula, lasso, meter.limits):
                    return FormulaAnswer("sat", lasso)
        size *= 4
    if cut is not None:
        return FormulaAnswer("unknown", reason=cut.reason)
    return _UNCONFIRMED if tried else _UNSAT


_UNCONFIRMED = FormulaAnswer(
    "unknown",
    reason="an iteration (`+` or `*`) stands under a negation, and no infinite interval that was tried satisfies "
    "the formula",
)


def _candidates(graph: Graph[NodeT], limits: TemporalLimits) -> Iterator[Lasso]:
    """Lassos through components in which every obligation is met again and again."""
    initial = list(range(graph.initial))
    given = 0
    for component in components(graph):
        inside = set(component)
        for node in sorted(component):
            if graph.nodes[node].owes:
                continue
            loop = path(graph, [node], node, inside)
            prefix = [] if node < graph.initial else path(graph, initial, node)
            if loop is not None and prefix is not None and given < limits.candidates:
                given += 1
                yield Lasso(tuple(map(some_letter, prefix)), tuple(map(some_letter, loop)))
