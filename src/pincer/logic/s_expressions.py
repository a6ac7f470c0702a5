"""Terms of linear integer arithmetic as S-expressions, written for solvers and read from their answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import TypeAlias

from pincer.logic import terms
from pincer.logic.terms import Coefficients, Term

Tree: TypeAlias = "str | list[Tree]"

_FORMULAS = ("and", "or", "not", "=>", "<=", ">=", "<", ">", "=")


class NotReadable(Exception):
    """An expression has no counterpart among our terms."""


def numeral(value: int) -> str:
    return str(value) if value >= 0 else f"(- {-value})"


def written(term: Term, names: Mapping[Term, str]) -> str:
    """An integer term or formula, its variables by the given names."""
    match term.op:
        case "var":
            return names[term]
        case "linear":
            coefficients, constant = term.args
            return _sum(coefficients, constant, names)
        case "le" | "eq":
            relation = "<=" if term.op == "le" else "="
            return f"({relation} {_sum(term.args[0], 0, names)} {numeral(term.args[1])})"
        case "div":
            return f"(div {written(term.args[0], names)} {numeral(term.args[1])})"
        case "true" | "false":
            return term.op
        case "not" | "and" | "or" | "ite":
            return f"({term.op} {' '.join(written(part, names) for part in term.args)})"
        case "same" | "iff":
            return f"(= {' '.join(written(part, names) for part in term.args)})"
    raise ValueError(f"{term.op} is no operation on integers")


def _sum(coefficients: Coefficients, constant: int, names: Mapping[Term, str]) -> str:
    parts = [f"(* {numeral(factor)} {written(part, names)})" for part, factor in coefficients]
    return f"(+ {numeral(constant)} {' '.join(parts)})"


def parsed(text: str) -> list[Tree]:
    """The expressions of a text, each a word or a list."""
    stack: list[list[Tree]] = [[]]
    for token in text.replace("(", " ( ").replace(")", " ) ").split():
        if token == "(":
            stack.append([])
        elif token == ")" and len(stack) > 1:
            done = stack.pop()
            stack[-1].append(done)
        else:
            stack[-1].append(token)
    return stack[0]


def formula(tree: Tree, arguments: Sequence[Term]) -> Term:
    """A formula about the arguments of a relation, which Z3 writes as (:var 0), (:var 1) and so on."""
    match tree:
        case "true" | "false":
            return terms.boolean(tree == "true")
        case ["and", *parts]:
            return terms.conjunction(*(formula(part, arguments) for part in parts))
        case ["or", *parts]:
            return terms.disjunction(*(formula(part, arguments) for part in parts))
        case ["not", part]:
            return terms.negate(formula(part, arguments))
        case ["=>", left, right]:
            return terms.implies(formula(left, arguments), formula(right, arguments))
        case ["=", [word, *_] as left, right] if word in _FORMULAS:
            return terms.iff(formula(left, arguments), formula(right, arguments))
        case ["<=" | ">=" | "<" | ">" | "=" as relation, left, right]:
            return _comparison(relation, integer(left, arguments), integer(right, arguments))
    raise NotReadable


def _comparison(relation: str, left: Term, right: Term) -> Term:
    match relation:
        case "<=":
            return terms.at_most(left, right)
        case ">=":
            return terms.at_most(right, left)
        case "<":
            return terms.less(left, right)
        case ">":
            return terms.less(right, left)
    return terms.equal(left, right)


def integer(tree: Tree, arguments: Sequence[Term]) -> Term:
    """An integer term about the arguments of a relation."""
    match tree:
        case str():
            return terms.integer(_value(tree))
        case [":var", str(place)]:
            return arguments[int(place)]
        case ["+", *parts]:
            return terms.add(*(integer(part, arguments) for part in parts))
        case ["-", part]:
            return terms.scale(-1, integer(part, arguments))
        case ["-", *parts]:
            return reduce(terms.subtract, (integer(part, arguments) for part in parts))
        case ["*", left, right]:
            return _product(integer(left, arguments), integer(right, arguments))
        case ["div" | "mod" as operation, part, divisor]:
            modulus = terms.constant_value(integer(divisor, arguments))
            if modulus is None or modulus <= 0:
                raise NotReadable
            return (terms.divide if operation == "div" else terms.modulo)(integer(part, arguments), modulus)
        case ["ite", condition, then, otherwise]:
            return terms.conditional(
                formula(condition, arguments), integer(then, arguments), integer(otherwise, arguments)
            )
    raise NotReadable


def _value(word: str) -> int:
    try:
        return int(word)
    except ValueError:
        raise NotReadable from None


def _product(left: Term, right: Term) -> Term:
    for factor, other in ((left, right), (right, left)):
        value = terms.constant_value(factor)
        if value is not None:
            return terms.scale(value, other)
    raise NotReadable
