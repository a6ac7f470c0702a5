"""Predicate abstraction of a transition system.

An abstract state is one integer: the code of its control values, followed by one bit per predicate. Predicates are
atoms over data variables (control variables may occur in them); because every guard's and every property's atoms are
among the predicates, an abstract state decides which transitions are enabled and which properties hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from msgspec import Struct

from pincer.execution.symbolic import SymbolicState, assignment, nondet_bounds
from pincer.logic import terms
from pincer.logic.evaluation import argument_names, compile_source, python_source, unpacking
from pincer.logic.queries import Queries
from pincer.logic.terms import Term
from pincer.program.transition_system import Nondet, SafetyProperty, State, TransitionCase, TransitionSystem

AbstractState: TypeAlias = int


class _Plan(Struct, frozen=True):
    """How a transition carries a predicate mask over, at given control values.

    Bits in `copied` stay, `constant` are set, `moved` take the (possibly negated) bit of another predicate; `open`
    predicates have a pre-image that no predicate decides outright.
    """

    copied: int
    constant: int
    moved: tuple[tuple[int, int, int], ...]
    open: tuple[tuple[int, Term], ...]
    bounds: tuple[Term, ...]

    def carry(self, mask: int) -> int:
        result = mask & self.copied | self.constant
        for position, source, flip in self.moved:
            result |= (mask >> source & 1 ^ flip) << position
        return result


class PredicateAbstraction:
    """The abstract states over one predicate set, and the may-transitions between them."""

    def __init__(
        self,
        system: TransitionSystem,
        predicates: Sequence[Term],
        properties: Sequence[SafetyProperty],
        queries: Queries,
    ) -> None:
        self.system = system
        self.predicates = tuple(predicates)
        self.size = len(self.predicates)
        self.queries = queries
        self._full = (1 << self.size) - 1
        self._mixed = tuple(
            i for i, v in enumerate(system.control_variables) if any(v in p.variables for p in self.predicates)
        )
        self.alpha: Callable[[State], AbstractState] = self._compile_alpha()
        self._enabled = self._compile_test([t.guard for t in system.transitions])
        self._targets = [self._compile_target(t) for t in system.transitions]
        self._violated = self._compile_test([terms.negate(p.formula) for p in properties])
        self._controls: dict[int, tuple[int, ...]] = {}
        self._values = self._compile_values()
        self._plans: dict[tuple[int, tuple[int, ...]], _Plan] = {}
        self._literals: dict[tuple[int, tuple[int, ...]], tuple[Term, ...]] = {}
        self._successors: dict[tuple[int, int, tuple[int, ...]], tuple[int, ...]] = {}
        self._preimages = [self._preimage_terms(t) for t in system.transitions]
        self._plan_variables = [self._relevant_control(t) for t in system.transitions]

    def _code_source(self, values: Sequence[str]) -> str:
        """Statements that set `code` to the code of control values, shifted past the predicate bits."""
        lines = ["code = 0"]
        for value, (low, high) in zip(values, self.system.domains, strict=True):
            lines.append(f"code = code * {high - low + 1} + {value} - {low}")
        lines.append(f"code <<= {self.size}")
        return "".join(f"    {line}\n" for line in lines)

    def _compile_target(self, transition: TransitionCase) -> Callable[[tuple[int, ...]], AbstractState]:
        """A function from control values to the abstract state, without predicates, after the transition."""
        names = argument_names(self.system.control_variables)
        values = list(names.values())
        for i, update in transition.control_updates:
            values[i] = python_source(update, names)
        body = unpacking(names, "control") + self._code_source(values)
        return compile_source(f"def target(control):\n{body}    return code\n", "target")

    def _compile_values(self) -> Callable[[int], tuple[int, ...]]:
        """A function from the code of control values to the values."""
        domains = self.system.domains
        lines = [
            f"code, v{i} = divmod(code, {domains[i][1] - domains[i][0] + 1})" for i in reversed(range(len(domains)))
        ]
        values = "".join(f"v{i} + {low}, " for i, (low, _) in enumerate(domains))
        body = "".join(f"    {line}\n" for line in lines)
        return compile_source(f"def values(code):\n{body}    return ({values})\n", "values")

    def _compile_alpha(self) -> Callable[[State], AbstractState]:
        names = argument_names(self.system.variables)
        control = [names[v] for v in self.system.control_variables]
        body = unpacking(names, "state") + self._code_source(control)
        for i, predicate in enumerate(self.predicates):
            body += f"    if {python_source(predicate, names)}: code |= {1 << i}\n"
        return compile_source(f"def alpha(state):\n{body}    return code\n", "alpha")

    def _compile_test(self, formulas: Sequence[Term]) -> Callable[[tuple[int, ...], int], list[int]]:
        """A function from control values and mask to the indices of the true formulas."""
        control = argument_names(self.system.control_variables)
        names = dict(control)
        names.update({p: f"(mask & {1 << i})" for i, p in enumerate(self.predicates)})
        body = unpacking(control, "control") + "    found = []\n"
        for i, formula in enumerate(formulas):
            body += f"    if {python_source(formula, names)}: found.append({i})\n"
        return compile_source(f"def test(control, mask):\n{body}    return found\n", "test")

    def encode(self, control: tuple[int, ...], mask: int) -> AbstractState:
        code = 0
        for value, (low, high) in zip(control, self.system.domains, strict=True):
            code = code * (high - low + 1) + value - low
        return code << self.size | mask

    def decode(self, abstract: AbstractState) -> tuple[tuple[int, ...], int]:
        """The control values and the predicate mask."""
        code = abstract >> self.size
        control = self._controls.get(code)
        if control is None:
            control = self._controls[code] = self._values(code)
        return control, abstract & self._full

    def enabled(self, abstract: AbstractState) -> list[int]:
        """The indices of the transitions enabled in every state of the abstract state; no other is in any."""
        return self._enabled(*self.decode(abstract))

    def violated(self, abstract: AbstractState, control: tuple[int, ...] | None = None) -> list[int]:
        """The indices of the properties that fail in every state of the abstract state; all others hold in all. Its
        control values need not be decoded where they are known."""
        if control is None:
            return self._violated(*self.decode(abstract))
        return self._violated(control, abstract & self._full)

    def literals(self, abstract: AbstractState) -> tuple[Term, ...]:
        """gamma: the literals that hold in the abstract state, at its control values."""
        control, mask = self.decode(abstract)
        key = (mask, tuple(control[i] for i in self._mixed))
        found = self._literals.get(key)
        if found is None:
            values = {self.system.control_variables[i]: terms.integer(control[i]) for i in self._mixed}
            found = tuple(
                literal
                for i, p in enumerate(self.predicates)
                if (literal := terms.literal(terms.substitute(p, values), bool(mask >> i & 1))) is not terms.TRUE
            )
            self._literals[key] = found
        return found

    def split_state(self, state: SymbolicState) -> list[tuple[int, frozenset[Term]]]:
        """The masks a symbolic state may have, each with the state's condition strengthened to it."""
        values = assignment(self.system, state)
        memo: dict[Term, Term] = {}
        instances = [terms.substitute(p, values, memo) for p in self.predicates]
        open_positions = [i for i, instance in enumerate(instances) if instance.variables]
        fixed = sum(1 << i for i, instance in enumerate(instances) if instance is terms.TRUE)
        chosen = [instances[i] for i in open_positions]
        ordered = sorted(state.condition, key=lambda c: c.id)
        result = []
        for pattern in sorted(self.queries.patterns(ordered, chosen, "splitting")):
            mask = fixed
            condition = set(state.condition)
            for k, i in enumerate(open_positions):
                holds = pattern >> k & 1
                mask |= holds << i
                condition.add(terms.literal(instances[i], bool(holds)))
            result.append((mask, frozenset(condition)))
        return result

    def successors(self, abstract: AbstractState, transition: int) -> tuple[AbstractState, ...]:
        """All abstract states that some state of `abstract` can reach by the (enabled) transition."""
        control, mask = self.decode(abstract)
        values = tuple(control[i] for i in self._plan_variables[transition])
        key = (transition, mask, values)
        masks = self._successors.get(key)
        if masks is None:
            masks = self._successors[key] = self._successor_masks(abstract, self.plan(transition, control))
        target = self._targets[transition](control)
        return tuple([target | m for m in masks])

    def _successor_masks(self, abstract: AbstractState, plan: _Plan) -> tuple[int, ...]:
        base = plan.carry(abstract & self._full)
        if not plan.open:
            return (base,)
        questions = [question for _, question in plan.open]
        masks = []
        for pattern in self.queries.patterns(self.literals(abstract) + plan.bounds, questions, "closedness"):
            mask = base
            for k, (position, _) in enumerate(plan.open):
                mask |= (pattern >> k & 1) << position
            masks.append(mask)
        return tuple(masks)

    def preimage(self, transition: int, position: int) -> Term:
        """Predicate `position` after the transition, as a formula before it."""
        return self._preimages[transition][position]

    def preimage_at(self, abstract: AbstractState, transition: int, position: int) -> Term:
        """The same at the control values of an abstract state."""
        control, _ = self.decode(abstract)
        return terms.substitute(self._preimages[transition][position], self._control_values(transition, control))

    def choice_bounds(self, transition: int) -> tuple[Term, ...]:
        return _choice_bounds(self.system, self.system.transitions[transition])

    def _preimage_terms(self, transition: TransitionCase) -> tuple[Term, ...]:
        values = transition_values(self.system, transition)
        memo: dict[Term, Term] = {}
        return tuple(terms.substitute(p, values, memo) for p in self.predicates)

    def _relevant_control(self, transition: TransitionCase) -> tuple[int, ...]:
        used = frozenset().union(*(q.variables for q in self._preimages[transition.index]))
        return tuple(i for i, v in enumerate(self.system.control_variables) if i in self._mixed or v in used)

    def _control_values(self, transition: int, control: tuple[int, ...]) -> dict[Term, Term]:
        return {self.system.control_variables[i]: terms.integer(control[i]) for i in self._plan_variables[transition]}

    def plan(self, transition: int, control: tuple[int, ...]) -> _Plan:
        key = (transition, tuple(control[i] for i in self._plan_variables[transition]))
        found = self._plans.get(key)
        if found is None:
            found = self._plans[key] = self._make_plan(transition, control)
        return found

    def _make_plan(self, transition: int, control: tuple[int, ...]) -> _Plan:
        values = self._control_values(transition, control)
        present = {terms.substitute(p, values): i for i, p in enumerate(self.predicates)}
        copied = constant = 0
        moved: list[tuple[int, int, int]] = []
        undecided: list[tuple[int, Term]] = []
        for i, preimage in enumerate(self._preimages[transition]):
            question = terms.substitute(preimage, values)
            if question is terms.TRUE:
                constant |= 1 << i
            elif question is terms.FALSE:
                pass
            elif present.get(question) == i:
                copied |= 1 << i
            elif question in present:
                moved.append((i, present[question], 0))
            elif terms.negate(question) in present:
                moved.append((i, present[terms.negate(question)], 1))
            else:
                undecided.append((i, question))
        return _Plan(copied, constant, tuple(moved), tuple(undecided), self.choice_bounds(transition))


def choice_symbol(variable: Term) -> Term:
    """The value a transition chooses for a variable, as a variable of its own."""
    return terms.variable(f"?{variable}")


def transition_values(system: TransitionSystem, transition: TransitionCase) -> dict[Term, Term]:
    """What each assigned variable becomes, in terms of the present state and the choices made."""
    values: dict[Term, Term] = {system.control_variables[i]: update for i, update in transition.control_updates}
    for i, update in transition.data_updates:
        variable = system.data_variables[i]
        values[variable] = choice_symbol(variable) if isinstance(update, Nondet) else update
    return values


def _choice_bounds(system: TransitionSystem, transition: TransitionCase) -> tuple[Term, ...]:
    bounds: list[Term] = []
    for i, update in transition.data_updates:
        if isinstance(update, Nondet):
            bounds += nondet_bounds(update, choice_symbol(system.data_variables[i]))
    return tuple(bounds)


def guard_predicates(system: TransitionSystem, formulas: Iterable[Term]) -> list[Term]:
    """The atoms of the formulas that control values alone do not decide."""
    found: dict[Term, None] = {}
    for formula in formulas:
        for atom in terms.atoms(formula):
            if not system.over_control_only(atom):
                found[atom] = None
    return list(found)
