"""What passes share: programs whose edges are replaced, and what is known at an edge from the steps before it."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator
from itertools import count

from msgspec.structs import replace

from pincer.logic import terms
from pincer.logic.terms import Term, substitute
from pincer.program.control_flow import (
    Assign,
    Assume,
    Check,
    CheckKind,
    ControlFlowProgram,
    Edge,
    Fail,
    FailKind,
    Halt,
    Procedure,
    Skip,
)

_MOST_STEPS = 100


def with_edges(
    program: ControlFlowProgram, replaced: Callable[[Procedure, Edge], Iterable[Edge]]
) -> ControlFlowProgram:
    """The program with what `replaced` gives for each edge in the place of that edge."""
    procedures = {
        name: replace(procedure, edges=tuple(new for edge in procedure.edges for new in replaced(procedure, edge)))
        for name, procedure in program.procedures.items()
    }
    return replace(program, procedures=procedures)


def without_failures(program: ControlFlowProgram, kept: Iterable[FailKind]) -> ControlFlowProgram:
    """The program that just ends at failures of other kinds than those kept."""
    failing = frozenset(kept)

    def limited(_: Procedure, edge: Edge) -> tuple[Edge]:
        label = edge.label
        if isinstance(label, Fail) and label.kind not in failing:
            return (replace(edge, label=Halt(label.message)),)
        return (edge,)

    return with_edges(program, limited)


def without_checks(program: ControlFlowProgram, kinds: Container[CheckKind]) -> ControlFlowProgram:
    """The program that goes on as the machine does where checks of these kinds would stop it."""

    def is_left_out(edge: Edge) -> bool:
        return isinstance(edge.label, Check) and edge.label.kind in kinds

    if not any(map(is_left_out, program.edges())):
        return program
    return with_edges(program, lambda _, edge: (replace(edge, label=Skip()) if is_left_out(edge) else edge,))


def with_marks(program: ControlFlowProgram, kinds: Container[CheckKind], fresh: Iterator[int]) -> ControlFlowProgram:
    """The program with its marks of some kinds as checks, before all that follows their locations."""

    def placed(procedure: Procedure) -> Procedure:
        moved: dict[int, int] = {}
        checks: list[Edge] = []
        for place, marks in procedure.marks.items():
            for mark in marks:
                if mark.check.kind in kinds:
                    here = moved.get(place, place)
                    moved[place] = next(fresh)
                    checks.append(Edge(here, moved[place], mark.check, mark.position))
        edges = (replace(edge, source=moved[edge.source]) if edge.source in moved else edge for edge in procedure.edges)
        return replace(procedure, edges=(*checks, *edges)) if moved else procedure

    return replace(program, procedures={name: placed(procedure) for name, procedure in program.procedures.items()})


def failing(edge: Edge, check: Check, fresh: Iterator[int]) -> Iterator[Edge]:
    """A failure where the condition of a check of arithmetic does not hold, instead of the check."""
    wrong, end = next(fresh), next(fresh)
    yield Edge(edge.source, wrong, Assume(terms.negate(check.condition)), edge.position)
    yield Edge(wrong, end, Fail(check.message, FailKind(check.kind)), edge.position)
    yield replace(edge, label=Assume(check.condition))


def fresh_locations(program: ControlFlowProgram) -> Iterator[int]:
    """Numbers that are no locations of the program yet; an exit that nothing leads to is one, too."""
    return count(1 + max((place for p in program.procedures.values() for place in p.locations), default=0))


def always_holds(procedure: Procedure, edge: Edge, condition: Term) -> bool:
    """Whether a condition holds before an edge because of the assignments on the only way there."""
    here = edge.source
    for _ in range(_MOST_STEPS):
        if condition is terms.TRUE:
            return True
        before = procedure.incoming.get(here, ())
        if len(before) != 1 or here == procedure.entry:
            return False
        label, here = before[0].label, before[0].source
        if isinstance(label, Assign):
            condition = substitute(condition, {label.register: label.value})
        elif not isinstance(label, Assume | Check | Skip):
            return False
    return False
