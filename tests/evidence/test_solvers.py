"""Sessions with solvers: what takes too long is unknown, what cannot be read is an error."""

from __future__ import annotations

import threading

import pytest

from pincer.errors import PincerError
from pincer.evidence.solvers import Session, SmtLogic, SolverError, Z3Text, open_session
from pincer.runtime.reasons import INTERRUPTED
from pincer.runtime.run import Run

INTEGERS: list[tuple[str, SmtLogic]] = [("cvc5", "QF_LIA"), ("z3", "QF_LIA")]
WORDS: list[tuple[str, SmtLogic]] = [
    ("cvc5", "QF_UFBV"), ("z3", "QF_UFBV"), ("z3 once", "QF_UFBV"), ("bitwuzla", "QF_UFBV"),
]  # fmt: skip


def opened(name: str, logic: SmtLogic, run: Run | None = None) -> Session:
    solver = name.split()[0]
    pytest.importorskip(solver)
    session = open_session(name, logic, run)
    assert session is not None and session.name == solver
    return session


def pigeonhole(pigeons: int = 12) -> tuple[str, str]:
    names = [[f"p{i}x{j}" for j in range(pigeons - 1)] for i in range(pigeons)]
    placed = [f"(or {' '.join(f'(> {name} 0)' for name in row)})" for row in names]
    alone = [
        f"(or (<= {names[i][j]} 0) (<= {names[k][j]} 0))"
        for j in range(pigeons - 1)
        for i in range(pigeons)
        for k in range(i)
    ]
    declarations = "".join(f"(declare-const {name} Int)" for row in names for name in row)
    return declarations, f"(and {' '.join(placed + alone)})"


@pytest.mark.parametrize(("name", "logic"), INTEGERS)
def test_a_question_that_takes_too_long_is_unknown_and_the_session_goes_on(name: str, logic: SmtLogic) -> None:
    session = opened(name, logic)
    declarations, hard = pigeonhole()
    session.define(declarations)
    assert session.verdict(hard, 0.2) == "unknown"
    assert session.verdict("(< 0 p0x0 1)", 10) == "unsat"
    assert session.verdict("(< 0 p0x0 2)", 10) == "sat"


@pytest.mark.parametrize(("name", "logic"), WORDS)
def test_definitions_stay_and_questions_do_not(name: str, logic: SmtLogic) -> None:
    session = opened(name, logic)
    session.define("(declare-const x (_ BitVec 8))(declare-fun f ((_ BitVec 8)) (_ BitVec 8))")
    assert session.verdict("(= x (_ bv3 8))", 10) == "sat"
    session.define("(define-fun y () (_ BitVec 8) (f x))")
    assert session.verdict("(= x (_ bv4 8))", 10) == "sat"
    assert session.verdict("(distinct y (f x))", 10) == "unsat"


def test_stopping_the_run_cuts_a_z3_question_short() -> None:
    run = Run()
    session = opened("z3", "QF_LIA", run)
    declarations, hard = pigeonhole()
    session.define(declarations)
    threading.Timer(0.3, run.stop, [INTERRUPTED]).start()
    assert session.verdict(hard, 600) == "unknown"
    assert run.stop_reason == INTERRUPTED


def test_a_stopped_run_is_unknown_to_bitwuzla() -> None:
    run = Run()
    session = opened("bitwuzla", "QF_UFBV", run)
    session.define("(declare-const x (_ BitVec 64))(declare-const y (_ BitVec 64))")
    run.stop(INTERRUPTED)
    product = "(and (= (bvmul x y) (_ bv18446744073709551557 64)) (bvult (_ bv1 64) x) (bvult (_ bv1 64) y))"
    assert session.verdict(f"(and {product} (bvult x (_ bv4294967296 64)) (bvult y (_ bv4294967296 64)))", 600) in (
        "unknown",
        "unsat",
    )


@pytest.mark.parametrize(("name", "logic"), INTEGERS + WORDS)
def test_text_that_a_solver_cannot_read_is_an_error_not_a_verdict(name: str, logic: SmtLogic) -> None:
    with pytest.raises(SolverError):
        opened(name, logic).define("(declare-const x Nonsense)")
    with pytest.raises(SolverError):
        opened(name, logic).verdict("(= y 1)", 1)


def test_there_are_three_solvers() -> None:
    with pytest.raises(PincerError, match="no solver named"):
        open_session("yices", "QF_LIA", None)


@pytest.mark.parametrize("option", [":timeout 1", ":rlimit 1000"])
def test_a_limit_of_one_z3_session_is_not_one_of_others(option: str) -> None:
    limited = Z3Text(None)
    limited.said(f"(set-option {option})(set-logic QF_LIA)")
    declared, question = pigeonhole(7)
    free = Z3Text(None)
    assert free.said(f"(set-logic QF_LIA){declared}(assert {question})(check-sat)") == "unsat"
    assert limited.said(f"{declared}(push 1)(assert {question})(check-sat)(pop 1)") == "unknown"
