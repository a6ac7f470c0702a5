"""A run is endless when its beginning leads into a region that no round leaves; anything less is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from pincer.engines.task import Refuted
from pincer.errors import Position
from pincer.evidence.c.rounds import WatchedRounds
from pincer.evidence.c.trace import CTest, Failure, InputValue
from pincer.evidence.c_proof.cut_point_claim import CutPoint
from pincer.evidence.c_proof.endless_check import check_endless
from pincer.evidence.c_proof.endless_claim import Choice, EndlessRun, from_json, to_json
from pincer.evidence.c_proof.formulas import Reader
from pincer.evidence.c_proof.program_facts import ProgramFacts
from pincer.logic.bitvectors import constant
from pincer.program.control_flow import ControlFlowProgram, Input
from tests.engines.termination.loop_programs import CHOSEN, ODD, decided, ending

HERE = Position("p.c", 1, 1)
IS_ODD = "(= ((_ extract 0 0) |main::n|) (_ bv1 1))"


def run_of(
    program: ControlFlowProgram, stem: int, value: int, *facts: str, chosen: int | None = None, width: int = 32
) -> EndlessRun:
    """A run that takes one input and comes to the only loop."""
    reader = Reader(ProgramFacts(program, "termination").widths, ())
    main = program.procedures["main"]
    [head] = main.loop_heads
    given = InputValue("__VERIFIER_nondet_int", "nondet", 32, value, HERE)
    test = CTest("p.c", "termination", "termination", (given,), (), Failure(HERE, ""), "LP64", "main")
    choices: tuple[Choice, ...] = ()
    if chosen is not None:
        inside = [i for i, edge in enumerate(main.edges) if isinstance(edge.label, Input)][-1]
        choices = (Choice(0, (), inside, constant(chosen, width)),)
    point = CutPoint((), head, tuple(map(reader.predicate, facts)))
    return EndlessRun(test, (point,), choices, stem, WatchedRounds((), 1), 0, "")


def test_an_odd_number_never_becomes_zero_by_twos(tmp_path: Path) -> None:
    assert check_endless(ending(tmp_path, ODD), run_of(ending(tmp_path, ODD), 1, 7, IS_ODD)).accepted


@pytest.mark.parametrize(
    ("stem", "value", "facts", "reason"),
    [
        (1, 8, (IS_ODD,), "does not hold after the beginning"),
        (1, 7, (), "may end here"),
        (1, 7, ("(= |main::n| (_ bv7 32))",), "does not follow"),
        (2, 7, (IS_ODD,), "does not lead to the first point"),
        (1, 7, ("(bvule (_ bv1 32) |main::n|)",), "does not follow"),
    ],
)
def test_a_region_that_is_none_is_refused(
    tmp_path: Path, stem: int, value: int, facts: tuple[str, ...], reason: str
) -> None:
    program = ending(tmp_path, ODD)
    refused = check_endless(program, run_of(program, stem, value, *facts))
    assert not refused.accepted
    assert reason in "; ".join(refused.refused)


def test_inputs_of_rounds_have_all_values_unless_one_is_chosen(tmp_path: Path) -> None:
    program = ending(tmp_path, CHOSEN)
    positive = "(not (= |main::u| (_ bv0 32)))"
    assert check_endless(program, run_of(program, 1, 5, positive, chosen=0)).accepted
    assert not check_endless(program, run_of(program, 1, 5, positive, chosen=1)).accepted
    assert not check_endless(program, run_of(program, 1, 5, positive)).accepted
    assert not check_endless(program, run_of(program, 1, 5, positive, chosen=0, width=40)).accepted


def test_an_input_may_depend_on_the_state_at_the_point(tmp_path: Path) -> None:
    text = "int main(void) { int n = __VERIFIER_nondet_int(); while (n < 5 && n > 1) n += __VERIFIER_nondet_int(); }"
    program = ending(tmp_path, text)
    reader = Reader(ProgramFacts(program, "termination").widths, ())
    either = "(or (= |main::n| (_ bv2 32)) (= |main::n| (_ bv3 32)))"
    back = reader.value("(ite (= |main::n| (_ bv2 32)) (_ bv1 32) (_ bv4294967295 32))")
    found = run_of(program, 1, 2, either, chosen=1)
    assert not check_endless(program, found).accepted
    [choice] = found.choices
    assert check_endless(program, replace(found, choices=(replace(choice, value=back),))).accepted
    assert not check_endless(program, replace(found, choices=(replace(choice, value=back, point=1),))).accepted


def test_an_input_may_depend_on_the_state_in_which_it_is_read(tmp_path: Path) -> None:
    text = "int main(void) { int n = __VERIFIER_nondet_int(); while (n++ != __VERIFIER_nondet_int() - 1); }"
    program = ending(tmp_path, text.replace("!=", "=="))
    reader = Reader(ProgramFacts(program, "termination").widths, ())
    found = run_of(program, 1, 2, chosen=1)
    [choice] = found.choices
    now, early = (replace(choice, value=reader.value("|main::n|"), when_read=when) for when in (True, False))
    assert check_endless(program, replace(found, choices=(now,))).accepted
    assert not check_endless(program, replace(found, choices=(early,))).accepted
    elsewhere = replace(now, value=reader.value("(bvadd |main::n| (_ bv1 32))"))
    assert not check_endless(program, replace(found, choices=(elsewhere,))).accepted
    endless = replace(found, choices=(now,))
    assert from_json(to_json(endless)).choices == endless.choices


@pytest.mark.parametrize(
    "body", ["if (n == 9) return 0;", "if (n == 9) abort();", "assert(n != 9);", "__VERIFIER_assume(n != 9);",
             "n = 4 / (n - 9); n = 7;", "{ char *p = malloc(1); free(p); }"]
)  # fmt: skip
def test_a_round_that_may_end_or_allocates_is_refused(tmp_path: Path, body: str) -> None:
    text = f"int main(void) {{ int n = __VERIFIER_nondet_int(); while (1) {{ {body} n -= 2; }} }}"
    program = ending(tmp_path, text)
    assert not check_endless(program, run_of(program, 1, 7, IS_ODD)).accepted


def test_a_run_is_the_same_after_it_was_written(tmp_path: Path) -> None:
    program = ending(tmp_path, ODD)
    claim = decided(program)
    assert isinstance(claim, Refuted)
    assert isinstance(claim.run, EndlessRun)
    again = from_json(to_json(claim.run))
    assert to_json(again) == to_json(claim.run)
    assert check_endless(program, again).accepted
    assert not check_endless(program, replace(again, points=())).accepted
