"""Explorations that ask whether all runs end."""

from __future__ import annotations

import pytest

from pincer.evidence.c_proof.asking import Asking, Budget
from pincer.evidence.c_proof.smt import Script
from pincer.evidence.thread_proof.endings import EndingExplorer, check_endings, check_endless
from pincer.evidence.thread_proof.exploration.refusals import ExplorationRefused, Unexplored
from pincer.evidence.thread_proof.explore import Exploring
from pincer.program.control_flow import ControlFlowProgram, Input
from pincer.program.property import Fairness
from pincer.runtime.run import Run

from .ending_programs import LOCKED_SET, SET, SIGNAL, SPIN, STARVED, WAIT, ending_program


def explorer(program: ControlFlowProgram, spurious: bool = False, most: int = 20_000) -> EndingExplorer:
    script, run = Script(), Run()
    asked = Exploring(program, "termination", spurious, most)
    return EndingExplorer(asked, script, Asking(script, Budget(), run).has_no_model, run.poll)


def refusal(worker: str, first: str, fairness: Fairness = "weak", spurious: bool = False) -> str:
    try:
        check_endings(explorer(ending_program(worker, first), spurious), fairness)
    except ExplorationRefused as error:
        return str(error)
    return ""


def test_a_thread_that_can_go_on_goes_on() -> None:
    assert refusal(SPIN, SET) == ""
    assert "go on for ever" in refusal(SPIN, SET, "none")
    assert "go on for ever" in refusal(SPIN, "")


def test_a_lock_that_is_free_now_and_then_needs_strong_fairness() -> None:
    assert "go on for ever" in refusal(STARVED, LOCKED_SET, "weak")
    assert refusal(STARVED, LOCKED_SET, "strong") == ""


def test_threads_that_nobody_wakes_stand_still() -> None:
    assert refusal(WAIT, SIGNAL) == ""
    assert "stand still" in refusal(WAIT.replace("while (!flag) ", ""), SIGNAL)
    assert "stand still" in refusal(
        "pthread_mutex_lock(&m);", "pthread_mutex_lock(&m); pthread_mutex_lock(&m);", "strong"
    )


def test_no_wake_up_is_made_to_happen() -> None:
    assert "stand still" in refusal(WAIT, "", "strong", spurious=True)


def test_what_an_assumption_cuts_off_is_no_run() -> None:
    assert refusal("__VERIFIER_assume(x == 2);", "") == ""
    assert refusal(SPIN, "__VERIFIER_assume(x == 2);") == ""


def test_the_program_ends_with_its_first_thread_and_with_exit() -> None:
    check_endings(explorer(ending_program("for (;;);", "", "")), "weak")
    check_endings(explorer(ending_program("exit(0);", "for (;;);")), "weak")
    with pytest.raises(ExplorationRefused):
        check_endings(explorer(ending_program("exit(0);", "for (;;);")), "none")


def test_inputs_are_all_looked_at() -> None:
    assert "go on for ever" in refusal(SPIN, f"if (__VERIFIER_nondet_int() != 77) {SET}")


def test_a_limit_is_no_answer() -> None:
    with pytest.raises(Unexplored):
        check_endings(explorer(ending_program(SPIN, SET), most=2), "weak")


def test_a_run_with_certain_inputs_is_found_or_not() -> None:
    program = ending_program(SPIN, f"if (__VERIFIER_nondet_int() != 77) {SET}")
    [edge] = [edge for edge in program.edges() if isinstance(edge.label, Input)]
    check_endless(explorer(program), {edge: 77}, "weak")
    with pytest.raises(Unexplored, match="no run with these inputs"):
        check_endless(explorer(program), {edge: 5}, "weak")


def test_nothing_else_is_left_to_chance_then() -> None:
    program = ending_program("int y; while (y); return 0;", "int *q = malloc(4); if (*q) for (;;);")
    with pytest.raises((Unexplored, ExplorationRefused)):
        check_endless(explorer(program), {}, "weak")


def test_without_fairness_nobody_need_come_to_an_assumption() -> None:
    with pytest.raises(Unexplored, match="before an assumption that does not hold"):
        check_endings(explorer(ending_program(SPIN, "__VERIFIER_assume(x == 2);")), "none")
