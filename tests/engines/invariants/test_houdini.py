"""The filter keeps what is inductive and nothing else."""

from __future__ import annotations

from pathlib import Path

from pincer.abstraction.weakest import Weakest
from pincer.engines.inlining import inlined
from pincer.engines.invariants.houdini import Filter, supporting_facts
from pincer.engines.invariants.sight import Sight
from pincer.engines.questions import Questions
from pincer.logic import bitvectors, terms
from pincer.logic.bitvectors import constant
from pincer.logic.terms import Term
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.effects import effects
from tests.engines.dash.dash_runs import board_of, loaded
from tests.program.named_registers import register

LOOP = """
int main(void) {
    unsigned i = 0, j = 0;
    while (__VERIFIER_nondet_bool()) { i++; j += 2; }
}"""
BEHIND_AN_END = """
void give_up(void) { __VERIFIER_error(); }
int main(void) {
    unsigned i = 0;
    while (__VERIFIER_nondet_bool()) { i++; if (i == 7) give_up(); }
}"""
COUNT, DOUBLE = register("main::i"), register("main::j")


def filtered(program: ControlFlowProgram, guesses: list[Term]) -> dict[int, tuple[Term, ...]]:
    """The guesses that are inductive in `main`, by location."""
    sight = Sight(program.procedures["main"], {}, (), program.layout)
    questions = Questions(board_of(program).run, program.layout.slot_bits)
    weakest = Weakest(program.layout, program.top, effects(program).__getitem__)
    work = Filter(weakest, questions, over_branches=True).inductive(sight, {}, guesses, lambda _: False)
    while True:
        try:
            next(work)
        except StopIteration as end:
            facts: dict[int, tuple[Term, ...]] = end.value
            return facts


def test_inductive_guesses_are_kept_at_the_loop_and_others_are_not(tmp_path: Path) -> None:
    program = loaded(tmp_path, LOOP)
    main = program.procedures["main"]
    [head] = main.loop_heads
    twice = terms.equal(DOUBLE, bitvectors.binary("bvadd", COUNT, COUNT))
    bounded = bitvectors.compare("bvule", COUNT, constant(9, 32))
    never = terms.equal(COUNT, constant(1, 32))
    facts = filtered(program, [twice, bounded, never])
    questions = Questions(board_of(program).run, program.layout.slot_bits)
    weakest = Weakest(program.layout, program.top, effects(program).__getitem__)
    assert twice in facts[head]
    assert bounded not in facts[head] and never not in facts[head]
    support = supporting_facts(facts, {head: [twice]}, [main], weakest, questions)
    assert twice in support[head]
    assert all(set(kept) <= set(facts.get(place, ())) for place, kept in support.items())


def test_code_behind_the_end_of_all_executions_is_no_obstacle(tmp_path: Path) -> None:
    put_in_place = inlined(loaded(tmp_path, BEHIND_AN_END))
    assert put_in_place is not None
    program = put_in_place.program
    small = bitvectors.compare("bvule", COUNT, constant(6, 32))
    [head] = program.procedures["main"].loop_heads
    assert small in filtered(program, [small])[head]
