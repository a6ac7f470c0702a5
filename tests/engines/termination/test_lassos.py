"""States that come again: the round between them is listed, with the inputs that it takes."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.task import Refuted
from pincer.engines.termination.lassos import lassos, state_of
from pincer.evidence.c_proof.endless_check import check_endless
from pincer.evidence.c_proof.endless_claim import EndlessRun
from pincer.runtime.run import Run
from tests.engines.termination.loop_programs import ODD, cut_in, decided, ending

WALK = """
int main(void) {
    int x = __VERIFIER_nondet_int();
    __VERIFIER_assume(x > -1000 && x < 1000);
    while (x > -1000 && x < 1000)
        if (__VERIFIER_nondet_bool()) x++; else x--;
}"""


def test_the_states_of_a_round_are_listed_with_their_inputs(tmp_path: Path) -> None:
    cut = cut_in(ending(tmp_path, WALK))
    found = next(lassos(cut, Run()))
    [(place, facts)] = found.facts().items()
    [fact] = facts
    assert all(node.state.value(fact) for node in found.round)
    assert found.nodes[-1].state.value(state_of(cut.view, found.nodes[found.begin]))
    [(chosen_at, _, value)] = found.choices()
    assert chosen_at == place
    assert {node.state.value(value) for node in found.round} == {0, 1}


def test_a_counter_that_only_falls_does_not_come_back_soon(tmp_path: Path) -> None:
    assert list(lassos(cut_in(ending(tmp_path, ODD)), Run())) == []


def test_a_walk_that_turns_round_is_endless(tmp_path: Path) -> None:
    program = ending(tmp_path, WALK)
    claim = decided(program)
    assert isinstance(claim, Refuted)
    assert isinstance(claim.run, EndlessRun)
    assert check_endless(program, claim.run).accepted


def test_what_a_round_reads_of_memory_belongs_to_its_states(tmp_path: Path) -> None:
    text = """struct n { struct n *next; } a, b;
int main(void) { a.next = &b; b.next = __VERIFIER_nondet_int() ? &a : 0; for (struct n *p = &a; p; p = p->next); }"""
    program = ending(tmp_path, text)
    found = next(lassos(cut_in(program), Run()))
    assert {read.op for read in found.reads} == {"load", "room"}
    claim = decided(program)
    assert isinstance(claim, Refuted) and isinstance(claim.run, EndlessRun)


def test_memory_that_changes_from_round_to_round_makes_no_round(tmp_path: Path) -> None:
    text = "int a[2]; int main(void) { int i = 0; while (a[i] < 2000) { a[i]++; i = 1 - i; } }"
    for found in lassos(cut_in(ending(tmp_path, text)), Run()):
        raise AssertionError(found.reads)
