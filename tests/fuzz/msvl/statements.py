"""Statements: they end, jump in all the ways of C but `goto`, and leave no order of evaluation open."""

from __future__ import annotations

from collections.abc import Callable

from .expressions import condition, element, integer, value_for
from .scope import BOUND, UNSIGNED, Function, Place, Scope

_INDENT = "    "


def block(scope: Scope, count: int) -> list[str]:
    """A few statements in a scope of their own."""
    inner = scope.inner()
    lines = _declarations(inner) if inner.chance(0.3) else []
    for _ in range(count):
        lines += statement(inner)
    scope.leave(inner)
    return [_INDENT + line for line in lines]


def _declarations(scope: Scope) -> list[str]:
    """Locals, some of which hide others of the same name."""
    lines = []
    known = [place.text for place in scope.places if place.private and place.text.isidentifier()]
    for _ in range(scope.rng.randint(1, 2)):
        kind = scope.kind()
        value = value_for(scope, kind, 1)
        name = scope.rng.choice(known) if known and scope.chance(0.3) else scope.fresh("v")
        known = [other for other in known if other != name]
        scope.places = [place for place in scope.places if place.text != name]
        fresh = scope.fresh("t")
        lines += [f"{kind} {fresh} = {value};", f"{kind} {name} = {fresh};"]
        scope.places.append(Place(name, kind, private=True))
    return lines


def statement(scope: Scope) -> list[str]:
    if scope.budget <= 0:
        return [_assignment(scope)]
    scope.budget -= 1
    makers: list[Callable[[Scope], list[str]]] = [
        *[lambda scope: [_assignment(scope)]] * 5,
        lambda scope: [_simple(scope)],
        lambda scope: [_simple(scope)],
        _if,
        _if,
        _for,
        _while,
        _do,
        _switch,
        _call,
        _call,
        _effect,
        _jump,
    ]
    return scope.rng.choice(makers)(scope)


def _assignment(scope: Scope) -> str:
    if scope.arrays and scope.chance(0.25):
        return f"{element(scope)} = {value_for(scope, 'int')};"
    if scope.pointers and scope.chance(0.2):
        return f"*{scope.rng.choice(scope.pointers)} = {value_for(scope, 'int')};"
    target = scope.rng.choice(scope.places)
    return f"{target.text} = {value_for(scope, target.type)};"


def _simple(scope: Scope) -> str:
    """Compound assignments, steps, chains, moves of pointers, copies of structures."""
    target = scope.rng.choice(scope.places)
    choice = scope.rng.randrange(6)
    if choice == 0 and target.type in UNSIGNED:
        return f"{target.text} {scope.rng.choice(('+=', '-=', '*=', '^=', '|='))} {value_for(scope, target.type, 1)};"
    if choice <= 1:
        return f"{target.text} {scope.rng.choice(('/=', '%='))} {scope.rng.choice((2, 3, 7))};"
    if choice == 2 and target.type not in ("int", "long", "_Bool"):
        return scope.rng.choice((f"{target.text}++;", f"--{target.text};", f"{target.text}--;"))
    if choice == 3 and scope.pointers:
        moved = scope.rng.choice(scope.pointers)
        sources = [f"&{name}[{scope.rng.randrange(length)}]" for name, length in scope.arrays if name.startswith("g")]
        return f"{moved} = {scope.rng.choice([*sources, '&gi'])};"
    if choice == 4 and len(scope.structs) > 1:
        return f"{scope.rng.choice(scope.structs)} = {scope.rng.choice(scope.structs)};"
    other = scope.rng.choice(scope.places)
    if other.text != target.text:
        return f"{target.text} = {other.text} = {scope.rng.randrange(100)};"
    return _assignment(scope)


def _if(scope: Scope) -> list[str]:
    lines = [f"if ({condition(scope)}) {{", *block(scope, scope.rng.randint(0, 2))]
    if scope.chance(0.5):
        lines += ["} else {", *block(scope, scope.rng.randint(1, 2))]
    return [*lines, "}"]


def _loop_body(scope: Scope, counter: str) -> list[str]:
    inner = scope.inner()
    inner.loops += 1
    inner.breakable += 1
    inner.counters.append(counter)
    lines = block(inner, scope.rng.randint(1, 3))
    scope.leave(inner)
    return lines


def _for(scope: Scope) -> list[str]:
    if scope.loops >= 2:
        return [_assignment(scope)]
    counter, end = scope.fresh("i"), scope.rng.randint(1, 5)
    if scope.chance(0.2):
        other = scope.fresh("j")
        head = f"for ({counter} = 0, {other} = {end}; {counter} < {other}; {counter}++, {other}--) {{"
        return ["{", f"    int {counter}, {other};", head, *_loop_body(scope, counter), "}", "}"]
    return [f"for (int {counter} = 0; {counter} < {end}; {counter}++) {{", *_loop_body(scope, counter), "}"]


def _while(scope: Scope) -> list[str]:
    """The counter moves in the test, so that `continue` cannot make the loop endless."""
    if scope.loops >= 2:
        return [_assignment(scope)]
    counter, end = scope.fresh("n"), scope.rng.randint(1, 4)
    test = f"{counter}-- > 0" if scope.chance(0.5) else f"{counter}-- > 0 && {condition(scope, 0)}"
    lines = ["{", f"    int {counter} = {end};", f"    while ({test}) {{"]
    inner = scope.inner()
    body = [_INDENT + line for line in _loop_body(inner, f"({counter} & 7)")]
    scope.leave(inner)
    return [*lines, *body, "    }", "}"]


