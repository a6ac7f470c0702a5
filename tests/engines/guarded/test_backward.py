"""Regions before a violation: what they say is proved or replayed, and small systems agree with an explicit search."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from pincer.engines.guarded import ase, other_turns
from pincer.engines.guarded.analysis import GuardedSettings
from pincer.engines.guarded.backward import BackwardSearch, NotLinear, disjuncts, follows, kept_equations
from pincer.engines.guarded.certificates import certificate
from pincer.engines.guarded.limits import LIMITS
from pincer.engines.guarded.spacer import Guess, GuessedInvariant, GuessedPath, proved_invariant
from pincer.engines.guarded.verify import transition_system, verify
from pincer.engines.task import EngineTask, Proved, Refuted
from pincer.evidence.gcl.certificate import Certificate
from pincer.evidence.gcl.checker import check_certificate
from pincer.evidence.gcl.replay import replay
from pincer.evidence.gcl.trace import Trace
from pincer.execution.paths import solve_path
from pincer.execution.symbolic import initial_states
from pincer.frontends.gcl import parse_program
from pincer.logic import terms
from pincer.logic.evaluation import evaluate
from pincer.logic.queries import Queries
from pincer.logic.terms import Term
from pincer.logic.z3_solver import Z3Solver
from pincer.program.guarded import GuardedProgram
from pincer.program.transition_system import TransitionSystem
from pincer.runtime.run import Run
from tests.abstraction.random_systems import model_of, random_abstraction
from tests.engines.guarded.explored import reachable

NET = """program net;
var idle, asking, inside, free, broken : int;
init idle >= 1 && asking = 0 && inside = 0 && free = 2 && broken = 0;
trans ask:   idle >= 1                -> idle := idle - 1, asking := asking + 1;
trans enter: asking >= 1 && free >= 1 -> asking := asking - 1, free := free - 1, inside := inside + 1;
trans leave: inside >= 1              -> inside := inside - 1, free := free + 1, idle := idle + 1;
trans reset: asking >= 3              -> asking := 0, idle := idle + asking;
trans crash: broken >= 1 && asking >= 1 -> free := free + 1, asking := asking - 1;
"""
BROADCAST = """program broadcast;
var away, reading, writing : int;
control lock : bool = false;
init away >= 1 && reading = 0 && writing = 0;
trans read:  away >= 1 && !lock -> away := away - 1, reading := reading + 1;
trans write: away >= 1 && !lock -> away := away + reading - 1, reading := 0, writing := writing + 1, lock := true;
trans done:  writing >= 1       -> writing := writing - 1, away := away + 1, lock := false;
"""


def _program(text: str, safety: str) -> GuardedProgram:
    return parse_program(f"{text}safety ok: {safety};\n", "net.gcl")


def _guess(program: GuardedProgram, regions: int = 100) -> tuple[TransitionSystem, Queries, Guess | None]:
    queries = Queries(Z3Solver(), Run())
    system = transition_system(program, queries)
    return system, queries, BackwardSearch(system, system.properties, queries).result(regions)


@pytest.mark.parametrize(
    ("text", "safety"),
    [
        (NET, "inside <= 2"),
        (NET, "idle + asking + inside >= 1"),
        (BROADCAST, "writing <= 1"),
        (BROADCAST, "!(writing >= 1 && reading >= 1)"),
    ],
)
def test_what_holds_has_an_invariant_that_the_checker_accepts(text: str, safety: str) -> None:
    program = _program(text, safety)
    system, queries, found = _guess(program)
    assert isinstance(found, GuessedInvariant)
    assert proved_invariant(system, system.properties, found.formula, queries, "backward") is not None
    report = check_certificate(program, certificate(system, found, ["ok"], "ase"))
    assert report.ok, report.reason


@pytest.mark.parametrize(
    ("text", "safety", "length"),
    [
        (NET, "inside <= 1", 4),
        (NET, "asking <= 4", 5),
        (BROADCAST, "reading <= 2", 3),
        (BROADCAST, "lock || away >= 1", 1),
    ],
)
def test_what_does_not_hold_has_a_shortest_path(text: str, safety: str, length: int) -> None:
    program = _program(text, safety)
    system, queries, found = _guess(program)
    assert isinstance(found, GuessedPath)
    assert len(found.steps) == length
    traces = (
        solve_path(system, system.properties[0], state.control, found.steps, queries)
        for state in initial_states(system, queries)
    )
    trace = next(trace for trace in traces if trace is not None)
    assert replay(program, trace).ok


def test_a_search_goes_on_where_it_stopped() -> None:
    queries = Queries(Z3Solver(), Run())
    system = transition_system(_program(NET, "asking <= 4"), queries)
    search = BackwardSearch(system, system.properties, queries)
    assert [search.result(1) for _ in range(3)] == [None] * 3
    found = search.result(50)
    assert isinstance(found, GuessedPath) and len(found.steps) == 5


def test_equations_that_no_transition_changes_are_found() -> None:
    queries = Queries(Z3Solver(), Run())
    system = transition_system(_program(NET.replace("broken >= 1 && ", "broken >= 1 && free < 0 && "), "true"), queries)
    assert [str(e) for e in map(terms.text, kept_equations(system, queries))] == ["broken = 0"]
    system = transition_system(_program(NET.replace("trans crash", "// "), "true"), queries)
    found = {terms.text(equation) for equation in kept_equations(system, queries)}
    assert found == {"broken = 0", "free + inside = 2"}


def _form(**coefficients: int) -> tuple[tuple[Term, int], ...]:
    return tuple((terms.variable(name), c) for name, c in coefficients.items())


def test_bounds_follow_from_sums_of_others() -> None:
    natural = frozenset(v for v, _ in _form(x=1, y=1, z=1))
    known = {_form(x=1): 1, _form(y=1): 2, _form(z=-1): -5}
    assert follows(_form(x=1, y=1), 3, known, natural)
    assert follows(_form(x=2, z=1), 1, known, natural)
    assert follows(_form(x=1), 0, {}, natural)
    assert not follows(_form(x=1, y=1), 4, known, natural)
    assert not follows(_form(x=1, w=1), 1, known, natural)
    assert not follows(_form(x=1, y=-1), 1, known, natural)
    assert not follows(_form(z=-1), -4, known, natural)


def test_formulas_become_cases() -> None:
    x, one = terms.variable("x"), terms.integer(1)
    assert disjuncts(terms.TRUE) == [()]
    assert disjuncts(terms.FALSE) == []
    assert len(disjuncts(terms.negate(terms.equal(x, one)))) == 2
    odd = terms.equal(terms.modulo(x, 2), one)
    assert disjuncts(terms.disjunction(odd, terms.less(x, one)))
    with pytest.raises(NotLinear):
        disjuncts(terms.variable("p", terms.BOOL))
    wide = terms.conjunction(*(terms.negate(terms.equal(terms.variable(f"v{i}"), one)) for i in range(8)))
    with pytest.raises(NotLinear):
        disjuncts(wide)


def test_regions_of_random_systems_say_what_can_be_reached() -> None:
    rng = Random(23)
    found = {GuessedInvariant: 0, GuessedPath: 0}
    for _ in range(60):
        system, queries = random_abstraction(rng).system, Queries(Z3Solver())
        for prop in system.properties:
            try:
                learned = BackwardSearch(system, [prop], queries).result(40)
            except NotLinear:
                continue
            if learned is None:
                continue
            found[type(learned)] += 1
            if isinstance(learned, GuessedPath):
                controls = [state.control for state in initial_states(system, queries)]
                assert any(solve_path(system, prop, control, learned.steps, queries) for control in controls)
                continue
            assert proved_invariant(system, [prop], learned.formula, queries, "backward") is not None
            for state in reachable(system, 3, 60):
                model = model_of(system, state)
                assert evaluate(learned.formula, model)
                assert evaluate(prop.formula, model)
    assert min(found.values()) >= 10


def _impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exploration is interrupted at once, and nothing but regions is tried."""
    monkeypatch.setattr(other_turns, "guess", lambda *_: None)
    monkeypatch.setattr(ase, "LIMITS", replace(LIMITS, pause_after=1))


