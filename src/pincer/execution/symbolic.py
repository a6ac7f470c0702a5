"""Symbolic states: control values, data as terms over symbols, and a path condition on the symbols.

States are kept in a normal form so that equal ones are recognised: equations are solved, conditions on symbols no
variable depends on are projected out, and symbols are renamed after the variables they first appear in.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import count, product

from msgspec import Struct

from pincer.logic import terms
from pincer.logic.bounds import FormBounds
from pincer.logic.evaluation import evaluate
from pincer.logic.projection import eliminate_simply
from pincer.logic.queries import Queries, independent_groups
from pincer.logic.terms import Term
from pincer.program.transition_system import Nondet, State, TransitionCase, TransitionSystem
from pincer.runtime.run import Run


class SymbolicState(Struct, frozen=True):
    """Stands for the concrete states `control, values` under all solutions of `condition` for the symbols."""

    control: tuple[int, ...]
    values: tuple[Term, ...]
    condition: frozenset[Term]

    def concrete(self) -> State | None:
        """The single state this stands for when no symbol is left."""
        if self.condition:
            return None
        data = tuple(terms.constant_value(value) for value in self.values)
        return None if None in data else self.control + data  # type: ignore[operator]


def few_instances(state: SymbolicState, most: int) -> list[State] | None:
    """The concrete states a symbolic one stands for, when bounds on its symbols show that they are few."""
    bounds = FormBounds(state.condition)
    symbols = sorted({s for part in (*state.values, *state.condition) for s in part.variables}, key=lambda s: s.id)
    ranges = []
    for symbol in symbols:
        form = ((symbol, 1),)
        if form not in bounds.low or form not in bounds.high:
            return None
        low, high = bounds.low[form], bounds.high[form]
        ranges.append(range(low, high + 1))
        most //= max(1, high + 1 - low)
        if not most:
            return None
    found: dict[State, None] = {}
    for chosen in product(*ranges):
        known = dict(zip(symbols, chosen, strict=True))
        if all(evaluate(c, known) for c in state.condition):
            found[state.control + tuple(evaluate(value, known) for value in state.values)] = None
    return list(found)


def symbolic(system: TransitionSystem, state: State) -> SymbolicState:
    """A concrete state as a symbolic one."""
    split = len(system.domains)
    return SymbolicState(state[:split], tuple(map(terms.integer, state[split:])), frozenset())


def assignment(system: TransitionSystem, state: SymbolicState) -> dict[Term, Term]:
    """What each program variable stands for in the state."""
    values = {v: terms.integer(value) for v, value in zip(system.control_variables, state.control, strict=True)}
    values.update(zip(system.data_variables, state.values, strict=True))
    return values


_fresh = count()


def fresh_symbol() -> Term:
    """A symbol no other state has; `~` keeps it apart from program variables and from symbols named after them."""
    return terms.variable(f"~{next(_fresh)}")


def execute(system: TransitionSystem, state: SymbolicState, transition: TransitionCase) -> SymbolicState:
    """The state after an enabled transition, not yet normalised."""
    values = assignment(system, state)
    condition = set(state.condition)
    data = list(state.values)
    for i, update in transition.data_updates:
        if isinstance(update, Nondet):
            data[i] = fresh_symbol()
            condition.update(nondet_bounds(update, data[i]))
        else:
            value = terms.substitute(update, values)
            if _nests_divisions(value):
                data[i] = fresh_symbol()
                condition.add(terms.equal(data[i], value))
            else:
                data[i] = value
    control = next_control(system, state.control, transition)
    return SymbolicState(control, tuple(data), frozenset(condition))


def _nests_divisions(value: Term) -> bool:
    """Whether a `div` stands inside another. Each further step would double such a term, so it gets a name."""
    return any(
        inner.op == "div"
        for factor, _ in terms.linear_parts(value)[0]
        if factor.op == "div"
        for inner, _ in terms.linear_parts(factor.args[0])[0]
    )


def nondet_bounds(choice: Nondet, symbol: Term) -> list[Term]:
    bounds = []
    if choice.low is not None:
        bounds.append(terms.at_most(terms.integer(choice.low), symbol))
    if choice.high is not None:
        bounds.append(terms.at_most(symbol, terms.integer(choice.high)))
    return bounds


def next_control(system: TransitionSystem, control: tuple[int, ...], transition: TransitionCase) -> tuple[int, ...]:
    if not transition.control_updates:
        return control
    present = dict(zip(system.control_variables, control, strict=True))
    values = list(control)
    for i, update in transition.control_updates:
        values[i] = evaluate(update, present)
    return tuple(values)


def normalised(system: TransitionSystem, state: SymbolicState) -> SymbolicState:
    """The same concrete states in normal form. The condition must be satisfiable."""
    values, condition = _solve_equations(state.values, state.condition)
    condition = _without_dead_symbols(values, condition)
    values, condition = _renamed(system, values, condition)
    return SymbolicState(state.control, values, frozenset(condition))


def _solve_equations(values: tuple[Term, ...], condition: Iterable[Term]) -> tuple[tuple[Term, ...], list[Term]]:
    literals = FormBounds(sorted(condition, key=lambda c: c.id)).literals()
    while (solution := _unit_equation(literals)) is not None:
        symbol, value = solution
        replaced = {symbol: value}
        values = tuple(terms.substitute(v, replaced) for v in values)
        literals = FormBounds(terms.substitute(c, replaced) for c in literals).literals()
    return values, literals


def _unit_equation(literals: Sequence[Term]) -> tuple[Term, Term] | None:
    for equation in literals:
        if equation.op != "eq":
            continue
        coefficients, bound = equation.args
        if any(_nests_divisions(factor) for factor, _ in coefficients):
            continue
        for symbol, c in coefficients:
            if abs(c) == 1 and symbol.op == "var":
                others = terms.combination(((f, d) for f, d in coefficients if f is not symbol), -bound)
                if symbol not in others.variables:
                    return symbol, terms.scale(-c, others)
    return None


def _without_dead_symbols(values: Sequence[Term], literals: list[Term]) -> list[Term]:
    live = frozenset().union(*(value.variables for value in values)) if values else frozenset()
    kept: list[Term] = []
    for group in independent_groups(literals):
        symbols = frozenset().union(*(c.variables for c in group))
        if symbols.isdisjoint(live):
            continue
        constraints = list(group)
        for symbol in sorted(symbols - live, key=lambda s: s.id):
            simpler = eliminate_simply(constraints, symbol)
            if simpler is not None:
                constraints = FormBounds(simpler).literals()
        kept += constraints
    return kept


def _renamed(
    system: TransitionSystem, values: tuple[Term, ...], literals: list[Term]
) -> tuple[tuple[Term, ...], list[Term]]:
    names: dict[Term, Term] = {}
    for variable, value in zip(system.data_variables, values, strict=True):
        for symbol in _symbols_in_order(value):
            if symbol not in names:
                names[symbol] = _unused_name(f"${variable}", names)
    for symbol in sorted({s for c in literals for s in c.variables} - names.keys(), key=lambda s: s.id):
        names[symbol] = _unused_name("$", names)
    return (
        tuple(terms.substitute(value, names) for value in values),
        [terms.substitute(c, names) for c in literals],
    )


def _symbols_in_order(value: Term) -> list[Term]:
    return [symbol for factor, _ in terms.linear_parts(value)[0] for symbol in sorted(factor.variables, key=str)]


def _unused_name(stem: str, names: Mapping[Term, Term]) -> Term:
    taken = set(names.values())
    candidate = terms.variable(stem)
    for i in count(1):
        if candidate not in taken:
            break
        candidate = terms.variable(f"{stem}.{i}")
    return candidate


def initial_states(system: TransitionSystem, queries: Queries) -> Iterator[SymbolicState]:
    """All initial states: one symbolic state for each valuation of the control variables that has any."""
    symbols = {v: terms.variable(f"${v}") for v in system.data_variables}
    for control, formula in _initial_controls(system, (), terms.conjuncts(system.initial), queries.run):
        condition = terms.conjuncts(terms.substitute(formula, symbols))
        if queries.satisfiable(condition, "initial states"):
            yield normalised(system, SymbolicState(control, tuple(symbols.values()), frozenset(condition)))


def _initial_controls(
    system: TransitionSystem, control: tuple[int, ...], conditions: Sequence[Term], run: Run
) -> Iterator[tuple[tuple[int, ...], Term]]:
    if len(control) == len(system.domains):
        yield control, terms.conjunction(*conditions)
        return
    variable = system.control_variables[len(control)]
    own = [c for c in conditions if c.variables == {variable}]
    low, high = _narrowed(variable, system.domains[len(control)], own)
    for value in range(low, high + 1):
        run.poll()
        chosen = {variable: value}
        if all(evaluate(c, chosen) for c in own):
            replaced = {variable: terms.integer(value)}
            rest = [terms.substitute(c, replaced) for c in conditions if c.variables != {variable}]
            if terms.FALSE not in rest:
                yield from _initial_controls(system, (*control, value), rest, run)


def _narrowed(variable: Term, domain: tuple[int, int], conditions: Sequence[Term]) -> tuple[int, int]:
    """The part of a finite type that simple bounds leave, so that pinned variables need no search."""
    bounds = FormBounds(conditions)
    form = ((variable, 1),)
    return max(domain[0], bounds.low.get(form, domain[0])), min(domain[1], bounds.high.get(form, domain[1]))
