"""Known functions, module by module: what calls of them compute, and that each stands in one table."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.library import atomics, compiler, stdio, stdlib, string, threads, verifier
from pincer.frontends.c.library.functions import FUNCTIONS, RESULTS, UNMODELLED
from tests.frontends.c.lowered_c import outcome, result_of


@pytest.mark.parametrize(
    ("statements", "result"),
    [
        ("result = abs(-3) + labs(-4) + llabs(-5);", 12),
        ("int *p = calloc(2, 4); p[1] = 7; p = realloc(p, 12); result = p[0] + p[1]; free(p);", 7),
        ("char *p = alloca(4); p[3] = 2; result = p[3];", 2),
        ("int a[3]; memset(a, 1, sizeof a); result = a[2];", 0x01010101),
        ("int a[2] = {3, 4}, b[2]; memcpy(b, a, 8); memmove(b, b + 1, 4); result = b[0] * 10 + b[1];", 44),
        ("result = __builtin_bswap32(1) >> 24;", 1),
        ("result = __builtin_popcount(255) * 100 + __builtin_clz(1) + __builtin_ctz(8) + __builtin_ffs(4);", 837),
        ("int x; result = __builtin_add_overflow(2147483647, 1, &x); result += x == (-2147483647 - 1);", 2),
        ("result = __builtin_expect(5, 1) + __builtin_constant_p(3);", 6),
        ("int x = 5; result = __sync_fetch_and_add(&x, 2) * 10 + x;", 57),
        ("unsigned char x = 250; result = __sync_add_and_fetch(&x, 10);", 4),
        ("int x = 1, y = 2; result = __atomic_compare_exchange_n(&x, &y, 9, 0, 5, 5) + y * 10 + x;", 11),
        ("int x = 3; result = __sync_val_compare_and_swap(&x, 3, 8) * 10 + x;", 38),
        ("int x = __VERIFIER_nondet_bool(); __VERIFIER_assume(x == 0 || x == 1); result = x < 2;", 1),
    ],
)
def test_results(tmp_path: Path, statements: str, result: int) -> None:
    headers = "#include <stdlib.h>\n#include <string.h>\n#include <alloca.h>\nlong long result;\n"
    assert result_of(tmp_path, f"{headers}int main(void) {{ {statements} return 0; }}") == result


def test_the_program_may_end_in_a_call(tmp_path: Path) -> None:
    text = "void exit(int); long long result; int main(void) { result = 1; exit(0); result = 2; return 0; }"
    assert outcome(tmp_path, text).global_value("result") == 1


def test_no_name_stands_in_two_tables() -> None:
    tables = [module.FUNCTIONS for module in (atomics, compiler, stdio, stdlib, string, threads, verifier)]
    names = [name for table in tables for name in table] + list(UNMODELLED)
    assert len(names) == len(set(names)) == len(FUNCTIONS)
    assert RESULTS.keys() <= FUNCTIONS.keys()
