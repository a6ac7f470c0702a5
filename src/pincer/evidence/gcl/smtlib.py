"""Guarded programs as SMT-LIB 2 text.

Every variable is an `Int`; a finite one comes with the bounds of its type. A step is written by substitution:
the values after it are terms over the values before it and over one fresh variable for each nondeterministic
choice. A step that would leave the type of a finite variable has no successor; it violates only the property
`range`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from pincer.errors import PincerError
from pincer.program.guarded import (
    RANGE_PROPERTY,
    Arithmetic,
    Comparison,
    Conditional,
    Connective,
    Deadlock,
    Expression,
    FiniteType,
    Formula,
    GuardedChoice,
    GuardedProgram,
    GuardedTransition,
    Negate,
    Not,
    Number,
    Truth,
    VariableRef,
)

_PLAIN = re.compile(r"[A-Za-z0-9_]+", re.ASCII)
_CONNECTIVES = {"&&": "and", "||": "or", "=>": "=>", "<=>": "="}


class StepText(Struct, frozen=True):
    """One transition as a relation between the program's variables and their next values.

    `choices` are fresh variables that `guard` does not mention, `chosen` their bounds. The step exists when
    guard, chosen and in_range hold; then `next_values` has the value of each program variable after it.
    """

    choices: tuple[str, ...]
    guard: str
    chosen: str
    in_range: str
    next_values: Mapping[str, str]


def symbol(name: str) -> str:
    """The SMT-LIB symbol of a variable; the prefix keeps it apart from the symbols of the logic."""
    return f"v_{name}" if _PLAIN.fullmatch(name) else f"|v_{name}|"


def number_text(value: int) -> str:
    try:
        return str(value) if value >= 0 else f"(- {-value})"
    except ValueError as error:
        raise PincerError("a number has too many digits to be written out") from error


def apply_text(function: str, arguments: Iterable[str]) -> str:
    """An application; a function without arguments is a constant."""
    joined = " ".join(arguments)
    return f"({function} {joined})" if joined else function


def conjunction(parts: Sequence[str]) -> str:
    kept = [part for part in dict.fromkeys(parts) if part != "true"]
    return kept[0] if len(kept) == 1 else f"(and {' '.join(kept)})" if kept else "true"


def disjunction(parts: Sequence[str]) -> str:
    kept = [part for part in dict.fromkeys(parts) if part != "false"]
    return kept[0] if len(kept) == 1 else f"(or {' '.join(kept)})" if kept else "false"


def expression_text(expression: Expression, program: GuardedProgram) -> str:
    match expression:
        case Number(value):
            return number_text(value)
        case VariableRef(name):
            return symbol(name)
        case Negate(operand):
            return f"(- {expression_text(operand, program)})"
        case Arithmetic(sign, left, right):
            if sign in ("div", "mod") and not (isinstance(right, Number) and right.value > 0):
                raise PincerError(f"{sign} needs a positive constant on its right")
            return f"({sign} {expression_text(left, program)} {expression_text(right, program)})"
        case Conditional(condition, then, otherwise):
            branches = f"{expression_text(then, program)} {expression_text(otherwise, program)}"
            return f"(ite {formula_text(condition, program)} {branches})"


def formula_text(formula: Formula, program: GuardedProgram) -> str:
    """The formula over the current state; `deadlock` is spelled out with the program's guards."""
    match formula:
        case Truth(value):
            return "true" if value else "false"
        case Comparison("!=", left, right):
            return f"(not (= {expression_text(left, program)} {expression_text(right, program)}))"
        case Comparison(sign, left, right):
            return f"({sign} {expression_text(left, program)} {expression_text(right, program)})"
        case Not(operand):
            return f"(not {formula_text(operand, program)})"
        case Connective(sign, operands):
            return apply_text(_CONNECTIVES[sign], [formula_text(operand, program) for operand in operands])
        case Deadlock():
            return deadlock_text(program)


def deadlock_text(program: GuardedProgram) -> str:
    return f"(not {disjunction([formula_text(t.guard, program) for t in program.transitions])})"


def bounds_text(term: str, low: int | None, high: int | None) -> str:
    """`low <= term <= high`, where a missing bound is no bound."""
    lower = [] if low is None else [f"(<= {number_text(low)} {term})"]
    upper = [] if high is None else [f"(<= {term} {number_text(high)})"]
    return conjunction(lower + upper)


