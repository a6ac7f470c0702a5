"""Z3's Horn solver Spacer as one more source of invariants, and of paths to violations.

The transition system is one relation over all its variables. What Spacer answers is a guess like all others: an
invariant is proved again here, edge by edge, before it becomes a certificate, and a path is solved for an execution.
Spacer may crash or never answer: it runs in a process of its own, with a limit of its own count of work.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct

from pincer.abstraction.predicates import choice_symbol, transition_values
from pincer.engines.guarded.limits import LIMITS
from pincer.execution.symbolic import initial_states, nondet_bounds
from pincer.logic import terms
from pincer.logic.evaluation import evaluate
from pincer.logic.queries import Queries
from pincer.logic.s_expressions import NotReadable, formula, parsed, written
from pincer.logic.solver import SolverUnknown
from pincer.logic.terms import Term
from pincer.program.transition_system import Nondet, SafetyProperty, TransitionCase, TransitionSystem
from pincer.runtime.commands import output_of

PURPOSE = "invariants of Spacer"

_CHILD = """
import sys, z3
z3.set_param('pp.min_alias_size', 1 << 30)
z3.set_param('pp.max_depth', 1 << 30)
rlimit, arguments = map(int, sys.argv[1:])
fixedpoint = z3.Fixedpoint()
fixedpoint.set(**{'engine': 'spacer', 'rlimit': rlimit, 'xform.slice': False,
                  'xform.inline_linear': False, 'xform.inline_eager': False})
queries = fixedpoint.parse_string(sys.stdin.read())
answer = fixedpoint.query(queries[0])
if answer == z3.unsat:
    relation = z3.Function('reached', *[z3.IntSort()] * arguments, z3.BoolSort())
    print('invariant', fixedpoint.get_cover_delta(-1, relation).sexpr())
elif answer == z3.sat:
    print('path', *reversed([str(name) for name in fixedpoint.get_rule_names_along_trace()]))
"""


class GuessedInvariant(Struct, frozen=True):
    """A formula over all variables, by reachable valuation of the finite ones; proved to be inductive."""

    formula: Term
    controls: tuple[tuple[int, ...], ...]
    check: str = "spacer"


class GuessedPath(Struct, frozen=True):
    """Transitions, in order, that are said to lead to a violation."""

    steps: tuple[int, ...]


Guess: TypeAlias = GuessedInvariant | GuessedPath


def guess(system: TransitionSystem, properties: Sequence[SafetyProperty], queries: Queries, work: int) -> Guess | None:
    """What Spacer says about all the properties together; an invariant only if it is one."""
    command = [sys.executable, "-c", _CHILD, str(work), str(len(system.variables))]
    remaining = queries.run.remaining()
    seconds = LIMITS.spacer_seconds if remaining is None else min(LIMITS.spacer_seconds, remaining)
    answer = output_of(command, _script(system, properties), seconds)
    queries.run.poll()
    kind, _, rest = (answer or "").partition(" ")
    if kind == "path":
        return GuessedPath(tuple(int(name[1:]) for name in rest.split() if name.startswith("t")))
    if kind != "invariant":
        return None
    try:
        found = terms.conjunction(*(formula(tree, system.variables) for tree in parsed(rest)))
        return proved_invariant(system, properties, found, queries, "spacer")
    except (NotReadable, SolverUnknown, RecursionError):
        return None


def _script(system: TransitionSystem, properties: Sequence[SafetyProperty]) -> str:
    names = {variable: f"x{i}" for i, variable in enumerate(system.variables)}
    choices = {choice_symbol(v): f"c{i}" for i, v in enumerate(system.data_variables)}
    known = names | choices
    here = f"(reached {' '.join(names.values())})"
    lines = [f"(declare-rel reached ({' '.join(['Int'] * len(names))}))", "(declare-rel bad ())"]
    lines += [f"(declare-var {name} Int)" for name in known.values()]
    start = written(initial_condition(system), known)
    lines.append(f"(rule (=> {start} {here}) start)")
    for transition in system.transitions:
        values = transition_values(system, transition)
        after = " ".join(written(values.get(variable, variable), known) for variable in system.variables)
        taken = written(condition(system, transition), known)
        lines.append(f"(rule (=> (and {here} {taken}) (reached {after})) t{transition.index})")
    wrong = terms.disjunction(*(terms.negate(item.formula) for item in properties))
    lines += [f"(rule (=> (and {here} {written(wrong, known)}) bad) wrong)", "(query bad)"]
    return "\n".join(lines)


def within(system: TransitionSystem) -> Iterator[Term]:
    """The finite variables have values of their types."""
    for variable, (low, high) in zip(system.control_variables, system.domains, strict=True):
        yield terms.at_most(terms.integer(low), variable)
        yield terms.at_most(variable, terms.integer(high))


def initial_condition(system: TransitionSystem) -> Term:
    """What holds in exactly the initial states."""
    return terms.conjunction(system.initial, *within(system))


def condition(system: TransitionSystem, transition: TransitionCase) -> Term:
    """When the transition can be taken, with its choices as symbols."""
    bounds = [
        bound
        for i, update in transition.data_updates
        if isinstance(update, Nondet)
        for bound in nondet_bounds(update, choice_symbol(system.data_variables[i]))
    ]
    return terms.conjunction(transition.guard, *bounds)


def proved_invariant(
    system: TransitionSystem, properties: Sequence[SafetyProperty], found: Term, queries: Queries, check: str
) -> GuessedInvariant | None:
    """The invariant, if initial states are in it, no step leads out of it, and it implies the properties."""
    types = terms.conjunction(*within(system))
    if not _implied([system.initial, types], found, queries):
        return None
    if not all(_implied([found, types], item.formula, queries) for item in properties):
        return None
    for transition in system.transitions:
        after = terms.substitute(found, transition_values(system, transition))
        if not _implied([found, types, condition(system, transition)], after, queries):
            return None
    controls = reachable_controls(system, found, queries)
    return None if controls is None else GuessedInvariant(found, controls, check)


def _implied(given: Sequence[Term], wanted: Term, queries: Queries) -> bool:
    """Whether each conjunct of what is wanted follows: many small questions are quicker than one large one."""
    return all(
        not queries.satisfiable([*given, terms.negate(part)], PURPOSE)
        for part in terms.conjuncts(wanted)
        if part not in given
    )


def reachable_controls(system: TransitionSystem, found: Term, queries: Queries) -> tuple[tuple[int, ...], ...] | None:
    """The valuations of the finite variables that steps inside the invariant lead to; None when they are too many."""
    known = dict.fromkeys(state.control for state in initial_states(system, queries))
    pending = list(known)
    variables = system.control_variables
    while pending:
        queries.run.poll()
        control = pending.pop()
        values = {v: terms.integer(value) for v, value in zip(variables, control, strict=True)}
        there = terms.substitute(found, values)
        for transition in system.transitions:
            guard = terms.substitute(transition.guard, values)
            if guard is terms.FALSE or there is terms.FALSE:
                continue
            target = list(control)
            numbers = dict(zip(variables, control, strict=True))
            for i, update in transition.control_updates:
                target[i] = evaluate(update, numbers)
            reached = tuple(target)
            if reached not in known and queries.satisfiable([there, guard], PURPOSE):
                known[reached] = None
                pending.append(reached)
        if len(known) > LIMITS.spacer_controls:
            return None
    return tuple(known)
