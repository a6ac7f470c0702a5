"""Exploration up to permutation: same verdicts, proofs about the whole program, executions that are real."""

from __future__ import annotations

from random import Random

import pytest

from pincer.abstraction.predicates import PredicateAbstraction, guard_predicates
from pincer.abstraction.symmetry import Quotient, symmetry_of
from pincer.engines.guarded import ase
from pincer.engines.guarded.analysis import GuardedSettings
from pincer.engines.guarded.exploration import AbstractExploration, Explorer, executed
from pincer.engines.guarded.verify import GuardedExploration, GuardedTask, verify
from pincer.engines.task import EngineTask, Proved, Refuted
from pincer.evidence.gcl.certificate import Certificate
from pincer.evidence.gcl.checker import check_certificate
from pincer.evidence.gcl.replay import replay
from pincer.evidence.gcl.trace import Trace
from pincer.execution.paths import concrete_trace
from pincer.frontends.gcl import parse_program
from pincer.logic.queries import Queries
from pincer.logic.z3_solver import Z3Solver
from pincer.program.guarded import GuardedProgram
from pincer.program.lowering import lower
from pincer.runtime.run import Run
from tests.abstraction.test_symmetry import TICKET

GUARDS = ("pc[i] = a", "pc[i] = b && x[i] <= g", "pc[i] = c", "x[i] >= 1", "forall j in 1..3 : pc[j] != b", "g <= 2")
UPDATES = (
    "pc[i] := a",
    "pc[i] := b",
    "pc[i] := c",
    "x[i] := x[i] + 1",
    "x[i] := g",
    "g := g + 1",
    "x[i] := 0",
    "g := 0",
)
PROPERTIES = (
    "forall i in 1..3, j in 1..3 : i < j => !(pc[i] = c && pc[j] = c)",
    "g <= 3",
    "forall i in 1..3 : x[i] <= g + 2",
    "exists i in 1..3 : pc[i] != b",
)


def random_program(rng: Random) -> GuardedProgram:
    lines = ["var g : int = 0; var x[1..3] : int = 0; control pc[1..3] : {a, b, c} = a;", "process P[i in 1..3] {"]
    for k in range(rng.randint(2, 4)):
        chosen: dict[str, str] = {}
        for update in rng.sample(UPDATES, rng.randint(1, 3)):
            chosen.setdefault(update.split(" ")[0], update)
        guard = " && ".join(rng.sample(GUARDS, rng.randint(1, 2)))
        lines.append(f"  t{k}: {guard} -> {', '.join(chosen.values())};")
    lines += ["}", f"safety p: {rng.choice(PROPERTIES)};"]
    return parse_program("\n".join(lines), "random.gcl")


def explored(program: GuardedProgram, up_to_permutation: bool) -> AbstractExploration:
    system = lower(program)
    symmetry = symmetry_of(system, system.properties)
    assert symmetry is not None
    formulas = [*(t.guard for t in system.transitions), *(item.formula for item in system.properties)]
    predicates = symmetry.closed(guard_predicates(system, formulas))
    abstraction = PredicateAbstraction(system, predicates, system.properties, Queries(Z3Solver()))
    exploration = AbstractExploration(abstraction, Quotient(symmetry, abstraction) if up_to_permutation else None)
    ase.symbolic_exec(Explorer(system, Run()), exploration, {-1})
    return exploration


def test_violations_up_to_permutation_are_executions() -> None:
    rng, seen = Random(3), 0
    for _ in range(120):
        program = random_program(rng)
        exploration = explored(program, up_to_permutation=True)
        assert exploration.quotient is not None
        system = exploration.abstraction.system
        for violated, node in exploration.violations.items():
            seen += 1
            states, steps = executed(exploration.quotient, node.path())
            trace = concrete_trace(system, system.properties[violated], states, steps)
            assert replay(program, trace).ok
    assert seen >= 10


def test_both_ways_to_explore_find_the_same_violations_and_the_abstract_states_of_one_orbit_each() -> None:
    rng = Random(4)
    for _ in range(40):
        program = random_program(rng)
        whole, some = explored(program, up_to_permutation=False), explored(program, up_to_permutation=True)
        if not whole.cut and not some.cut:
            assert some.quotient is not None
            images = {image for abstract in some.edges for image in some.quotient.orbit(abstract)}
            assert images == set(whole.edges)
            assert whole.violations.keys() == some.violations.keys()


