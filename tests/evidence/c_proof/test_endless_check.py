"""The front of the checkers of endless runs: which of them is asked, and that nothing unclear is accepted."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from pincer.errors import PincerError, Position
from pincer.evidence.c.rounds import WatchedRounds
from pincer.evidence.c.trace import CTest, Failure, InputValue
from pincer.evidence.c_proof import endless_check
from pincer.evidence.c_proof.asking import Budget
from pincer.evidence.c_proof.checker import MOST_REFUSALS, CheckResult
from pincer.evidence.c_proof.cut_point_claim import CutPoint
from pincer.evidence.c_proof.cut_points import Refusal
from pincer.evidence.c_proof.endless import EndlessChecker
from pincer.evidence.c_proof.endless_check import check_endless
from pincer.evidence.c_proof.endless_claim import EndlessRun
from pincer.evidence.c_proof.program_facts import ProgramFacts
from pincer.evidence.c_proof.smt import Node, Script
from pincer.program.automaton import Automaton
from pincer.program.control_flow import Assume, ControlFlowProgram
from tests.engines.termination.formula_programs import observed
from tests.engines.termination.loop_programs import ending

HERE = Position("p.c", 1, 1)
GUARDED = "int main(void) { int n = __VERIFIER_nondet_int(); if (n != 5) return 0; for (;;) ; }"
CALLING = """
static void turn(int k) { while (k) ; }
int main(void) { int n = __VERIFIER_nondet_int(); turn(n); }
"""
SOUGHT = "int main(void) { int *p = malloc(4); __VERIFIER_assume(*p == 5); for (;;) ; }"


def run_to(location: int, stem: int, *values: int) -> EndlessRun:
    """A run that takes inputs and comes to a location of main, where it says that it stays."""
    given = tuple(InputValue("__VERIFIER_nondet_int", "nondet", 64, value, HERE) for value in values)
    test = CTest("p.c", "termination", "termination", given, (), Failure(HERE, ""), "LP64", "main")
    return EndlessRun(test, (CutPoint((), location, ()),), (), stem, WatchedRounds((), 1), 0, "")


def loop_of(program: ControlFlowProgram) -> int:
    [head] = program.procedures["main"].loop_heads
    return head


def steps_to_loop(program: ControlFlowProgram, *values: int) -> EndlessRun:
    head = loop_of(program)
    runs = (run_to(head, stem, *values) for stem in range(12))
    return next(run for run in runs if check_endless(program, run).accepted)


def refused(program: ControlFlowProgram, run: EndlessRun) -> str:
    found = check_endless(program, run)
    assert not found.accepted and found.refused
    return "; ".join(found.refused)


def test_what_was_asked_and_found_is_counted(tmp_path: Path) -> None:
    program = ending(tmp_path, GUARDED)
    found = check_endless(program, steps_to_loop(program, 5))
    assert found.accepted and found.refused == () and found.time_s >= 0
    assert isinstance(found, CheckResult)


@pytest.mark.parametrize(
    ("values", "reason"),
    [((6,), "does not lead to the first point"), ((), "more inputs than it has"), ((1 << 32 | 5,), "cannot have")],
)
def test_a_beginning_with_other_inputs_is_refused(tmp_path: Path, values: tuple[int, ...], reason: str) -> None:
    program = ending(tmp_path, GUARDED)
    good = steps_to_loop(program, 5)
    bad = run_to(loop_of(program), good.stem, *values)
    assert reason in refused(program, bad)


def test_a_run_without_a_region_is_refused(tmp_path: Path) -> None:
    program = ending(tmp_path, GUARDED)
    good = steps_to_loop(program, 5)
    assert "no region" in refused(program, replace(good, points=()))
    assert "no region" in refused(program, replace(good, points=(), ended=True))


def test_points_must_be_places_of_the_program(tmp_path: Path) -> None:
    program = ending(tmp_path, GUARDED)
    good = steps_to_loop(program, 5)
    [point] = good.points
    assert "no location" in refused(program, replace(good, points=(replace(point, location=999),)))
    assert "not a call" in refused(program, replace(good, points=(replace(point, calls=(("main", 0),)),)))
    assert "same place" in refused(program, replace(good, points=(point, point)))


def test_a_beginning_that_is_too_long_is_refused(tmp_path: Path) -> None:
    program = ending(tmp_path, GUARDED)
    assert "too long" in refused(program, replace(steps_to_loop(program, 5), stem=10**6))


def test_calls_are_entered(tmp_path: Path) -> None:
    """A region inside of a called function, with the call that is open there."""
    program = ending(tmp_path, CALLING)
    [head] = program.procedures["turn"].loop_heads
    [call] = [i for i, e in enumerate(program.procedures["main"].edges) if "turn" in str(e.label)]
    runs = [replace(run_to(0, n, 5), points=(CutPoint((("main", call),), head, ()),)) for n in range(8)]
    assert all("may end here" in refused(program, run) or "does not lead" in refused(program, run) for run in runs)
    assert any("may end here" in refused(program, run) for run in runs)


def test_a_time_limit_is_a_refusal(tmp_path: Path) -> None:
    program = ending(tmp_path, GUARDED)
    found = check_endless(program, steps_to_loop(program, 5), Budget(seconds=0.0))
    assert not found.accepted and "time limit" in found.refused[0]


@pytest.mark.parametrize(
    ("error", "said"),
    [(RecursionError(), "nested too deeply"), (PincerError("no such thing"), "no such thing"), (Refusal("no"), "no")],
)
def test_what_goes_wrong_while_checking_is_a_refusal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, said: str
) -> None:
    program = ending(tmp_path, GUARDED)
    good = steps_to_loop(program, 5)

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(EndlessChecker, "check", fail)
    found = check_endless(program, good)
    assert not found.accepted and said in found.refused[0]


def test_claims_that_are_refused_one_by_one_are_all_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was refused before the end is not lost with the last word."""

    def refuse(checker: EndlessChecker, most: int) -> None:
        assert most == MOST_REFUSALS
        checker.refused += ["first", "second"]
        raise Refusal("last")

    program = ending(tmp_path, GUARDED)
    good = steps_to_loop(program, 5)
    monkeypatch.setattr(EndlessChecker, "check", refuse)
    assert set(check_endless(program, good).refused) == {"first", "second", "last"}


