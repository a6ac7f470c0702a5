"""`pincer bench weak-reachability`: the abstract states that must-transitions reach, beside those ASE explores."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from rich.console import Console
from rich.table import Table

from pincer.abstraction.predicates import PredicateAbstraction, guard_predicates
from pincer.abstraction.weak_reachability import weakly_reachable
from pincer.bench.rows import benchmarks_directory
from pincer.engines.guarded import ase
from pincer.engines.guarded.exploration import AbstractExploration, Explorer
from pincer.engines.guarded.verify import transition_system
from pincer.frontends.gcl import load
from pincer.logic.queries import Queries
from pincer.logic.solver import SolverUnknown
from pincer.logic.z3_solver import Z3Solver
from pincer.runtime.run import Run, Stopped


class WeakComparison(Struct, frozen=True):
    """`missed` weakly reachable states were not explored by ASE: the thesis proves there are none."""

    model: str
    predicates: int
    weak: int
    explored: int
    missed: int


def compare(path_stem: str, timeout: float) -> WeakComparison:
    """Both sets for one model, under the atoms of its guards, properties and initial condition."""
    run = Run(timeout=timeout)
    queries = Queries(Z3Solver(), run)
    system = transition_system(load(benchmarks_directory("ase") / f"{path_stem}.gcl"), queries)
    formulas = [t.guard for t in system.transitions] + [p.formula for p in system.properties] + [system.initial]
    predicates = guard_predicates(system, formulas)
    abstraction = PredicateAbstraction(system, predicates, (), queries)
    exploration = AbstractExploration(abstraction)
    ase.symbolic_exec(Explorer(system, run), exploration, {-1})
    weak = weakly_reachable(abstraction, exploration.initial)
    explored = exploration.edges
    return WeakComparison(path_stem, len(predicates), len(weak), len(explored), sum(a not in explored for a in weak))


def print_comparison(console: Console, timeout: float) -> int:
    """One row per model; exit status 1 when ASE missed a weakly reachable state."""
    table = Table("model", "predicates", "weakly reachable", "explored by ASE", "missed by ASE")
    missed = 0
    for comparison in _comparisons(console, timeout):
        missed += comparison.missed
        table.add_row(*(str(getattr(comparison, name)) for name in WeakComparison.__struct_fields__))
    console.print(table)
    return int(missed > 0)


def _comparisons(console: Console, timeout: float) -> Iterator[WeakComparison]:
    for path in sorted(benchmarks_directory("ase").glob("*.gcl")):
        try:
            yield compare(path.stem, timeout)
        except (Stopped, SolverUnknown) as stop:
            console.print(f"{path.stem}: not compared ({stop})")
