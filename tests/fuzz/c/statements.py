"""Random blocks, and statements with a body, that end whatever the values are."""

from __future__ import annotations

from collections.abc import Callable

from .declarations import declare_text, declare_variable, hash_lines, holds_pointers
from .expressions import ASSIGNMENT, Expr, argument, compound, pure
from .places import POSTFIX, SUM, find_place, wrap
from .scope import Function, Scope, Variable
from .simple_statements import (
    assignment,
    block_memory,
    byte_write,
    chain,
    condition,
    copy_record,
    effect_statement,
    leave,
    mix_value,
    record_call,
    retarget,
    void_call,
)
from .types import INT, UCHAR, UNSIGNED, Array, Integer, Pointer, Record, declare

Maker = Callable[[Scope, int], list[str]]
COUNTERS = (INT, INT, UNSIGNED, UCHAR)


def indented(lines: list[str]) -> list[str]:
    return ["    " + line if line else line for line in lines]


def body(scope: Scope, size: int, nesting: int, declarations: bool = True) -> list[str]:
    """The statements of a block that the caller has opened in the scope."""
    lines: list[str] = []
    if declarations:
        for _ in range(scope.rng.choice((0, 1, 1, 2))):
            lines += declaration(scope)
    for _ in range(size):
        lines += statement(scope, nesting)
    return lines


def declaration(scope: Scope) -> list[str]:
    scope.spend(1)
    if scope.chance(0.07):
        return declare_text(scope)
    return declare_variable(scope, static=scope.chance(0.1))


def statement(scope: Scope, nesting: int) -> list[str]:
    """One statement; compound ones while `nesting` and the budget allow."""
    simple: dict[Maker, int] = {
        assignment: 34,
        effect_statement: 12,
        mix_value: 12,
        retarget: 7,
        copy_record: 6,
        record_call: 5,
        block_memory: 5,
        byte_write: 4,
        leave: 5,
        chain: 3,
        void_call: 5,
    }
    nested: dict[Maker, int] = {
        _if: 14,
        _for: 12,
        _while: 6,
        _do: 5,
        _switch: 8,
        _walk: 5,
        _jump_ahead: 4,
        _jump_back: 3,
        _jump_into_loop: 2,
        _heap: 5,
        _list: 2,
        _block: 2,
        _copy_loop: 3,
    }
    scope.spend(1)
    weights = simple | nested if nesting > 0 and scope.affords(40) else simple
    return scope.pick(weights)(scope, nesting)


def _block(scope: Scope, nesting: int) -> list[str]:
    with scope.block():
        inner = body(scope, 2, nesting - 1)
    return ["{", *indented(inner), "}"]


def _if(scope: Scope, nesting: int) -> list[str]:
    head = f"if ({condition(scope)}) {{"
    with scope.block():
        yes = body(scope, scope.rng.randint(1, 2), nesting - 1)
    if scope.chance(0.5):
        return [head, *indented(yes), "}"]
    with scope.block():
        no = body(scope, scope.rng.randint(1, 2), nesting - 1)
    return [head, *indented(yes), "} else {", *indented(no), "}"]


def _times(scope: Scope) -> int:
    return scope.rng.choice((1, 2, 3, 3, 4, 5, 8))


def _loop_body(
    scope: Scope, times: int, nesting: int, counter: Variable | None, declarations: bool = True
) -> list[str]:
    with scope.block(times, loop=True):
        if counter is not None:
            scope.variables.append(counter)
        return body(scope, scope.rng.randint(1, 3), nesting - 1, declarations)


def _for(scope: Scope, nesting: int) -> list[str]:
    """A counting loop, up or down, sometimes with a way out of all of it."""
    times, name = _times(scope), scope.fresh("i")
    type_ = scope.rng.choice((*COUNTERS, scope.longs.long))
    step = scope.rng.choice((f"{name}++", f"++{name}", f"{name} += 1", f"{name} = {name} + 1"))
    start = f"for ({type_.name} {name} ="
    heads = [
        f"{start} 0; {name} < {times}; {step})",
        f"{start} 0; {name} < {times}; {step})",
        f"{start} {times}; {name}-- > 0;)",
        f"{start} 0, {name}_end = {times}; {name} != {name}_end; {step})",
    ]
    if type_.signed:
        heads.append(f"{start} {times - 1}; {name} >= 0; {name}--)")
    counter = Variable(name, type_, scope.depth + 1, frozen=True, limit=times)
    outer = scope.exits
    label = scope.fresh("out") if scope.chance(0.25) else ""
    scope.exits = (*outer, label) if label else outer
    lines = [f"{scope.rng.choice(heads)} {{", *indented(_loop_body(scope, times, nesting, counter)), "}"]
    scope.exits = outer
    return [*lines, f"{label}: ;"] if label else lines


