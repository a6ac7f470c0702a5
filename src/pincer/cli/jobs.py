"""Jobs of the worker process that need more than checking: reports, pictures, single runs, formulas. Heavy imports stay
inside the functions."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from pincer.checking import worker
from pincer.checking.messages import (
    Check,
    Draw,
    Execute,
    Executed,
    Judge,
    Judged,
    Request,
    Text,
)
from pincer.checking.supervise import Limits, Watch, supervised
from pincer.checking.task import LANGUAGES
from pincer.checking.worker import Emit, Job, check, receive, work
from pincer.errors import PincerError
from pincer.runtime.processes import python_command
from pincer.runtime.run import Run

if TYPE_CHECKING:
    from pincer.program.control_flow import ControlFlowProgram
    from pincer.report.graph import Graph
    from pincer.temporal.lasso import Lasso
    from pincer.temporal.satisfiability import Word


def main() -> None:
    """Entry point of the worker process."""
    received = receive()
    if received is not None:
        work(received, job_of(received.request))


def worker_command() -> list[str]:
    """What starts the worker process."""
    return python_command(__name__)


def ordered(request: Request, limits: Limits, verbose: bool = False) -> AbstractContextManager[Watch]:
    """A worker process that does a job."""
    return supervised(request, limits, worker_command(), verbose)


def job_of(request: Request) -> Job:
    """What is done for a request."""
    match request:
        case Check(task) if task.options.explain:
            return _explained
        case Draw():
            return _draw
        case Execute():
            return _execute
        case Judge():
            return _judge
    return worker.job_of(request)


def _explained(request: Check, run: Run, emit: Emit) -> None:
    """A check that tells what was explored, too."""
    from pincer.report.explanations import Explanations

    check(request, run, emit, lambda source, run, emit: Explanations(source, run, emit).tell)


def _draw(request: Draw, run: Run, emit: Emit) -> None:
    """Draw the control flow of a C program, or what the analysis of another one explored."""
    from pincer.report.svg import drawn

    if request.source.language == "c" and request.text:
        emit(Text(_flow_listing(request)))
        return
    graph, about = _graph(request, run)
    run.publish("show", "laying out the drawing")
    emit(drawn(graph, about, request.limit))


def _graph(request: Draw, run: Run) -> tuple[Graph, str]:
    """What is to be drawn, and what it is about."""
    language, what, path = request.source.language, request.what, Path(request.file)
    if language == "c":
        from pincer.report.details_c import flow_graph

        program, chosen = _procedures(request)
        return flow_graph(program, chosen), program.file
    if language == "msvl":
        if what not in ("tree", "lnfg"):
            raise PincerError("an MSVL program has --what tree and --what lnfg")
        return (_formula_graph(path, run) if what == "lnfg" else _tree_graph(path, run)), str(path)
    if what == "lnfg":
        raise PincerError("--what lnfg is for MSVL programs with a property block (.m)")
    if what == "cfg":
        raise PincerError("--what cfg is for C programs; a .gcl program has --what abstract and --what tree")
    return _model_graph(request, run)


def _flow_listing(request: Draw) -> str:
    from pincer.report.details_c import flow_listing

    return flow_listing(*_procedures(request))


def _procedures(request: Draw) -> tuple[ControlFlowProgram, list[str]]:
    """A C program, and the names of the procedures that are asked for."""
    from pincer.checking.load import c_source
    from pincer.checking.properties import ASSERTIONS

    program, name = c_source(request.source).program(ASSERTIONS), request.function
    if name is None:
        return program, list(program.procedures)
    if name not in program.procedures:
        raise PincerError(f"there is no function {name!r} in this program; it has {', '.join(program.procedures)}")
    return program, [name]


def _model_graph(request: Draw, run: Run) -> tuple[Graph, str]:
    from pincer.checking.load import constants_of
    from pincer.engines.guarded.analysis import GuardedSettings
    from pincer.frontends.gcl import load
    from pincer.report.details_gcl import final_painter

    program = load(Path(request.file), constants_of(request.source))
    painter = final_painter(program, GuardedSettings(max_iterations=request.iteration), run)
    return (painter.tree() if request.what == "tree" else painter.abstract()), program.name


def _tree_graph(path: Path, run: Run) -> Graph:
    from pincer.execution.msvl import execute
    from pincer.execution.trees import TreeExploration
    from pincer.frontends.msvl import load
    from pincer.logic.queries import Queries
    from pincer.logic.z3_solver import Z3Solver
    from pincer.report.details_temporal import tree_graph

    program = load(path)
    exploration = TreeExploration(lambda inputs: execute(program, inputs, run=run), Queries(Z3Solver(), run))
    for _ in exploration.paths():
        run.poll()
    return tree_graph(exploration.tree)


def _formula_graph(path: Path, run: Run) -> Graph:
    from pincer.report.details_temporal import formula_graph
    from pincer.temporal.formula import not_
    from pincer.temporal.limits import TemporalLimits
    from pincer.temporal.lnfg import build_lnfg
    from pincer.temporal.property import parse_properties

    properties = parse_properties(path.read_text(encoding="utf-8"), str(path))
    if not properties:
        raise PincerError("there is no property block in this file whose graph could be drawn")
    graph = formula_graph(build_lnfg(not_(properties[0].formula), TemporalLimits(poll=run.poll)))
    return replace(graph, title=f"normal form graph of the negation of {properties[0].text}")


def _execute(request: Execute, run: Run, emit: Emit) -> None:
    """One run of an MSVL program."""
    from pincer.execution.msvl import Options, execute
    from pincer.frontends.msvl import load

    if LANGUAGES.get(Path(request.file).suffix, "msvl") != "msvl":
        raise PincerError("only MSVL programs are run: name a .m file")
    program = load(Path(request.file))
    inputs = {name if name.startswith("s_") else f"s_{name}": value for name, value in request.inputs.items()}
    options = Options(
        seed=request.seed,
        max_states=request.max_states,
        int32=request.int32,
        framing=request.framing,
        same_state=request.same_state,
    )
    execution = execute(program, inputs, options, run)
    states = [state.texts() for state in execution.states]
    unread = sorted(inputs.keys() - execution.input_values().keys())
    emit(
        Executed(
            names=tuple(dict.fromkeys(name for state in states for name in state)),
            states=tuple(states),
            inputs=execution.input_values(),
            outputs=tuple({"state": output.state, "text": output.text} for output in execution.outputs),
            constraints=tuple(str(c.condition) for c in execution.constraints),
            ending=execution.ending.kind,
            reason=execution.ending.reason,
            warnings=(*execution.warnings, *(f"the program does not read the input {name}" for name in unread)),
        )
    )


def _judge(request: Judge, run: Run, emit: Emit) -> None:
    """Satisfiability and validity of a formula."""
    from pincer.temporal.limits import TemporalLimits
    from pincer.temporal.normal_form import normal_form
    from pincer.temporal.parser import parse_formula, parse_ltl
    from pincer.temporal.satisfiability import satisfiable_finite, satisfiable_infinite, valid_finite, valid_infinite
    from pincer.temporal.text import formula_text

    limits = TemporalLimits(poll=run.poll)
    parsed = (parse_ltl if request.ltl else parse_formula)(request.formula, "formula", limits=limits)
    answer: dict[str, Any] = {"formula": formula_text(parsed.formula), "reasons": {}, "warnings": list(parsed.warnings)}
    for kind, satisfiable, valid in (
        ("finite", satisfiable_finite, valid_finite),
        ("infinite", satisfiable_infinite, valid_infinite),
    ):
        run.publish("pptl", f"{kind} intervals")
        found, validity = satisfiable(parsed.formula, limits), valid(parsed.formula, limits)
        answer |= {kind: found.verdict, f"valid_{kind}": validity.verdict}
        answer |= {f"{kind}_model": _shown(found.model), f"{kind}_counterexample": _shown(validity.counterexample)}
        answer["reasons"] |= {kind: found.reason, f"valid_{kind}": validity.reason}
    if request.normal_form:
        answer["normal_form"] = str(normal_form(parsed.formula))
    emit(Judged(answer))


def _shown(model: Word | Lasso | None) -> str | None:
    """The letters of an interval, the loop of a lasso in parentheses."""
    from pincer.temporal.lasso import Lasso

    if model is None:
        return None
    if isinstance(model, Lasso):
        return " ".join([*map(_letter, model.prefix), "(", *map(_letter, model.loop), ")*"])
    return " ".join(map(_letter, model))


def _letter(letter: frozenset[str]) -> str:
    return "{" + ",".join(sorted(letter)) + "}"
