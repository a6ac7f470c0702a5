"""Propositions at states: what the expression of a `define` is worth there, concretely and for all inputs."""

from __future__ import annotations

from dataclasses import dataclass

from immutables import Map

from pincer.execution.msvl.errors import ExecutionError
from pincer.execution.msvl.evaluation import evaluate
from pincer.execution.msvl.machine import Machine
from pincer.execution.msvl.options import DEFAULTS, Options
from pincer.execution.msvl.snapshots import Snapshot
from pincer.execution.msvl.store import GLOBAL, Scope, Store
from pincer.execution.msvl.values import condition_term, is_true
from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.program import Program
from pincer.frontends.msvl.syntax import Expression, StaticError
from pincer.logic import terms
from pincer.logic.terms import Term


@dataclass(frozen=True, slots=True)
class Observation:
    """The truth of a proposition at a state, and the formula over the inputs that it stands for.

    `defined` is false when the expression has no value there: the proposition is false then. `exact` is false when
    the formula holds for this input only, because something in it had to be made concrete.
    """

    value: bool
    formula: Term
    defined: bool = True
    exact: bool = True


class Observer:
    """Evaluates expressions at the states of runs of one program."""

    def __init__(self, program: Program, options: Options = DEFAULTS) -> None:
        self._program = program
        self._options = options
        self._accepted: set[Expression] = set()

    def observe(self, snapshot: Snapshot, expression: Expression) -> Observation:
        machine = Machine(self._program, self._options, {})
        scopes = Map({GLOBAL: Scope(None, _visible(snapshot))})
        machine.store = Store(snapshot.contents, snapshot.objects, scopes, generations=snapshot.generations)
        self._reject_calls(expression)
        try:
            value = evaluate(machine, expression)
        except ExecutionError:
            return Observation(False, terms.FALSE, defined=False, exact=not machine.constraints)
        truth = is_true(value.concrete)
        formula = terms.boolean(truth) if value.symbolic is None else condition_term(value)
        return Observation(truth, formula, exact=not machine.constraints and not machine.concretised)

    def _reject_calls(self, expression: Expression) -> None:
        if expression in self._accepted:
            return
        self._accepted.add(expression)
        for node in syntax.descendants(expression):
            if isinstance(node, syntax.Call):
                raise self._program.source.error(
                    node.at, "a proposition cannot call a function; name its result", StaticError
                )


def _visible(snapshot: Snapshot) -> Map[str, int]:
    """The names a proposition can use: those of the scopes that ran, innermost first, and global ones before all."""
    names: dict[str, int] = {}
    for scope in snapshot.active:
        current: int | None = scope
        chain = []
        while current is not None and current != GLOBAL:
            chain.append(snapshot.scopes[current])
            current = snapshot.scopes[current].parent
        for part in reversed(chain):
            names.update(part.names)
    names.update(snapshot.scopes[GLOBAL].names)
    return Map(names)