def _while(scope: Scope, nesting: int) -> list[str]:
    times, name = _times(scope), scope.fresh("k")
    more = f" && ({pure(scope, 2).text})" if scope.chance(0.3) else ""
    head = scope.rng.choice(
        (
            f"while ({name}++ < {times}{more}) {{",
            f"for (; {name}++ < {times}{more};) {{",
            f"while (++{name} <= {times}{more}) {{",
        )
    )
    counter = Variable(name, INT, scope.depth + 1, frozen=True)
    return [
        "{",
        f"    int {name} = 0;",
        *indented([head, *indented(_loop_body(scope, times, nesting, counter)), "}"]),
        "}",
    ]


def _do(scope: Scope, nesting: int) -> list[str]:
    times, name = _times(scope), scope.fresh("k")
    counter = Variable(name, INT, scope.depth + 1, frozen=True)
    inner = _loop_body(scope, times, nesting, counter)
    more = f" && ({pure(scope, 2).text})" if scope.chance(0.3) else ""
    loop = ["do {", f"    {name}++;", *indented(inner), f"}} while ({name} < {times}{more});"]
    return ["{", f"    int {name} = 0;", *indented(loop), "}"]


def _switch(scope: Scope, nesting: int) -> list[str]:
    """Cases with and without break, the default anywhere."""
    count = scope.rng.randint(2, 5)
    value = pure(scope, 2)
    subject = f"{value.at(8)} & {scope.rng.choice((3, 7))}" if scope.chance(0.8) else value.text
    labels = [f"case {k}:" for k in scope.rng.sample(range(8), count)]
    if scope.constants and scope.chance(0.2):
        labels[0] = f"case {scope.rng.choice(scope.constants)} + 1000:"
    if scope.chance(0.7):
        labels.insert(scope.rng.randint(0, len(labels)), "default:")
    lines = [f"switch ({subject}) {{"]
    for label in labels:
        lines.append(label)
        with scope.block(switch=True):
            inner = body(scope, scope.rng.randint(0, 2), nesting - 1, declarations=False)
        lines += indented(inner)
        if scope.chance(0.65):
            lines.append("    break;")
    return [*lines[:], "    ;", "}"]


def _walk(scope: Scope, nesting: int) -> list[str]:
    """A pointer that walks over an array, from either end."""
    place = find_place(scope, lambda t: isinstance(t, Array) and isinstance(t.element, Integer | Record), address=True)
    if place is None or not isinstance(place.type, Array):
        return _for(scope, nesting)
    name, array = scope.fresh("p"), wrap(place.text, place.level, SUM)
    length, const = place.type.length, "" if place.writable else "const "
    if not place.fixed:
        with_base = declare(Pointer(place.type.element), f"{name}_base")
        prefix, array = [f"{const}{with_base} = {array};"], f"{name}_base"
    else:
        prefix = []
    star = const + declare(Pointer(place.type.element), name)
    head = scope.rng.choice(
        (
            f"for ({star} = {array}; {name} < {array} + {length}; {name}++) {{",
            f"for ({star} = {array}; {name} != &{array if array.isalnum() else f'({array})'}[{length}]; ++{name}) {{",
            f"for ({star} = {array} + {length}; {name} > {array};) {{ {name}--;",
            f"for ({star} = {array}; {name} - {array} < {length}; {name} += 1) {{",
        )
    )
    walker = Variable(name, Pointer(place.type.element, 1, const=bool(const)), scope.depth + 1, frozen=True)
    loop = [head, *indented(_loop_body(scope, length, nesting, walker)), "}"]
    return ["{", *indented(prefix + loop), "}"]


def _jump_ahead(scope: Scope, nesting: int) -> list[str]:
    label = scope.fresh("skip")
    with scope.block():
        inner = body(scope, 2, nesting - 1, declarations=False)
    return [f"if ({condition(scope)}) goto {label};", *inner, f"{label}: ;"]


def _jump_back(scope: Scope, nesting: int) -> list[str]:
    label, name, times = scope.fresh("again"), scope.fresh("k"), scope.rng.randint(2, 4)
    with scope.block(times):
        inner = body(scope, 2, nesting - 1, declarations=False)
    return [
        "{",
        f"    int {name} = 0;",
        f"{label}:",
        *indented(inner),
        f"    if (++{name} < {times}) goto {label};",
        "}",
    ]


