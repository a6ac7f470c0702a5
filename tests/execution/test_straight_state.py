"""The end of a long run is the same, step by step, as when all of it is looked at."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.execution.machine import World
from pincer.execution.straight_state import node_after
from pincer.execution.testing import Tester
from tests.frontends.c.lowered_c import lowered

TEXT = """
#include <stdlib.h>
extern void reach_error(void);
int table[4];
int f(int n, int *p) { int local = n; if (n > 0) { table[n & 3] += local; return f(n - 1, &local) + *p; } return *p; }
int main(void) {
    int *heap = malloc(16), *gone = malloc(4), total = 0;
    heap[1] = 7;
    free(gone);
    for (int i = 0; i < 40; i++)
        total += f(i & 7, &heap[1]);
    if (total != 0)
        reach_error();
    return 0;
}
"""


@pytest.mark.parametrize("steps", [100, 500, 1_000, 1_700])
def test_the_rest_of_a_run_is_the_same(tmp_path: Path, steps: int) -> None:
    tester = Tester(World(lowered(tmp_path, TEXT)))
    whole, end = tester.run(tester.root(), 100_000)
    late, same = tester.run(node_after(tester, steps, lambda: None), 100_000)
    assert same == end and same.kind == "fail"
    live = {key: value for key, value in whole.state.registers.items() if key.args[0].owner in (None, "main")}
    assert live and {key: late.state.registers[key] for key in live} == live
    assert len(late.path()) < len(whole.path()) - steps + 2


def test_a_run_that_is_shorter_is_taken_from_its_start(tmp_path: Path) -> None:
    tester = Tester(World(lowered(tmp_path, TEXT)))
    assert node_after(tester, 1_000_000, lambda: None).location == tester.root().location
