"""What the worker process does for each command. Heavy imports stay inside the functions.

A request names its `job` and its `file`; the other members are the command's options under their long names.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincer.checking import temporal_jobs
from pincer.checking.sources import is_c, is_msvl
from pincer.errors import PincerError, UnsupportedError
from pincer.report.finding import Finding
from pincer.runtime.run import Run, Stopped

if TYPE_CHECKING:
    from pincer.checking.worker import Emit, Job
    from pincer.program.guarded import GuardedProgram

Request = Mapping[str, Any]


def check(request: Request, run: Run, emit: Emit) -> None:
    """Decide the properties; report each as soon as its evidence has been checked."""
    if is_msvl(request["file"]) or request["engine"] == "dse":
        temporal_jobs.check(request, run, emit)
        return
    if is_c(request["file"]):
        from pincer.checking import c_jobs

        c_jobs.check(request, run, emit)
        return
    if request["engine"] not in ("auto", "ase", "ur"):
        raise PincerError(f"the engine {request['engine']} is not for .gcl programs; they are checked by ase or ur")
    from pincer.checking.confirmation import Confirmation
    from pincer.checking.report_details import collector_for
    from pincer.engines.guarded.analysis import GuardedOptions
    from pincer.engines.guarded.verify import verify
    from pincer.frontends.gcl import load

    run.publish("gcl", "reading the program")
    program = load(Path(request["file"]), request["define"])
    names = selected_properties(program, request["property"])
    emit("program", _described(program, names))
    confirm = Confirmation(program, request, run, emit)
    collector = collector_for(request, run, emit)
    try:
        results = verify(
            program,
            GuardedOptions(request["engine"], names, paper=request["paper"]),
            run,
            on_result=confirm.report,
            on_explored=None if collector is None else collector.explored_model,
        )
    except UnsupportedError as error:
        for name in names:
            emit("finding", Finding(name, "unknown", request["engine"], reason=str(error)).to_wire())
        return
    for result in results:
        confirm.report(result)


def selected_properties(program: GuardedProgram, wanted: list[str]) -> list[str]:
    """The properties to decide, in the program's order."""
    declared = [item.name for item in program.properties]
    if not declared:
        raise PincerError("nothing to check: add a property such as `safety ok: x >= 0;` to the program")
    for name in wanted:
        if name not in declared:
            raise PincerError(f"there is no property {name!r} in this program; it has {', '.join(declared)}")
    return [name for name in declared if not wanted or name in wanted]


def _described(program: GuardedProgram, properties: list[str]) -> dict[str, Any]:
    return {
        "program": {"file": program.file, "sha256": program.sha256, "constants": dict(program.constants)},
        "properties": properties,
    }


def replay_witness(request: Request, run: Run, emit: Emit) -> None:
    """Execute the counterexamples of a witness or of a JSON result again."""
    from pincer.checking.evidence_files import MSVL_COUNTEREXAMPLE, find_program, read_witnesses
    from pincer.evidence.gcl.replay import Witness, replay
    from pincer.evidence.run_conversions import run_of_trace
    from pincer.frontends.gcl import load

    path = Path(request["file"])
    for witness in read_witnesses(path):
        if not isinstance(witness, Witness):
            from pincer.checking import c_jobs

            if witness.data.get("format") == MSVL_COUNTEREXAMPLE:
                temporal_jobs.replay(witness, request, run, emit)
            else:
                c_jobs.replay(witness, request, emit)
            continue
        source = find_program(request["program"], witness.file, path)
        program = load(source, dict(witness.constants))
        trace = witness.of(program)
        outcome = replay(program, trace)
        shown = run_of_trace(program, trace) if outcome.ok else None
        finding = Finding(witness.property, "unsafe", "interpreter", run=shown)
        data = {
            "ok": outcome.ok,
            "reason": outcome.reason,
            "step": outcome.failed_step,
            "program": str(source),
        }
        emit("answer", {**data, "finding": finding.to_wire()})


def certify(request: Request, run: Run, emit: Emit) -> None:
    """Check a proof; one about a model with each of the solvers asked for."""
    from pincer.checking.evidence_files import find_program, read_certificates
    from pincer.evidence.gcl.certificate import Certificate
    from pincer.evidence.gcl.checker import check_certificate
    from pincer.frontends.gcl import load

    path = Path(request["file"])
    for certificate in read_certificates(path):
        if not isinstance(certificate, Certificate):
            from pincer.checking import c_jobs

            c_jobs.certify(certificate, request, run, emit)
            continue
        source = find_program(request["program"], certificate.file, path)
        program = load(source, dict(certificate.constants))
        if program.sha256 != certificate.sha256:
            raise PincerError(f"the proof was made for another version of {source} (its hash differs)")
        for solver in ("cvc5", "z3") if request["solver"] == "both" else (request["solver"],):
            run.publish(solver, "checking the proof")
            try:
                report = check_certificate(program, certificate, solver=solver, run=run)
            except Stopped as stopped:
                data = {"ok": None, "reason": stopped.reason}
            else:
                data = asdict(report)
            common = {
                "asked": solver,
                "program": str(source),
                "properties": list(certificate.properties),
                "constants": dict(certificate.constants),
            }
            emit("answer", {**data, **common})


def show(request: Request, run: Run, emit: Emit) -> None:
    """Draw the control flow of a C program, or the abstract states or execution tree of a model's last iteration."""
    if is_c(request["file"]):
        from pincer.checking import c_jobs

        c_jobs.show(request, run, emit)
        return
    if is_msvl(request["file"]):
        if request["what"] not in ("tree", "lnfg"):
            raise PincerError("an MSVL program has --what tree and --what lnfg")
        temporal_jobs.show(request, run, emit)
        return
    if request["what"] == "lnfg":
        raise PincerError("--what lnfg is for MSVL programs with a property block (.m)")
    if request["what"] == "cfg":
        raise PincerError("--what cfg is for C programs; a .gcl program has --what abstract and --what tree")
    from pincer.frontends.gcl import load

    program = load(Path(request["file"]), request["define"])
    from pincer.engines.guarded.analysis import GuardedOptions
    from pincer.report.details_gcl import final_painter
    from pincer.report.svg import svg_answer

    painter = final_painter(program, GuardedOptions(max_iterations=request["iteration"]), run)
    graph = painter.abstract() if request["what"] == "abstract" else painter.tree()
    run.publish("show", "laying out the drawing")
    emit("answer", svg_answer(graph, program.name, request["limit"]))


def test(request: Request, run: Run, emit: Emit) -> None:
    """Write a test suite for a C program."""
    if not is_c(request["file"]):
        raise PincerError("test suites are made for C programs: name a .c or .i file, or a task")
    from pincer.checking import c_jobs

    c_jobs.test(request, run, emit)


JOBS: Mapping[str, Job] = {
    "check": check,
    "replay": replay_witness,
    "certify": certify,
    "show": show,
    "test": test,
    "run": temporal_jobs.execute,
    "pptl": temporal_jobs.pptl,
    "translate": temporal_jobs.translate_c,
}
