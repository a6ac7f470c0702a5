"""C programs with what DASH leaves behind of them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from pincer.engines.sequential import EVERYTHING, REGIONS, Choice, SequentialSettings, check
from pincer.engines.task import Claim, EngineTask
from pincer.frontends.c.load import load
from pincer.report.details import Details
from pincer.report.details_c import program_details
from pincer.report.graph import Graph
from pincer.runtime.run import Run

LOOP = """extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int main(void) {
    unsigned n = __VERIFIER_nondet_uint();
    unsigned x = n, y = 0;
    while (x > 0) {
        x--;
        y++;
    }
    if (y != n)
        reach_error();
    return 0;
}
"""
CALL = """extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int limit = 3;
static int twice(int x) { return x + x; }
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n == 1000)
        if (twice(n) > limit)
            reach_error();
    return 0;
}
"""


@cache
def explored(folder: Path, text: str, by_regions: bool) -> tuple[Claim, Details]:
    file = folder / "program.c"
    file.write_text(text, encoding="utf-8")
    program = load(file)
    settings = SequentialSettings(choice=Choice(REGIONS, plain=True) if by_regions else EVERYTHING)
    [claim] = check(EngineTask(program, ("assertions",), settings, explain=True), Run(timeout=60))
    return claim, program_details(program, claim)


def graph(made: Details, kind: str) -> Graph:
    return next(graph for graph in made.graphs if graph.kind == kind)
