"""The filter at cut points keeps what is inductive, and finds the part that excludes the errors."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from pincer.engines.cutpoints.induction import Facts, Induction
from pincer.engines.cutpoints.plain import PlainForm
from pincer.engines.invariants.houdini import Asking
from pincer.engines.questions import Questions
from pincer.logic import terms
from pincer.logic.bitvectors import binary, compare, constant
from pincer.runtime.run import Run
from tests.engines.cutpoints.cut_runs import blocks_in
from tests.engines.dash.dash_runs import loaded
from tests.program.named_registers import register

TEXT = """
int main(void) {
    unsigned i = 0, j = 0;
    while (__VERIFIER_nondet_bool() && i < 100) { i++; j += 2; }
    assert(j <= 200);
}"""
COUNT, DOUBLE = register("main::i"), register("main::j")
TWICE = terms.equal(DOUBLE, binary("bvmul", constant(2, 32), COUNT))
FEW = compare("bvule", COUNT, constant(100, 32))
FEWER = compare("bvule", COUNT, constant(99, 32))
NONE = terms.equal(COUNT, constant(0, 32))
MANY = compare("bvule", COUNT, constant(1_000, 32))
Result = TypeVar("Result")


def done(work: Asking[Result]) -> Result:
    while True:
        try:
            next(work)
        except StopIteration as end:
            result: Result = end.value
            return result


def induction_in(folder: Path) -> tuple[Induction, int]:
    program = loaded(folder, TEXT)
    blocks = blocks_in(program, "assertions")
    [head] = blocks.procedure.loop_heads
    return Induction(blocks, PlainForm(program), Questions(Run(), program.layout.slot_bits), ()), head


def test_only_inductive_facts_stay(tmp_path: Path) -> None:
    induction, head = induction_in(tmp_path)
    facts: Facts = {head: dict.fromkeys((TWICE, FEW, FEWER, NONE, MANY))}
    done(induction.keep_inductive(facts))
    assert set(facts[head]) == {TWICE, FEW, MANY}


def test_the_supporting_part_leaves_out_what_is_not_needed(tmp_path: Path) -> None:
    induction, head = induction_in(tmp_path)
    kept = done(induction.supporting({head: dict.fromkeys((MANY, TWICE, FEW))}))
    assert kept is not None and {TWICE, FEW} <= set(kept[head])


def test_facts_that_exclude_too_little_support_nothing(tmp_path: Path) -> None:
    induction, head = induction_in(tmp_path)
    assert done(induction.supporting({head: {FEW: None}})) is None


def test_what_has_been_shown_is_not_asked_again(tmp_path: Path) -> None:
    induction, head = induction_in(tmp_path)
    facts: Facts = {head: dict.fromkeys((TWICE, FEW))}
    done(induction.keep_inductive(facts))
    asked = induction.questions.solved
    done(induction.keep_inductive(facts))
    assert asked > 0 and induction.questions.solved == asked
    facts[head][NONE] = None
    done(induction.keep_inductive(facts))
    assert set(facts[head]) == {TWICE, FEW}


def test_what_follows_no_longer_from_what_is_left_is_asked_again(tmp_path: Path) -> None:
    induction, head = induction_in(tmp_path)
    double = compare("bvule", DOUBLE, constant(200, 32))
    facts: Facts = {head: dict.fromkeys((TWICE, FEW, double))}
    done(induction.keep_inductive(facts))
    assert double in facts[head]
    fewer: Facts = {head: dict.fromkeys((FEW, double))}
    done(induction.keep_inductive(fewer))
    assert set(fewer[head]) == {FEW}
