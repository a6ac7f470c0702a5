"""Explorations that ask what a formula says of all runs of threads."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.evidence.c_proof.asking import Asking, Budget
from pincer.evidence.c_proof.smt import Script
from pincer.evidence.thread_proof.exploration.refusals import ExplorationRefused, Unexplored
from pincer.evidence.thread_proof.explore import Exploring
from pincer.evidence.thread_proof.words import WordExplorer, check_violation, check_words
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.property import Fairness
from pincer.runtime.run import Run
from tests.fuzz.threads.formulas import loaded

from .ending_programs import LOCKED_SET, SET, SPIN, STARVED, WAIT, text_of


def program_of(folder: Path, text: str, formula: str) -> ControlFlowProgram:
    file = folder / "program.c"
    file.write_text(text, encoding="utf-8")
    return loaded(file, formula)


def explorer(program: ControlFlowProgram, most: int = 20_000) -> WordExplorer:
    script, run = Script(), Run()
    refuted = Asking(script, Budget(), run).has_no_model
    return WordExplorer(Exploring(program, "temporal", False, most), script, refuted, run.poll)


def holds(folder: Path, text: str, formula: str, fairness: Fairness = "weak") -> bool:
    """Whether a formula holds; what is refused is found as a violation, too."""
    program = program_of(folder, text, formula)
    try:
        check_words(explorer(program), program, fairness)
    except ExplorationRefused:
        check_violation(explorer(program), program, {}, fairness)
        return False
    with pytest.raises(Unexplored):
        check_violation(explorer(program), program, {}, fairness)
    return True


def test_every_letter_of_a_word_is_seen_even_by_threads_that_are_alone(tmp_path: Path) -> None:
    text = text_of("", "", "pthread_join(t, 0); x = 1; x = 2; x = 0;").replace(
        "int main(void) {", "int main(void) { x = 5; x = 0;"
    )
    for value in (5, 1, 2):
        assert holds(tmp_path, text, f"<>{{x == {value}}}")
        assert not holds(tmp_path, text, f"[]{{x != {value}}}")
    assert holds(tmp_path, text, "[]{x != 3}")


def test_steps_of_new_threads_may_come_late(tmp_path: Path) -> None:
    text = text_of("x = 1;", "flag = 1;")
    assert not holds(tmp_path, text, "[]({flag} -> {x})")
    assert not holds(tmp_path, text, "[]({x} -> {flag})")
    assert holds(tmp_path, text, "<>({x} && {flag})")


def test_fairness_decides_whether_an_answer_comes(tmp_path: Path) -> None:
    spins = text_of(SPIN + " x = 1;", SET)
    assert holds(tmp_path, spins, "[]({flag} -> <>{x})")
    other = text_of("for (;;) " + SET, "while (!__atomic_load_n(&flag, 5)); x = 1; for (;;) ;")
    assert holds(tmp_path, other, "<>{x}")
    assert not holds(tmp_path, other, "<>{x}", "none")
    starved = text_of(STARVED.replace("if (f) return 0;", ""), LOCKED_SET + " x = 1;")
    assert not holds(tmp_path, starved, "<>{x}", "weak")
    assert holds(tmp_path, starved, "<>{x}", "strong")


def test_who_stands_still_repeats_the_last_letter(tmp_path: Path) -> None:
    text = text_of(WAIT, "x = 1;")
    assert holds(tmp_path, text, "<>[]{x == 1}")
    assert not holds(tmp_path, text, "<>empty")
    assert not holds(tmp_path, text, "[]<>{x == 0}")


def test_labels_are_places_of_threads(tmp_path: Path) -> None:
    text = text_of("A: x = 1; B: ;", "C: ;")
    assert holds(tmp_path, text, "<>{at(A, 1)}") and holds(tmp_path, text, "<>{at(A, work)}")
    assert holds(tmp_path, text, "[]!{at(A, 0)}") and holds(tmp_path, text, "<>{at(C, main)}")
    assert holds(tmp_path, text, "[]({at(A)} -> {x == 0})")
    assert holds(tmp_path, text, "[]({at(B, 1)} -> {x == 1})")
    assert holds(tmp_path, text, "ltl: !{at(B, 1)} U {at(A, 1)}")
    assert not holds(tmp_path, text, "ltl: !{at(C, 0)} U {at(A, 1)}")


def test_what_depends_on_inputs_is_told_apart(tmp_path: Path) -> None:
    text = text_of("x = flag;", "flag = __VERIFIER_nondet_int();")
    program = program_of(tmp_path, text, "<>{flag > 3}")
    with pytest.raises(ExplorationRefused):
        check_words(explorer(program), program, "weak")
    assert holds(tmp_path, text_of("", "x = __VERIFIER_nondet_int();"), "{x == 0} && ([]{x <= 3} || <>{x > 3})")


def test_what_is_not_exact_is_left_open(tmp_path: Path) -> None:
    assumes = program_of(tmp_path, text_of("x = 1; __VERIFIER_assume(0);", ""), "[]{x == 0}")
    with pytest.raises(Unexplored, match="assumption"):
        check_words(explorer(assumes), assumes, "weak")
    counts = program_of(tmp_path, text_of("x = 1;", ""), "()()<>{x == 1}")
    with pytest.raises(Unexplored, match="counts steps"):
        check_words(explorer(counts), counts, "weak")
    with pytest.raises(Unexplored, match="counts steps"):
        check_violation(explorer(counts), counts, {}, "weak")
