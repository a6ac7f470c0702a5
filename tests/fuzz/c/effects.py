"""Random expressions with side effects, combined only where C fixes their order.

That is: by comma, short-circuit and conditional operators, or with constants.
"""

from __future__ import annotations

from .expressions import (
    ASSIGNMENT,
    BITWISE,
    BOTH,
    CONDITIONAL,
    EITHER,
    PRIMARY,
    Expr,
    argument,
    call_text,
    callable_with,
    leaf,
    literal,
    pure,
    read,
)
from .places import POSTFIX, PRODUCT, SUM, UNARY, Place, find_place, is_integer, wrap
from .scope import Scope
from .types import INT, FunctionPointer, Integer, Pointer, common


def effect(scope: Scope, depth: int, banned: str | None) -> Expr:
    """An expression that may change variables; never the one with the `banned` name."""
    makers = {_step: 20, _assign: 12, _call: 30, _sequence: 6, _choice: 8, _guarded: 8, _with_constant: 12}
    maker = scope.pick(makers) if depth > 0 else scope.pick({_step: 2, _call: 1})
    return maker(scope, depth - 1, banned)


def _target(scope: Scope, banned: str | None) -> Place | None:
    place = find_place(scope, is_integer, writable=True, fixed=True)
    return place if place is not None and place.root.name != banned else None


def _step(scope: Scope, depth: int, banned: str | None) -> Expr:
    place = _target(scope, banned)
    if place is None:
        return pure(scope, depth)
    value = read(place)
    operator = scope.rng.choice(("++", "--"))
    if scope.chance(0.5):
        return Expr(f"{operator}{value.at(UNARY)}", value.type, UNARY)
    return Expr(f"{value.at(POSTFIX)}{operator}", value.type, POSTFIX)


def _assign(scope: Scope, depth: int, banned: str | None) -> Expr:
    place = _target(scope, banned)
    if place is None:
        return pure(scope, depth)
    value = pure(scope, depth)
    operator = scope.rng.choice(("=", "=", "+=", "-=", "^=", "|=", "&=", "*="))
    return Expr(f"({place.text} {operator} {value.at(ASSIGNMENT)})", read(place).type, PRIMARY)


def _call(scope: Scope, depth: int, banned: str | None) -> Expr:
    candidates = [
        f
        for f in scope.functions
        if (isinstance(f.result, Integer) or (isinstance(f.result, Pointer) and isinstance(f.result.target, Integer)))
        and scope.affords(f.cost)
        and callable_with(scope, f)
    ]
    pointer = find_place(scope, lambda type_: isinstance(type_, FunctionPointer))
    if pointer is not None and scope.chance(0.3):
        return _indirect_call(scope, pointer, depth)
    if not candidates:
        return _step(scope, depth, banned)
    function = scope.rng.choice(candidates)
    scope.spend(function.cost)
    text = call_text(scope, function, max(depth, 0))
    if isinstance(function.result, Pointer):
        assert isinstance(function.result.target, Integer)
        return Expr(f"*{text}", function.result.target, UNARY)
    assert isinstance(function.result, Integer)
    return Expr(text, function.result, POSTFIX)


def _indirect_call(scope: Scope, place: Place, depth: int) -> Expr:
    assert isinstance(place.type, FunctionPointer)
    type_ = place.type
    cost = max((f.cost for f in scope.functions if f.parameters == type_.parameters), default=1)
    if not scope.affords(cost):
        return leaf(scope)
    scope.spend(cost)
    callee = (
        f"(*{wrap(place.text, place.level, UNARY)})" if scope.chance(0.4) else wrap(place.text, place.level, POSTFIX)
    )
    arguments = ", ".join(argument(scope, parameter, max(depth, 0)) for parameter in type_.parameters)
    return Expr(f"{callee}({arguments})", type_.result, POSTFIX)


def _sequence(scope: Scope, depth: int, banned: str | None) -> Expr:
    first, second = effect(scope, depth, banned), scope.rng.choice((pure(scope, depth), effect(scope, depth, banned)))
    return Expr(f"({first.at(ASSIGNMENT)}, {second.at(ASSIGNMENT)})", second.type, PRIMARY)


def _choice(scope: Scope, depth: int, banned: str | None) -> Expr:
    condition = scope.rng.choice((pure(scope, depth), effect(scope, depth, banned)))
    yes, no = effect(scope, depth, banned), scope.rng.choice((pure(scope, depth), effect(scope, depth, banned)))
    text = f"{condition.at(EITHER)} ? {yes.at(CONDITIONAL)} : {no.at(CONDITIONAL)}"
    return Expr(text, common(yes.type, no.type), CONDITIONAL)


def _guarded(scope: Scope, depth: int, banned: str | None) -> Expr:
    operator, level = scope.rng.choice((("&&", BOTH), ("||", EITHER)))
    left = scope.rng.choice((pure(scope, depth), effect(scope, depth, banned)))
    right = effect(scope, depth, banned)
    return Expr(f"{left.at(level)} {operator} {right.at(level + 1)}", INT, level)


def _with_constant(scope: Scope, depth: int, banned: str | None) -> Expr:
    inner, constant = effect(scope, depth, banned), literal(scope)
    operator = scope.rng.choice("+-*&|^")
    level = {"+": SUM, "-": SUM, "*": PRODUCT}.get(operator) or BITWISE[operator]
    return Expr(f"{inner.at(level)} {operator} {constant.at(level + 1)}", common(inner.type, constant.type), level)
