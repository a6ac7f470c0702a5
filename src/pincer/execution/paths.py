"""From a path of transitions to a concrete execution along it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pincer.evidence.gcl.trace import Step, Trace
from pincer.execution.symbolic import SymbolicState, assignment, execute, fresh_symbol
from pincer.logic import terms
from pincer.logic.evaluation import evaluate
from pincer.logic.queries import Queries
from pincer.logic.terms import Term
from pincer.program.transition_system import SafetyProperty, State, TransitionSystem


def concrete_trace(
    system: TransitionSystem, violated: SafetyProperty, states: Sequence[State], steps: Sequence[int]
) -> Trace:
    """The trace of an execution whose states are known."""
    named = [_by_name(system, state) for state in states]
    return Trace(
        violates=violated.name,
        initial=named[0],
        steps=tuple(Step(system.transitions[t].name, s) for t, s in zip(steps, named[1:], strict=True)),
    )


def solve_path(
    system: TransitionSystem, violated: SafetyProperty, control: tuple[int, ...], steps: Sequence[int], queries: Queries
) -> Trace | None:
    """An execution from initial control values along the steps that ends in a violation, None when there is none."""
    state = SymbolicState(control, tuple(fresh_symbol() for _ in system.data_variables), frozenset())
    conditions = [terms.substitute(system.initial, assignment(system, state))]
    states = [state]
    for index in steps:
        transition = system.transitions[index]
        conditions.append(terms.substitute(transition.guard, assignment(system, state)))
        state = execute(system, state, transition)
        states.append(state)
    conditions += sorted(state.condition, key=lambda c: c.id)
    conditions.append(terms.substitute(terms.negate(violated.formula), assignment(system, state)))
    model = _small_model(conditions, queries)
    if model is None:
        return None
    concrete = [s.control + tuple(evaluate(_closed(v, model), {}) for v in s.values) for s in states]
    return concrete_trace(system, violated, concrete, steps)


def _small_model(conditions: Sequence[Term], queries: Queries) -> Mapping[Term, int] | None:
    """A model with small numbers where there is one: counterexamples are for people."""
    parts = [part for condition in conditions for part in terms.conjuncts(condition)]
    symbols = sorted({v for part in parts for v in part.variables}, key=lambda v: v.id)
    for size in (3, 100):
        bound = terms.integer(size)
        box = [terms.at_most(v, bound) for v in symbols] + [terms.at_most(terms.scale(-1, v), bound) for v in symbols]
        model = queries.model([*parts, *box], "counterexample")
        if model is not None:
            return model
    return queries.model(parts, "counterexample")


def _closed(value: Term, model: Mapping[Term, int]) -> Term:
    return terms.substitute(value, {v: terms.integer(model.get(v, 0)) for v in value.variables})


def _by_name(system: TransitionSystem, state: State) -> Mapping[str, int]:
    values = dict(zip((v.args[0] for v in system.variables), state, strict=True))
    return {v.name: values[v.name] for v in system.program.variables}
