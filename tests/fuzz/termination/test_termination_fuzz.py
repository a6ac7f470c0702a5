"""A few random loops in every test run; `make fuzz-termination` tries thousands."""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path

from pincer.engines.cutpoints.cutting import Cut, cut_of
from pincer.engines.questions import Questions
from pincer.engines.termination.candidates import words
from pincer.engines.termination.relation import Relation
from pincer.evidence.c_proof.cut_point_claim import CutPoint, CutPointProof
from pincer.logic.bitvectors import extend, width
from pincer.program.passes import Termination, instrumented
from pincer.runtime.run import Run
from tests.engines.dash.dash_runs import loaded
from tests.engines.termination.loop_programs import certified
from tests.fuzz.termination.compare import Findings, compare, compare_formula
from tests.fuzz.termination.mutants import MutantFindings, forge, forge_run
from tests.fuzz.termination.small_loops import Program, random_program, runs_for_ever


def test_answers_agree_with_a_search_through_all_states(tmp_path: Path) -> None:
    findings = Findings()
    for seed in range(25):
        compare(seed, tmp_path, findings, compiled=seed == 5)
    assert findings.wrong == []
    assert findings.counts["unsafe"] > 5
    assert findings.counts["safe"] > 5


def test_the_search_knows_cycles_from_ends() -> None:
    down = ("set", "x", ("-", ("var", "x"), ("number", 1)))
    positive = ("compare", ">", ("var", "x"), ("number", 0))
    start = ("input", "x", 255)
    assert runs_for_ever(Program({"x": "unsigned char"}, [start, ("while", positive, [down])])) is False
    twice = ("set", "x", ("-", ("var", "x"), ("number", 2)))
    assert runs_for_ever(Program({"x": "unsigned char"}, [start, ("while", positive, [twice])])) is True
    assert runs_for_ever(Program({"x": "signed char"}, [start, ("while", positive, [twice])])) is False
    never = ("assume", ("compare", "<", ("var", "x"), ("var", "x")))
    assert runs_for_ever(Program({"x": "signed char"}, [never, ("while", ("number", 1), [down])])) is False


def test_no_ranks_are_accepted_for_loops_that_go_on(tmp_path: Path) -> None:
    """Random words at the loop heads of programs with an endless run."""
    tried = 0
    for seed in range(60):
        if tried >= 40 or not runs_for_ever(random_program(seed)):
            continue
        program = instrumented(loaded(tmp_path, random_program(seed).text()), Termination())
        cut = cut_of(program, "assertions", Questions(Run(), program.layout.slot_bits))
        if not isinstance(cut, Cut) or cut.flat is not None:
            continue
        places = [place for place in cut.view.live if place != cut.view.procedure.entry]
        rng = random.Random(seed)
        observed = Relation(cut, {place: {} for place in places}).observed(places)
        pool = [extend(word, 64 - width(word), False) for word in islice(words(observed, ()), 60)]
        for _ in range(4 if pool else 0):
            ranks = tuple(rng.choice(pool) for _ in range(3))
            proof = CutPointProof(tuple(CutPoint((), place, (), ranks) for place in places))
            assert not certified(program, proof).accepted
            tried += 1
    assert tried > 20


def test_formulas_agree_with_a_tableau_over_all_states(tmp_path: Path) -> None:
    findings = Findings()
    for seed in range(1000, 1050):
        compare_formula(seed, tmp_path, findings, compiled=seed == 1040)
    assert findings.wrong == []
    assert findings.counts["unsafe"] > 5
    assert findings.counts["safe"] > 5


def test_forged_proofs_of_formulas_are_refused(tmp_path: Path) -> None:
    findings = MutantFindings()
    seed = 1000
    while findings.counts["forged"] < 40:
        forge(seed, tmp_path, findings)
        seed += 1
    assert findings.wrong == []


def test_forged_runs_are_refused(tmp_path: Path) -> None:
    findings = MutantFindings()
    seed = 1000
    while findings.counts["forged"] < 40:
        forge_run(seed, tmp_path, findings)
        seed += 1
    assert findings.wrong == []
