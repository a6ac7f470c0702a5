"""Random C programs that end, are defined, and print a checksum of what they computed.

Nothing they do depends on the compiler, given two's-complement arithmetic (`-fwrapv`) and memory as bytes
(`-fno-strict-aliasing`). A seed determines the program.
"""

from __future__ import annotations

from random import Random

from .declarations import (
    HANDLER,
    declare_enumeration,
    declare_record,
    declare_text,
    declare_typedef,
    declare_variable,
    hash_lines,
    holds_pointers,
)
from .expressions import ASSIGNMENT, pure
from .idioms import choose
from .places import find_place, function_address, is_integer
from .scope import Function, Scope, Variable
from .simple_statements import return_statement
from .statements import body, indented, recursive_call, statement
from .types import INT, Array, FunctionPointer, Integer, Longs, Member, Pointer, Record, Type, declare

PROLOGUE = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { int value; struct node *next; };
unsigned checksum = 1;

static void mix(unsigned long long value) {
    checksum = checksum * 31u + (unsigned)(value ^ (value >> 32));
}
"""


def generate(seed: int, size: int = 10, long_bits: int = 64) -> str:
    """The program of this seed; `size` counts the statements of main, the rest grows with it.

    It is defined where `long` and addresses have `long_bits`.
    """
    scope = Scope(Random(seed), budget=100, longs=Longs(long_bits))
    scope.integers += scope.longs.integers
    lines = _types(scope, size)
    handlers = [
        Function(scope.fresh("handler"), INT, HANDLER.parameters, cost=25) for _ in range(scope.rng.randint(1, 2))
    ]
    lines += [f"static int {handler.name}(int a, unsigned b);" for handler in handlers]
    scope.functions += handlers
    if scope.chance(0.5):
        lines += _operations(scope)
    for _ in range(scope.rng.randint(3, 4 + size // 3)):
        lines += declare_text(scope, static=True) if scope.chance(0.08) else declare_variable(scope, static=True)
    scope.functions = [_pure_function(scope, lines) for _ in range(scope.rng.randint(0, 2))]
    for handler in handlers:
        _handler(scope, lines, handler)
    scope.functions += handlers
    for _ in range(scope.rng.randint(1, 1 + size // 4)):
        _function(scope, lines)
    idioms = choose(scope.rng, scope.rng.randint(0, 2))
    lines += [line for top, _ in idioms for line in top.strip().splitlines()]
    _main(scope, lines, size, [line for _, ending in idioms for line in ending.strip().splitlines()])
    return "\n".join([f"/* seed {seed}, size {size} */", PROLOGUE, *lines]) + "\n"


def _types(scope: Scope, size: int) -> list[str]:
    lines: list[str] = []
    makers = [declare_enumeration, declare_typedef, declare_record, declare_record]
    for _ in range(scope.rng.randint(2, 3 + size // 4)):
        lines += scope.rng.choice(makers)(scope)
    return [*lines, ""]


def _operations(scope: Scope) -> list[str]:
    """A table of structures with functions in them, as drivers have."""
    members = (Member("run", HANDLER), Member("tag", INT))
    rows = ", ".join(f"{{{function_address(scope, HANDLER)}, {row}}}" for row in range(2))
    scope.variables.append(Variable("table", Array(Record("ops", members), 2), 0))
    return ["struct ops { int (*run)(int, unsigned); int tag; };", f"struct ops table[2] = {{{rows}}};"]


def _begin(scope: Scope, budget: int, result: Type | None) -> None:
    scope.budget, scope.cost, scope.multiplier = budget, 0, 1
    scope.result, scope.may_return, scope.exits = result, True, ()


def _pure_function(scope: Scope, lines: list[str]) -> Function:
    """A function of its arguments alone."""
    name, result = scope.fresh("pure"), scope.rng.choice(scope.integers)
    parameters = tuple(scope.rng.choice(scope.integers) for _ in range(scope.rng.randint(1, 3)))
    _begin(scope, 40, result)
    visible, scope.variables = scope.variables, []
    with scope.block():
        texts = _parameters(scope, parameters)
        inner = declare_variable(scope) if scope.chance(0.6) else []
        if scope.chance(0.5):
            inner.append(f"if ({pure(scope, 2).text}) {return_statement(scope)}")
        place = find_place(scope, is_integer, writable=True)
        if scope.chance(0.4) and place is not None:
            value = pure(scope, 2).at(ASSIGNMENT)
            inner.append(f"for (int i = 0; i < {scope.rng.randint(1, 4)}; i++) {place.text} += {value};")
        inner.append(return_statement(scope))
    scope.variables = visible
    lines += ["", f"static {result.name} {name}({texts}) {{", *indented(inner), "}"]
    return Function(name, result, parameters, cost=max(scope.cost, 6), pure=True)


def _parameters(scope: Scope, types: tuple[Type, ...], steer: bool = False) -> str:
    """The parameter list; parameters become variables of the open block. The first may steer a recursion."""
    texts = []
    for position, type_ in enumerate(types):
        name = scope.fresh("a")
        frozen = steer and position == 0
        scope.variables.append(Variable(name, type_, scope.depth, frozen=frozen))
        texts.append(declare(type_, name))
    return ", ".join(texts) or "void"


def _handler(scope: Scope, lines: list[str], handler: Function) -> None:
    """The body of a function that is called through pointers, and so calls none itself."""
    _begin(scope, handler.cost, INT)
    visible = scope.variables
    scope.variables = [v for v in visible if not _calls(v.type)]
    with scope.block():
        scope.variables += [Variable("a", INT, 1), Variable("b", HANDLER.parameters[1], 1)]
        inner = [*body(scope, 2, 1), return_statement(scope)]
    scope.variables = visible
    lines += ["", f"static int {handler.name}(int a, unsigned b) {{", *indented(inner), "}"]


def _calls(type_: Type) -> bool:
    """Whether a function can be called through an object of this type."""
    match type_:
        case Record(_, members):
            return any(_calls(member.type) for member in members)
        case Array(inner, _) | Pointer(inner, _, _):
            return _calls(inner)
        case _:
            return isinstance(type_, FunctionPointer)


def _function(scope: Scope, lines: list[str]) -> None:
    recursive = scope.chance(0.25)
    result = scope.rng.choice(scope.integers) if recursive else _result(scope)
    parameters = tuple(_parameter_type(scope) for _ in range(scope.rng.randint(0, 3)))
    if recursive:
        parameters = (INT, *parameters)
    name = scope.fresh("f")
    _begin(scope, 60 if recursive else 150, result)
    with scope.block():
        texts = _parameters(scope, parameters, steer=recursive)
        function = Function(name, result, parameters, cost=0, recursive=recursive)
        inner = _recursion(scope, function) if recursive else body(scope, scope.rng.randint(2, 5), 2)
        if result is not None:
            inner.append(return_statement(scope))
    head = declare(result, f"{name}({texts})") if result else f"void {name}({texts})"
    lines += ["", f"static {head} {{", *indented(inner), "}"]
    cost = max(scope.cost, 2) * (12 if recursive else 1)
    scope.functions.append(Function(name, result, parameters, cost, recursive=recursive))


def _result(scope: Scope) -> Type | None:
    kind = scope.rng.random()
    if kind < 0.15:
        return None
    if kind < 0.35 and scope.records:
        return scope.rng.choice(scope.records)
    if kind < 0.45:
        place = find_place(scope, is_integer, writable=True, address=True, depth=0)
        if place is not None and not place.through and isinstance(place.type, Integer):
            return Pointer(place.type)
    return scope.rng.choice(scope.integers)


def _parameter_type(scope: Scope) -> Type:
    kind = scope.rng.random()
    if kind < 0.2 and scope.records:
        return scope.rng.choice(scope.records)
    if kind < 0.5:
        targets = [v.type for v in scope.variables if not (v.const or v.volatile or v.frozen or _calls(v.type))]
        if targets:
            target = scope.rng.choice(targets)
            if isinstance(target, Array) and not isinstance(target.element, Array):
                return Pointer(target.element, scope.rng.randint(1, target.length))
            return Pointer(target, scope.rng.choice((0, 1, 1)) if isinstance(target, Integer | Record) else 1)
    return scope.rng.choice(scope.integers)


def _recursion(scope: Scope, function: Function) -> list[str]:
    """A body that calls itself once or twice, a smaller number each time."""
    steer = scope.variables[-len(function.parameters)].name
    inner = [f"if ({steer} <= 0) {return_statement(scope)}", *body(scope, 2, 1)]
    for _ in range(scope.rng.choice((1, 1, 2))):
        place = find_place(scope, is_integer, writable=True, fixed=True)
        call = recursive_call(scope, function, steer)
        inner.append(f"{place.text} = {call.text};" if place is not None else f"mix({call.text});")
        inner += statement(scope, 0)
    return inner


def _main(scope: Scope, lines: list[str], size: int, ending: list[str]) -> None:
    _begin(scope, 60 * size + 200, INT)
    scope.may_return = False
    visible = list(scope.variables)
    with scope.block():
        inner = body(scope, size, 3)
    for variable in visible:
        if variable.depth == 0 and not variable.text and (not holds_pointers(variable.type) or scope.chance(0.9)):
            inner += hash_lines(scope, variable.name, variable.type)
    inner += ending
    inner += ['printf("%u\\n", checksum);', "return 0;"]
    lines += ["", "int main(void) {", *indented(inner), "}"]
