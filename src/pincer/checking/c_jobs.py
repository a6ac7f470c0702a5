"""What the worker process does with C programs, command by command. Heavy imports stay inside the functions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincer.checking.c_programs import ASSERTIONS, CProperty, CTarget, hash_of, program_of, rule_property, target_of
from pincer.checking.saved_tests import Inputs, SavedTests
from pincer.errors import PincerError
from pincer.program.property import DataModel, PropertyKind
from pincer.runtime.run import Run, Stopped

if TYPE_CHECKING:
    from pincer.checking.evidence_files import CEvidence
    from pincer.checking.worker import Emit
    from pincer.engines.task import PropertyResult
    from pincer.program.control_flow import ControlFlowProgram

Request = Mapping[str, Any]


def check(request: Request, run: Run, emit: Emit) -> None:
    """Decide the properties one after the other; report each when its evidence has been checked."""
    target = target_of(request)
    run.publish("c", "reading the program")
    first = target.load(target.properties[0])
    emit("program", {"program": target.described(), "properties": [wanted.name for wanted in target.properties]})
    from pincer.checking import thread_jobs
    from pincer.checking.c_confirmation import CConfirmation
    from pincer.checking.report_details import collector_for
    from pincer.engines.sequential import AS_IN_THE_PAPER, EVERYTHING
    from pincer.engines.sequential import check as decide

    saved = SavedTests(Path(request["tests"]), target.source) if request["tests"] else None
    confirmation = CConfirmation(target, request, run, emit)
    collector = collector_for(request, run, emit)
    for number, wanted in enumerate(target.properties):
        program = target.load(wanted) if number else first
        if collector is not None:
            collector.begin()
        if wants_schedules(program, wanted, request["engine"]):
            thread_jobs.check(target, program, wanted, request, run, emit, collector)
            continue
        kind: PropertyKind = "memory" if wanted.kind == "memory" else "assertions"
        look = None if collector is None else partial(collector.explored_program, wanted.name, program)
        choice = AS_IN_THE_PAPER if request["paper"] else EVERYTHING
        result = decide(program, kind, run, saved.planned() if saved else (), choice, look)
        if saved is not None:
            saved.add(inputs_to_keep(result))
        again = partial(decide, program, kind, run, choice=replace(EVERYTHING, by_paths=False), on_explored=look)
        confirmation.report(program, wanted, result, again)
        if collector is not None:
            collector.send_kept(wanted.name)


def wants_schedules(program: ControlFlowProgram, wanted: CProperty, engine: str) -> bool:
    """Whether a property is decided by a search over schedules."""
    from pincer.program.thread_labels import ThreadOperation

    if wanted.kind in ("race", "deadlock"):
        if engine == "dash":
            raise PincerError(f"the engine dash does not look for {wanted.kind}s; leave --engine out or choose agse")
        return True
    threads = any(isinstance(edge.label, ThreadOperation) for edge in program.edges()) or bool(wanted.targets)
    return engine == "agse" or (engine == "auto" and threads)


def inputs_to_keep(result: PropertyResult) -> Iterable[Inputs]:
    """The inputs of the tests an analysis made, that of a violation first."""
    for vector in reversed(result.tests):
        yield tuple((value.width, value.value) for value in vector)


def replay(evidence: CEvidence, request: Request, emit: Emit) -> None:
    """Compile and run a saved test again."""
    from pincer.checking.evidence_files import THREADED_TEST

    if evidence.data.get("format") == THREADED_TEST:
        _replay_schedule(evidence, request, emit)
        return
    from pincer.checking.c_confirmation import executed
    from pincer.evidence.c.trace import from_json
    from pincer.evidence.run_conversions import SourceFiles, run_of_test
    from pincer.report.finding import Finding

    test = from_json(evidence.data)
    wanted = replace(_property_of(evidence, test.kind), name=evidence.property or test.property)
    include = _folders(evidence)
    source = _program_of(evidence, test.file, request)
    target = CTarget(test.file, source, test.data_model, test.entry, include, (wanted,))
    answer, _ = executed(test, target, wanted, None)
    shown = run_of_test(test, SourceFiles(source, test.file).line)
    finding = Finding(wanted.name, "unsafe", "compiler", evidence=answer, run=shown)
    common = {"ok": answer.kind == "execution", "reason": answer.remark, "step": None, "program": str(source)}
    emit("answer", {**common, "finding": finding.to_wire()})


def _replay_schedule(evidence: CEvidence, request: Request, emit: Emit) -> None:
    """Compile a program with threads and run it under a saved schedule again."""
    from pincer.checking.thread_jobs import EXECUTION_SECONDS
    from pincer.evidence.run_conversions import SourceFiles, run_of_schedule
    from pincer.evidence.threads.execution import confirm
    from pincer.evidence.threads.trace import from_json
    from pincer.report.finding import Finding

    test = from_json(evidence.data)
    source = _program_of(evidence, test.file, request)
    include = tuple(f"-I{folder.absolute()}" for folder in _folders(evidence))
    answer = confirm(test, source, None, EXECUTION_SECONDS, include)
    shown = run_of_schedule(test, SourceFiles(source, test.file).line)
    finding = Finding(test.property, "unsafe", "compiler", run=shown)
    common = {"ok": answer.status == "confirmed", "reason": answer.detail, "step": None, "program": str(source)}
    emit("answer", {**common, "finding": finding.to_wire()})


def certify(evidence: CEvidence, request: Request, run: Run, emit: Emit) -> None:
    """Check a saved proof against its program."""
    from pincer.evidence.c_proof.certificate import ProofCertificate
    from pincer.evidence.c_proof.checker import check_proof

    proof = ProofCertificate.from_json(evidence.data)
    wanted = _property_of(evidence, proof.property)
    source = _program_of(evidence, proof.file, request)
    model: DataModel = "ILP32" if proof.data_model == "ILP32" else "LP64"
    program = CTarget(proof.file, source, model, proof.entry, _folders(evidence), (wanted,)).load(wanted)
    run.publish("checker", "checking the proof")
    answer: dict[str, Any] = {"asked": "the checker", "program": str(source), "properties": [wanted.name]}
    answer["constants"] = _unusual_settings(proof.entry, model)
    try:
        checked = check_proof(program, proof, sha256=hash_of(source), run=run)
    except Stopped as stopped:
        emit("answer", {**answer, "ok": None, "reason": stopped.reason})
        return
    remarks = (*checked.remarks, *(f"assumes that {text}" for text in checked.assumptions))
    emit(
        "answer",
        {
            **answer,
            "ok": checked.accepted,
            "reason": "; ".join(checked.refused),
            "solver": ", ".join(checked.solver_calls) or "no solver needed",
            "obligations": checked.obligations,
            "time_s": checked.time_s,
            "remark": "; ".join(remarks),
        },
    )


def _unusual_settings(entry: str, model: DataModel) -> dict[str, str]:
    """What a proof is about beside the file and the property, where it is not the default."""
    settings = {"entry": entry, "data model": model}
    return {name: value for name, value in settings.items() if value not in ("main", "LP64")}


def _property_of(evidence: CEvidence, kind: PropertyKind) -> CProperty:
    """The property that a test or a proof of a kind is about, named after what it covers: evidence may be forged."""
    from pincer.frontends.svcomp import kind_of_part

    rule = _loading(evidence).get("rule")
    categories = _texts(evidence, "categories")
    if rule is not None:
        if not isinstance(rule, str) or kind != "assertions" or categories:
            raise PincerError(f"malformed evidence {evidence.path}: its `rule` must be a file, without categories")
        return rule_property(Path(rule))
    for part in categories:
        if kind_of_part(part) != kind:
            raise PincerError(f"malformed evidence {evidence.path}: {part!r} is no part of the property {kind}")
    return CProperty("+".join(sorted(categories)) or kind, kind, categories=frozenset(categories))


def _folders(evidence: CEvidence) -> tuple[Path, ...]:
    """The folders that the program of a piece of evidence includes from."""
    return tuple(map(Path, _texts(evidence, "include")))


def _texts(evidence: CEvidence, member: str) -> tuple[str, ...]:
    found = _loading(evidence).get(member) or []
    if not isinstance(found, list) or not all(isinstance(text, str) for text in found):
        raise PincerError(f"malformed evidence {evidence.path}: its member `{member}` is no list of texts")
    return tuple(found)


def _loading(evidence: CEvidence) -> Mapping[str, Any]:
    """What the program was loaded with."""
    found = evidence.data.get("loading", {})
    if not isinstance(found, dict):
        raise PincerError(f"malformed evidence {evidence.path}: its member `loading` is no object")
    return found


def _program_of(evidence: CEvidence, recorded: str, request: Request) -> Path:
    """The program of a piece of evidence, in the version it was made for."""
    from pincer.checking.evidence_files import find_program

    source = find_program(request["program"], recorded, evidence.path)
    digest = _loading(evidence).get("sha256")
    if digest is not None and digest != hash_of(source):
        raise PincerError(f"the evidence was made for another version of {source} (its hash differs)")
    return source


def show(request: Request, run: Run, emit: Emit) -> None:
    """Draw or list the control-flow automata."""
    from pincer.report.details_c import flow_graph, flow_listing
    from pincer.report.svg import svg_answer

    program = program_of(request).load(ASSERTIONS)
    chosen = _procedures(program, request["function"])
    if request["text"]:
        emit("answer", {"text": flow_listing(program, chosen)})
        return
    run.publish("show", "laying out the drawing")
    emit("answer", svg_answer(flow_graph(program, chosen), program.file, request["limit"]))


def _procedures(program: ControlFlowProgram, name: str | None) -> list[str]:
    if name is None:
        return list(program.procedures)
    if name not in program.procedures:
        raise PincerError(f"there is no function {name!r} in this program; it has {', '.join(program.procedures)}")
    return [name]


def test(request: Request, run: Run, emit: Emit) -> None:
    """Write a suite of tests that cover the program's branches."""
    from pincer.checking.c_suites import write_covering_suite

    emit("answer", write_covering_suite(program_of(request), Path(request["output"]), run))
