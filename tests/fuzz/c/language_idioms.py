"""Fragments about parts of the language that need functions of their own: lists of arguments, wide integers, jumps.

Like other idioms each mixes what it computes; its shape is random, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

Fragment = tuple[str, str]

_KINDS: Mapping[str, tuple[str, Callable[[Random], str]]] = {
    "i": ("int", lambda rng: str(rng.randint(-99999, 99999))),
    "u": ("unsigned", lambda rng: f"{rng.getrandbits(32)}u"),
    "l": ("long", lambda rng: f"{rng.randint(-(1 << 30), 1 << 30)}L"),
    "q": ("long long", lambda rng: f"{rng.randint(-(1 << 62), 1 << 62)}LL"),
    "c": ("int", lambda rng: f"(char){rng.randint(-128, 127)}"),
    "h": ("int", lambda rng: f"(unsigned short){rng.getrandbits(16)}"),
    "r": ("struct pair_of", lambda rng: f"(struct pair_of){{{rng.randint(-9, 9)}, {rng.randint(0, 200)}, 7}}"),
    "p": ("const char *", lambda rng: f'"{"".join(rng.choice("abcdef") for _ in range(rng.randint(1, 4)))}"'),
    "n": ("long (*)(const char *, ...)", lambda rng: "listed"),
}
"""Letters that stand for arguments: the type asked for, and what is passed."""

_LISTS = """
#include <stdarg.h>
struct pair_of { int a; unsigned char b; short c; };
static long listed(const char *kinds, ...);
static long taken(const char *kinds, va_list list) {
    unsigned long s = 17;
    for (; *kinds; kinds++) switch (*kinds) {
    case 'i': s = s * 31 + va_arg(list, int); break;
    case 'u': s = s * 31 + va_arg(list, unsigned); break;
    case 'l': s = s * 31 + va_arg(list, long); break;
    case 'q': s = s * 31 + (unsigned)va_arg(list, long long); break;
    case 'c': case 'h': s = s * 31 + va_arg(list, int); break;
    case 'r': { struct pair_of r = va_arg(list, struct pair_of); s = s * 31 + r.a + r.b * 3 + r.c; break; }
    case 'p': { const char *t = va_arg(list, const char *); while (*t) s = s * 31 + *t++; break; }
    case 'n': { long (*f)(const char *, ...) = va_arg(list, long (*)(const char *, ...)); s += f("i", 5); break; }
    }
    return s & 0x7fffffff;
}
static long listed(const char *kinds, ...) {
    va_list list, copy; va_start(list, kinds); va_copy(copy, list);
    long s = taken(kinds, list); va_end(list);
    s = (s * 7 + taken(kinds, copy)) & 0x7fffffff; va_end(copy);
    return s;
}
static int stepped(va_list *list) { return va_arg(*list, int); }
static int pairs(int n, ...) {
    va_list list; va_start(list, n); unsigned s = 0;
    while (n-- > 0) { s = s * 5 + stepped(&list); if (n % 2) s ^= va_arg(list, unsigned); }
    va_end(list); return s;
}
"""


def variable_arguments(rng: Random) -> Fragment:
    """Lists of arguments of all kinds, handed on by value, by copy and by pointer."""
    lines = []
    for _ in range(rng.randint(1, 4)):
        kinds = [rng.choice("iulqchrpn") for _ in range(rng.randint(0, 7))]
        given = "".join(f", {_KINDS[kind][1](rng)}" for kind in kinds)
        lines.append(f'mix(listed("{"".join(kinds)}"{given}));')
    count = rng.randint(0, 5)
    extra = ""
    for left in range(count - 1, -1, -1):
        extra += f", {rng.randint(-99, 99)}" + (f", {rng.getrandbits(31)}u" if left % 2 else "")
    lines.append(f"mix(pairs({count}{extra}));")
    return _LISTS, "{ " + " ".join(lines) + " }"


def _wide_expression(rng: Random, depth: int) -> str:
    if depth == 0:
        numbers = (f"(U){rng.getrandbits(64)}u", f"((U){rng.getrandbits(40)}u << 70)")
        return rng.choice(("a", "b", "(U)c", "(U)(S)d", *numbers))
    left, right = _wide_expression(rng, depth - 1), _wide_expression(rng, rng.randint(0, depth - 1))
    match rng.randint(0, 9):
        case 0 | 1 | 2 | 3:
            return f"({left} {rng.choice('+-*&|^')} {right})"
        case 4:
            return f"({left} {rng.choice(('/', '%'))} ({right} | 1))"
        case 5:
            return f"({left} {rng.choice(('<<', '>>'))} (int)({right} & 127))"
        case 6:
            return f"(U)((S){left} {rng.choice(('<', '>=', '==', '!='))} (S){right})"
        case 7:
            return f"(U)((S){left} >> {rng.randint(0, 127)})"
        case 8:
            return f"({left} > {right} ? {left} : (U)(unsigned char){right})"
        case _:
            return f"({rng.choice('-~')}{left})"


def wide_integers(rng: Random) -> Fragment:
    """Arithmetic on 128 bits, through functions, records and arrays; where there are none, nothing."""
    top = """
