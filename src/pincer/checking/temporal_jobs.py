"""Jobs about MSVL programs and PPTL formulas. Heavy imports stay inside the functions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincer.checking.sources import is_c
from pincer.errors import PincerError
from pincer.runtime.run import Run

if TYPE_CHECKING:
    from pincer.checking.evidence_files import CEvidence
    from pincer.checking.worker import Emit
    from pincer.engines.task import PropertyResult
    from pincer.execution.msvl import Execution
    from pincer.frontends.msvl import Program
    from pincer.report.finding import Finding
    from pincer.report.graph import Graph
    from pincer.temporal.lasso import Lasso
    from pincer.temporal.property import Property
    from pincer.temporal.satisfiability import Word

Request = Mapping[str, Any]
_TRANSLATED = " as MSVL"
"""What follows the name of a C file when its translation is meant."""


def pptl(request: Request, run: Run, emit: Emit) -> None:
    """Satisfiability and validity of a formula."""
    from pincer.temporal.limits import TemporalLimits
    from pincer.temporal.normal_form import normal_form
    from pincer.temporal.parser import parse_formula, parse_ltl
    from pincer.temporal.satisfiability import satisfiable_finite, satisfiable_infinite, valid_finite, valid_infinite
    from pincer.temporal.text import formula_text

    limits = TemporalLimits(poll=run.poll)
    parsed = (parse_ltl if request["ltl"] else parse_formula)(request["formula"], "formula", limits=limits)
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
    if request["normal_form"]:
        answer["normal_form"] = str(normal_form(parsed.formula))
    emit("answer", answer)


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


def check(request: Request, run: Run, emit: Emit) -> None:
    """Decide temporal properties of an MSVL program, or of a C program through its translation."""
    from pincer.checking.report_details import collector_for
    from pincer.engines.dse.options import CheckOptions
    from pincer.engines.dse.verify import check as decide
    from pincer.execution.msvl import Options

    if request["engine"] not in ("auto", "dse"):
        raise PincerError(f"the engine {request['engine']} is not for MSVL programs; they are checked by dse")
    path = Path(request["file"])
    run.publish("msvl", "reading the program")
    program, properties, int32 = _translated(path, request["property"]) if is_c(path) else _loaded(path, request)
    if not properties:
        raise PincerError("nothing to check: add a block `</ define p: x=1; alw(p) />`, or name a file with --property")
    names = ["property"] if len(properties) == 1 else [f"property {i}" for i in range(1, len(properties) + 1)]
    described = {"file": str(path), "sha256": _hash(path), "constants": {}, "language": "C" if is_c(path) else "MSVL"}
    emit("program", {"program": described, "properties": names})
    execution = Options(seed=request["seed"], int32=int32)
    options = CheckOptions(execution, jobs=request["jobs"] or 1, paper_verdicts=request["paper"])
    collector = collector_for(request, run, emit)
    look = (
        None
        if collector is None
        else partial(collector.explored_temporally, program, None if is_c(path) else execution)
    )
    for result in decide(program, properties, options, run, look):
        emit("finding", _finding(program, result, run).to_wire())
        if collector is not None:
            collector.send_kept(result.name)


def _loaded(path: Path, request: Request) -> tuple[Program, list[Property], bool]:
    from pincer.frontends.msvl import load

    return load(path), _properties(path, request["property"]), bool(request["int32"])


def _translated(path: Path, files: Sequence[str]) -> tuple[Program, list[Property], bool]:
    """A C program as an MSVL program, with a property over C variables or that no assertion fails."""
    from pincer.frontends.msvl import parse_program
    from pincer.frontends.msvl.from_c import translate, translate_with_property, translation
    from pincer.temporal.property import parse_properties

    if len(files) > 1:
        raise PincerError("one property file at a time: --property FILE.p")
    if files:
        made = translate_with_property(path, Path(files[0]))
        text, int32 = made.text, made.int32
    else:
        text, int32 = translate(path), translation(path).int32
    name = f"{path}{_TRANSLATED}"
    return parse_program(text, name), list(parse_properties(text, name)), int32


def translate_c(request: Request, run: Run, emit: Emit) -> None:
    """A C program as MSVL text."""
    from pincer.frontends.msvl.from_c import translate, translate_with_property

    path = Path(request["file"])
    if not is_c(path):
        raise PincerError("only C programs are translated: name a .c or .i file")
    wanted = request["property"]
    text = translate(path) if wanted is None else translate_with_property(path, Path(wanted)).text
    emit("answer", {"text": text})


def show(request: Request, run: Run, emit: Emit) -> None:
    """Draw the execution tree of an MSVL program, or the graph of its negated property."""
    from pincer.report.svg import svg_answer

    path = Path(request["file"])
    graph = _formula_graph(path, run) if request["what"] == "lnfg" else _tree_graph(path, run)
    emit("answer", svg_answer(graph, str(path), request["limit"]))


def _tree_graph(path: Path, run: Run) -> Graph:
    from pincer.execution.msvl import execute
    from pincer.execution.trees import Exploration
    from pincer.execution.trees.exploration import Inputs
    from pincer.frontends.msvl import load
    from pincer.logic.queries import Queries
    from pincer.logic.z3_solver import Z3Solver
    from pincer.report.details_temporal import tree_graph

    program = load(path)

    def runner(inputs: Inputs) -> Execution:
        return execute(program, inputs, run=run)

    exploration = Exploration(runner, Queries(Z3Solver(), run))
    for _ in exploration.paths():
        run.poll()
    return tree_graph(exploration.tree)


def _formula_graph(path: Path, run: Run) -> Graph:
    from pincer.report.details_temporal import formula_graph
    from pincer.temporal.formula import not_
    from pincer.temporal.limits import TemporalLimits
    from pincer.temporal.lnfg import build_lnfg

    properties = _properties(path, ())
    if not properties:
        raise PincerError("there is no property block in this file whose graph could be drawn")
    graph = formula_graph(build_lnfg(not_(properties[0].formula), TemporalLimits(poll=run.poll)))
    return replace(graph, title=f"normal form graph of the negation of {properties[0].text}")


def _hash(path: Path) -> str:
    import hashlib

    return hashlib.sha256(path.read_bytes()).hexdigest()


def _properties(path: Path, files: Sequence[str]) -> list[Property]:
    """Those of the files that were named, otherwise those in the program's own blocks."""
    from pincer.temporal.property import parse_properties, parse_property_file

    found: list[Property] = []
    for name in files:
        if not Path(name).is_file():
            raise PincerError(f"there is no file {name}; --property names a file with a temporal property (.p)")
        try:
            text = Path(name).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            raise PincerError(f"{name} is not a text file in UTF-8; save it as UTF-8") from None
        found += parse_property_file(text, name)
    if not files:
        found += parse_properties(path.read_text(encoding="utf-8"), str(path))
    return found


