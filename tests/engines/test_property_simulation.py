"""Properties that register values decide are proved by simulation, and the checker agrees."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from pincer.engines.board import Holds
from pincer.engines.portfolio import Ended, Share
from pincer.engines.property_simulation import PropertySimulation
from pincer.engines.sequential import AS_IN_THE_PAPER, EVERYTHING, FIRST_TEST, Choice
from pincer.evidence.c_proof.certificate import ProcedureProof
from pincer.evidence.c_proof.checker import check_proof
from pincer.logic.terms import TRUE
from pincer.program.control_flow import ControlFlowProgram
from tests.engines.claims import check_of
from tests.engines.dash.dash_runs import MUCH, board_of, certificate, decided, judged, loaded

DRIVER = """
int state, pended, lower;
struct packet { int status; struct packet *next; } packet;
int call_lower(struct packet *p) {
    int choice = __VERIFIER_nondet_int(), result;
    if (choice == 0) result = 0; else if (choice == 1) result = -1; else result = 259;
    if (state != 1) reach_error();
    state = 2;
    lower = result;
    return result;
}
void complete(struct packet *p) { if (state != 1) reach_error(); state = 3; }
int mark(struct packet *p, int status) { p->status = status; pended = 1; return 259; }
int dispatch(struct packet *p, int kind) {
    int status;
    while (p->next && __VERIFIER_nondet_int()) p = p->next;
    if (kind == 4) return call_lower(p);
    if (kind == 5) { complete(p); return 0; }
    status = call_lower(p);
    if (status == 259) { status = mark(p, status); }
    return status;
}
int main(void) {
    state = 1;
    packet.next = &packet;
    int status = dispatch(&packet, __VERIFIER_nondet_int());
    if (pended) { if (status != 259) reach_error(); }
    else if (state == 2) { if (status != lower) reach_error(); }
    else if (state != 3) reach_error();
}
"""
LATCH = """
struct device { int number, latch; };
void *watched;
int busy;
void take(int *latch) { if (latch == watched) { if (busy) reach_error(); busy = 1; } }
void give(int *latch) { if (latch == watched) { if (!busy) reach_error(); busy = 0; } }
void work(struct device *d) { take(&d->latch); give(&d->latch); }
int main(void) {
    watched = (void *)(unsigned long)__VERIFIER_nondet_uint();
    while (__VERIFIER_nondet_int()) work((struct device *)(unsigned long)__VERIFIER_nondet_uint());
}
"""
BROKEN = DRIVER.replace("{ complete(p); return 0; }", "{ complete(p); return call_lower(p); }")


def simulated(program: ControlFlowProgram) -> tuple[ProcedureProof, ...]:
    outcome = PropertySimulation(board_of(program)).step(MUCH)
    assert isinstance(outcome, Holds)
    return outcome.proofs


def excludes_nothing(program: ControlFlowProgram) -> bool:
    return isinstance(PropertySimulation(board_of(program)).step(MUCH), Ended)


def test_a_driver_is_proved_without_questions_and_the_checker_agrees(tmp_path: Path) -> None:
    program = loaded(tmp_path, DRIVER)
    result = decided(program, choice=Choice((FIRST_TEST, Share("simulation", MUCH))))
    assert (result.verdict, check_of(result)) == ("safe", "simulation")
    assert result.statistics["contexts"] > 0
    assert result.statistics["iterations"] == 0
    assert judged(program, result).accepted


def test_a_driver_is_simulated_before_its_paths_are_merged(tmp_path: Path) -> None:
    result = decided(loaded(tmp_path, DRIVER), choice=EVERYTHING)
    assert check_of(result) == "simulation"
    assert "merged" not in result.statistics["strategies"]


def test_a_summary_may_speak_of_arguments_and_the_checker_agrees(tmp_path: Path) -> None:
    program = loaded(tmp_path, LATCH)
    proofs = simulated(program)
    assert any(proof.ghosts for proof in proofs)
    assert check_proof(program, certificate(program, proofs)).accepted
    without = tuple(replace(proof, entry=TRUE) if proof.ghosts else proof for proof in proofs)
    assert not check_proof(program, certificate(program, without)).accepted


def test_the_proof_is_none_of_a_broken_driver(tmp_path: Path) -> None:
    program = loaded(tmp_path, BROKEN)
    assert excludes_nothing(program)
    proofs = simulated(loaded(tmp_path, DRIVER))
    assert not check_proof(program, certificate(program, proofs)).accepted


def _weakened(proof: ProcedureProof, which: str) -> ProcedureProof:
    return replace(proof, entry=TRUE) if which == "entry" else replace(proof, exit=TRUE)


@pytest.mark.parametrize("which", ["entry", "exit"])
def test_a_proof_with_a_weaker_summary_is_refused(tmp_path: Path, which: str) -> None:
    program = loaded(tmp_path, DRIVER)
    proofs = simulated(program)
    weaker = tuple(_weakened(p, which) if p.procedure == "call_lower" else p for p in proofs)
    assert not check_proof(program, certificate(program, weaker)).accepted


def test_the_paper_has_no_simulation(tmp_path: Path) -> None:
    result = decided(loaded(tmp_path, DRIVER), choice=AS_IN_THE_PAPER)
    assert result.statistics["contexts"] == 0
    assert result.statistics["iterations"] > 0


def test_what_is_not_modelled_is_excluded_or_there_is_no_proof(tmp_path: Path) -> None:
    reached = "int main(void) { float x = 1; int y = __VERIFIER_nondet_int(); if (x > y) reach_error(); }"
    assert excludes_nothing(loaded(tmp_path, reached))
    never = (
        "int on; int main(void) { int y = __VERIFIER_nondet_int(); if (on) { float x = y; if (x > 1) reach_error(); } }"
    )
    assert not excludes_nothing(loaded(tmp_path, never))


def test_undefined_behaviour_before_an_error_is_no_proof(tmp_path: Path) -> None:
    text = """
        int main(void) {
            int x = __VERIFIER_nondet_int(), z = 0;
            if (x == 77) { int y = 10 / z; if (y == 3) reach_error(); }
        }"""
    result = decided(loaded(tmp_path, text), choice=EVERYTHING)
    assert result.verdict == "unknown"
