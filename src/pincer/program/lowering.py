"""From a guarded-command program to a transition system over terms.

Conditionals in assignments, finite choices and finite variables assigned from unbounded ones are split into cases, so
that in every resulting transition the next control values are functions of the present ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import islice, product

from pincer.errors import UnsupportedError
from pincer.logic import terms
from pincer.logic.terms import Term
from pincer.program import guarded
from pincer.program.guarded import LIMITS, FiniteType, GuardedProgram
from pincer.program.transition_system import Nondet, SafetyProperty, TransitionCase, TransitionSystem


def lower(
    program: GuardedProgram, prove: Callable[[Term], bool] = lambda formula: formula is terms.TRUE
) -> TransitionSystem:
    """The transition system of a program. `prove` may answer True for valid formulas: it discharges range checks."""
    return _Lowering(program).system(prove)


def formula_terms(program: GuardedProgram, formulas: Iterable[guarded.Formula]) -> list[Term]:
    """Formulas about states of the program, `deadlock` included, as terms over its variables."""
    lowering = _Lowering(program)
    for source in program.transitions:
        lowering.guards[source.name] = lowering.formula(source.guard)
    return [lowering.formula(formula) for formula in formulas]


class _Lowering:
    def __init__(self, program: GuardedProgram) -> None:
        self.program = program
        finite = [v for v in program.variables if v.finite]
        ordered = finite + [v for v in program.variables if not v.finite]
        self.variables = tuple(terms.variable(v.name) for v in ordered)
        self.types: dict[Term, FiniteType] = {
            terms.variable(v.name): v.type for v in finite if isinstance(v.type, FiniteType)
        }
        self.index = {v: i for i, v in enumerate(self.variables)}
        self.guards: dict[str, Term] = {}

    def system(self, prove: Callable[[Term], bool]) -> TransitionSystem:
        types = terms.conjunction(*(self._in_type(v, v) for v in self.types))
        in_range: list[Term] = []
        transitions: list[TransitionCase] = []
        for source in self.program.transitions:
            self.guards[source.name] = self.formula(source.guard)
            for guard, updates in self._cases(source, in_range):
                transitions.append(self._transition(len(transitions), source.name, guard, updates))
        properties = [SafetyProperty(p.name, self.formula(p.formula)) for p in self.program.properties]
        ranges = terms.conjunction(*(check for check in in_range if not prove(terms.implies(types, check))))
        if ranges is not terms.TRUE:
            properties.append(SafetyProperty(guarded.RANGE_PROPERTY, ranges))
        return TransitionSystem(
            program=self.program,
            variables=self.variables,
            domains=tuple((t.low, t.high) for t in self.types.values()),
            initial=terms.conjunction(types, self.formula(self.program.init)),
            transitions=tuple(transitions),
            properties=tuple(properties),
        )

    def _in_type(self, variable: Term, value: Term) -> Term:
        type_ = self.types[variable]
        return terms.conjunction(
            terms.at_most(terms.integer(type_.low), value), terms.at_most(value, terms.integer(type_.high))
        )

    def _transition(self, index: int, name: str, guard: Term, updates: dict[Term, Term | Nondet]) -> TransitionCase:
        control: list[tuple[int, Term]] = []
        data: list[tuple[int, Term | Nondet]] = []
        for variable, update in updates.items():
            if update is variable:
                continue
            if variable in self.types:
                assert isinstance(update, Term)
                control.append((self.index[variable], update))
            else:
                data.append((self.index[variable] - len(self.types), update))
        return TransitionCase(index, name, guard, tuple(control), tuple(data))

    def _cases(
        self, source: guarded.GuardedTransition, in_range: list[Term]
    ) -> Iterator[tuple[Term, dict[Term, Term | Nondet]]]:
        guard = self.guards[source.name]
        options: list[list[tuple[Term, Term | Nondet]]] = []
        targets: list[Term] = []
        room = LIMITS.cases
        for name, assigned in source.assignments:
            variable = terms.variable(name)
            targets.append(variable)
            if isinstance(assigned, guarded.GuardedChoice):
                cases = self._choice_cases(variable, assigned)
            else:
                value = self.expression(assigned)
                if variable in self.types:
                    in_range.append(terms.implies(guard, self._in_type(variable, value)))
                cases = self._value_cases(variable, value)
            options.append(list(islice(cases, room + 1)))
            if len(options[-1]) > room:
                raise UnsupportedError(
                    f"transition {source.name} splits into more than {LIMITS.cases} cases (its `if`s and the values of "
                    "its finite variables multiply); use fewer, or declare large finite variables as `int`",
                    source.position,
                )
            room //= max(1, len(options[-1]))
        for combination in product(*options):
            condition = terms.conjunction(guard, *(case for case, _ in combination))
            if condition is not terms.FALSE:
                yield condition, dict(zip(targets, (value for _, value in combination), strict=True))

    def _choice_cases(self, variable: Term, choice: guarded.GuardedChoice) -> Iterator[tuple[Term, Term | Nondet]]:
        if variable not in self.types:
            yield terms.TRUE, Nondet(choice.low, choice.high)
            return
        assert choice.low is not None and choice.high is not None
        for value in range(choice.low, choice.high + 1):
            yield terms.TRUE, terms.integer(value)

    def _value_cases(self, variable: Term, value: Term) -> Iterator[tuple[Term, Term | Nondet]]:
        for condition, plain in _without_conditionals(value):
            if variable not in self.types:
                yield condition, plain
            elif plain.variables <= self.types.keys():
                yield terms.conjunction(condition, self._in_type(variable, plain)), plain
            else:
                type_ = self.types[variable]
                for number in range(type_.low, type_.high + 1):
                    constant = terms.integer(number)
                    yield terms.conjunction(condition, terms.equal(plain, constant)), constant

    def expression(self, expression: guarded.Expression) -> Term:
        match expression:
            case guarded.Number(value):
                return terms.integer(value)
            case guarded.VariableRef(name):
                return terms.variable(name)
            case guarded.Negate(operand):
                return terms.scale(-1, self.expression(operand))
            case guarded.Conditional(condition, then, otherwise):
                return terms.conditional(self.formula(condition), self.expression(then), self.expression(otherwise))
            case guarded.Arithmetic(operator, left, right):
                return _arithmetic(operator, self.expression(left), self.expression(right))

    def formula(self, formula: guarded.Formula) -> Term:
        match formula:
            case guarded.Truth(value):
                return terms.boolean(value)
            case guarded.Comparison(operator, left, right):
                return _comparison(operator, self.expression(left), self.expression(right))
            case guarded.Not(operand):
                return terms.negate(self.formula(operand))
            case guarded.Deadlock():
                return terms.conjunction(*(terms.negate(guard) for guard in self.guards.values()))
            case guarded.Connective(operator, operands):
                parts = [self.formula(operand) for operand in operands]
                match operator:
                    case "&&":
                        return terms.conjunction(*parts)
                    case "||":
                        return terms.disjunction(*parts)
                    case "=>":
                        return terms.implies(*parts)
                    case "<=>":
                        return terms.iff(*parts)


def _arithmetic(operator: str, left: Term, right: Term) -> Term:
    match operator:
        case "+":
            return terms.add(left, right)
        case "-":
            return terms.subtract(left, right)
        case "div" | "mod":
            modulus = terms.constant_value(right)
            assert modulus is not None
            return terms.divide(left, modulus) if operator == "div" else terms.modulo(left, modulus)
        case _:
            factor = terms.constant_value(left)
            if factor is not None:
                return terms.scale(factor, right)
            factor = terms.constant_value(right)
            assert factor is not None
            return terms.scale(factor, left)


def _comparison(operator: str, left: Term, right: Term) -> Term:
    match operator:
        case "=":
            return terms.equal(left, right)
        case "!=":
            return terms.negate(terms.equal(left, right))
        case "<=":
            return terms.at_most(left, right)
        case "<":
            return terms.less(left, right)
        case ">=":
            return terms.at_most(right, left)
        case _:
            return terms.less(right, left)


def _without_conditionals(value: Term) -> Iterator[tuple[Term, Term]]:
    """The value as cases (condition, conditional-free term); the conditions are exhaustive and exclusive."""
    coefficients, constant = terms.linear_parts(value)
    for i, (factor, c) in enumerate(coefficients):
        if factor.op == "ite":
            condition, then, otherwise = factor.args
            rest = [*coefficients[:i], *coefficients[i + 1 :]]
            for guard, branch in ((condition, then), (terms.negate(condition), otherwise)):
                for inner, plain in _without_conditionals(terms.combination([*rest, (branch, c)], constant)):
                    joint = terms.conjunction(guard, inner)
                    if joint is not terms.FALSE:
                        yield joint, plain
            return
    yield terms.TRUE, value
