"""Random programs with a few nibbles of input: arrays, strings, early exits, loops, calls, for merged execution.

The text is read by two: by us as it is, and by gcc with other definitions of what begins with `FUZZ_`. There inputs are
counted through, and every access to an array is looked at before it happens. All arithmetic is unsigned and all loops
are bounded, so that nothing else can go wrong.
"""

from __future__ import annotations

import random

OURS = """\
#include <string.h>
#include <stdlib.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);
extern void __VERIFIER_assume(int);
#define FUZZ_NIBBLE() (__VERIFIER_nondet_uchar() & 15u)
#define FUZZ_ASSERT(e) do { if (!(e)) { reach_error(); abort(); } } while (0)
#define FUZZ_ASSUME(e) __VERIFIER_assume(e)
#define FUZZ_AT(a, n, i) (a)[i]
#define FUZZ_MAIN main
"""

THEIRS = """\
#include <string.h>
#include <stdlib.h>
#include <setjmp.h>
#include <stdio.h>
static jmp_buf over;
static unsigned given[8], taken;
static unsigned char nibble(void) { return taken < 8 ? given[taken++] : 0; }
static unsigned checked(unsigned n, unsigned i) { if (i >= n) longjmp(over, 2); return i; }
#define FUZZ_NIBBLE() (unsigned)nibble()
#define FUZZ_ASSERT(e) do { if (!(e)) longjmp(over, 1); } while (0)
#define FUZZ_ASSUME(e) do { if (!(e)) longjmp(over, 3); } while (0)
#define FUZZ_AT(a, n, i) (a)[checked(n, i)]
#define FUZZ_MAIN tested
int tested(void);
"""

DRIVER = """\
static unsigned char first[sizeof globals];
int main(void) {
    static int found[4];
    static unsigned all;
    memcpy(first, &globals, sizeof globals);
    for (all = 0; all < 1u << 4 * INPUTS; all++) {
        for (unsigned i = 0; i < 8; i++) given[i] = all >> 4 * i & 15;
        taken = 0;
        memcpy(&globals, first, sizeof globals);
        int how = setjmp(over);
        if (how == 0) tested(); else found[how] = 1;
    }
    printf("%d %d\\n", found[1], found[2]);
}
"""


