"""Where C leaves the order of evaluation open, that is said if it matters, and only then."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.load import load
from pincer.frontends.c.lowering.expressions import ORDER
from pincer.program.control_flow import ControlFlowProgram, Unsupported

TEXT = """
int x, y, a[4], *p = a;
struct pair { int one, two; } s;
int pure(int n) { int t[2]; t[0] = n; return t[0] + 1; }
int change(void) { return ++x; }
int store(int *q) { return *q = 2; }
int *q;
int through(void) { return *q = 3; }
int main(int argc, char **argv) { int i = argc, j = 1; int (*f)(void) = change; %s return i + j; }
"""


def lowered(folder: Path, statement: str) -> ControlFlowProgram:
    file = folder / "order.c"
    file.write_text(TEXT % statement)
    return load(file)


def refusals(program: ControlFlowProgram) -> list[str]:
    return [edge.label.what for edge in program.edges() if isinstance(edge.label, Unsupported)]


@pytest.mark.parametrize(
    "statement",
    ["i = i++;", "a[i] = i++;", "j = ++i + ++i;", "j = i - --i;", "j = -x + change();", "j = (x, x) + f();",
     "a[change()] = a[change()];", "j = pure(i) + (i = 2);", "a[i++] = i;",
     "j = x - change() * 3;", "i ^= j ^= i ^= j;", "i += (i = 3);",
     "i = a[i++];", "p = &p++[1];", "struct pair *t = &s; i = (t++)->one; t = (struct pair *)&t++->two;",
     "i = j ? i++ : 5;", "i = (j, i--);", "i = (j = i++);", "i = j || i++;", "i = j ?: i++;",
     "i = (j += i++);", "i = (a[i++] = 5);", "i = (a[1] += i--);", "i = a[i++]++;", "a[0] = a[0]++;", "a[1] -= a[1]--;",
     "s.one = 2 * s.one++;", "*p = (*p)++;", "p[i] = (p[i])--;"],
)  # fmt: skip
def test_values_that_depend_on_the_order_are_not_guessed(tmp_path: Path, statement: str) -> None:
    assert any("without an order between the two" in text for text in refusals(lowered(tmp_path, statement)))


@pytest.mark.parametrize("statement", ["j = x + change();", "j = change() + change();", "j = *p + store(&i);",
                                       "j = s.one + store(&i);", "*p = change() + f();",
                                       "struct pair t = {.two = change(), .one = change()};",
                                       "int t[2] = {x, change()};", "j = i + store(&i);", "j = i - store(&i);",
                                       "q = &i; a[*q] = ++i;", "q = &i; *q = i++;",
                                       "q = &i; j = i * 2 + through();", "j = -i + store(&i);",
                                       "j = i * 2 + store(&i);", "j = i - store(&i) * 3;",
                                       "a[i] = a[j]++;", "a[pure(i)] = a[pure(j)]++;", "*p = a[0]++;", "*p = (*q)++;",
                                       "q = &i; i = (*q)++;", "struct pair *t = &s; t->one = s.one++;",
                                       "union { int k; short h; } u; u.k = u.h++;",
                                       "struct { union { int k; short h; }; } u; u.k = u.h++;",
                                       "p[i] += (*p)--;"])  # fmt: skip
def test_an_order_that_compilers_usually_take_is_an_assumption(tmp_path: Path, statement: str) -> None:
    program = lowered(tmp_path, statement)
    assert refusals(program) == [] and ORDER in program.assumptions


@pytest.mark.parametrize(
    "statement",
    ["i = i + 1;", "*p++ = 3;", "a[i] = pure(i) + a[i - 1] * pure(2);", "i += pure(i);", "s.one = s.two++;",
     "j = i++ && i;", "j = (i++, i);", "i = (i++, 7);", "i = i++ || j;", "i = pure(i++);", "i = i++ ? j : 2;",
     "j = a[i++];", "x = change();", "j = i++ ? i : 0;", "i = (j = 2);", "j = sizeof(i++) + i;",
     "struct pair t = {pure(1), pure(2)};", "int t[3] = {[2] = i++, [0] = j++};", "struct pair t = {change(), i};",
     "int k = 1; i = k + store(&j);",
     "a[0] = a[1]++;", "i = (j += a[0]++);", "i = a[pure(j)]++;", "int b[2]; b[i] = a[j]++;",
     "struct pair *t = &s, *u = t; t->one = u->two++;",
     "struct { int n; } *t; struct pair *u; t->n = u->two++;"],
)  # fmt: skip
def test_what_is_ordered_or_apart_is_left_alone(tmp_path: Path, statement: str) -> None:
    program = lowered(tmp_path, statement)
    assert refusals(program) == [] and ORDER not in program.assumptions
