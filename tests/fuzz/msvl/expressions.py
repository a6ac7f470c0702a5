"""Expressions without undefined behaviour: signed results are bounded as they grow, divisors are never zero."""

from __future__ import annotations

from .scope import BOUND, UNSIGNED, Place, Scope

_LARGEST = (1 << 31) - 1
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


def integer(scope: Scope, depth: int = 2, private: bool = False) -> tuple[str, int]:
    """An expression of type int, and a bound of its absolute value. `private` ones no call can change."""
    if depth == 0 or scope.chance(0.15):
        return _leaf(scope, private)
    choice = scope.rng.randrange(10)
    if choice < 5:
        return _arithmetic(scope, depth, private)
    if choice == 5:
        a, most = integer(scope, depth - 1, private)
        return f"({a} {scope.rng.choice('/%')} {scope.rng.choice((-7, -2, 3, 5, 10))})", most
    if choice == 6:
        yes, no = integer(scope, depth - 1, private), integer(scope, depth - 1, private)
        return f"({condition(scope, depth - 1, private)} ? {yes[0]} : {no[0]})", max(yes[1], no[1])
    if choice == 7:
        return f"({condition(scope, depth - 1, private)})", 1
    if choice == 8:
        a, b = integer(scope, depth - 1, private)[0], integer(scope, depth - 1, private)[0]
        return f"(({a} {scope.rng.choice('&|^')} {b}) & 255)", 255
    a, most = integer(scope, depth - 1, private)
    operator = scope.rng.choice(("-", "~", "!", "+"))
    return f"({operator}{a})" if operator != "-" else f"(- {a})", most + 1


def _leaf(scope: Scope, private: bool) -> tuple[str, int]:
    places = [place for place in scope.places if place.private or not private]
    choice = scope.rng.randrange(6)
    if choice < 3 and places:
        return _read(scope.rng.choice(places))
    if choice == 3 and scope.counters:
        return scope.rng.choice(scope.counters), 10
    if choice == 4 and scope.arrays and not private:
        return element(scope), BOUND
    if choice == 5 and scope.pointers and not private:
        return f"*{scope.rng.choice(scope.pointers)}", BOUND
    value = scope.rng.choice((0, 1, 2, 3, 7, 10, 42, 100, scope.rng.randrange(BOUND)))
    return str(value), value


def _read(place: Place) -> tuple[str, int]:
    if place.type in UNSIGNED:
        return f"(int)({place.text} % {BOUND})", BOUND
    return (f"(int){place.text}" if place.type == "long" else place.text), place.bound


def element(scope: Scope) -> str:
    """An element of an array, at an index that is surely inside."""
    name, length = scope.rng.choice(scope.arrays)
    if scope.counters and scope.chance(0.5):
        return f"{name}[{scope.rng.choice(scope.counters)} % {length}]"
    return f"{name}[{scope.rng.randrange(length)}]"


def _arithmetic(scope: Scope, depth: int, private: bool) -> tuple[str, int]:
    a, left = integer(scope, depth - 1, private)
    b, right = integer(scope, depth - 1, private)
    operator = scope.rng.choice(("+", "-", "*"))
    most = left * right if operator == "*" else left + right
    if most > _LARGEST:
        a, left = f"({a} % 100)", 100
        b, right = f"({b} % {BOUND})", BOUND
        most = left * right if operator == "*" else left + right
    return f"({a} {operator} {b})", most


def condition(scope: Scope, depth: int = 1, private: bool = False) -> str:
    a, b = integer(scope, depth, private)[0], integer(scope, depth, private)[0]
    plain = f"{a} {scope.rng.choice(_COMPARISONS)} {b}"
    if depth > 0 and scope.chance(0.3):
        return f"({plain}) {scope.rng.choice(('&&', '||'))} {condition(scope, 0, private)}"
    return f"!({plain})" if scope.chance(0.1) else plain


def unsigned(scope: Scope, depth: int = 2) -> str:
    """An expression of type unsigned or unsigned long: these wrap, and mix with signed operands as C has it."""
    sources = [place.text for place in scope.places if place.type in UNSIGNED]
    if depth == 0 or scope.chance(0.2):
        if sources and scope.chance(0.7):
            return scope.rng.choice(sources)
        return f"{scope.rng.choice((0, 1, 3, 255, 65536, 4294967295, scope.rng.getrandbits(32)))}u"
    a, b = unsigned(scope, depth - 1), unsigned(scope, depth - 1)
    choice = scope.rng.randrange(8)
    if choice < 4:
        return f"({a} {scope.rng.choice('+-*^|&')} {b})"
    if choice == 4:
        return f"({a} {scope.rng.choice('/%')} ({b} | 1u))"
    if choice == 5:
        return f"({a} {scope.rng.choice(('<<', '>>'))} {scope.rng.randrange(31)})"
    if choice == 6:
        return f"({scope.rng.choice('~-')}{a})"
    return f"({a} {scope.rng.choice('+-*')} {integer(scope, 1)[0]})"


def value_for(scope: Scope, type: str, depth: int = 2, private: bool = False) -> str:
    """A value for a variable of the type; int and long variables keep small values."""
    if type in UNSIGNED:
        return unsigned(scope, depth)
    if type in ("int", "long"):
        text, most = integer(scope, depth, private)
        return text if most < BOUND else f"{text} % {BOUND}"
    if scope.wide and not private and scope.chance(0.3):
        return f"({type}){unsigned(scope, depth)}"
    return integer(scope, depth, private)[0]
