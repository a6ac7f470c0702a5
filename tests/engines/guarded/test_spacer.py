"""What Spacer guesses: invariants that are ones, paths that lead to violations, and turns in between."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from pincer.engines.guarded import ase, limits, other_turns, spacer
from pincer.engines.guarded.analysis import GuardedSettings
from pincer.engines.guarded.certificates import certificate
from pincer.engines.guarded.spacer import GuessedInvariant, GuessedPath, guess
from pincer.engines.guarded.verify import GuardedTask, transition_system, verify
from pincer.engines.task import Claim, EngineTask, Open, Proved, Refuted
from pincer.evidence.gcl.certificate import Certificate
from pincer.evidence.gcl.checker import check_certificate
from pincer.evidence.gcl.replay import replay
from pincer.evidence.gcl.trace import Trace
from pincer.execution.paths import solve_path
from pincer.frontends.gcl import parse_program
from pincer.logic.evaluation import evaluate
from pincer.logic.queries import Queries
from pincer.logic.z3_solver import Z3Solver
from pincer.program.guarded import GuardedProgram
from pincer.runtime.run import Run
from tests.abstraction.random_systems import model_of, random_abstraction
from tests.engines.guarded.explored import reachable

WORK = 2_000_000
COUNTERS = """program counters;
var x : int = 0;
var n : int;
control p : {up, down} = up;
init n >= 3;
trans rise: p = up && x < n -> x := x + 1;
trans turn: p = up && x >= n -> p := down;
trans fall: p = down && x > 0 -> x := x - 1;
safety low: x >= 0;
safety high: x <= n;
safety never: !(p = down && x = 1);
"""


def program() -> GuardedProgram:
    return parse_program(COUNTERS, "counters.gcl")


def test_an_invariant_is_a_certificate_that_the_checker_accepts() -> None:
    queries = Queries(Z3Solver())
    system = transition_system(program(), queries)
    wanted = [item for item in system.properties if item.name in ("low", "high")]
    found = guess(system, wanted, queries, WORK)
    assert isinstance(found, GuessedInvariant)
    written = certificate(system, found, ["low", "high"], "ase")
    assert written.check == "spacer"
    assert check_certificate(program(), written).ok


def test_a_path_leads_to_the_violation() -> None:
    queries = Queries(Z3Solver())
    system = transition_system(program(), queries)
    never = next(item for item in system.properties if item.name == "never")
    found = guess(system, [never], queries, WORK)
    assert isinstance(found, GuessedPath)
    trace = solve_path(system, never, (0,), found.steps, queries)
    assert trace is not None
    assert replay(program(), trace).ok


def test_nothing_is_guessed_with_too_little_work_or_from_an_answer_that_is_no_invariant(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    queries = Queries(Z3Solver())
    system = transition_system(program(), queries)
    assert guess(system, system.properties[:2], queries, 10) is None
    for answer in ("invariant (>= (:var 1) 1)", "invariant (<= (:var 1) 5)", "invariant (f 1)", "no answer", None):
        monkeypatch.setattr(spacer, "output_of", lambda *_, answer=answer: answer)
        assert guess(system, system.properties[:2], queries, WORK) is None


def test_guesses_about_random_systems_agree_with_what_can_be_reached() -> None:
    rng = Random(11)
    guessed = {GuessedInvariant: 0, GuessedPath: 0}
    for _ in range(12):
        system = random_abstraction(rng, choices=True).system
        queries = Queries(Z3Solver())
        found = guess(system, system.properties, queries, WORK // 4)
        if found is None:
            continue
        guessed[type(found)] += 1
        for state in reachable(system, 3, 60):
            model = model_of(system, state)
            if isinstance(found, GuessedInvariant):
                assert evaluate(found.formula, model)
                assert all(evaluate(item.formula, model) for item in system.properties)
    assert min(guessed.values()) > 0


def claims(text: str, monkeypatch: pytest.MonkeyPatch) -> list[Claim]:
    """What ASE says when it asks Spacer after its first iteration."""
    eager = replace(limits.LIMITS, spacer_after=0, spacer_turns=1)
    monkeypatch.setattr(other_turns, "LIMITS", eager)
    monkeypatch.setattr(ase, "prove", lambda exploration, wanted: (None, []))
    task: GuardedTask = EngineTask(parse_program(text, "counters.gcl"), (), GuardedSettings())
    return list(verify(task, Run()))


def test_turns_end_the_refinement_with_a_proof_or_a_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {claim.name: claim for claim in claims(COUNTERS.replace("safety never", "// "), monkeypatch)}
    for name in ("low", "high"):
        claim = found[name]
        assert isinstance(claim, Proved)
        assert isinstance(claim.proof, Certificate)
        assert claim.check == "spacer"
    deep = """program deep; var x : int = 0; var y : int = 0;
    trans a: true -> x := x + 1, y := y + x; safety s: y != 28;"""
    monkeypatch.setattr(ase, "symbolic_exec", lambda *_: None)
    (claim,) = claims(deep, monkeypatch)
    assert isinstance(claim, Refuted)
    assert isinstance(claim.run, Trace)
    assert replay(parse_program(deep, "counters.gcl"), claim.run).ok


def test_the_paper_asks_nobody_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(other_turns, "guess", lambda *_: pytest.fail("Spacer was asked"))
    monkeypatch.setattr(other_turns, "LIMITS", replace(limits.LIMITS, spacer_after=0))
    settings = GuardedSettings(paper=True, max_iterations=2)
    task = EngineTask(parse_program(COUNTERS, "counters.gcl"), ("low",), settings)
    assert all(isinstance(claim, Open | Proved) for claim in verify(task, Run()))
