"""Programs with loops far too long to unroll, whose verdicts follow from how they are made."""

from __future__ import annotations

from random import Random
from typing import Literal

Verdict = Literal["safe", "unsafe"]
PROLOGUE = """\
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void reach_error(void);
static void check(int condition) { if (!condition) reach_error(); }
"""


def generate(seed: int) -> tuple[str, Verdict]:
    """A program and its verdict on `assertions`."""
    rng = Random(f"known {seed}")
    body, safe = rng.choice((_lockstep, _bounded_sum, _up_and_down, _one_cell, _lock, _by_pointer))(rng)
    return PROLOGUE + body, "safe" if safe else "unsafe"


def _lockstep(rng: Random) -> tuple[str, bool]:
    """j = factor * i + start after every round; the loop ends at i = n."""
    factor, start, target = rng.randint(1, 4), rng.randint(0, 3), rng.randint(2, 30)
    claim, safe = rng.choice(
        (
            (f"j == {factor}u * i + {start}u", True),
            (f"j == {factor}u * n + {start}u", True),
            (f"j != {factor * target + start}u", False),
            (f"j == {factor}u * i + {start + 1}u", False),
            (f"j >= {start}u && j <= {factor}u * 1000u + {start}u", True),
        )
    )
    limit = rng.choice((100, 1000))
    return (
        f"int main(void) {{ unsigned i = 0, j = {start}, n = __VERIFIER_nondet_uint();\n"
        f"  __VERIFIER_assume(n <= {limit}u);\n"
        f"  while (i < n) {{ i++; j += {factor}; }}\n  check({claim});\n  return 0; }}\n"
    ), safe


def _bounded_sum(rng: Random) -> tuple[str, bool]:
    """Every round adds at most `most`, and there are at most `limit` rounds."""
    most, limit = rng.randint(1, 3), rng.choice((50, 200))
    slack = rng.choice((0, 0, 1, -1))
    return (
        f"int main(void) {{ int sum = 0, n = __VERIFIER_nondet_int();\n"
        f"  __VERIFIER_assume(n >= 0 && n <= {limit});\n"
        f"  for (int i = 0; i < n; i++) {{ int step = __VERIFIER_nondet_int();\n"
        f"    __VERIFIER_assume(step >= 0 && step <= {most}); sum += step; }}\n"
        f"  check(sum >= 0 && sum <= {most} * n + {slack});\n  return 0; }}\n"
    ), slack >= 0


def _up_and_down(rng: Random) -> tuple[str, bool]:
    """Up n times and down again; a round too many or a start that is off makes it wrong."""
    start, offset = rng.randint(0, 5), rng.choice((0, 0, 1))
    return (
        f"int main(void) {{ unsigned n = __VERIFIER_nondet_uint(), x = {start}, i;\n"
        f"  __VERIFIER_assume(n < 5000u);\n"
        f"  for (i = 0; i < n; i++) x++;\n  for (; i > {offset}u; i--) x--;\n"
        f"  check(x == {start}u);\n  return 0; }}\n"
    ), offset == 0


def _one_cell(rng: Random) -> tuple[str, bool]:
    """An array that a loop fills, and one element of it."""
    length, value, missed = rng.choice((16, 64)), rng.randint(1, 9), rng.choice((0, 0, 1))
    return (
        f"int cells[{length}];\nint main(void) {{ int k = __VERIFIER_nondet_int();\n"
        f"  __VERIFIER_assume(k >= 0 && k < {length});\n"
        f"  for (int i = 0; i < {length - missed}; i++) cells[i] = {value};\n"
        f"  check(cells[k] == {value});\n  return 0; }}\n"
    ), missed == 0


def _lock(rng: Random) -> tuple[str, bool]:
    """The driver loop: the lock is free whenever it is taken, unless a branch forgets to release it."""
    forgotten = rng.choice((False, False, True))
    release = "" if forgotten else "release(); "
    return (
        "int held;\n"
        "static void take(void) { check(!held); held = 1; }\n"
        "static void release(void) { check(held); held = 0; }\n"
        "int main(void) { unsigned packets = 0, before;\n"
        "  do { take(); before = packets;\n"
        f"    if (__VERIFIER_nondet_int()) {{ {release}packets++; }}\n"
        "  } while (packets != before);\n  release();\n  return 0; }\n"
    ), not forgotten


def _by_pointer(rng: Random) -> tuple[str, bool]:
    """Two counters that a function moves through pointers."""
    other = rng.choice(("b", "b", "a"))
    return (
        "static void bump(int *p, int *q) { (*p)++; (*q)++; }\n"
        "int main(void) { int a = 0, b = 0, n = __VERIFIER_nondet_int();\n"
        "  __VERIFIER_assume(n > 0 && n < 3000);\n"
        f"  for (int i = 0; i < n; i++) bump(&a, &{other});\n"
        "  check(a == b);\n  return 0; }\n"
    ), other == "b"