def test_an_exploration_that_takes_long_is_ended_by_a_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    _impatient(monkeypatch)
    program = _program(NET, "inside <= 2")
    (claim,) = verify(EngineTask(program, (), GuardedSettings()), Run())
    assert isinstance(claim, Proved) and claim.check == "backward"
    assert isinstance(claim.proof, Certificate)
    assert check_certificate(program, claim.proof).ok


def test_what_is_violated_and_what_holds_are_told_apart_in_one_exploration(monkeypatch: pytest.MonkeyPatch) -> None:
    _impatient(monkeypatch)
    program = parse_program(NET + "safety few: asking <= 4;\nsafety ok: inside <= 2;\n", "net.gcl")
    claims = {claim.name: claim for claim in verify(EngineTask(program, (), GuardedSettings()), Run())}
    few, ok = claims["few"], claims["ok"]
    assert isinstance(few, Refuted) and isinstance(few.run, Trace)
    assert replay(program, few.run).ok
    assert isinstance(ok, Proved) and isinstance(ok.proof, Certificate)
    assert check_certificate(program, ok.proof).ok


def test_the_rules_of_the_paper_look_at_no_regions(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*_: object) -> None:
        raise AssertionError("regions were looked at")

    _impatient(monkeypatch)
    monkeypatch.setattr(other_turns, "BackwardSearch", never)
    settings = GuardedSettings(paper=True, max_iterations=1)
    assert list(verify(EngineTask(_program(NET, "inside <= 2"), (), settings), Run()))


def test_what_is_not_linear_is_explored_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    _impatient(monkeypatch)
    many = " && ".join(f"v{i} != 1" for i in range(8))
    text = f"var {', '.join(f'v{i}' for i in range(8))} : int = 0;\ntrans t: {many} -> v0 := 1 - v0;\n"
    (claim,) = verify(EngineTask(_program(text, "v0 >= 0"), (), GuardedSettings()), Run())
    assert isinstance(claim, Proved)
