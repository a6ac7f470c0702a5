"""Evidence that is none: a proof of one program, perhaps damaged, for one of the same form that violates the formula,
and a run without an end, or that violates a formula, for one of which all runs end or satisfy it.

Programs are changed in one number or comparison, so that places and registers stay what they are. A search through all
states says what is true of them; no proof or run may be accepted that says the contrary.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace as changed
from pathlib import Path
from random import Random
from typing import Literal, cast

from msgspec import Struct, field
from msgspec.structs import replace

from pincer.engines.task import EngineTask, Proved, Refuted
from pincer.engines.termination.verify import TerminationSettings, check
from pincer.evidence.c_proof.certificate import ProofCertificate
from pincer.evidence.c_proof.checker import check_proof
from pincer.evidence.c_proof.cut_point_claim import CutPoint, CutPointProof
from pincer.evidence.c_proof.endless_check import check_endless
from pincer.evidence.c_proof.endless_claim import EndlessRun, from_json, to_json
from pincer.frontends.c.formulas import c_formula
from pincer.frontends.c.load import load
from pincer.frontends.c.observed import load_observed
from pincer.logic.bitvectors import binary, constant, width
from pincer.logic.terms import FALSE, TRUE
from pincer.program.automaton import Automaton
from pincer.program.c_file import CFile
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.passes import Termination, instrumented
from pincer.runtime.run import Run
from tests.fuzz.termination.formulas import Case, random_case
from tests.fuzz.termination.small_loops import (
    OPERATORS,
    Program,
    Statement,
    random_program,
    random_turns,
    runs_for_ever,
)


class MutantFindings(Struct):
    """How many forged proofs or runs there were, and which were accepted."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = []


def forge(seed: int, folder: Path, findings: MutantFindings, programs: int = 6, proofs: int = 5) -> None:
    """Prove the formula of a seed, and offer the proof and damaged ones for programs that violate it."""
    case = random_case(seed)
    if case is None or case.violated:
        return
    proof = _proof(_observed(folder, case))
    if proof is None:
        return
    findings.counts["proofs"] += 1
    random = Random(f"mutants {seed}")
    for number in range(programs):
        other = random_case(seed, changed(case.program, body=_mutated(random, case.program.body)))
        if other is None or not other.violated:
            continue
        findings.counts["programs"] += 1
        program = _observed(folder, other)
        for forged in (proof, *(_damaged(random, proof) for _ in range(proofs))):
            findings.counts["forged"] += 1
            if _accepted(program, forged):
                findings.wrong.append(f"seed {seed}, program {number}: a proof of {other.formula} is accepted")


def forge_visits(seed: int, folder: Path, findings: MutantFindings, programs: int = 8, proofs: int = 5) -> None:
    """Prove that a loop ends in which numbers get smaller by turns, and offer the proof and damaged ones for loops of
    the same form that need not end."""
    body = random_turns(seed)
    proof = None if runs_for_ever(body) is not False else _proof(_ending(folder, body))
    if proof is None or not any(point.words for point in proof.points):
        return
    findings.counts["proofs"] += 1
    random = Random(f"visits {seed}")
    for number in range(programs):
        other = changed(body, body=_mutated(random, body.body))
        if runs_for_ever(other) is not True:
            continue
        findings.counts["programs"] += 1
        program = _ending(folder, other)
        for forged in (proof, *(_damaged_visits(random, proof) for _ in range(proofs))):
            findings.counts["forged"] += 1
            if _accepted(program, forged):
                findings.wrong.append(f"seed {seed}, program {number}: a proof is accepted for\n{other.text()}")


