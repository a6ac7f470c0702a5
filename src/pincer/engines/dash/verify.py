"""Checking a property of a C program with DASH: the verdict, its evidence, and the numbers of the tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict
from functools import partial
from typing import Any

from pincer.analysis.constants import Constants, constants, needed_constants, nothing_known, without_registers
from pincer.engines.dash.algorithm import Dash
from pincer.engines.dash.inlined_proof import read_back
from pincer.engines.dash.inlining import Inlined, inlined
from pincer.engines.dash.proof import procedure_proofs
from pincer.engines.dash.searches import AllPathsExplored, ErrorReached, Undecided, UndefinedBehaviourFound
from pincer.engines.dash.violation import violation_test
from pincer.engines.paths.exploration import Exploration
from pincer.engines.property_simulation import last_simulation, simulation_proofs
from pincer.engines.sampling.inputs import input_vector
from pincer.engines.task import PropertyResult
from pincer.evidence.c_proof.certificate import ProcedureProof
from pincer.logic.terms import Term
from pincer.program.control_flow import Check, ControlFlowProgram, Edge
from pincer.program.effects import effects
from pincer.program.property import PropertyKind
from pincer.runtime.run import Progress, Run, Stopped

OnExplored = Callable[[PropertyResult, Dash, set[Edge]], None]


def check(
    program: ControlFlowProgram,
    kind: PropertyKind,
    run: Run,
    planned: Iterable[Mapping[Term, int]] = (),
    paper: bool = False,
    by_paths: bool = True,
    on_explored: OnExplored | None = None,
) -> PropertyResult:
    """Decide a property. The result carries a test or a proof; what the verdict assumes is said by the program.

    With `paper`, only tests and regions are used: no constants, no random tests, no simulation, no exploration of all
    paths. Without `by_paths` the exploration hunts for errors, but gives no proof. At the end `on_explored` gets to
    see the analysis, and the edges that the exploration of paths has passed."""
    flat = None if paper else inlined(program)
    searched = program if flat is None else flat.program
    known = nothing_known(searched) if paper else needed_constants(searched, constants(searched))
    hidden = {} if flat is None else flat.hidden
    known = without_registers(known, hidden)
    analysed = known.simplified(searched)
    # The proof is about the program as written, so what calls change is taken from there.
    changes = effects(searched)
    passed: set[Edge | None] = set()
    observe = None if on_explored is None else lambda node: passed.add(node.edge)
    exploration = None if paper else Exploration(program, kind, run, exhaustive=by_paths, observe=observe)
    simulate = None if paper or kind == "memory" else partial(last_simulation, program, run)
    dash = Dash(analysed, kind, run, changes, exploration, False, simulate, hidden)
    result = PropertyResult(kind, "unknown", "dash")
    started = run.elapsed()
    try:
        try:
            run.watch(partial(_progress, dash, exploration))
            _decide(dash, program, flat, known, result, planned)
        except UndefinedBehaviourFound:
            known_tests = [dict(node.state.values) for node in dash.last_nodes]
            dash = Dash(analysed, kind, run, changes, exploration, True, simulate, hidden)
            _decide(dash, program, flat, known, result, known_tests)
    except AllPathsExplored:
        assert exploration is not None
        result.verdict, result.check, result.paths = "safe", "paths", exploration.proof()
    except Stopped as stopped:
        result.reason = stopped.reason
    except RecursionError:
        result.reason = "a formula became too large"
    result.time_s = run.elapsed() - started
    result.statistics = statistics(dash)
    if exploration is not None:
        result.statistics["paths"] = exploration.paths
        result.statistics["solver_calls"] += exploration.questions.solved
        followed = exploration.questions.by_purpose.get("driving tests")
        if followed is not None:
            result.statistics["queries_by_purpose"]["following paths"] = asdict(followed)
    result.tests = tuple(map(input_vector, dash.last_nodes))
    result.warnings = _remarks(dash, result)
    if on_explored is not None:
        on_explored(result, dash, {edge for edge in passed if edge is not None})
    return result


def _decide(
    dash: Dash,
    program: ControlFlowProgram,
    flat: Inlined | None,
    known: Constants,
    result: PropertyResult,
    planned: Iterable[Mapping[Term, int]],
) -> None:
    try:
        dash.dash_main(planned)
        if dash.unsupported:
            result.reason = "unsupported: " + next(iter(dash.unsupported.values()))
        elif _goes_on_unknown(dash):
            result.reason = "what follows an operation without a defined result cannot be told"
        else:
            simulation = dash.simulation
            result.proofs = simulation_proofs(simulation) if simulation else _proofs(dash, program, flat, known)
            result.verdict, result.check = "safe", "simulation" if simulation else "regions"
    except ErrorReached as error:
        test = violation_test(dash, program, error, result.name)
        if test is None:
            result.reason = "a violation was found but could not be repeated from the start of the program"
        else:
            result.test = test
            result.verdict = "unsafe"
    except Undecided as undecided:
        result.reason = undecided.reason
        if dash.unsupported:
            result.reason = "unsupported: " + next(iter(dash.unsupported.values()))


def _proofs(
    dash: Dash, program: ControlFlowProgram, flat: Inlined | None, known: Constants
) -> tuple[ProcedureProof, ...]:
    if flat is None:
        return procedure_proofs(dash, program, known)
    return read_back(procedure_proofs(dash, flat.program, known), flat)


def _goes_on_unknown(dash: Dash) -> bool:
    """Whether nothing, not even a flat view of memory, says how an execution goes on after undefined behaviour."""
    stop = dash.undefined_behaviour
    if stop is None or stop.edge is None or not (dash.main or dash.simulation):
        return False
    return isinstance(stop.edge.label, Check) and stop.edge.label.kind in ("division", "shift", "overlap")


def _remarks(dash: Dash, result: PropertyResult) -> list[str]:
    if dash.unsupported and result.verdict == "unknown" and not result.reason.startswith("unsupported"):
        return [f"a test ends where nothing is modelled: {next(iter(dash.unsupported.values()))}"]
    if dash.undefined_behaviour is None or result.verdict == "unsafe":
        return []
    stop = dash.undefined_behaviour
    where = stop.edge.position if stop.edge is not None else "an unknown place"
    return [f"a test runs into undefined behaviour and ends there: {stop.message} at {where} (property memory)"]


def _progress(dash: Dash, exploration: Exploration | None) -> Progress:
    abstractions = [search.abstraction for search in dash.main.values()]
    numbers = {
        "iterations": dash.statistics.iterations,
        "frontier": len(dash.searches[-1].pending) if dash.searches else 0,
        "tests": dash.statistics.tests,
        "regions": sum(abstraction.regions for abstraction in abstractions),
        "predicates": sum(abstraction.splits for abstraction in abstractions),
        "paths": exploration.paths if exploration is not None else 0,
        "questions": dash.questions.asked + (exploration.questions.asked if exploration is not None else 0),
    }
    return Progress("dash", "testing and refining", numbers)


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
        "contexts": len(dash.simulation.contexts) if dash.simulation else 0,
        "loop_facts": sum(map(len, dash.facts.values())),
        "queries_by_purpose": {name: asdict(spent) for name, spent in dash.questions.by_purpose.items()},
    }
