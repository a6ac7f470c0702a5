"""Weak reachability (thesis, section 4.3): what must-transitions alone can reach.

a1 to a2 is a *must-minus* transition when every state of a2 has a predecessor in a1, and a *must* (exact) one when
every state of a1 has a successor in a2. An abstract state is weakly reachable when some initial one leads to it by
must-minus transitions followed by must transitions. The definition supposes that every state of an initial abstract
state is initial, so `init`'s atoms belong to the predicates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pincer.abstraction.predicates import AbstractState, PredicateAbstraction, transition_values
from pincer.abstraction.refinement import is_exact
from pincer.logic import terms
from pincer.logic.projection import project
from pincer.logic.terms import Term


def weakly_reachable(abstraction: PredicateAbstraction, initial: Iterable[AbstractState]) -> dict[AbstractState, None]:
    """The weakly reachable abstract states, the initial ones included."""
    covered = _closure(abstraction, initial, is_must_minus)
    return _closure(abstraction, covered, is_exact)


def _closure(
    abstraction: PredicateAbstraction,
    start: Iterable[AbstractState],
    follows: Callable[[PredicateAbstraction, AbstractState, int, AbstractState], bool],
) -> dict[AbstractState, None]:
    found = dict.fromkeys(start)
    pending = list(found)
    while pending:
        source = pending.pop()
        for transition in abstraction.enabled(source):
            for target in abstraction.successors(source, transition):
                if target not in found and follows(abstraction, source, transition, target):
                    found[target] = None
                    pending.append(target)
    return found


def is_must_minus(
    abstraction: PredicateAbstraction, source: AbstractState, transition: int, target: AbstractState
) -> bool:
    """Whether every state of the target has a predecessor in the source by the transition."""
    image = _image(abstraction, source, transition)
    return not abstraction.queries.satisfiable([*abstraction.literals(target), terms.negate(image)], "exactness")


def _image(abstraction: PredicateAbstraction, source: AbstractState, transition: int) -> Term:
    """The strongest postcondition's data part: all states the source leads to."""
    system = abstraction.system
    control, _ = abstraction.decode(source)
    before = {v: terms.integer(value) for v, value in zip(system.control_variables, control, strict=True)}
    before.update({v: terms.variable(f"!{v}") for v in system.data_variables})
    values = transition_values(system, system.transitions[transition])
    constraints = [terms.substitute(literal, before) for literal in abstraction.literals(source)]
    constraints += abstraction.choice_bounds(transition)
    constraints += [terms.equal(v, terms.substitute(values.get(v, v), before)) for v in system.data_variables]
    hidden = {symbol for constraint in constraints for symbol in constraint.variables} - set(system.data_variables)
    return project(constraints, sorted(hidden, key=lambda symbol: symbol.id))
