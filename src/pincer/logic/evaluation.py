"""Terms on concrete values: a tree walk for occasional use, generated Python for the inner loops."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from pincer.errors import UnsupportedError
from pincer.logic.compilation import compile_expression
from pincer.logic.machine_arithmetic import operation_value
from pincer.logic.terms import BOOL, INT, Term, postorder


def evaluate(term: Term, values: Mapping[Term, int]) -> int:
    """The value of an integer term, or 0/1 for a formula. Bit-vectors are read as unsigned integers."""
    match term.op:
        case "var":
            return values[term]
        case "le":
            return int(sum(c * evaluate(factor, values) for factor, c in term.args[0]) <= term.args[1])
        case "eq":
            return int(sum(c * evaluate(factor, values) for factor, c in term.args[0]) == term.args[1])
        case "linear":
            return int(sum((c * evaluate(factor, values) for factor, c in term.args[0]), term.args[1]))
        case "not":
            return 1 - evaluate(term.args[0], values)
        case "and":
            return int(all(evaluate(part, values) for part in term.args))
        case "or":
            return int(any(evaluate(part, values) for part in term.args))
        case "div":
            return evaluate(term.args[0], values) // int(term.args[1])
        case "ite" if term.sort is INT:
            condition, then, otherwise = term.args
            return evaluate(then if evaluate(condition, values) else otherwise, values)
        case "true":
            return 1
        case "false":
            return 0
        case "iff":
            return int(evaluate(term.args[0], values) == evaluate(term.args[1], values))
    return _evaluate_words(term, values)


def _evaluate_words(term: Term, values: Mapping[Term, int]) -> int:
    """Bit-vector terms share subterms and can be deep: each subterm is evaluated once, without recursion.

    The values of `load` and `room` terms are looked up like those of variables.
    """
    if term not in _reading:
        _reading[term] = any(part.op in _OUTSIDE for part in postorder(term))
    if not _reading[term]:
        return compile_expression(term)(values, _no_read, _no_read)
    memo: dict[Term, int] = {}
    for part in postorder(term):
        if part.op in ("var", "load", "room"):
            memo[part] = values[part]
        elif part.op in _OUTSIDE:
            memo[part] = evaluate(part, values)
        else:
            memo[part] = operation_value(part, memo)
    return memo[term]


_OUTSIDE = frozenset(("load", "room", "linear", "le", "eq", "div"))
"""What compiled bit-vector expressions take from elsewhere or do not know."""

_reading: dict[Term, bool] = {}


def _no_read(*address: int) -> int:
    raise AssertionError("the term reads no state")


def _sum_source(coefficients: Sequence[tuple[Term, int]], constant: int, names: Mapping[Term, str]) -> str:
    parts = []
    for factor, c in coefficients:
        name = python_source(factor, names)
        parts.append(f"+{name}" if c == 1 else f"-{name}" if c == -1 else f"{c:+d}*{name}")
    if constant or not parts:
        parts.append(f"{constant:+d}")
    joined = "".join(parts)
    return joined.removeprefix("+")


def python_source(term: Term, names: Mapping[Term, str]) -> str:
    """A Python expression for the term; `names` gives the expression that stands for a variable or an atom."""
    if term in names:
        return names[term]
    match term.op:
        case "linear":
            coefficients, constant = term.args
            return f"({_sum_source(coefficients, constant, names)})"
        case "le" | "eq":
            coefficients, bound = term.args
            left = [(factor, c) for factor, c in coefficients if c > 0]
            right = [(factor, -c) for factor, c in coefficients if c < 0]
            relation = "<=" if term.op == "le" else "=="
            return f"({_sum_source(left, 0, names)} {relation} {_sum_source(right, bound, names)})"
        case "not":
            inner = term.args[0]
            if inner not in names and inner.op in ("le", "eq"):
                swap = {"<=": ">", "==": "!="}
                positive = python_source(inner, names)
                relation = "<=" if inner.op == "le" else "=="
                return positive.replace(f" {relation} ", f" {swap[relation]} ", 1)
            return f"(not {python_source(inner, names)})"
        case "and" | "or":
            return "(" + f" {term.op} ".join(python_source(part, names) for part in term.args) + ")"
        case "iff":
            return "({} == {})".format(*(f"(not {python_source(arg, names)})" for arg in term.args))
        case "div":
            return f"({python_source(term.args[0], names)} // {term.args[1]})"
        case "ite":
            condition, then, otherwise = (python_source(arg, names) for arg in term.args)
            return f"({then} if {condition} else {otherwise})"
        case "true" | "false":
            return term.op.capitalize()
    raise ValueError(f"no Python source for {term.op}")


def compile_source(source: str, name: str) -> Callable[..., Any]:
    """The function `name` that `source` defines."""
    scope: dict[str, Any] = {}
    try:
        exec(compile(source, f"<generated {name}>", "exec"), scope)
    except (SyntaxError, MemoryError, RecursionError) as error:
        raise UnsupportedError("a formula of the program is nested too deeply; split it into smaller parts") from error
    function: Callable[..., Any] = scope[name]
    return function


def argument_names(variables: Sequence[Term]) -> dict[Term, str]:
    """Python identifiers for variables, independent of how the user spelled them."""
    if any(v.sort not in (INT, BOOL) for v in variables):
        raise ValueError("compiled evaluation is over integers and Booleans")
    return {v: f"v{i}" for i, v in enumerate(variables)}


def unpacking(names: Mapping[Term, str], argument: str) -> str:
    """The statement that binds `names`, in order, to the members of a tuple."""
    return f"    {', '.join(names.values())}, = {argument}\n" if names else "    pass\n"