def _finding(program: Program, result: PropertyResult, run: Run) -> Finding:
    """The verdict; a counterexample is run again and judged by an evaluator of its own before it is shown."""
    from pincer.report.finding import Evidence, finding_of, undecided

    finding = replace(finding_of(result), statistics=_numbers(result.statistics), svcomp=_SVCOMP[result.verdict])
    found = result.counterexample
    if found is None:
        return replace(finding, check="runs") if result.verdict == "safe" else finding
    from pincer.evidence.msvl.replay import replay

    judged = replay(program, found, run)
    if not judged.confirmed:
        return undecided(finding, f"a counterexample was found, but does not replay: {judged.reason}")
    from pincer.evidence.msvl.counterexample import to_json
    from pincer.evidence.run_conversions import run_of_states

    return replace(
        finding,
        evidence=Evidence("replay"),
        run=run_of_states(found),
        trace=to_json(found),
    )


_SVCOMP = {"safe": "true", "unsafe": "false", "unknown": "unknown"}


def _numbers(statistics: Mapping[str, Any]) -> dict[str, Any]:
    """What is shown first, and all the rest."""
    tree, seen = statistics["tree"], statistics["coverage"]
    shown = {"paths": sum(tree["paths"].values()), "runs": seen["runs"], "tree_nodes": tree["nodes"]}
    return {**shown, **statistics}


def replay(evidence: CEvidence, request: Request, run: Run, emit: Emit) -> None:
    """Run the program of a saved counterexample again, and judge the run."""
    from pincer.checking.evidence_files import find_program
    from pincer.evidence.msvl.counterexample import from_json
    from pincer.evidence.msvl.replay import replay as judged_again
    from pincer.evidence.run_conversions import run_of_states
    from pincer.frontends.msvl import load, parse_program
    from pincer.frontends.msvl.from_c import translation
    from pincer.report.finding import Finding

    found = from_json(evidence.data)
    source = find_program(request["program"], found.file.removesuffix(_TRANSLATED), evidence.path)
    program = parse_program(translation(source).text, found.file) if is_c(source) else load(source)
    judged = judged_again(program, found, run)
    shown = run_of_states(found)
    finding = Finding(evidence.property or "property", "unsafe", "interpreter", run=shown)
    reason = shown.why if judged.confirmed else judged.reason
    answer = {"ok": judged.confirmed, "reason": reason, "step": None, "program": str(source)}
    emit("answer", {**answer, "finding": finding.to_wire()})


def execute(request: Request, run: Run, emit: Emit) -> None:
    """One run of an MSVL program."""
    from pincer.execution.msvl import Options, execute
    from pincer.frontends.msvl import load

    program = load(Path(request["file"]))
    inputs = {name if name.startswith("s_") else f"s_{name}": value for name, value in request["input"].items()}
    execution = execute(program, inputs, Options(**request["options"]), run)
    states = [state.texts() for state in execution.states]
    unread = sorted(inputs.keys() - execution.input_values().keys())
    emit(
        "answer",
        {
            "names": list(dict.fromkeys(name for state in states for name in state)),
            "states": states,
            "inputs": execution.input_values(),
            "outputs": [{"state": output.state, "text": output.text} for output in execution.outputs],
            "constraints": [str(c.condition) for c in execution.constraints],
            "ending": execution.ending.kind,
            "reason": execution.ending.reason,
            "warnings": [*execution.warnings, *(f"the program does not read the input {name}" for name in unread)],
        },
    )
