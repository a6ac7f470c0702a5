"""Random programs over three bytes of input, for proofs by merged execution: arrays, strings, pointers into several
objects, members, lists, early exits, nested loops, recursion, calls through pointers.

Every program has candidates for assertions, of which whoever judges it keeps some. Names begin with `@`, so that many
programs fit into one file. Much of what is written may go wrong for some input: indices are not always held in.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

HEAD = """#include <stdlib.h>
#include <string.h>
"""

SHARED = """
struct @S { int n; char name[3]; struct @S *next; };
static int @total;
static int @table[6] = {3, 1, 4, 1, 5, 9};
static int @add(int x, int k) { return x + k; }
static int @less(int x, int k) { if (x > k) return x - k; return 0; }
static int (*const @calls[2])(int, int) = {@add, @less};
static int @down(int n, int k) { if (n <= 0) return k; if (k > 40) return n; return 1 + @down(n - 1 - (k & 1), k + 2); }
static int @even(int n);
static int @odd(int n) { return n == 0 ? 0 : @even(n - 1); }
static int @even(int n) { return n == 0 ? 1 : @odd(n - 1); }
static char *@find(char *text, char wanted) {
    while (*text) { if (*text == wanted) return text; text++; }
    return 0;
}
"""

NAMES = ("x", "y", "z")


class Writer:
    """Writes the body of one program."""

    def __init__(self, seed: int) -> None:
        self._random = Random(seed)
        self._asserts = 0
        self._labels = 0

    def body(self) -> str:
        """The function `@program`, which gets the three bytes."""
        statements = [self._statement(2) for _ in range(self._random.randint(3, 6))]
        lines = [
            "static int @program(unsigned char a, unsigned char b, unsigned char c) {",
            "    int x = 0, y = 1, z = 2; unsigned u = 0; char *p = 0; int *q = 0;",
            "    char s[4] = {(char)a, (char)b, (char)c, 0}; char t[6] = {0}; int arr[5] = {0};",
            "    struct @S st[2] = {{0}}; struct @S *h = 0; @total = 0;",
            *(f"    {statement} {self._asserted()}" for statement in statements),
            "out:",
            f"    {self._asserted()}",
            "    while (h) { struct @S *next = h->next; free(h); h = next; }",
            "    return x + y + z + (int)(u & 1) + (p != 0) + (q != 0) + t[0] + st[0].n;",
            "}",
        ]
        return "\n".join(lines) + "\n"

    def _pick(self, *options: str) -> str:
        return self._random.choice(options)

    def _letter(self) -> str:
        return self._pick("'a'", "'0'", "'9'", "' '", "','", "'\\\\'", "10", "0", "127", "200")

    def _index(self) -> str:
        return self._pick(
            "a & 3", "b & 1", "(a + b) & 3", "x & 3", "c", "1", "2", "0", "x", "y", "a % 5", "u % 5", "z & 3"
        )

    def _value(self) -> str:
        name = self._pick(*NAMES)
        return self._pick(
            name, "a", "b", "c", "(int)u", "s[1]", "a - b", "a * 3", f"{name} + 1", f"{name} - 1", "arr[1]",
            "arr[a & 3]", "st[0].n", "st[c & 1].n", "(a << 4) | (b & 15)", "b / 3", "a % 7", "@table[b % 6]",
            "3", "7", "@total", "t[1]", "c ^ a", f"{name} * 2 + b",
        )  # fmt: skip

    def _condition(self) -> str:
        compare = self._pick("<", "<=", "==", "!=", ">", ">=")
        return self._pick(
            f"s[{self._pick('0', '1', '2')}] == {self._letter()}",
            f"{self._value()} {compare} {self._random.randint(0, 12)}",
            f"{self._value()} {compare} {self._value()}",
            f"a > {self._letter()} && b < {self._letter()}",
            f"(a & 1) || c {compare} {self._random.randint(0, 3)}",
        )

    def _asserted(self) -> str:
        self._asserts += 1
        bound = self._random.choice((0, 1, 3, 4, 7, 10, 12, 40, 255, 300, 1000))
        claim = self._pick(
            f"{self._value()} <= {bound}",
            f"{self._value()} >= 0",
            f"{self._value()} != {bound}",
            f"!({self._condition()}) || {self._value()} <= {bound}",
            f"{self._condition()}",
            f"{self._pick(*NAMES)} + {self._pick(*NAMES)} < {bound + 10}",
        )
        return f"ASSERT({self._asserts}, {claim});"

    def _statement(self, depth: int) -> str:
        kinds: list[Callable[[int], str]] = [
            self._scan, self._branch, self._switch, self._nested, self._write, self._select, self._heap, self._list,
            self._library, self._member, self._simple, self._simple, self._pointer, self._early, self._call,
            self._words,
        ]  # fmt: skip
        return self._random.choice(kinds)(depth)

    def _inner(self, depth: int) -> str:
        return self._statement(depth - 1) if depth > 0 and self._random.random() < 0.6 else self._simple(0)

    def _simple(self, _: int) -> str:
        name = self._pick(*NAMES)
        return self._pick(
            f"{name} = {self._value()};",
            f"{name} += {self._random.randint(1, 3)};",
            f"if ({name} < 50) {name} += {self._value()} & 7;",
            f"u = u * 31 + {self._value()};",
            f"@total += {self._random.randint(1, 2)};",
        )

    def _scan(self, depth: int) -> str:
        name = self._pick("x", "y", "z")
        bound = self._random.choice((3, 3, 3, 4))
        stop = self._pick("break;", "continue;", "goto out;", "")
        inner = f"if (s[{name} & 3] == {self._letter()}) {{ {self._simple(0)} {stop} }}"
        more = self._inner(depth - 1) if depth > 1 and self._random.random() < 0.3 else ""
        if name in more:
            more = ""
        goes_on = f"{name} < {bound} && s[{name}] {self._pick('!=', '>', '<')} {self._letter()}"
        return f"for ({name} = 0; {goes_on}; {name}++) {{ {inner} {more} }}"

    def _branch(self, depth: int) -> str:
        return f"if ({self._condition()}) {{ {self._inner(depth)} }} else {{ {self._inner(depth)} }}"

    def _switch(self, depth: int) -> str:
        cases = [
            f"case {k}: {self._inner(depth)} {self._pick('break;', '')}" for k in range(self._random.randint(2, 4))
        ]
        return (
            f"switch ({self._pick('a & 3', 'c', 'b % 4', 's[0]')}) {{ {' '.join(cases)} default: {self._simple(0)} }}"
        )

    def _nested(self, depth: int) -> str:
        leave = self._pick("break;", "continue;", "goto out;", "")
        return (
            f"for (int i = 0; i < (a & 3); i++) "
            f"for (int j = i; j < (int)({self._pick('b & 3', 'c', '2', 'i + 1')}); j++) "
            f"{{ if ({self._condition()}) {{ {leave} }} {self._pick('x', 'z')} += {self._pick('i', 'j', '1')}; "
            f"arr[{self._pick('i + j', 'i', 'j & 3')}] = {self._value()}; }}"
        )

    def _write(self, _: int) -> str:
        index, array = self._index(), self._pick("arr", "arr", "t", "s")
        value, chance = self._value(), self._random.random()
        if chance < 0.8:
            held = f"k >= 0 && k {'<' if chance < 0.6 else '<='} (int)(sizeof {array} / sizeof *{array})"
            return f"{{ int k = (int)({index}); if ({held}) {array}[k] = {value}; }}"
        return f"{array}[({index}) & 3] = {value};"

    def _select(self, _: int) -> str:
        other = self._pick("&y", "&st[a & 1].n", "&@total", "arr")
        return (
            f"q = {self._condition()} ? &arr[{self._pick('a & 3', 'b % 5', '4', 'c')}] : {other}; "
            f"*q = {self._value()}; x = *q{self._pick('', ' & 15')};"
        )

    def _heap(self, _: int) -> str:
        size = self._pick("1 + (b & 3)", "4", "2 + (a % 3)", "(a & 1) ? 4 : 2", "c + 1")
        use = self._pick("b & 3", "1", "0", "a % 3", "c", "a & 1")
        guarded = f"if ((int)({use}) < (int)({size}))" if self._random.random() < 0.6 else ""
        more = self._pick(
            "",
            "m[0] = s[0]; x = m[0];",
            "memset(m, a, 1); y = m[0];",
            "char *w = realloc(m, 8); if (w) { m = w; m[7] = 1; }",
        )
        end = self._pick(
            "free(m);", "free(m);", f"if ({self._condition()}) free(m);", "free(m); if (a == 77) x = m[0];"
        )
        return f"{{ char *m = malloc({size}); if (m) {{ m[0] = 1; {guarded} m[{use}] = s[1]; {more} {end} }} }}"

    def _list(self, _: int) -> str:
        walk = self._pick("x += w->n;", "if (w->n == 2) break;", "w->n++;", "z = w->n;")
        return (
            f"for (int i = 0; i < (int)({self._pick('a & 3', 'c', '2', 'b % 3')}); i++) {{ "
            f"struct @S *w = malloc(sizeof *w); if (!w) goto out; w->n = {self._pick('i', 'i + a', 's[i]', '1')}; "
            f"w->next = h; h = w; {self._pick('', 'if (s[i] == 44) break;')} }} "
            f"for (struct @S *w = h; w; w = w->next) {{ {walk} }}"
        )

    def _library(self, _: int) -> str:
        return self._pick(
            "x = (int)strlen(s);",
            "memcpy(t, s, 4); y = t[2];",
            f"memcpy(t + {self._pick('1', '2', '(a & 1)', '3')}, s, {self._pick('2', '3', 'a & 3', '4')});",
            "strcpy(t, s); z = strcmp(t, s);",
            f"memset(t, {self._letter()}, {self._pick('5', 'b & 3', '6', 'c')}); t[5] = 0; x = (int)strlen(t);",
            f"p = strchr(s, {self._letter()}); if (p) x = (int)(p - s);",
            "memcpy(&u, s, 4); u >>= 28;",
            "z = memcmp(s, t, 3) == 0;",
            f"strncpy(t, s, {self._pick('3', '5', '6')}); y = t[0];",
        )

    def _member(self, _: int) -> str:
        index = self._pick("c & 1", "0", "1", "a & 1", "b & 1")
        return self._pick(
            f"st[{index}].n = {self._value()}; x = st[{self._pick('0', '1', 'a & 1')}].n & 31;",
            f"st[{index}].name[{self._pick('c % 3', '2', 'a & 1', 'b & 3')}] = {self._letter()}; y = st[0].name[1];",
            f"h = {self._pick('h', 'h', '0')}; if (h) h->n = {self._value()};",
            f"{{ struct @S w = st[{index}]; w.n += {self._random.randint(1, 4)}; st[0] = w; z = st[0].n & 63; }}",
        )

    def _pointer(self, _: int) -> str:
        return self._pick(
            f"p = s; while (*p && *p != {self._letter()}) p++; x = (int)(p - s);",
            f"p = @find(s, {self._letter()}); if (p) {{ *p = {self._letter()}; y = (int)(p - s); }}",
            f"p = {self._condition()} ? s : t; p[{self._pick('a & 3', '1', 'b % 4', 'c')}] = 'a'; x = p[1];",
            "p = s + (a & 3); if (*p) p++; x = *p;",
            f"p = s; for (;;) {{ if (*p == 0) break; if (*p++ == {self._letter()}) {{ z = (int)(p - s); break; }} }}",
            f"q = arr + ({self._pick('a & 3', 'b % 5', '5')}); while (q > arr) *--q = {self._pick('1', 'a', 'x & 7')};",
        )

    def _early(self, _: int) -> str:
        self._labels += 1
        return self._pick(
            f"if ({self._condition()}) goto out;",
            f"if ({self._condition()} && {self._condition()}) {{ @total = -1; goto out; }}",
            f"again{self._labels}: if (z < 4 && {self._condition()}) {{ z++; goto again{self._labels}; }}",
            f"do {{ y++; if ({self._condition()}) break; }} while (y < {self._random.randint(2, 5)});",
        )

    def _call(self, _: int) -> str:
        return self._pick(
            f"x = @down({self._pick('a & 7', 'c + 2', 'b % 6')}, {self._pick('0', 'c', 'y & 7')});",
            f"x = @calls[{self._pick('a & 1', '(b >> 3) & 1')}]({self._pick('y & 63', 'a')}, {self._pick('b', '2')});",
            f"y = @even({self._pick('a & 7', 'c', '(b & 3) + c')});",
        )

    def _words(self, _: int) -> str:
        return self._pick(
            "{ int v = 0, k = 0; while (s[k] >= '0' && s[k] <= '9') v = v * 10 + (s[k++] - '0'); x = v; y = k; }",
            "{ unsigned short w = (unsigned short)((a << 8) | b); z = w > 40000 ? 1 : w & 7; }",
            "{ int w = 5; z = 0; while (z < w) { int m = (z + w) / 2; "
            "if (@table[m] < (a & 15)) z = m + 1; else w = m; } }",
            "if (s[0] > s[1]) { char w = s[0]; s[0] = s[1]; s[1] = w; }",
            "for (int i = 0; i < 4; i++) { u ^= (unsigned)s[i & 3] << (8 * (i & 1)); } x = (int)(u & 3);",
        )


def program(seed: int) -> str:
    """The text of a program, without its `main`; names begin with `@`."""
    return SHARED + Writer(seed).body()
