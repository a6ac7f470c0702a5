"""All ways through a procedure without loops: what each computes from the values that the parameters had.

The result of a call is left open but for what is claimed of it; its register stands for it from then on.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct, field

from pincer.engines.invariants.limits import LIMITS
from pincer.logic import bitvectors
from pincer.logic.bitvectors import width
from pincer.logic.terms import Term, conjunction, disjunction, equal, substitute
from pincer.program.control_flow import (
    Assign,
    Assume,
    Call,
    Check,
    ControlFlowProgram,
    Edge,
    Input,
    Procedure,
    Skip,
)
from pincer.program.graphs import postorder
from pincer.program.labels import NOT_FOLLOWED


class RunBetweenLoops(Struct, frozen=True):
    """Registers with their values, over entry values and results of calls, and the conditions of coming here."""

    values: Mapping[Term, Term]
    conditions: tuple[Term, ...] = field(default=())


class _NotStraight(Exception):
    """A label that such runs cannot follow."""


def entry_value(parameter: Term) -> Term:
    """The variable for the value that a parameter has at the entry."""
    return bitvectors.variable(f"@{parameter.args[0]}", width(parameter))


def reached(runs: Sequence[RunBetweenLoops]) -> Term:
    """What holds at a place that these runs, and no others, lead to."""
    return disjunction(
        *(conjunction(*run.conditions, *(equal(r, value) for r, value in run.values.items())) for run in runs)
    )


def runs_through(
    program: ControlFlowProgram, procedure: Procedure, claims: Mapping[str, Term]
) -> dict[int, list[RunBetweenLoops]] | None:
    """The runs to each place, given what is claimed of calls; None when there are too many, or not all are followed."""
    started = RunBetweenLoops({parameter: entry_value(parameter) for parameter in procedure.parameters})
    found: dict[int, list[RunBetweenLoops]] = {place: [] for place in backward(procedure)}
    found[procedure.entry].append(started)
    try:
        for place in reversed(backward(procedure)):
            for edge in procedure.outgoing.get(place, ()) if place != procedure.exit else ():
                if not isinstance(edge.label, NOT_FOLLOWED):
                    found[edge.target] += [_after(program, run, edge, claims) for run in found[place]]
                    if len(found[edge.target]) > LIMITS.runs:
                        return None
    except _NotStraight:
        return None
    return found


def _after(
    program: ControlFlowProgram, run: RunBetweenLoops, edge: Edge, claims: Mapping[str, Term]
) -> RunBetweenLoops:
    match edge.label:
        case Skip():
            return run
        case Assign(register, value):
            return RunBetweenLoops({**run.values, register: substitute(value, run.values)}, run.conditions)
        case Assume(condition) | Check(_, condition):
            return RunBetweenLoops(run.values, (*run.conditions, substitute(condition, run.values)))
        case Input(register):
            return _opened(run, register)
        case Call(name, arguments, result):
            callee = program.procedures[name]
            passed = [substitute(argument, run.values) for argument in arguments]
            if result is None:
                return run
            values = dict(zip(callee.parameters, passed, strict=True))
            if callee.result is not None:
                values[callee.result] = result
            opened, claim = _opened(run, result), claims.get(name)
            return opened if claim is None else RunBetweenLoops(
                opened.values, (*opened.conditions, substitute(claim, values))
            )  # fmt: skip
    raise _NotStraight


def _opened(run: RunBetweenLoops, register: Term) -> RunBetweenLoops:
    """The run with a register that stands for itself; nothing may still speak of what it was before."""
    others = {other: value for other, value in run.values.items() if other is not register}
    if any(register in term.variables for term in (*others.values(), *run.conditions)):
        raise _NotStraight
    return RunBetweenLoops(others, run.conditions)


def backward(procedure: Procedure) -> list[int]:
    """Locations, each after those that follow it; there are no loops."""
    return postorder(procedure.entry, procedure.following)
