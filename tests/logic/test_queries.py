"""Questions to the solver: right answers, honest counts, nothing hidden by caches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random

import pytest

from pincer.logic import terms
from pincer.logic.evaluation import evaluate
from pincer.logic.queries import Queries, independent_groups
from pincer.logic.solver import SolverUnknown, Status
from pincer.logic.terms import Term
from pincer.logic.z3_solver import Z3Solver
from pincer.runtime.reasons import Reason
from pincer.runtime.run import Run, Stopped
from tests.logic.random_literals import all_hold, box, linear_form, relation, within

VARIABLES = tuple(terms.variable(name) for name in "xyz")
X, Y, Z = VARIABLES
RADIUS = 3
BOX = list(box(VARIABLES, RADIUS))


class ScriptedSolver:
    """Gives the answers it was told to, and remembers what it was asked."""

    name = "scripted"

    def __init__(self, answers: Sequence[Status], values: Mapping[Term, int] | None = None) -> None:
        self.answers = list(answers)
        self.values = values or {}
        self.depth = 0
        self.interrupted = 0
        self.added: list[Term] = []

    def push(self) -> None:
        self.depth += 1

    def pop(self) -> None:
        self.depth -= 1

    def add(self, formula: Term) -> None:
        self.added.append(formula)

    def check(self, assumptions: Sequence[Term] = ()) -> Status:
        return self.answers.pop(0)

    def model(self, variables: Sequence[Term]) -> Mapping[Term, int]:
        return {v: self.values[v] for v in variables}

    def core(self) -> list[Term]:
        raise NotImplementedError

    def set_timeout(self, milliseconds: int) -> None:
        raise NotImplementedError

    def interrupt(self) -> None:
        self.interrupted += 1


def random_formulas(rng: Random, count: int) -> list[Term]:
    found = []
    for _ in range(count):
        formula = relation(rng, linear_form(rng, VARIABLES, 2, divisions=True), 4)
        if rng.random() < 0.25:
            formula = terms.disjunction(formula, relation(rng, linear_form(rng, VARIABLES, 2, False), 4))
        found.append(formula)
    return found


@pytest.mark.parametrize("block", range(6))
def test_models_exist_exactly_where_enumeration_finds_one_and_are_genuine(block: int) -> None:
    rng = Random(block)
    queries = Queries(Z3Solver())
    bounds = within(VARIABLES, RADIUS)
    for _ in range(60):
        formulas = random_formulas(rng, rng.randint(1, 5)) + bounds
        model = queries.model(formulas, "test")
        assert (model is not None) == any(all_hold(formulas, point) for point in BOX), formulas
        assert queries.satisfiable(formulas, "again") == (model is not None)
        if model is not None:
            assert model.keys() >= set().union(*(formula.variables for formula in formulas))
            assert all_hold(formulas, dict(model)), (formulas, model)


@pytest.mark.parametrize("block", range(6))
def test_patterns_are_exactly_those_that_enumeration_finds(block: int) -> None:
    rng = Random(100 + block)
    queries = Queries(Z3Solver())
    done = 0
    while done < 30:
        base = random_formulas(rng, rng.randint(0, 3)) + within(VARIABLES, RADIUS)
        points = [point for point in BOX if all_hold(base, point)]
        if not points:
            continue
        done += 1
        predicates = [p for p in random_formulas(rng, rng.randint(1, 4)) if p.variables]
        if predicates and rng.random() < 0.3:
            predicates += [predicates[0], terms.negate(predicates[-1]), base[0]]
        expected = {sum(evaluate(p, point) << i for i, p in enumerate(predicates)) for point in points}
        found = queries.patterns(base, predicates, "test")
        assert sorted(found) == sorted(expected), (base, predicates)


def test_constant_predicates_have_their_truth_value() -> None:
    queries = Queries(Z3Solver())
    predicates = [terms.FALSE, terms.TRUE, terms.at_most(X, Y)]
    assert sorted(queries.patterns([], predicates, "test")) == [0b010, 0b110]


def test_validity() -> None:
    queries = Queries(Z3Solver())
    assert queries.valid(terms.implies(terms.less(X, Y), terms.at_most(X, Y)), "test")
    assert not queries.valid(terms.implies(terms.at_most(X, Y), terms.less(X, Y)), "test")
    assert queries.valid(terms.TRUE, "test") and not queries.valid(terms.FALSE, "test")
    parity = terms.disjunction(*(terms.equal(terms.modulo(X, 2), terms.integer(r)) for r in (0, 1)))
    assert queries.valid(parity, "test")


def test_nothing_asked_is_satisfiable() -> None:
    queries = Queries(ScriptedSolver([]))
    assert queries.model([], "test") == {}
    assert queries.model([terms.TRUE], "test") == {}
    assert queries.model([terms.FALSE], "test") is None
    assert queries.patterns([], [], "test") == [0]
    assert queries.solver_calls == 0 and queries.asked == 4


def test_groups_share_no_variables_and_keep_everything() -> None:
    rng = Random(3)
    pool = [terms.variable(f"g{i}") for i in range(8)]
    for _ in range(60):
        formulas = [relation(rng, linear_form(rng, pool, 2, True), 3) for _ in range(rng.randint(0, 7))]
        groups = independent_groups(formulas)
        assert sorted((f for g in groups for f in g), key=id) == sorted(set(formulas) - {terms.TRUE}, key=id)
        used = [frozenset().union(*(f.variables for f in group)) for group in groups]
        assert sum(map(len, used)) == len(frozenset().union(*used))
        for group, variables in zip(groups, used, strict=True):
            assert len(independent_groups(group)) == 1
            assert variables or group == (terms.FALSE,)


def test_each_group_is_asked_by_itself_and_one_refuted_group_refutes_all() -> None:
    solver = ScriptedSolver([Status.SAT, Status.UNSAT], {X: 5, Y: 5})
    queries = Queries(solver)
    coupled = terms.at_most(X, Y)
    other = terms.equal(terms.modulo(Z, 2), terms.integer(7))
    assert queries.model([coupled, other, terms.FALSE], "test") is None
    assert solver.added == [coupled, other]
    assert solver.depth == 0


def test_unknown_is_raised_and_never_remembered_as_an_answer() -> None:
    solver = ScriptedSolver([Status.UNKNOWN, Status.SAT], {X: 1, Y: 2})
    queries = Queries(solver)
    with pytest.raises(SolverUnknown, match="splitting"):
        queries.satisfiable([terms.at_most(X, Y)], "splitting")
    assert solver.depth == 0
    assert queries.satisfiable([terms.at_most(X, Y)], "splitting")
    assert queries.statistics("splitting").solver_calls == 2


def test_unknown_in_the_middle_of_an_enumeration_gives_no_patterns() -> None:
    solver = ScriptedSolver([Status.SAT, Status.UNKNOWN], {X: 1, Y: 2})
    queries = Queries(solver)
    for _ in range(2):
        with pytest.raises(SolverUnknown):
            queries.patterns([], [terms.at_most(X, Y)], "test")
        assert solver.depth == 0
        solver.answers = [Status.SAT, Status.UNKNOWN]


def test_a_stopped_run_stops_the_questions_and_interrupts_the_solver() -> None:
    run = Run()
    solver = ScriptedSolver([Status.UNKNOWN])
    queries = Queries(solver, run)
    run.stop(Reason("enough"))
    assert solver.interrupted == 1
    with pytest.raises(Stopped, match="enough"):
        queries.satisfiable([terms.at_most(X, Y)], "test")
    assert solver.answers == [Status.UNKNOWN]


def test_questions_are_counted_by_purpose() -> None:
    queries = Queries(Z3Solver())
    hard = terms.less(terms.add(X, Y), Z)
    assert queries.satisfiable([hard], "first")
    assert queries.satisfiable([hard], "second")
    assert not queries.satisfiable([terms.at_most(X, terms.integer(0)), terms.less(terms.integer(3), X)], "second")
    queries.patterns([hard], [terms.at_most(X, Y)], "third")
    counts = {name: (s.asked, s.solver_calls) for name, s in queries.by_purpose.items()}
    assert counts == {"first": (1, 1), "second": (2, 0), "third": (1, 3)}
    assert queries.asked == 4 and queries.solver_calls == 4
    assert queries.solver_time_s == pytest.approx(sum(s.solver_time_s for s in queries.by_purpose.values()))
    assert queries.solver_time_s > 0


def test_a_known_model_answers_only_what_it_satisfies() -> None:
    rng = Random(11)
    queries = Queries(Z3Solver())
    bounds = within(VARIABLES, RADIUS)
    for _ in range(120):
        formulas = random_formulas(rng, 2) + bounds
        model = queries.model(formulas, "test")
        if model is not None:
            assert all_hold(formulas, dict(model))
    assert queries.solver_calls < queries.asked


def test_answers_do_not_depend_on_what_was_asked_before() -> None:
    rng = Random(12)
    shared = Queries(Z3Solver())
    for _ in range(30):
        base = within(VARIABLES, RADIUS)
        predicates = [p for p in random_formulas(rng, 3) if p.variables]
        fresh = Queries(Z3Solver())
        assert sorted(shared.patterns(base, predicates, "test")) == sorted(fresh.patterns(base, predicates, "test"))