def test_proofs_up_to_permutation_are_certificates_of_the_whole_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ase, "strengthened", lambda *_: None)
    program = parse_program(TICKET.replace("safety order", "// "), "ticket.gcl")
    (claim,) = verify(EngineTask(program, (), GuardedSettings()), Run())
    assert isinstance(claim, Proved)
    assert isinstance(claim.proof, Certificate)
    assert claim.statistics["iterations"] > 1
    assert claim.statistics["abstract_states"] < 20
    controls = {control for region in claim.proof.regions for control in region.control}
    assert {(1, 0, 2), (2, 0, 1), (0, 1, 2)} <= controls
    assert check_certificate(program, claim.proof).ok


def test_random_symmetric_programs_are_decided_as_without_symmetry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ase, "strengthened", lambda *_: None)
    rng = Random(6)
    decided = 0
    for _ in range(25):
        program = random_program(rng)
        task = EngineTask(program, ("p",), GuardedSettings(max_iterations=5))
        (claim,) = [claim for claim in verify(task, Run()) if claim.name == "p"]
        if isinstance(claim, Proved):
            assert isinstance(claim.proof, Certificate)
            assert check_certificate(program, claim.proof).ok
            decided += 1
        elif isinstance(claim, Refuted):
            assert isinstance(claim.run, Trace)
            assert replay(program, claim.run).ok
            decided += 1
    assert decided > 15


MANY = """
const N = 6;
var s : int = 0; var t : int = 0; var a[1..N] : int = 0;
control pc[1..N] : {idle, wait, crit} = idle;
process P[i in 1..N] {
  think: pc[i] = idle              -> a[i] := t, t := t + 1, pc[i] := wait;
  enter: pc[i] = wait && a[i] <= s -> pc[i] := crit;
  leave: pc[i] = crit              -> s := s + 1, pc[i] := idle;
}
safety mutex: !(pc[1] = crit && pc[2] = crit);
"""


def first_iteration(text: str) -> AbstractExploration:
    program = parse_program(text, "many.gcl")
    task: GuardedTask = EngineTask(program, (), GuardedSettings(max_iterations=1), explain=True)
    (claim,) = verify(task, Run())
    assert isinstance(claim.explored, GuardedExploration)
    exploration = claim.explored.refinement.exploration
    assert exploration is not None
    return exploration


def test_many_copies_are_explored_up_to_permutation_from_the_start_and_few_one_by_one() -> None:
    symmetric = MANY.replace("!(pc[1] = crit && pc[2] = crit)", "s <= t")
    assert first_iteration(symmetric).quotient is not None
    assert first_iteration(symmetric.replace("N = 6", "N = 3")).quotient is None
    assert first_iteration(MANY).quotient is None


def test_instances_that_only_pairs_tell_apart_have_one_representative() -> None:
    """In a total order no instance is like another: all 720 orders of six waiting ones are images of each other."""
    text = "var x[1..6] : int = 0; control pc[1..6] : {a, b} = a;\n" + (
        "process P[i in 1..6] { t: pc[i] = a && (forall j in 1..6 : j = i || x[j] <= x[i]) -> x[i] := x[i] + 1; }\n"
        "safety s: forall i in 1..6 : x[i] >= 0;"
    )
    system = lower(parse_program(text, "order.gcl"))
    symmetry = symmetry_of(system, system.properties)
    assert symmetry is not None
    formulas = [t.guard for t in system.transitions]
    predicates = symmetry.closed(guard_predicates(system, formulas))
    abstraction = PredicateAbstraction(system, predicates, (), Queries(Z3Solver()))
    quotient = Quotient(symmetry, abstraction)
    rng = Random(1)
    for values in ([1, 2, 3, 4, 5, 6], [1, 1, 2, 3, 3, 3], [0, 0, 0, 0, 0, 0]):
        representatives = set()
        for _ in range(30):
            rng.shuffle(values)
            state = (*[0] * 6, *values)
            representatives.add(quotient.representative(abstraction.alpha(state))[0])
        assert len(representatives) == 1