def initial_text(program: GuardedProgram) -> str:
    """Exactly the initial states: the initial condition and the types of the finite variables."""
    types = [
        bounds_text(symbol(v.name), v.type.low, v.type.high)
        for v in program.variables
        if isinstance(v.type, FiniteType)
    ]
    return conjunction([*types, formula_text(program.init, program)])


def step_text(program: GuardedProgram, transition: GuardedTransition) -> StepText:
    """The relation of one transition."""
    types = {variable.name: variable.type for variable in program.variables}
    next_values = {variable.name: symbol(variable.name) for variable in program.variables}
    choices: list[str] = []
    chosen: list[str] = []
    in_range: list[str] = []
    for name, value in transition.assignments:
        if isinstance(value, GuardedChoice):
            next_values[name] = symbol(f"?{len(choices)}")
            choices.append(next_values[name])
            chosen.append(bounds_text(next_values[name], value.low, value.high))
        else:
            next_values[name] = expression_text(value, program)
        type_ = types[name]
        if isinstance(type_, FiniteType):
            in_range.append(bounds_text(next_values[name], type_.low, type_.high))
    guard = formula_text(transition.guard, program)
    return StepText(tuple(choices), guard, conjunction(chosen), conjunction(in_range), next_values)


def range_formula(program: GuardedProgram) -> Formula:
    """The property `range`: no enabled transition can give a finite variable a value outside its type."""
    types = {variable.name: variable.type for variable in program.variables}
    parts: list[Formula] = [Truth(True), Truth(True)]
    for transition in program.transitions:
        for name, value in transition.assignments:
            type_ = types[name]
            if isinstance(type_, FiniteType):
                stays: Formula = (
                    Truth(_choice_stays(value, type_))
                    if isinstance(value, GuardedChoice)
                    else within(value, type_.low, type_.high)
                )
                parts.append(Connective("=>", (transition.guard, stays)))
    return Connective("&&", tuple(parts))


def within(expression: Expression, low: int, high: int) -> Formula:
    """`low <= expression <= high`."""
    lower, upper = Comparison("<=", Number(low), expression), Comparison("<=", expression, Number(high))
    return Connective("&&", (lower, upper))


def _choice_stays(choice: GuardedChoice, type_: FiniteType) -> bool:
    """Whether every value that may be chosen is a value of the type."""
    if choice.low is None or choice.high is None:
        return False
    return choice.low > choice.high or (type_.low <= choice.low and choice.high <= type_.high)


def property_formula(program: GuardedProgram, property_name: str) -> Formula:
    """The formula that must hold in every reachable state; `range` may be asked for as well."""
    for candidate in program.properties:
        if candidate.name == property_name:
            return candidate.formula
    if property_name == RANGE_PROPERTY:
        return range_formula(program)
    raise PincerError(f"{program.file} has no property named {property_name!r}")


def horn_script(program: GuardedProgram, property_name: str) -> str:
    """The whole question as constrained Horn clauses with one unknown predicate, `Reach`, and one query.

    `sat` means that an inductive invariant exists: the property holds in every reachable state. `unsat` means
    that it is violated.
    """
    variables = [symbol(variable.name) for variable in program.variables]
    reach = apply_text("Reach", variables)
    clauses = [_clause(variables, initial_text(program), reach)]
    for transition in program.transitions:
        step = step_text(program, transition)
        body = conjunction([reach, step.guard, step.chosen, step.in_range])
        head = apply_text("Reach", step.next_values.values())
        clauses.append(_clause([*variables, *step.choices], body, head))
    query = conjunction([reach, f"(not {formula_text(property_formula(program, property_name), program)})"])
    clauses.append(_clause(variables, query, "false"))
    declaration = f"(declare-fun Reach ({' '.join(['Int'] * len(variables))}) Bool)"
    return "\n".join(["(set-logic HORN)", declaration, *clauses, "(check-sat)"]) + "\n"


def _clause(variables: Sequence[str], body: str, head: str) -> str:
    implication = f"(=> {body} {head})"
    if not variables:
        return f"(assert {implication})"
    bound = " ".join(f"({variable} Int)" for variable in variables)
    return f"(assert (forall ({bound}) {implication}))"