#ifdef __SIZEOF_INT128__
typedef unsigned __int128 U; typedef __int128 S;
struct wide { char c; U u; S s; short t; };
static void mix_wide(U x) { for (int i = 0; i < 4; i++) mix((unsigned)(x >> 32 * i)); }
static U wide_step(U a, S b) { return a * 3 + (U)b; }
#endif
"""
    steps = ""
    for _ in range(rng.randint(1, 5)):
        steps += f"a = {_wide_expression(rng, rng.randint(1, 4))}; mix_wide(a);"
        steps += f" w.{rng.choice('us')} {rng.choice('+-^')}= a;\n"
    return (
        top,
        f"""
#ifdef __SIZEOF_INT128__
{{
    U a = (U){rng.getrandbits(64)}u << {rng.randint(0, 64)}, b = {rng.getrandbits(63)}; int c = {rng.randint(-99, 99)};
    signed char d = {rng.randint(-128, 127)};
    struct wide w = {{1, {rng.getrandbits(40)}, {rng.randint(-99, 99)}, 2}}, many[3] = {{w, w, {{0}}}};
    for (int i = 0; i < {rng.randint(1, 4)}; i++) {{
        {steps}
        many[i % 3] = w; b = wide_step(b, (S)many[(i + 1) % 3].u);
    }}
    mix_wide(w.u); mix_wide((U)w.s); mix_wide(many[2].u + b);
}}
#endif
""",
    )


def long_jumps(rng: Random) -> Fragment:
    """Jumps out of calls, some of them nested, some again and again to the same place."""
    depth, rounds = rng.randint(1, 5), rng.randint(1, 4)
    return (
        f"""
#include <setjmp.h>
static jmp_buf outer_place, inner_place; static int jumps_made;
static int jump_from(int n, int which) {{
    int own[2] = {{n, which}};
    if (n > 0) return jump_from(n - 1, which) + own[0] * {rng.randint(2, 9)};
    jumps_made++;
    if (which % 3 == 0) longjmp(outer_place, which + 1);
    if (which % 3 == 1) longjmp(inner_place, 0);
    return own[1];
}}
static int caught(int n, int which) {{
    volatile int tries = 0; int r = setjmp(inner_place);
    tries++;
    mix(tries * 10 + r);
    if (tries < {rng.randint(1, 3)}) return jump_from(n, which);
    return r + tries;
}}
""",
        f"""
{{
    volatile int round;
    for (round = 0; round < {rounds}; round++) {{
        int r = setjmp(outer_place);
        if (r == 0) mix(caught({depth}, round * {rng.randint(1, 5)} + {rng.randint(0, 2)})); else mix(r + 1000);
        mix(jumps_made);
    }}
}}
""",
    )


def computed_jumps(rng: Random) -> Fragment:
    """A small machine whose instructions are labels."""
    code = ", ".join([*(str(rng.randint(0, 4)) for _ in range(rng.randint(1, 12))), "5"])
    return (
        f"""
static unsigned machine(const unsigned char *p) {{
    static void *const labels[] = {{&&add, &&twice, &&less, &&turn, &&again, &&end}};
    unsigned a = {rng.randint(0, 99)}; int left = {rng.randint(0, 3)};
    const unsigned char *start = p;
    goto *labels[*p];
add: a += {rng.randint(1, 9)}; goto *labels[*++p];
twice: {{ unsigned b = a; a = b * 2 + 1; }} goto *labels[*++p];
less: a = a > 50 ? a - 50 : a; goto *labels[*++p];
turn: a ^= {rng.getrandbits(8)}; goto *labels[*++p];
again: if (left-- > 0) {{ p = start; goto *labels[*p]; }} goto *labels[*++p];
end: return a;
}}
""",
        f"{{ static const unsigned char code[] = {{{code}}}; mix(machine(code)); }}",
    )


FRAGMENTS = (variable_arguments, wide_integers, long_jumps, computed_jumps)
