"""The parametric programs of the paper on tests and proofs: figure 3 (aliases) and figure 6 (paths), as C text."""

from __future__ import annotations

from collections.abc import Iterable

from pincer.errors import PincerError

_DE = """\
typedef struct DE {
    int lock;
    int y;
} DE;
"""


def fig3(n: int) -> str:
    """n pointers to fresh records, none of which is written through p; they alias p only after the test."""
    _require(n)
    numbers = range(1, n + 1)
    parameters = ", ".join(f"DE *p{i}" for i in numbers)
    test = " || ".join(f"p{i}->lock == 1" for i in numbers)
    records = "".join(f", de{i}" for i in numbers)
    arguments = "".join(f", &de{i}" for i in numbers)
    return f"""\
#include <stdlib.h>

extern void reach_error(void);

{_DE}
void foo(DE *p, {parameters})
{{
{_lines(f"p{i} = malloc(sizeof(DE)); p{i}->lock = 0;" for i in numbers)}
    p->lock = 1;
    if ({test})
        reach_error();
{_lines(f"p = p{i};" for i in numbers)}
}}

int main(void)
{{
    DE de{records};
    foo(&de{arguments});
    return 0;
}}
"""


def fig6(n: int) -> str:
    """n decisions in a row, 2**n paths, none of which touches the lock."""
    _require(n)
    numbers = range(1, n + 1)
    parameters = ", ".join(f"_Bool b{i}" for i in numbers)
    decisions = (f"if (b{i})\n        x = x + 1;\n    else\n        *p = *p + 1;" for i in numbers)
    arguments = ", ".join("__VERIFIER_nondet_bool()" for _ in numbers)
    return f"""\
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

void prove_me3(int lock, {parameters})
{{
    int x;
    int *p;
    p = malloc(sizeof(int));
    x = 0;
    *p = 0;
    lock = 1;
{_lines(decisions)}
    if (lock != 1)
        reach_error();
}}

int main(void)
{{
    prove_me3(__VERIFIER_nondet_int(), {arguments});
    return 0;
}}
"""


def _lines(statements: Iterable[str]) -> str:
    return "\n".join(f"    {statement}" for statement in statements)


def _require(n: int) -> None:
    if n < 1:
        raise PincerError(f"the family begins with n = 1, not with {n}; choose a positive size")
