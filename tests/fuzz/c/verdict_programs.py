"""Small random programs with inputs, whose verdicts an enumeration of all inputs decides.

Inputs are narrowed at once, by a mask or an assumption, to values between LOWEST and HIGHEST, so that an enumeration
of those values is an enumeration of all behaviours; main sets all globals, so that it can be called again and again.

Programs for `assertions` are free of memory errors; they contain PROBE(expression) lines, which become assertions once
the possible values are known. Programs for `memory` have accesses that are guarded well, badly or not at all; indexes
that may be far off stand in CELL(...), which the oracle checks and which is nothing to us.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

LOWEST, HIGHEST = -8, 7
PROLOGUE = """\
#include <assert.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern char __VERIFIER_nondet_char(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);

struct pair { int a; int b; struct pair *link; };
"""
FILLED = "cells[0] = 1; cells[1] = x; cells[2] = 3; cells[3] = 0;"
BITS_GLOBALS = [
    "unsigned char u; signed char c; unsigned w;",
    "union { unsigned value; unsigned char byte[4]; short half[2]; } mixed;",
    "struct { unsigned low : 3; int high : 4; _Bool flag; } bits;",
]
BITS_FILLED = "u = x; c = 1; w = 2; mixed.value = 0x10203u; bits.low = 5; bits.high = -3; bits.flag = 0;"
BITS = ("u", "u", "c", "w", "mixed.value", "mixed.byte[0]", "mixed.half[1]", "bits.low", "bits.high", "bits.flag")
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


@dataclass
class Draft:
    """A program that is being written: its variables, and how many inputs it may still read."""

    rng: Random
    memory: bool
    integers: list[str]
    inputs_left: int
    names: int = 0
    bits: bool = False
    ready: bool = False
    helpers: dict[str, str] = field(default_factory=dict)
    counters: list[tuple[str, int]] = field(default_factory=list)

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def fresh(self, prefix: str) -> str:
        self.names += 1
        return f"{prefix}{self.names}"


def generate(seed: int, memory: bool) -> str:
    """The program of this seed, for the property `memory` or for `assertions` (with probes)."""
    rng = Random(f"{seed} {memory}")
    draft = Draft(rng, memory, ["x", "y", "z"], inputs_left=3, bits=rng.random() < 0.5)
    helpers = [_helper(draft, name) for name in ("f", "g")[: rng.randint(0, 2)]]
    first = _first_values(draft)
    draft.ready = True
    body = [
        *first,
        *_statements(draft, rng.randint(2, 5), rng.randint(1, 2)),
        *(_hazard(draft, 0) + _hazard(draft, 0) if memory else _probe(draft, 0) + _probe(draft, 0)),
        "return 0;",
    ]
    globals_ = ["int x, y, z;", "int cells[4];", "struct pair left, right;", *(BITS_GLOBALS if draft.bits else [])]
    text = [PROLOGUE, *globals_, *helpers, "", "int main(void) {", *["    " + line for line in body], "}"]
    return "\n".join(text) + "\n"


def _first_values(draft: Draft) -> list[str]:
    lines = ["x = 0; y = 1; z = 2;"]
    for name in draft.rng.sample(draft.integers, draft.rng.randint(1, 2)):
        lines += _input(draft, name)
    lines += ["int *p, *q;", "struct pair *s;"]
    filler = draft.rng.choice(("0", "i", "3 - i", "x"))
    return [
        *lines,
        f"for (int i = 0; i < 4; i++) cells[i] = {filler};" if draft.chance(0.3) else FILLED,
        f"left.a = {draft.rng.randint(0, 3)}; left.b = x; left.link = &right;",
        f"right.a = y; right.b = {draft.rng.randint(0, 3)}; right.link = 0;",
        *([BITS_FILLED] if draft.bits else []),
        f"p = {_address(draft)};",
        f"q = {_address(draft)};",
        f"s = {draft.rng.choice(('&left', '&right', 'left.link'))};",
    ]


def _input(draft: Draft, target: str) -> list[str]:
    """Read an input into a variable, narrowed at once."""
    if draft.inputs_left <= 0:
        return [f"{target} = {draft.rng.randint(-2, 5)};"]
    draft.inputs_left -= 1
    kind = draft.rng.random()
    if kind < 0.4:
        source = draft.rng.choice(("int", "uint", "char"))
        return [f"{target} = __VERIFIER_nondet_{source}() & {draft.rng.choice((1, 3, 7))};"]
    low = draft.rng.randint(-3, 1)
    high = low + draft.rng.randint(1, 5)
    return [f"{target} = __VERIFIER_nondet_int();", f"__VERIFIER_assume({target} >= {low} && {target} <= {high});"]


def _helper(draft: Draft, name: str) -> str:
    """A function with pointers, or one that calls itself."""
    draft.helpers[name] = draft.rng.choice(("pointers", "recursive", "value"))
    if draft.helpers[name] == "recursive":
        step = draft.rng.choice((f"{name}(n - 1) + 1", f"{name}(n - 1) + 2", f"1 - {name}(n - 1)", f"{name}(n - 1)"))
        effect = draft.rng.choice(("", "z++; ", "y = n; "))
        return f"int {name}(int n) {{ if (n <= 0) return {draft.rng.randint(0, 2)}; {effect}return {step}; }}"
    if draft.helpers[name] == "pointers":
        first = draft.rng.choice(("*a = *b;", "*a += 1;", "if (*a < *b) *a = *b;", "*b = *a + 1;"))
        second = draft.rng.choice(("*b -= 1;", "z = *a;", "*a = *a - *b;", ""))
        return f"int {name}(int *a, int *b) {{ {first} {second} return *a; }}"
    return f"int {name}(int n) {{ return n {draft.rng.choice(('+ 1', '- 2', '* 2', '& 3', '> y ? n : y'))}; }}"


def _statements(draft: Draft, count: int, nesting: int) -> list[str]:
    return [line for _ in range(count) for line in _statement(draft, nesting)]


def _statement(draft: Draft, nesting: int) -> list[str]:
    rng = draft.rng
    makers = [_assign, _assign, _assign, _point, _call, _field, _cell]
    makers += [_bit_assign, _bit_assign, _bit_assign] if draft.bits else []
    makers += [_hazard, _hazard, _hazard] if draft.memory else [_probe]
    makers += [_if, _if, _loop, _loop, _switch, _list] if nesting else []
    return rng.choice(makers)(draft, nesting)


def _indented(lines: list[str]) -> list[str]:
    return ["    " + line for line in lines]


def _assign(draft: Draft, nesting: int) -> list[str]:
    target = draft.rng.choice((*draft.integers, "*p", "*q", "s->a"))
    if target in draft.integers and draft.inputs_left and draft.chance(0.2):
        return _input(draft, target)
    return [f"{target} {draft.rng.choice(('=', '=', '+=', '-='))} {_term(draft)};"]


def _bit_assign(draft: Draft, nesting: int) -> list[str]:
    """Change something narrower than an int, or part of something."""
    rng = draft.rng
    target = rng.choice(BITS)
    if draft.chance(0.1):
        return [
            rng.choice(("memset(&mixed, 1, sizeof mixed);", "memcpy(&mixed, &x, sizeof mixed);", "*(char *)&y = c;"))
        ]
    if draft.chance(0.2):
        return [f"{target}{rng.choice(('++', '--'))};"]
    return [f"{target} {rng.choice(('=', '=', '+=', '-=', '^=', '&=', '|='))} {_term(draft)};"]


def _point(draft: Draft, nesting: int) -> list[str]:
    if draft.chance(0.3):
        return [f"s = {draft.rng.choice(('&left', '&right', 's->link ? s->link : &left'))};"]
    return [f"{draft.rng.choice('pq')} = {_address(draft)};"]


def _field(draft: Draft, nesting: int) -> list[str]:
    return [
        draft.rng.choice(
            (f"s->b = {_term(draft)};", f"{draft.rng.choice(draft.integers)} = s->a + s->b;", "left = right;")
        )
    ]


def _cell(draft: Draft, nesting: int) -> list[str]:
    return [f"cells[{_index(draft)}] {draft.rng.choice(('=', '+='))} {_term(draft)};"]


def _call(draft: Draft, nesting: int) -> list[str]:
    if not draft.helpers:
        return _assign(draft, nesting)
    name = draft.rng.choice(list(draft.helpers))
    target = draft.rng.choice(draft.integers)
    if draft.helpers[name] == "pointers":
        return [f"{target} = {name}({_address(draft)}, {_address(draft)});"]
    bounded = f"{_term(draft)} & 3" if draft.helpers[name] == "recursive" else _term(draft)
    return [f"{target} = {name}({bounded});"]


def _probe(draft: Draft, nesting: int) -> list[str]:
    return [f"PROBE({_term(draft)});"]


def _if(draft: Draft, nesting: int) -> list[str]:
    yes = _statements(draft, draft.rng.randint(1, 2), nesting - 1)
    lines = [f"if ({_condition(draft)}) {{", *_indented(yes)]
    if draft.chance(0.5):
        lines += ["} else {", *_indented(_statements(draft, 1, nesting - 1))]
    return [*lines, "}"]


def _loop(draft: Draft, nesting: int) -> list[str]:
    """At most four rounds, or as many as a variable says."""
    name, times = draft.fresh("i"), draft.rng.randint(1, 4)
    bound = draft.rng.choice((str(times), f"{times} && {name} < {draft.rng.choice(draft.integers)}"))
    draft.counters.append((name, times))
    inner = _statements(draft, draft.rng.randint(1, 2), nesting - 1)
    if draft.chance(0.25):
        inner.append(f"if ({_condition(draft)}) {draft.rng.choice(('break', 'continue'))};")
    draft.counters.pop()
    return [f"for (int {name} = 0; {name} < {bound}; {name}++) {{", *_indented(inner), "}"]


def _switch(draft: Draft, nesting: int) -> list[str]:
    lines = [f"switch ({_term(draft)}) {{"]
    for label in ("case 0:", "case 2:", "default:")[: draft.rng.randint(2, 3)]:
        lines += [label, *_indented(_statements(draft, 1, nesting - 1))]
        lines += ["    break;"] if draft.chance(0.6) else []
    return [*lines, "    ;", "}"]


def _list(draft: Draft, nesting: int) -> list[str]:
    """A short list on the heap, and a walk over it."""
    head, cell = draft.fresh("head"), draft.fresh("cell")
    total = draft.rng.choice(draft.integers)
    return [
        f"{{ struct pair *{head} = 0;",
        f"for (int i = 0; i < ({draft.rng.choice(draft.integers)} & 3); i++) {{",
        f"    struct pair *{cell} = malloc(sizeof *{cell});",
        f"    if (!{cell}) return 0;",
        f"    {cell}->a = i; {cell}->b = {_term(draft)}; {cell}->link = {head}; {head} = {cell};",
        "}",
        f"while ({head}) {{",
        f"    {total} += {head}->{draft.rng.choice('ab')};",
        f"    {head} = {head}->link;",
        "} }",
    ]


def _hazard(draft: Draft, nesting: int) -> list[str]:
    """An operation that may go wrong, with a guard that may be right."""
    rng = draft.rng
    name, index, block = rng.choice(draft.integers), rng.choice(draft.integers), draft.fresh("block")
    size = rng.randint(1, 3)
    right, wrong, body = rng.choice(
        (
            (f"{index} >= 0 && {index} < 4", f"{index} >= 0 && {index} <= 4", f"cells[CELL({index})] = 1;"),
            (
                f"{index} > -1 && {index} + 1 < 4",
                f"{index} >= -1 && {index} < 4",
                f"{name} = cells[CELL({index} + 1)];",
            ),
            ("s->link != 0", f"{index} != 1", f"{name} = s->link->a;"),
            (f"{index} <= {size}", f"{index} <= {size + 1}", f"{_filled(block, index, size)}"),
            (f"{index} == 3", f"{index} >= 3", f"{_freed(block, index, name)}"),
        )
    )
    guard = rng.choice((right, right, wrong, "1"))
    return [f"if ({guard}) {{ {body} }}"]


def _filled(block: str, index: str, size: int) -> str:
    return (
        f"int *{block} = malloc({size} * sizeof(int)); if ({block}) {{ "
        f"for (int k = 0; k < {index} && k < {size + 2}; k++) {block}[k] = k; free({block}); }}"
    )


def _freed(block: str, index: str, name: str) -> str:
    return (
        f"int *{block} = malloc(4); if ({block}) {{ *{block} = 2; if ({index} != 3) free({block}); "
        f"{name} = *{block}; free({block}); }}"
    )


def _address(draft: Draft) -> str:
    plain = draft.rng.choice(
        (*(f"&{name}" for name in draft.integers), "&left.b", "&right.a", f"&cells[{_index(draft)}]")
    )
    if draft.chance(0.25):
        return f"({_condition(draft)}) ? {plain} : &{draft.rng.choice(draft.integers)}"
    return plain


def _index(draft: Draft) -> str:
    counters = [name for name, times in draft.counters if times <= 4]
    if counters and draft.chance(0.6):
        return draft.rng.choice(counters)
    return draft.rng.choice((str(draft.rng.randint(0, 3)), f"{draft.rng.choice(draft.integers)} & 3"))


def _value(draft: Draft) -> str:
    rng = draft.rng
    if draft.bits and draft.ready and draft.chance(0.35):
        return rng.choice((*BITS, "(unsigned char)x", "(signed char)(y + 126)", "mixed.byte[x & 3]", "(short)w"))
    kind = rng.random()
    if kind < 0.55:
        return rng.choice(draft.integers)
    if kind < 0.7:
        return str(rng.randint(-2, 5))
    counters = [name for name, _ in draft.counters]
    plain = ["left.a", "right.b", "cells[1]", f"cells[{_index(draft)}]", *counters]
    return rng.choice([*plain, "*p", "*p", "*q", "s->a", "s->b"] if draft.ready else plain)


def _term(draft: Draft) -> str:
    kind = draft.rng.random()
    if kind < 0.45:
        return _value(draft)
    if kind < 0.9:
        operators = ("+", "+", "-", "&", "|", "^", "<", "==") if draft.bits else ("+", "+", "-")
        return f"({_value(draft)} {draft.rng.choice(operators)} {_value(draft)})"
    if draft.bits and draft.chance(0.6):
        shape = draft.rng.choice(("({} << 2)", "({} >> 1)", "(~{})", "(!{})", "({} % 3)", "({} / 2u)", "({} * 64)"))
        return str(shape).format(_value(draft))
    return f"{draft.rng.choice((2, 3))} * {_value(draft)}"


def _condition(draft: Draft) -> str:
    atom = f"{_value(draft)} {draft.rng.choice(COMPARISONS)} {_term(draft)}"
    if draft.chance(0.2):
        return (
            f"{atom} {draft.rng.choice(('&&', '||'))} {_value(draft)} {draft.rng.choice(COMPARISONS)} {_value(draft)}"
        )
    return atom