def _jump_into_loop(scope: Scope, nesting: int) -> list[str]:
    label, name, times = scope.fresh("into"), scope.fresh("k"), scope.rng.randint(1, 4)
    start = condition(scope)
    first = _loop_body(scope, times, nesting, None, declarations=False)
    second = _loop_body(scope, times + 1, nesting, None, declarations=False)
    loop = [f"while ({name}++ < {times}) {{", *indented(first), f"{label}: ;", *indented(second), "}"]
    return ["{", f"    int {name} = 0;", f"    if ({start}) goto {label};", *indented(loop), "}"]


def _heap(scope: Scope, nesting: int) -> list[str]:
    """An allocated array, filled, used and freed."""
    elements: list[Integer | Record] = [*scope.integers, *(r for r in scope.records if not holds_pointers(r))]
    element = scope.rng.choice(elements)
    length, name, index = scope.rng.randint(1, 6), scope.fresh("h"), scope.fresh("i")
    pointer = Pointer(element, length)
    zeroed = scope.chance(0.3)
    size = scope.rng.choice((f"sizeof({element.name})", f"sizeof *{name}"))
    allocation = f"calloc({length}, {size})" if zeroed else f"malloc({length} * {size})"
    if not zeroed and scope.chance(0.2):
        allocation = f"({element.name} *)malloc({length} * {size})"
    lines = [f"{declare(pointer, name)} = {allocation};"]
    with scope.block():
        if not zeroed:
            value = pure(scope, 1).at(ASSIGNMENT) if isinstance(element, Integer) else compound(scope, element)
            lines.append(f"for (int {index} = 0; {index} < {length}; {index}++) {name}[{index}] = {value};")
        scope.variables.append(Variable(name, pointer, scope.depth, frozen=True))
        lines += body(scope, scope.rng.randint(2, 3), nesting - 1)
        if not holds_pointers(element):
            lines += hash_lines(scope, f"{name}[{scope.rng.randrange(length)}]", element)
    return ["{", *indented([*lines, f"free({name});"]), "}"]


def _list(scope: Scope, nesting: int) -> list[str]:
    """A linked list, built, walked with a changing sum, and freed."""
    times, head, value = scope.rng.randint(1, 5), scope.fresh("head"), pure(scope, 2).at(SUM)
    scope.spend(6 * times)
    keep = scope.rng.choice((f"{head}->value", f"{head}->value + ({head}->next ? {head}->next->value : 7)"))
    return [
        "{",
        f"    struct node *{head} = 0;",
        f"    for (int i = 0; i < {times}; i++) {{",
        "        struct node *cell = malloc(sizeof *cell);",
        f"        cell->value = {value} + i;",
        f"        cell->next = {head};",
        f"        {head} = cell;",
        "    }",
        f"    while ({head}) {{",
        f"        struct node *next = {head}->next;",
        f"        mix({keep});",
        f"        free({head});",
        f"        {head} = next;",
        "    }",
        "}",
    ]


def _copy_loop(scope: Scope, nesting: int) -> list[str]:
    """The idiom `*q++ = *p++`."""
    arrays = [
        v
        for v in scope.variables
        if isinstance(v.type, Array) and isinstance(v.type.element, Integer) and not v.frozen and not v.volatile
    ]
    targets = [v for v in arrays if not v.const]
    if not targets:
        return _for(scope, nesting)
    target, source = scope.rng.choice(targets), scope.rng.choice(arrays)
    assert isinstance(target.type, Array) and isinstance(source.type, Array)
    count = min(target.type.length, source.type.length)
    scope.spend(3 * count)
    q, p, n = scope.fresh("q"), scope.fresh("p"), scope.fresh("n")
    step = scope.rng.choice((f"*{q}++ = *{p}++;", f"*{q}++ += (*{p}++) ^ 5;", f"{q}[{n}] = {p}[{n}] + {n};"))
    return [
        "{",
        f"    {declare(Pointer(target.type.element), q)} = {target.name};",
        f"    const {declare(Pointer(source.type.element), p)} = {source.name};",
        f"    unsigned {n} = {count};",
        f"    while ({n}--) {step}",
        "}",
    ]


def recursive_call(scope: Scope, function: Function, steer: str) -> Expr:
    """A call of the function itself with a smaller first argument."""
    rest = [argument(scope, type_, 1) for type_ in function.parameters[1:]]
    assert isinstance(function.result, Integer)
    return Expr(f"{function.name}({', '.join([f'{steer} - 1', *rest])})", function.result, POSTFIX)
