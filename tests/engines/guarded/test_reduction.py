"""Partial-order reduction: fewer states, the same verdicts, and proofs about the whole program."""

from __future__ import annotations

from random import Random

import pytest

from pincer.engines.guarded.analysis import GuardedSettings, RefinementLoop
from pincer.engines.guarded.reduction import reduced
from pincer.engines.guarded.verify import GuardedExploration, transition_system, verify
from pincer.engines.task import Claim, EngineTask, Proved, Refuted
from pincer.evidence.gcl.certificate import Certificate
from pincer.evidence.gcl.checker import check_certificate
from pincer.evidence.gcl.replay import replay
from pincer.evidence.gcl.trace import Trace
from pincer.frontends.gcl import parse_program
from pincer.logic.queries import Queries
from pincer.logic.z3_solver import Z3Solver
from pincer.program.guarded import GuardedProgram
from pincer.runtime.run import Run
from tests.fuzz.explicit import explore
from tests.fuzz.generator import _workers

WORKERS = """
const N = 3;
var turn : int = 0;
var x[1..N] : int = 0;
control pc[1..N] : {read, work, wait, crit} = read;
process P[i in 1..N] {
  read:  pc[i] = read              -> x[i] := nondet(0..5), pc[i] := work;
  small: pc[i] = work && x[i] < 3  -> x[i] := x[i] + 1, pc[i] := wait;
  large: pc[i] = work && x[i] >= 3 -> pc[i] := wait;
  enter: pc[i] = wait && turn = 0  -> turn := i, pc[i] := crit;
  leave: pc[i] = crit              -> turn := 0, pc[i] := read;
}
safety mutex: forall i in 1..N, j in 1..N : i < j => !(pc[i] = crit && pc[j] = crit);
"""


def decided(program: GuardedProgram, settings: GuardedSettings) -> Claim:
    return next(verify(EngineTask(program, (), settings, explain=True), Run()))


def groups(text: str, copies: int = 3) -> tuple[tuple[tuple[str, int], ...], ...]:
    program = parse_program(text.replace("N = 3", f"N = {copies}"), "workers.gcl")
    queries = Queries(Z3Solver())
    system = transition_system(program, queries)
    return reduced(system, system.properties, queries).groups


def test_copies_that_have_least_to_do_come_first() -> None:
    first, second = groups(WORKERS.replace("nondet(0..5)", "4").replace("turn := i", "turn := 1"))
    assert set(first) == {("pc[1]", 1), ("pc[2]", 1), ("pc[3]", 1)}
    assert set(second) == {("pc[1]", 0), ("pc[2]", 0), ("pc[3]", 0)}


def test_processes_that_are_no_copies_take_turns() -> None:
    assert [set(group) for group in groups(WORKERS, copies=2)] == [
        {("pc[1]", 0), ("pc[1]", 1)},
        {("pc[2]", 0), ("pc[2]", 1)},
    ]


def test_what_leads_round_is_no_work_that_ends() -> None:
    text = "var x : int = 0; control p, q : {a, b} = a; trans t: p = a -> p := b; trans u: p = b -> p := a;"
    found = groups(text + "trans w: q = a && x = 0 -> q := b, x := 1; safety s: x <= 1;")
    assert found == ((("p", 0),),)


def test_a_step_that_may_never_be_possible_keeps_nobody_waiting() -> None:
    text = "var x : int = 0; control p, q : {a, b} = a; trans t: p = a && x > 0 -> p := b;"
    assert groups(text + "var y : int = 0; trans w: q = a -> y := 1, q := b; safety s: y = 0;") == ()


def test_one_process_alone_leaves_nothing_out() -> None:
    text = "var x : int = 0; control p : {a, b} = a; trans t: p = a -> x := x + 1, p := b; safety s: x <= 1;"
    assert groups(text) == ()


@pytest.mark.parametrize(("copies", "read"), [(2, "nondet(0..5)"), (2, "nondet"), (3, "4")])
def test_fewer_states_are_explored_and_the_proof_is_about_all(copies: int, read: str) -> None:
    text = WORKERS.replace("N = 3", f"N = {copies}").replace("nondet(0..5)", read)
    program = parse_program(text, "workers.gcl")
    small, large = (decided(program, GuardedSettings(whole=whole)) for whole in (False, True))
    assert isinstance(small, Proved) and isinstance(large, Proved)
    assert isinstance(small.proof, Certificate) and isinstance(large.proof, Certificate)
    assert small.proof.local and not large.proof.local
    assert small.statistics["abstract_states"] < large.statistics["abstract_states"]
    for claim in (small, large):
        assert isinstance(claim.proof, Certificate) and check_certificate(program, claim.proof).ok


def test_the_paper_leaves_nothing_out() -> None:
    program = parse_program(WORKERS.replace("N = 3", "N = 2"), "workers.gcl")
    claim = decided(program, GuardedSettings(paper=True))
    assert isinstance(claim.explored, GuardedExploration)
    loop: RefinementLoop = claim.explored.refinement
    assert loop.system is loop.whole and loop.local == ()


def test_random_workers_are_decided_as_explicit_search_decides_them() -> None:
    rng, used, seen = Random(11), 0, {"safe": 0, "unsafe": 0}
    for number in range(150):
        program = parse_program(_workers(rng, number), "workers.gcl")
        claim = decided(program, GuardedSettings(max_iterations=4))
        explicit = explore(program).verdict(claim.name)
        assert {claim.verdict, explicit} != {"safe", "unsafe"}, program
        match claim:
            case Proved(proof=Certificate() as certificate):
                used += bool(certificate.local)
                seen["safe"] += 1
                report = check_certificate(program, certificate, "z3")
                assert report.ok, report.reason
            case Refuted(run=Trace() as trace):
                seen["unsafe"] += 1
                assert replay(program, trace).ok
    assert used >= 10 and min(seen.values()) >= 20