def test_formulas_have_checkers_of_their_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = observed(tmp_path, "int x; int main(void) { x = 1; for (;;) x = 2; }", "[]{x != 1}")
    good = run_to(loop_of(program), 3)
    assert "no automaton reads" in refused(program, good)
    asked: list[str] = []

    def note(checker: object, *_: object) -> None:
        asked.append(type(checker).__name__)

    for name in ("EndlessChecker", "EndlessWordChecker", "FiniteWordChecker"):
        monkeypatch.setattr(getattr(endless_check, name), "check", note)
    automaton = Automaton((), (0,), (True,), (((),),), ())
    check_endless(program, replace(good, automaton=automaton))
    check_endless(program, replace(good, points=()))
    check_endless(replace(program, formula=""), replace(good, automaton=automaton))
    assert asked == ["EndlessWordChecker", "FiniteWordChecker", "EndlessChecker"]


def test_an_assumption_that_nobody_can_decide_is_not_passed(tmp_path: Path) -> None:
    """A step is not taken because no solver knows better: there may be no run at all."""
    program = ending(tmp_path, SOUGHT)
    main = program.procedures["main"]
    dead = [edge for edge in main.edges if not main.outgoing.get(edge.target) and isinstance(edge.label, Assume)]
    alone = replace(main, edges=tuple(edge for edge in main.edges if edge not in dead))
    assert len(dead) == 1
    program = replace(program, procedures={**program.procedures, "main": alone})
    script, reached = Script(), 0

    def never_knows(formula: Node) -> bool:
        return formula.is_false

    for stem in range(8):
        run = run_to(loop_of(program), stem)
        facts = ProgramFacts(program, "termination")
        checker = EndlessChecker(facts, script, run.points, never_knows, lambda: None, endless=run)
        with pytest.raises(Refusal, match=r"goes|does not lead") as refusal:
            checker.check(MOST_REFUSALS)
        reached += "may not" in str(refusal.value)
    assert reached
