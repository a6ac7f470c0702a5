"""Exploration by worker processes: each turns one condition of the first run and everything below it.

Terms and formulas live in one process, so workers get the text of the program and inputs, and give inputs back. The
asking process runs these inputs itself to grow its tree, in the order of a search without workers.
"""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator, Sequence
from multiprocessing.pool import AsyncResult

from msgspec import Struct

from pincer.execution.msvl import Execution, Options, execute
from pincer.execution.trees.exploration import Figures, Inputs, SearchBounds, TreeExploration
from pincer.execution.trees.tree import Path
from pincer.frontends.msvl import Program, parse_program
from pincer.logic.queries import Queries
from pincer.logic.z3_solver import Z3Solver
from pincer.runtime.run import Run, Stopped

_PATIENCE_S = 0.1
"""How long to wait for a worker before looking whether the run was stopped."""


class Subtree(Struct, frozen=True):
    """What a worker is asked: the ways that leave the run with these inputs at one of its conditions."""

    text: str
    file: str
    options: Options
    bounds: SearchBounds
    solver_work: int
    time_s: float | None
    inputs: Inputs
    position: int


class FoundRuns(Struct, frozen=True):
    """The inputs of the runs that were made, in order."""

    found: tuple[Inputs, ...]
    figures: Figures


def explore_in_parallel(
    exploration: TreeExploration, program: Program, options: Options, inputs: Inputs, jobs: int, solver_work: int
) -> Iterator[Path]:
    """The paths of a program, found by that many workers beside the run with the inputs; the exploration is fresh."""
    first = next(exploration.paths(inputs), None)
    if first is None:
        return
    yield first
    run, source = exploration.queries.run, program.source
    known = first.execution.input_values()
    assignments = [
        Subtree(source.text, source.file, options, exploration.bounds, solver_work, run.remaining(), known, position)
        for position in range(len(first.execution.constraints))
    ]
    if not assignments:
        return
    workers = min(jobs, len(assignments))
    # An interrupt from the keyboard reaches all processes; the asking one ends the workers.
    ignoring = signal.SIGINT, signal.SIG_IGN
    with multiprocessing.get_context("spawn").Pool(workers, signal.signal, ignoring) as pool:
        awaited = [pool.apply_async(answer, (assignment,)) for assignment in assignments]
        yield from _collected(exploration, awaited)


def _collected(exploration: TreeExploration, awaited: Sequence[AsyncResult[FoundRuns]]) -> Iterator[Path]:
    """Run what the workers found, in order; those that would exceed `max_runs` are left open."""
    total = Figures()
    for pending in awaited:
        found = _awaited(pending, exploration.queries.run)
        total = total.plus(found.figures)
        for inputs in found.found:
            if exploration.runs >= exploration.bounds.max_runs:
                total.left_open += 1
                exploration.finish(total)
                return
            yield from exploration.include(inputs)
    exploration.finish(total)


def _awaited(pending: AsyncResult[FoundRuns], run: Run) -> FoundRuns:
    while True:
        run.poll()
        try:
            return pending.get(_PATIENCE_S)
        except multiprocessing.TimeoutError:
            continue


def answer(assignment: Subtree) -> FoundRuns:
    """The work of one worker."""
    run = Run(assignment.time_s)
    program = parse_program(assignment.text, assignment.file)

    def runner(inputs: Inputs) -> Execution:
        return execute(program, inputs, assignment.options, run)

    queries = Queries(Z3Solver(work=assignment.solver_work), run)
    exploration = TreeExploration(runner, queries, assignment.bounds)
    figures = exploration.figures
    try:
        for _ in exploration.paths_beside(assignment.inputs, assignment.position):
            run.poll()
    except Stopped:
        figures.left_open += 1
    if exploration.pending:
        figures.left_open += 1
    return FoundRuns(tuple(path.execution.input_values() for path in exploration.tree.paths), figures)
