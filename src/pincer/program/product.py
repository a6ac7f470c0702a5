"""A guarded program together with an automaton that reads its states: one more finite variable, `$q`.

Each transition becomes one for each edge of the automaton, which tests the state that is left and moves `$q`. The runs
of the product are those of the program, each with a run of the automaton on it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec import Struct

from pincer.errors import Position
from pincer.program.automaton import Automaton, Guard
from pincer.program.guarded import (
    Comparison,
    Connective,
    Deadlock,
    FiniteType,
    Formula,
    GuardedProgram,
    GuardedProperty,
    GuardedTransition,
    GuardedVariable,
    Not,
    Number,
    TemporalProperty,
    Truth,
    VariableRef,
)

AUTOMATON_NODE = "$q"
UNVIOLATED = "unviolated"
"""The safety property of a product: no run has violated the formula by ending, or for good."""


class Product(Struct, frozen=True):
    """`origins` are the numbers of the program's transitions, by the names of those of the product."""

    program: GuardedProgram
    origins: Mapping[str, int]


def product(program: GuardedProgram, wanted: TemporalProperty, automaton: Automaton) -> Product:
    """The product of a program with an automaton over the propositions of a property."""
    deadlock = _conjunction(Not(transition.guard) for transition in program.transitions)
    letters = {name: _spelled_out(meaning, deadlock) for name, meaning in wanted.propositions}
    transitions: list[GuardedTransition] = []
    origins: dict[str, int] = {}
    for number, transition in enumerate(program.transitions):
        for edge_number, edge in enumerate(automaton.edges):
            guard = _conjunction((transition.guard, _at(edge.source), _letter(edge.guard, letters)))
            name = f"{transition.name}/{edge_number}"
            assignments = (*transition.assignments, (AUTOMATON_NODE, Number(edge.target)))
            transitions.append(
                GuardedTransition(
                    name, transition.process, guard, assignments, transition.position, transition.instance
                )
            )
            origins[name] = number
    place = Position(program.file, 1, 1)
    node = GuardedVariable(AUTOMATON_NODE, FiniteType(0, max(0, automaton.size - 1)), place)
    whole = GuardedProgram(
        program.name,
        (*program.variables, node),
        _conjunction((program.init, _disjunction(_at(q) for q in automaton.initial))),
        tuple(transitions),
        (GuardedProperty(UNVIOLATED, _unviolated(automaton, letters, deadlock), place),),
        program.file,
        program.sha256,
        program.constants,
    )
    return Product(whole, origins)


def _unviolated(automaton: Automaton, letters: Mapping[str, Formula], deadlock: Formula) -> Formula:
    ends = [_conjunction((_at(q), _letter(end, letters))) for q, end in enumerate(automaton.ends)]
    bad = [_conjunction((deadlock, _disjunction(ends)))]
    certain = automaton.certain()
    if certain is not None:
        bad.append(_at(certain))
    return Not(_disjunction(bad))


def _at(q: int) -> Formula:
    return Comparison("=", VariableRef(AUTOMATON_NODE), Number(q))


def _letter(guard: Guard, letters: Mapping[str, Formula]) -> Formula:
    return _disjunction(
        _conjunction(letters[name] if value else Not(letters[name]) for name, value in cube) for cube in guard
    )


def _conjunction(parts: Iterable[Formula]) -> Formula:
    listed = tuple(parts)
    return listed[0] if len(listed) == 1 else Connective("&&", listed) if listed else Truth(True)


def _disjunction(parts: Iterable[Formula]) -> Formula:
    listed = tuple(parts)
    return listed[0] if len(listed) == 1 else Connective("||", listed) if listed else Truth(False)


def _spelled_out(formula: Formula, deadlock: Formula) -> Formula:
    """The formula with the deadlock of the program itself, which is not that of its product."""
    match formula:
        case Deadlock():
            return deadlock
        case Not(operand):
            return Not(_spelled_out(operand, deadlock))
        case Connective(operator, operands):
            return Connective(operator, tuple(_spelled_out(operand, deadlock) for operand in operands))
        case _:
            return formula