def _do(scope: Scope) -> list[str]:
    if scope.loops >= 2:
        return [_assignment(scope)]
    counter, end = scope.fresh("d"), scope.rng.randint(1, 4)
    body = [_INDENT + line for line in _loop_body(scope, f"({counter} & 7)")]
    return ["{", f"    int {counter} = 0;", "    do {", *body, f"    }} while (++{counter} < {end});", "}"]


def _switch(scope: Scope) -> list[str]:
    labels = scope.rng.sample(range(-1, 6), scope.rng.randint(1, 4))
    groups = [f"case {label}:" for label in labels]
    if scope.chance(0.7):
        groups.insert(scope.rng.randint(0, len(groups)), "default:")
    subject, _ = integer(scope, 1)
    lines = [f"switch ({subject} % 6) {{"]
    inner = scope.inner()
    inner.breakable += 1
    for label in groups:
        lines.append(label)
        if inner.chance(0.85):
            inner_block = block(inner, inner.rng.randint(1, 2))
            lines += ["{", *inner_block, "}"] if inner.chance(0.4) else ["    {", *inner_block, "    }"]
        if inner.chance(0.6):
            lines.append("    break;")
    scope.leave(inner)
    return [*lines, "    ;", "}"]


def _jump(scope: Scope) -> list[str]:
    if scope.result == "main" and scope.chance(0.7):
        return [_assignment(scope)]
    jumps = [f"return {_result(scope)};" if scope.result != "void" else "return;"]
    if scope.breakable:
        jumps += ["break;"] * 3
    if scope.loops:
        jumps += ["continue;"] * 3
    jump = scope.rng.choice(jumps)
    return [f"if ({condition(scope)}) {jump}"] if scope.chance(0.8) else [f"if ({condition(scope)}) {{", jump, "}"]


def _result(scope: Scope) -> str:
    if scope.result == "main":
        return "0"
    return scope.rng.choice(scope.structs) if scope.result == "struct s" else value_for(scope, scope.result)


def result_statement(scope: Scope) -> list[str]:
    return [] if scope.result == "void" else [f"return {_result(scope)};"]


def arguments(scope: Scope, function: Function, private: bool = False) -> str | None:
    """Arguments for a call; None when something it needs is missing."""
    given = []
    for kind in function.parameters:
        choices = {
            "int": [f"{integer(scope, 1, private)[0]} % {BOUND}"],
            "int *": ["&gi", *([] if private else scope.pointers), *(f"&{name}[1]" for name, _ in scope.arrays)],
            "int []": [name for name, length in scope.arrays if length >= 3],
            "struct s": [] if private else scope.structs,
            "struct s *": [f"&{name}" for name in scope.structs],
        }[kind]
        if not choices:
            return None
        given.append(scope.rng.choice(choices))
    return ", ".join(given)


def _call(scope: Scope) -> list[str]:
    """A call alone or as the whole value of an assignment: nothing else is read beside it."""
    if not scope.functions or scope.loops >= 2:
        return [_assignment(scope)]
    function = scope.rng.choice(scope.functions)
    given = arguments(scope, function)
    if given is None:
        return [_assignment(scope)]
    call = f"{function.name}({given})"
    if function.result == "struct s":
        return [f"{scope.rng.choice(scope.structs)} = {call};" if scope.structs else f"{call};"]
    targets = [place.text for place in scope.places if place.type == "int"]
    if function.result == "void" or not targets or scope.chance(0.2):
        return [f"{call};"]
    return [f"{scope.rng.choice(targets)} = {call} % {BOUND};" if scope.chance(0.5) else f"gi = {call};"]


def _effect(scope: Scope) -> list[str]:
    """Effects inside larger expressions, beside operands that nothing but the expression itself can change."""
    own = [place.text for place in scope.places if place.private and place.type == "int"]
    calls = [function for function in scope.functions if function.result == "int"]
    if not own or not calls or scope.loops >= 2:
        return [_assignment(scope)]
    function, target = scope.rng.choice(calls), scope.rng.choice(own)
    given = arguments(scope, function, private=True)
    if given is None:
        return [_assignment(scope)]
    call = f"{function.name}({given})"
    pure = f"({integer(scope, 1, private=True)[0]} % {BOUND})"
    forms = (
        f"{target} = ({pure} + {call}) % {BOUND};",
        f"{target} = ({call} - {pure}) % {BOUND};",
        f"if ({condition(scope, 0)} && {call} > {pure}) {_assignment(scope)}",
        f"if ({call} < {pure} || {condition(scope, 0)}) {_assignment(scope)}",
        f"{target} = {condition(scope, 0)} ? {call} % {BOUND} : {pure};",
        f"gi = ({target} = {pure}) ? {call} : 3;",
        f"ga[({target} = {pure} & 1, {target}++)] = 5;",
        f"{target} = ({target}++, {target} % {BOUND});",
    )
    return [scope.rng.choice(forms)]
