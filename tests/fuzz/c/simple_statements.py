"""Random statements without a body of their own."""

from __future__ import annotations

from .declarations import holds_booleans, holds_pointers
from .effects import effect
from .expressions import ASSIGNMENT, argument, call_text, callable_with, divisor, pure, read, shift_count
from .places import POSTFIX, UNARY, Place, address, find_place, function_address, is_integer, wrap
from .scope import Scope
from .types import UCHAR, UNSIGNED, Array, FunctionPointer, Integer, Pointer, Record


def assignment(scope: Scope, nesting: int) -> list[str]:
    if scope.chance(0.25):
        place = find_place(scope, is_integer, writable=True, fixed=True)
        if place is not None:
            return [f"{place.text} = {effect(scope, 2, place.root.name).at(ASSIGNMENT)};"]
    place = find_place(scope, is_integer, writable=True)
    if place is None:
        return mix_value(scope, nesting)
    if scope.chance(0.6):
        return [f"{place.text} = {pure(scope, scope.rng.randint(1, 3)).at(ASSIGNMENT)};"]
    return [f"{compound_assignment(scope, place)};"]


def compound_assignment(scope: Scope, place: Place) -> str:
    operator = scope.rng.choice(("+", "+", "-", "*", "^", "|", "&", "<<", ">>", "/", "%", "++", "--"))
    if operator in ("++", "--"):
        value = read(place)
        return operator + value.at(UNARY) if scope.chance(0.5) else value.at(POSTFIX) + operator
    if operator in ("<<", ">>"):
        return f"{place.text} {operator}= {shift_count(scope, read(place).type, 1)}"
    right = divisor(scope, 1) if operator in "/%" else pure(scope, 2)
    return f"{place.text} {operator}= {right.at(ASSIGNMENT)}"


def effect_statement(scope: Scope, nesting: int) -> list[str]:
    return [f"{effect(scope, 2, None).text};"]


def mix_value(scope: Scope, nesting: int) -> list[str]:
    value = effect(scope, 2, None) if scope.chance(0.3) else pure(scope, 2)
    return [f"mix({value.at(ASSIGNMENT)});"]


def retarget(scope: Scope, nesting: int) -> list[str]:
    """Let a pointer point elsewhere; through another pointer or in a structure only to what lives for ever."""
    place = find_place(scope, lambda t: isinstance(t, Pointer | FunctionPointer), writable=True)
    if place is None:
        return assignment(scope, nesting)
    if isinstance(place.type, FunctionPointer):
        value = function_address(scope, place.type)
    else:
        assert isinstance(place.type, Pointer)
        plain = place.root.type == place.type and not place.through
        value = address(scope, place.type, place.depth if plain else 0)
    return [f"{place.text} = {value};"] if value else mix_value(scope, nesting)


def copy_record(scope: Scope, nesting: int) -> list[str]:
    place = find_place(scope, lambda t: isinstance(t, Record), writable=True)
    if place is None or not isinstance(place.type, Record):
        return assignment(scope, nesting)
    return [f"{place.text} = {argument(scope, place.type, 1)};"]


def record_call(scope: Scope, nesting: int) -> list[str]:
    """Use a function that returns a structure."""
    candidates = [
        f for f in scope.functions if isinstance(f.result, Record) and scope.affords(f.cost) and callable_with(scope, f)
    ]
    if not candidates:
        return copy_record(scope, nesting)
    function = scope.rng.choice(candidates)
    assert isinstance(function.result, Record)
    scope.spend(function.cost)
    text = call_text(scope, function, 1)
    place = find_place(scope, lambda t: t == function.result, writable=True, fixed=True)
    if place is not None and scope.chance(0.6):
        return [f"{place.text} = {text};"]
    members = [m.name for m in function.result.members if isinstance(m.type, Integer)]
    return [f"mix({text}.{scope.rng.choice(members)});"] if members else [f"{text};"]


def void_call(scope: Scope, nesting: int) -> list[str]:
    candidates = [f for f in scope.functions if f.result is None and scope.affords(f.cost) and callable_with(scope, f)]
    if not candidates:
        return assignment(scope, nesting)
    function = scope.rng.choice(candidates)
    scope.spend(function.cost)
    return [f"{call_text(scope, function, 2)};"]


def block_memory(scope: Scope, nesting: int) -> list[str]:
    """memset, memcpy, memmove on whole variables."""
    rng = scope.rng
    targets = [
        v
        for v in scope.variables
        if not (v.const or v.frozen or v.volatile or holds_pointers(v.type)) and not (v.text and v.const)
    ]
    if not targets:
        return assignment(scope, nesting)
    target = rng.choice(targets)
    sources = [v for v in scope.variables if v.type == target.type and v is not target and not v.volatile]
    if sources and scope.chance(0.5):
        return [
            f"{rng.choice(('memcpy', 'memmove'))}(&{target.name}, &{rng.choice(sources).name}, sizeof({target.name}));"
        ]
    if isinstance(target.type, Array) and target.type.length > 2 and scope.chance(0.4):
        first, second = rng.choice(((0, 1), (1, 0)))
        count = target.type.length - 1
        name = target.name
        return [f"memmove({name} + {first}, {name} + {second}, {count} * sizeof({name}[0]));"]
    byte = "0" if holds_booleans(target.type) or scope.chance(0.4) else pure(scope, 1).at(ASSIGNMENT)
    return [f"memset(&{target.name}, {byte}, sizeof {target.name});"]


def byte_write(scope: Scope, nesting: int) -> list[str]:
    """Change part of an integer's representation."""

    def patchable(type_: object) -> bool:
        return isinstance(type_, Integer) and not holds_booleans(type_)

    place = find_place(scope, patchable, writable=True, address=True)
    if place is None or not isinstance(place.type, Integer):
        return assignment(scope, nesting)
    part = UCHAR if place.type.bits < 64 or scope.chance(0.5) else UNSIGNED
    index = scope.rng.randrange(place.type.bits // part.bits)
    target = f"(({part.name} *)&{wrap(place.text, place.level, UNARY)})[{index}]"
    return [f"{target} {scope.rng.choice(('=', '^=', '+='))} {pure(scope, 2).at(ASSIGNMENT)};"]


def leave(scope: Scope, nesting: int) -> list[str]:
    """A conditional break, continue, return or goto, where one is possible."""
    ways = ["break;", "continue;"] if scope.in_loop else []
    if scope.in_switch:
        ways.append("break;")
    if scope.may_return:
        ways.append(return_statement(scope))
    ways += [f"goto {label};" for label in scope.exits]
    if not ways:
        return assignment(scope, nesting)
    return [f"if ({condition(scope)}) {scope.rng.choice(ways)}"]


def return_statement(scope: Scope) -> str:
    if scope.result is None:
        return "return;"
    if isinstance(scope.result, Pointer):
        return f"return {argument(scope, scope.result, 0, static=True)};"
    return f"return {argument(scope, scope.result, 2)};"


def condition(scope: Scope) -> str:
    return effect(scope, 1, None).text if scope.chance(0.2) else pure(scope, 2).text


def chain(scope: Scope, nesting: int) -> list[str]:
    """One value for several variables."""
    names = [v for v in scope.variables if isinstance(v.type, Integer) and not (v.const or v.frozen)]
    if len(names) < 2:
        return assignment(scope, nesting)
    first, second = scope.rng.sample(names, 2)
    return [f"{first.name} = {second.name} = {pure(scope, 2).at(ASSIGNMENT)};"]
