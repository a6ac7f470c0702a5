"""Random small transition systems with predicate sets, and their concrete states to compare with."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random

from pincer.abstraction.predicates import AbstractState, PredicateAbstraction, guard_predicates
from pincer.frontends.gcl import parse_program
from pincer.logic import terms
from pincer.logic.evaluation import evaluate
from pincer.logic.queries import Queries
from pincer.logic.terms import Term
from pincer.logic.z3_solver import Z3Solver
from pincer.program.lowering import lower
from pincer.program.transition_system import Nondet, State, TransitionSystem

X, Y, K = (terms.variable(name) for name in "xyk")
GUARDS = ("x <= y", "x = 2 * y", "pc = b", "pc = a && y > 0", "k <= x", "x mod 2 = 0", "x + y < 3 || pc = b", "true")
UPDATES = {
    "x": ("x + 1", "y", "x - y", "0", "x + k", "if y > 0 then x else -x", "x div 2"),
    "y": ("x", "y - 1", "2 * k", "x + y", "y mod 3"),
    "pc": ("a", "b", "if x < 1 then a else b"),
    "k": ("if k < 1 then k + 1 else -1", "nondet", "1"),
}
CHOICES = ("nondet", "nondet(-1..2)")
EXTRA = (
    terms.equal(terms.modulo(X, 3), terms.integer(1)),
    terms.at_most(terms.add(X, K), terms.integer(1)),
    terms.at_most(X, terms.integer(0)),
    terms.at_most(terms.combination([(X, 2), (Y, -3)]), terms.integer(1)),
    terms.equal(Y, terms.integer(2)),
    terms.at_most(terms.divide(Y, 2), X),
)


def random_system(rng: Random, choices: bool = True) -> TransitionSystem:
    """Two integers, two finite variables, up to three transitions; `choices` allows `nondet` integers."""
    lines = ["var x, y : int; control pc : {a, b} = a; control k : -1..1 = 0;"]
    lines.append(f"init {rng.choice(('x = 0 && y = 1', 'x = y', 'x <= 1 && y = 0', 'true'))};")
    for i in range(rng.randint(1, 3)):
        names = rng.sample(sorted(UPDATES), rng.randint(1, 3))
        effect = []
        for name in names:
            options = UPDATES[name] + (CHOICES if choices and name in "xy" else ())
            effect.append(f"{name} := {rng.choice(options)}")
        lines.append(f"trans t{i}: {rng.choice(GUARDS)} -> {', '.join(effect)};")
    lines += [f"safety p{i}: {rng.choice(GUARDS)};" for i in range(2)]
    return lower(parse_program("\n".join(lines), "system.gcl"))


def random_abstraction(rng: Random, choices: bool = True, queries: Queries | None = None) -> PredicateAbstraction:
    system = random_system(rng, choices)
    formulas = [*(t.guard for t in system.transitions), *(p.formula for p in system.properties)]
    predicates = dict.fromkeys([*guard_predicates(system, formulas), *rng.sample(EXTRA, rng.randint(0, 3))])
    return PredicateAbstraction(system, list(predicates), system.properties, queries or Queries(Z3Solver()))


def box(system: TransitionSystem, radius: int) -> Iterator[State]:
    """All states with data between -radius and radius."""
    data = [range(-radius, radius + 1)] * len(system.data_variables)
    yield from product(*(range(low, high + 1) for low, high in system.domains), *data)


def model_of(system: TransitionSystem, state: State) -> dict[Term, int]:
    return dict(zip(system.variables, state, strict=True))


def steps(system: TransitionSystem, state: State, transition: int, samples: Sequence[int]) -> Iterator[State]:
    """The successors by one transition; an unbounded choice takes the samples."""
    model = model_of(system, state)
    chosen = system.transitions[transition]
    if not evaluate(chosen.guard, model):
        return
    options: list[Sequence[int]] = [(value,) for value in state]
    for i, update in chosen.control_updates:
        options[i] = (evaluate(update, model),)
    for i, data_update in chosen.data_updates:
        place = len(system.domains) + i
        if not isinstance(data_update, Nondet):
            options[place] = (evaluate(data_update, model),)
        elif data_update.low is None or data_update.high is None:
            options[place] = samples
        else:
            options[place] = range(data_update.low, data_update.high + 1)
    yield from product(*options)


def by_abstract_state(abstraction: PredicateAbstraction, states: Iterator[State]) -> dict[AbstractState, list[State]]:
    found: dict[AbstractState, list[State]] = {}
    for state in states:
        found.setdefault(abstraction.alpha(state), []).append(state)
    return found