def _damaged_visits(random: Random, proof: CutPointProof) -> CutPointProof:
    """A proof with words or relations to earlier visits changed."""
    points = list(proof.points)
    at = random.choice([number for number, point in enumerate(points) if point.words])
    point = points[at]
    match random.choice(("word", "word", "weaker", "stronger", "none", "ranks", "more")):
        case "word":
            which = random.randrange(len(point.words))
            word = point.words[which]
            by = constant(random.choice((1, 2)), width(word))
            words = (*point.words[:which], binary("bvsub", word, by), *point.words[which + 1 :])
            points[at] = replace(point, words=words)
        case "more":
            points[at] = replace(point, words=(*point.words, random.choice(point.words)))
        case "weaker":
            points[at] = replace(point, since=tuple(replace(since, relation=TRUE) for since in point.since))
        case "stronger":
            points[at] = replace(point, since=tuple(replace(since, relation=FALSE) for since in point.since))
        case "none":
            points[at] = replace(point, since=())
        case _:
            points[at] = _damaged_point(random, point)
    return replace(proof, points=tuple(points))


def forge_run(seed: int, folder: Path, findings: MutantFindings, programs: int = 12, runs: int = 5) -> None:
    """Find a run of the program of a seed that does not end, or violates a formula, and offer it and damaged ones for
    programs that have none."""
    case = random_case(seed) if seed % 2 else None
    if (case is None or not case.violated) if seed % 2 else not runs_for_ever(random_program(seed)):
        return
    body = random_program(seed) if case is None else case.program
    run = _run(_ending(folder, body) if case is None else _observed(folder, case))
    if run is None:
        return
    findings.counts["runs"] += 1
    random = Random(f"runs {seed}")
    for number in range(programs):
        other = changed(body, body=_mutated(random, body.body))
        with_formula = random_case(seed, other) if case is not None else None
        is_violated = runs_for_ever(other) if case is None else with_formula is None or with_formula.violated
        if is_violated is not False:
            continue
        findings.counts["programs"] += 1
        program = _ending(folder, other) if with_formula is None else _observed(folder, with_formula)
        for forged in (run, *(_damaged_run(random, run) for _ in range(runs))):
            findings.counts["forged"] += 1
            if check_endless(program, from_json(to_json(forged)), run=Run(timeout=20)).accepted:
                findings.wrong.append(f"seed {seed}, program {number}: a run is accepted for\n{other.text()}")


def _ending(folder: Path, program: Program) -> ControlFlowProgram:
    path = folder / "loop.c"
    path.write_text(program.text(), encoding="utf-8")
    return instrumented(load([CFile(str(path))]), Termination())


def _run(program: ControlFlowProgram) -> EndlessRun | None:
    [claim] = check(EngineTask(program, (_property(program),), TerminationSettings()), Run(timeout=10))
    return claim.run if isinstance(claim, Refuted) and isinstance(claim.run, EndlessRun) else None


def _damaged_run(random: Random, run: EndlessRun) -> EndlessRun:
    """A run with a fact, an input, a choice or the length of its beginning changed."""
    match random.choice(("fact", "fact", "choice", "input", "stem", "ended", "automaton")):
        case "fact" if run.points:
            at = random.randrange(len(run.points))
            damaged = _damaged_point(random, run.points[at])
            return replace(run, points=(*run.points[:at], damaged, *run.points[at + 1 :]))
        case "choice" if run.choices:
            at = random.randrange(len(run.choices))
            one = run.choices[at]
            step = constant(random.choice((1, 3)), width(one.value))
            one = replace(one, value=binary("bvadd", one.value, step), when_read=random.random() < 0.5)
            return replace(run, choices=(*run.choices[:at], one, *run.choices[at + 1 :]))
        case "input" if run.test.inputs:
            at = random.randrange(len(run.test.inputs))
            given = replace(run.test.inputs[at], value=run.test.inputs[at].value ^ random.choice((1, 2, 7)))
            inputs = (*run.test.inputs[:at], given, *run.test.inputs[at + 1 :])
            return replace(run, test=replace(run.test, inputs=inputs))
        case "automaton" if run.automaton is not None:
            return replace(run, automaton=_damaged_automaton(random, run.automaton))
        case "ended":
            return replace(run, ended=not run.ended)
    return replace(run, stem=max(0, run.stem + random.choice((-3, -1, 1, 4))))


