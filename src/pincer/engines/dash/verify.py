"""Checking a property of a C program with DASH: the verdict, its evidence, and the numbers of the tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pincer.analysis.constants import Constants, constants, needed_constants, nothing_known
from pincer.engines.dash.algorithm import AllPathsExplored, Dash, ErrorReached, Undecided, UndefinedBehaviourFound
from pincer.engines.dash.exploration import Exploration
from pincer.engines.dash.goals import PropertyKind
from pincer.engines.dash.inputs import input_vector
from pincer.engines.dash.proof import procedure_proofs
from pincer.engines.dash.violation import violation_test
from pincer.engines.task import PropertyResult
from pincer.execution.stepping import Stop
from pincer.logic.terms import Term
from pincer.program.control_flow import Check, ControlFlowProgram
from pincer.program.effects import effects
from pincer.runtime.run import Run, Stopped


def check(
    program: ControlFlowProgram,
    kind: PropertyKind,
    run: Run,
    planned: Iterable[Mapping[Term, int]] = (),
    paper: bool = False,
    by_paths: bool = True,
) -> PropertyResult:
    """Decide a property. The result carries a test or a proof; what the verdict assumes is among its warnings.

    With `paper`, only tests and regions are used: no constants, no random tests, no exploration of all paths. Without
    `by_paths` the exploration hunts for errors, but gives no proof."""
    known = nothing_known(program) if paper else needed_constants(program, constants(program))
    analysed = known.simplified(program)
    # The proof is about the program as written, so what calls change is taken from there.
    changes = effects(program)
    exploration = None if paper else Exploration(program, kind, run, exhaustive=by_paths)
    dash = Dash(analysed, kind, run, changes, exploration)
    result = PropertyResult(kind, "unknown", "dash")
    started = run.elapsed()
    try:
        try:
            _decide(dash, program, known, result, planned)
        except UndefinedBehaviourFound:
            known_tests = [dict(node.state.values) for node in dash.last_nodes]
            dash = Dash(analysed, kind, run, changes, exploration, strict=True)
            _decide(dash, program, known, result, known_tests)
    except AllPathsExplored:
        assert exploration is not None
        result.verdict, result.paths = "safe", exploration.proof()
    except Stopped as stopped:
        result.reason = stopped.reason
    except RecursionError:
        result.reason = "a formula became too large"
    result.time_s = run.elapsed() - started
    result.statistics = statistics(dash)
    if exploration is not None:
        result.statistics["paths"] = exploration.paths
    result.tests = tuple(map(input_vector, dash.last_nodes))
    result.warnings = [*program.assumptions, *_remarks(dash, result)]
    return result


def _decide(
    dash: Dash,
    program: ControlFlowProgram,
    known: Constants,
    result: PropertyResult,
    planned: Iterable[Mapping[Term, int]],
) -> None:
    try:
        dash.dash_main(planned)
        if dash.unsupported:
            result.reason = "unsupported: " + next(iter(dash.unsupported.values()))
        elif dash.undefined_behaviour is not None and _has_no_result(dash.undefined_behaviour) and dash.main:
            result.reason = "what follows an operation without a defined result cannot be told"
        else:
            result.proofs = procedure_proofs(dash, program, known)
            result.verdict = "safe"
    except ErrorReached as error:
        test = violation_test(dash, error, result.name)
        if test is None:
            result.reason = "a violation was found but could not be repeated from the start of the program"
        else:
            result.test = test
            result.verdict = "unsafe"
    except Undecided as undecided:
        result.reason = undecided.reason
        if dash.unsupported:
            result.reason = "unsupported: " + next(iter(dash.unsupported.values()))


def _has_no_result(stop: Stop) -> bool:
    """Whether nothing, not even a flat view of memory, says how an execution goes on after undefined behaviour."""
    return stop.edge is not None and isinstance(stop.edge.label, Check) and stop.edge.label.kind == "division"


def _remarks(dash: Dash, result: PropertyResult) -> list[str]:
    if dash.undefined_behaviour is None or result.verdict == "unsafe":
        return []
    stop = dash.undefined_behaviour
    where = stop.edge.position if stop.edge is not None else "an unknown place"
    return [f"a test runs into undefined behaviour and ends there: {stop.message} at {where} (property memory)"]


def statistics(dash: Dash) -> dict[str, Any]:
    numbers = dash.statistics
    abstractions = [*(search.abstraction for search in dash.main.values()), *dash.summaries.values()]
    return {
        "iterations": numbers.iterations,
        "questions": dash.questions.asked,
        "solver_calls": dash.questions.solved,
        "solver_s": round(dash.questions.seconds, 3),
        "tests": numbers.tests,
        "regions": sum(abstraction.regions for abstraction in abstractions),
        "splits": sum(abstraction.splits for abstraction in abstractions),
        "summaries": len(dash.summaries),
        "summaries_reused": numbers.reused,
        "loop_facts": sum(map(len, dash.facts.values())),
    }
