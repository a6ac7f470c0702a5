"""Proofs that are none: those of one program, perhaps damaged, for one of the same form that violates the formula.

Programs are changed in one number or comparison, so that places and registers stay what they are. A search through all
states says which of them violate the formula; no proof of it may be accepted then.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace as changed
from pathlib import Path
from random import Random
from typing import cast

from msgspec import Struct, field
from msgspec.structs import replace

from pincer.engines.task import EngineTask, Proved
from pincer.engines.termination.verify import TerminationSettings, check
from pincer.evidence.c_proof.certificate import ProofCertificate
from pincer.evidence.c_proof.checker import check_proof
from pincer.evidence.c_proof.cut_point_claim import CutPoint, CutPointProof
from pincer.frontends.c.formulas import c_formula
from pincer.frontends.c.load import load
from pincer.frontends.c.observed import load_observed
from pincer.logic.bitvectors import binary, constant, width
from pincer.logic.terms import FALSE
from pincer.program.automaton import Automaton
from pincer.program.c_file import CFile
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.passes import Termination, instrumented
from pincer.runtime.run import Run
from tests.fuzz.termination.formulas import Case, random_case
from tests.fuzz.termination.small_loops import OPERATORS, Statement


class MutantFindings(Struct):
    """How many forged proofs there were, and which were accepted."""

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


def _observed(folder: Path, case: Case) -> ControlFlowProgram:
    path = folder / "loop.c"
    path.write_text(case.program.text(), encoding="utf-8")
    files = [CFile(str(path))]
    program = load_observed(files, c_formula(case.formula), load(files), data_model="LP64", entry="main")
    return instrumented(program, Termination())


def _proof(program: ControlFlowProgram) -> CutPointProof | None:
    [claim] = check(EngineTask(program, ("temporal",), TerminationSettings()), Run(timeout=10))
    return claim.proof if isinstance(claim, Proved) and isinstance(claim.proof, CutPointProof) else None


def _accepted(program: ControlFlowProgram, proof: CutPointProof) -> bool:
    written = ProofCertificate(program.file, "", "LP64", "main", "temporal", "1", cuts=proof)
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