def _observed(folder: Path, case: Case) -> ControlFlowProgram:
    path = folder / "loop.c"
    path.write_text(case.program.text(), encoding="utf-8")
    files = [CFile(str(path))]
    program = load_observed(files, c_formula(case.formula), load(files), data_model="LP64", entry="main")
    return instrumented(program, Termination())


def _proof(program: ControlFlowProgram) -> CutPointProof | None:
    [claim] = check(EngineTask(program, (_property(program),), TerminationSettings()), Run(timeout=10))
    return claim.proof if isinstance(claim, Proved) and isinstance(claim.proof, CutPointProof) else None


def _property(program: ControlFlowProgram) -> Literal["termination", "temporal"]:
    return "temporal" if program.formula else "termination"


def _accepted(program: ControlFlowProgram, proof: CutPointProof) -> bool:
    written = ProofCertificate(program.file, "", "LP64", "main", _property(program), "1", cuts=proof)
    return check_proof(program, ProofCertificate.from_json(written.to_json()), run=Run(timeout=20)).accepted


def _mutated(random: Random, body: list[Statement]) -> list[Statement]:
    """A body with one number or comparison changed."""
    places = list(_places(body, ()))
    return cast(list[Statement], _with(body, random.choice(places), random)) if places else body


def _places(part: object, at: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    if isinstance(part, tuple) and part and part[0] in ("number", "compare"):
        yield at
    if isinstance(part, tuple | list):
        for index, inner in enumerate(part):
            yield from _places(inner, (*at, index))


def _with(part: object, at: tuple[int, ...], random: Random) -> object:
    if at:
        assert isinstance(part, tuple | list)
        items = [_with(item, at[1:], random) if i == at[0] else item for i, item in enumerate(part)]
        return tuple(items) if isinstance(part, tuple) else items
    match part:
        case ("number", int(value)):
            return ("number", max(1, value + random.choice((-2, -1, 1, 2))))
        case ("compare", _, left, right):
            return ("compare", random.choice(tuple(OPERATORS)), left, right)
    raise AssertionError(part)


def _damaged(random: Random, proof: CutPointProof) -> CutPointProof:
    """A proof with something added, dropped or changed."""
    points, automaton = list(proof.points), proof.automaton
    assert automaton is not None
    if points and random.random() < 0.75:
        at = random.randrange(len(points))
        points[at] = _damaged_point(random, points[at])
        return replace(proof, points=tuple(points))
    if points and random.random() < 0.3:
        del points[random.randrange(len(points))]
        return replace(proof, points=tuple(points))
    return replace(proof, automaton=_damaged_automaton(random, automaton))


def _damaged_point(random: Random, point: CutPoint) -> CutPoint:
    draw = random.random()
    if draw < 0.2:
        return replace(point, facts=(*point.facts, FALSE))
    if draw < 0.5 and point.facts:
        gone = random.randrange(len(point.facts))
        return replace(point, facts=tuple(fact for i, fact in enumerate(point.facts) if i != gone))
    if draw < 0.7 and point.ranks:
        step = random.choice((1, -1))
        return replace(
            point, ranks=tuple(binary("bvadd", r, constant(step % 2 ** width(r), width(r))) for r in point.ranks)
        )
    if draw < 0.85:
        return replace(point, ranks=tuple(constant(0, width(rank)) for rank in point.ranks))
    return replace(point, node=random.randrange(3))


def _damaged_automaton(random: Random, automaton: Automaton) -> Automaton:
    draw = random.random()
    if draw < 0.4 and automaton.edges:
        gone = random.randrange(len(automaton.edges))
        return replace(automaton, edges=tuple(edge for i, edge in enumerate(automaton.edges) if i != gone))
    at = random.randrange(automaton.size)
    if draw < 0.7:
        return replace(automaton, accepting=tuple(a and i != at for i, a in enumerate(automaton.accepting)))
    return replace(automaton, ends=tuple(() if i == at else end for i, end in enumerate(automaton.ends)))