class ProgramWriter:
    """One program from a seed. `inputs` counts the nibbles it reads at most."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.inputs = self.random.randint(1, 3)
        self.lines: list[str] = []
        self.loops = 0
        self.calls = True
        self.depth = 0

    def text(self) -> str:
        pick = self.random
        table = ", ".join(str(pick.randrange(16)) for _ in range(16))
        words = pick.sample(["ab", "abc", "", "xyz", "b"], 2)
        self._lines(
            "struct { unsigned char table[16]; unsigned count, state; char text[8]; unsigned g[4]; } globals =",
            f'    {{ {{{table}}}, 0, {pick.randrange(3)}, "{words[0]}", {{1, 2, 3, 4}} }};',
            "#define TABLE globals.table",
            f'static const char *const WORDS[2] = {{ "{words[0]}", "{words[1]}" }};',
        )
        self._function("static unsigned helper(unsigned p, unsigned q)", 3)
        self._lines(
            "static unsigned down(unsigned n, unsigned m) {",
            "    if (n == 0 || m == 9) return m;",
            f"    return down(n - 1, (m + {pick.randint(1, 5)}) & 15) {pick.choice('+^|')} {pick.choice('mn')};",
            "}",
            "static unsigned twice(unsigned v) { return v + v; }",
            "static unsigned other(unsigned v) { return v ^ 5u; }",
            "static unsigned (*const OPERATIONS[2])(unsigned) = { twice, other };",
        )
        self._main()
        return "\n".join(self.lines) + "\n"

    def _lines(self, *lines: str) -> None:
        self.lines += lines

    def _function(self, head: str, statements: int) -> None:
        self._lines(head + " {", 'unsigned x = p, y = q, z = 3, a[4] = {1, 2, 3, 4}; char s[8] = "ab";')
        self._lines("unsigned char b[8] = {0};", "(void)y; (void)z; (void)a; (void)s; (void)b;")
        self.calls = False
        self._block(statements, 1)
        self._lines(f"return {self._value(1)};", "}")
        self.calls = True

    def _main(self) -> None:
        self._lines("int FUZZ_MAIN(void) {", "unsigned x = FUZZ_NIBBLE(), y = 2, z = 7, a[4] = {0, 1, 2, 3};")
        self._lines("char s[8] = {0}; unsigned char b[8] = {0};")
        if self.inputs > 1:
            self._lines("y = FUZZ_NIBBLE();")
        if self.inputs > 2:
            late = self.random.random() < 0.4
            self._lines(f"if ({self._condition(0)}) z = FUZZ_NIBBLE();" if late else "z = FUZZ_NIBBLE();")
        self._lines("unsigned *h = malloc(4 * sizeof *h); if (!h) return 0;", "for (int i = 0; i < 4; i++) h[i] = i;")
        self._block(self.random.randint(4, 9), 0)
        self._lines(f"FUZZ_ASSERT({self._claim()});", "free(h);", "out: return 0;", "}")

    def _claim(self) -> str:
        kind = self.random.randrange(5)
        if kind == 0:
            return f"{self._value(1)} != {self.random.randrange(20)}u"
        if kind == 1:
            return f"({self._value(1)} & 31u) <= {self.random.randrange(10, 32)}u"
        if kind == 2:
            return f"strlen(s) <= {self.random.randrange(2, 8)}"
        return self._condition(1) if kind == 3 else f"a[0] + a[1] != {self.random.randrange(30)}u"

    def _block(self, statements: int, depth: int) -> None:
        for _ in range(statements):
            self._statement(depth)

    def _statement(self, depth: int) -> None:
        pick = self.random
        simple = (self._assign, self._assign, self._store, self._store, self._text, self._claimed, self._exit)
        nested = (self._branch, self._branch, self._loop, self._scan, self._switch)
        chosen = pick.choice(simple + nested if depth < 2 else simple[:5])
        chosen(depth)

    def _assign(self, depth: int) -> None:
        self._lines(f"{self.random.choice(['x', 'y', 'z', 'globals.count', 'globals.state'])} = {self._value(2)};")

    def _index(self, size: int, is_whole: bool) -> str:
        """Mostly inside of an array of some size; always, where that is a part of an object: beyond it, but inside of
        the object, our property `assertions` goes on."""
        value = self._value(1)
        is_inside = self.random.random() < 0.93 or not is_whole
        return f"({value}) & {(1 if is_inside else 2) * size - 1}u"

    def _store(self, depth: int) -> None:
        name, size = self.random.choice((("a", 4), ("b", 8), ("globals.g", 4), ("TABLE", 16)))
        self._lines(f"FUZZ_AT({name}, {size}, {self._index(size, name in 'ab')}) = {self._value(1)};")

    def _text(self, depth: int) -> None:
        kind = self.random.randrange(5)
        if kind == 0:
            self._lines(f"FUZZ_AT(s, 8, {self._index(8, True)}) = (char)({self._value(1)}); s[7] = 0;")
        elif kind == 1:
            self._lines(f"strcpy(s, WORDS[({self._value(0)}) & 1u]);")
        elif kind == 2:
            self._lines(f"memcpy(b, s, ({self._value(0)}) & 7u);")
        elif kind == 3:
            self._lines(f"memset(b, (int)({self._value(0)} & 255u), ({self._value(0)}) & 7u);")
        else:
            self._lines("x = (unsigned)strlen(s) + (strcmp(s, WORDS[0]) == 0);")

    def _claimed(self, depth: int) -> None:
        self._lines(f"FUZZ_ASSERT({self._claim()});" if self.random.random() < 0.5 else f"y = {self._value(1)};")

    def _exit(self, depth: int) -> None:
        if self.random.random() < 0.3:
            self._lines(f"FUZZ_ASSUME({self._condition(1)});")
            return
        way = "goto out;" if self.calls and self.random.random() < 0.5 else "return 1;"
        self._lines(f"if ({self._condition(1)}) {way}")

    def _branch(self, depth: int) -> None:
        self._lines(f"if ({self._condition(1)}) {{")
        self._block(self.random.randint(1, 3), depth + 1)
        if self.random.random() < 0.5:
            self._lines("} else {")
            self._block(self.random.randint(1, 2), depth + 1)
        self._lines("}")

    def _loop(self, depth: int) -> None:
        self.loops += 1
        name, bound = f"i{self.loops}", self.random.choice(("4u", "3u", f"({self._value(0)} & 7u)"))
        self._lines(f"for (unsigned {name} = 0; {name} < {bound}; {name}++) {{")
        if self.random.random() < 0.5:
            self._lines(f"if ({self._condition(0)}) {self.random.choice(('break', 'continue'))};")
        self._lines(f"FUZZ_AT(a, 4, {name} & 3u) += {self._value(1)};", f"x ^= {name};")
        self._block(1, depth + 1)
        self._lines("}")

    def _scan(self, depth: int) -> None:
        self.loops += 1
        name = f"p{self.loops}"
        step = self.random.choice((f"{name}++", f"{name} += 1 + ({self._value(0)} & 1u)"))
        self._lines(f"unsigned {name} = {self.random.randrange(3)};")
        self._lines(
            f"while ({name} < 8 && FUZZ_AT(b, 8, {name}) != ({self._value(0)} & 3u)) {{ {step}; z += {name}; }}"
        )
        self._lines(f"if ({name} == 8) y = {self._value(1)}; else FUZZ_AT(b, 8, {name}) = 9;")

    def _switch(self, depth: int) -> None:
        self._lines(f"switch (({self._value(1)}) & 3u) {{")
        for case in ("case 0:", "case 2:", "default:"):
            self._lines(case)
            self._block(1, 2)
            self._lines("break;" if self.random.random() < 0.7 or case == "default:" else ";")
        self._lines("}")

    def _condition(self, depth: int) -> str:
        pick = self.random
        if depth and pick.random() < 0.3:
            return f"({self._condition(depth - 1)}) {pick.choice(('&&', '||'))} ({self._condition(depth - 1)})"
        return f"{self._value(depth)} {pick.choice(('<', '==', '!=', '>', '<='))} {self._value(0)}"

    def _value(self, depth: int) -> str:
        pick = self.random
        leaves = ["x", "y", "z", f"{pick.randrange(16)}u", "globals.count", "globals.state", "a[1]", "(unsigned)b[2]"]
        if depth == 0:
            return pick.choice(leaves)
        kind = pick.randrange(9)
        if kind < 4:
            return f"({self._value(depth - 1)} {pick.choice('+-*&|^')} {self._value(depth - 1)})"
        if kind == 4:
            name, size = pick.choice((("a", 4), ("b", 8), ("TABLE", 16), ("globals.g", 4)))
            return f"FUZZ_AT({name}, {size}, {self._index_of(depth, size, name in 'ab')})"
        if kind == 5 and self.calls:
            call = pick.choice(("helper({}, {})", "down({} & 3u, {})", "OPERATIONS[{} & 1u]({})"))
            return call.format(self._value(0), self._value(0))
        if kind == 6:
            return f"({self._condition(0)} ? {self._value(depth - 1)} : {self._value(0)})"
        return f"({self._value(0)} >> {pick.randrange(3)})" if kind == 7 else pick.choice(leaves)

    def _index_of(self, depth: int, size: int, is_whole: bool) -> str:
        wide = 2 * size - 1 if self.random.random() < 0.04 and is_whole else size - 1
        return f"({self._value(depth - 1)}) & {wide}u"
