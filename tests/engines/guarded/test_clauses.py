"""Clauses learned one by one: invariants that are ones, paths that are executions, and when they are asked for."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from pincer.engines.guarded import ase, other_turns
from pincer.engines.guarded.analysis import GuardedSettings, initial_refinement
from pincer.engines.guarded.atoms import candidate_atoms
from pincer.engines.guarded.certificates import certificate
from pincer.engines.guarded.clauses import clause_invariant
from pincer.engines.guarded.exploration import Explorer
from pincer.engines.guarded.limits import LIMITS
from pincer.engines.guarded.spacer import Guess, GuessedInvariant, GuessedPath
from pincer.engines.guarded.verify import transition_system, verify
from pincer.engines.task import EngineTask, Proved
from pincer.evidence.gcl.certificate import Certificate
from pincer.evidence.gcl.checker import check_certificate
from pincer.evidence.gcl.replay import replay
from pincer.execution.paths import solve_path
from pincer.execution.symbolic import initial_states
from pincer.frontends.gcl import parse_program
from pincer.logic.evaluation import evaluate
from pincer.logic.queries import Queries
from pincer.logic.z3_solver import Z3Solver
from pincer.program.guarded import GuardedProgram
from pincer.program.transition_system import TransitionSystem
from pincer.runtime.run import Run
from tests.abstraction.random_systems import model_of, random_abstraction
from tests.engines.guarded.explored import reachable

PIPELINE = """program pipeline;
var a, b, c, d, e, f, g : int;
init a = 0 && b = 0 && c = 0 && d = 0 && e = 0 && f = 0 && g >= 3;
trans s1: a - b < g          -> a := a + 1;
trans s2: b < a && b - c < g -> b := b + 1;
trans s3: c < b && c - d < g -> c := c + 1;
trans s4: d < c && d - e < g -> d := d + 1;
trans s5: e < d              -> e := e + 1, f := f + 1;
trans s6: f > 0              -> f := f - 1;
"""
LADDER = """program ladder;
var a, b, c, d, e, f, n : int;
init a = 0 && b = 0 && c = 0 && d = 0 && e = 0 && f = 0 && n >= 1;
trans s1: a < n -> a := a + 1;
trans s2: b < a -> b := b + 1;
trans s3: c < b -> c := c + 1;
trans s4: d < c -> d := d + 1;
trans s5: e < d -> e := e + 1;
trans s6: f < e -> f := f + 1;
trans back: f = n -> f := 0;
"""
BUFFER = """program buffer;
var head, tail, count, size, put, got : int;
init head = 0 && tail = 0 && count = 0 && size >= 1 && put = 0 && got = 0;
trans put:  count < size && tail + 1 < size  -> tail := tail + 1, count := count + 1, put := put + 1;
trans turn: count < size && tail + 1 >= size -> tail := 0, count := count + 1, put := put + 1;
trans get:  count > 0 && head + 1 < size  -> head := head + 1, count := count - 1, got := got + 1;
trans back: count > 0 && head + 1 >= size -> head := 0, count := count - 1, got := got + 1;
"""
SEMAPHORES = """program semaphores;
var mutex, free, full, held, capacity : int;
control p : {idle, ready, inside, done} = idle;
control c : {idle, ready, inside, done} = idle;
init mutex = 1 && free = capacity && full = 0 && held = 0 && capacity >= 1;
trans p1: p = idle && free > 0   -> free := free - 1, p := ready;
trans p2: p = ready && mutex > 0 -> mutex := mutex - 1, p := inside;
trans p3: p = inside             -> held := held + 1, p := done;
trans p4: p = done               -> mutex := mutex + 1, full := full + 1, p := idle;
trans c1: c = idle && full > 0   -> full := full - 1, c := ready;
trans c2: c = ready && mutex > 0 -> mutex := mutex - 1, c := inside;
trans c3: c = inside             -> held := held - 1, c := done;
trans c4: c = done               -> mutex := mutex + 1, free := free + 1, c := idle;
"""
MODES = """program modes;
var r, q, x, y, z, w : int;
init r = 0 && x = 0 && y = 0 && z = 0 && q >= 0;
trans high:  r = 0 && q > 5  -> r := 1, x := q;
trans low:   r = 0 && q <= 5 -> r := 2, y := q;
trans more:  r = 1           -> x := x + 1;
trans less:  r = 2           -> y := y - 1;
trans shown: r = 1           -> r := 3, z := x;
trans told:  r = 2           -> r := 4, z := y;
trans up:    r = 3           -> z := z + 1, w := nondet;
trans down:  r = 4           -> z := z - 1, w := nondet(0..9);
"""
CREDITS = """program credits;
var credit, flying, done, w : int;
init w >= 1 && credit = w && flying = 0 && done = 0;
trans send: credit > 0 -> credit := credit - 1, flying := flying + 1;
trans land: flying > 0 -> flying := flying - 1, done := done + 1;
trans give: done > 0   -> done := done - 1, credit := credit + 1;
"""
QUESTIONS = 6_000


def asked(text: str, questions: int = QUESTIONS) -> tuple[GuardedProgram, TransitionSystem, Queries, Guess | None]:
    """What is learned for the first property after a first exploration."""
    program = parse_program(text, "asked.gcl")
    queries = Queries(Z3Solver())
    system = transition_system(program, queries)
    refinement = initial_refinement(system, system.properties, queries)
    exploration = refinement.explore("ase")
    ase.symbolic_exec(Explorer(system, queries.run, few=8), exploration, {-1}, 500)
    atoms = candidate_atoms(exploration, refinement.predicates)
    return program, system, queries, clause_invariant(system, system.properties[:1], atoms, queries, questions)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (PIPELINE, "a >= d"),
        (PIPELINE, "e <= a"),
        (LADDER, "f <= n"),
        (LADDER, "a >= 0 && e <= a"),
        (BUFFER, "put - got <= size && head < size && tail >= 0"),
        (SEMAPHORES, "!((p = inside || p = done) && (c = inside || c = done))"),
        (MODES, "r = 3 => z > 5"),
        (MODES, "r = 4 => z <= 5"),
        (CREDITS, "flying <= w"),
    ],
)
def test_invariants_are_certificates_that_the_checker_accepts(text: str, wanted: str) -> None:
    program, system, _, found = asked(text + f"safety s: {wanted};\n")
    assert isinstance(found, GuessedInvariant)
    written = certificate(system, found, ["s"], "ase")
    assert written.check == "clauses"
    assert check_certificate(program, written).ok


@pytest.mark.parametrize(
    ("text", "wanted"),
    [(PIPELINE, "a - d <= 5"), (BUFFER, "tail <= 3"), (MODES, "r = 4 => z >= 0"), (CREDITS, "done < 3")],
)
def test_paths_are_executions(text: str, wanted: str) -> None:
    program, system, queries, found = asked(text + f"safety s: {wanted};\n")
    assert isinstance(found, GuessedPath)
    controls = [state.control for state in initial_states(system, queries)]
    traces = [solve_path(system, system.properties[0], control, found.steps, queries) for control in controls]
    (trace,) = [trace for trace in traces if trace is not None]
    assert replay(program, trace).ok


def test_nothing_is_learned_with_too_few_questions() -> None:
    *_, queries, found = asked(LADDER + "safety s: f <= n;\n", 20)
    assert found is None
    assert queries.by_purpose["clauses"].asked == 20


def test_invariants_of_random_systems_hold_in_what_can_be_reached() -> None:
    rng = Random(11)
    found = {GuessedInvariant: 0, GuessedPath: 0}
    for _ in range(40):
        abstraction = random_abstraction(rng)
        system, queries = abstraction.system, Queries(Z3Solver())
        for prop in system.properties:
            learned = clause_invariant(system, [prop], abstraction.predicates, queries, 300)
            if learned is None:
                continue
            found[type(learned)] += 1
            for state in reachable(system, 3, 60):
                model = model_of(system, state)
                if isinstance(learned, GuessedInvariant):
                    assert evaluate(learned.formula, model)
                    assert evaluate(prop.formula, model)
    assert min(found.values()) >= 10


def test_what_is_proved_of_one_property_is_claimed_while_another_stays_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(other_turns, "guess", lambda *_: None)
    monkeypatch.setattr(ase, "prove", lambda *_: (None, []))
    monkeypatch.setattr(other_turns, "LIMITS", replace(LIMITS, clause_after=0, clause_questions=600, spacer_turns=0))
    text = CREDITS + "safety s: flying <= w;\nsafety hard: 3 * done != 2 * w + 40;\n"
    settings = GuardedSettings(max_iterations=1)
    claims = {claim.name: claim for claim in verify(EngineTask(parse_program(text, "l.gcl"), (), settings), Run())}
    assert isinstance(claims["s"], Proved)
    assert claims["s"].check == "clauses"
    assert isinstance(claims["s"].proof, Certificate)
    assert claims["s"].proof.properties == ("s",)
    assert not isinstance(claims["hard"], Proved)


def test_the_rules_of_the_paper_have_no_clauses(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("clauses were asked for")

    monkeypatch.setattr(other_turns, "clause_invariant", never)
    monkeypatch.setattr(other_turns, "LIMITS", replace(LIMITS, clause_after=0, spacer_turns=0))
    program = parse_program(CREDITS + "safety s: flying <= w;\n", "l.gcl")
    settings = GuardedSettings(paper=True, max_iterations=1)
    assert list(verify(EngineTask(program, (), settings), Run()))
