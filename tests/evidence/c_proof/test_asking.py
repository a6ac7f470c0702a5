"""Solvers are asked one after the other, what they say is remembered, and a quick question goes to the first alone."""

from __future__ import annotations

import pytest

from pincer.evidence.c_proof import asking as module
from pincer.evidence.c_proof.asking import MERGED_FLOATING_ORDER, MERGED_ORDER, Asking, Budget
from pincer.evidence.c_proof.smt import Script
from pincer.evidence.solvers import SolverError
from pincer.runtime.run import Run

SAID: dict[str, str] = {}


class Scripted:
    """A solver that says what it is told to, and may stumble."""

    def __init__(self, name: str) -> None:
        self.name = name.split()[0]
        self._said = SAID[name]

    def define(self, text: str) -> None:
        pass

    def verdict(self, formula: str, seconds: float) -> str:
        if self._said == "error":
            raise SolverError("stumbled")
        return self._said


def asking(monkeypatch: pytest.MonkeyPatch, script: Script, **said: str) -> Asking:
    SAID.clear()
    SAID.update({name.replace("_", " "): verdict for name, verdict in said.items()})
    monkeypatch.setattr(module, "open_session", lambda name, *_: Scripted(name))
    return Asking(script, Budget(60), Run())


def test_the_first_definite_verdict_counts_and_is_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    script = Script()
    formula = script.equal(script.variable("x", 8), script.constant(1, 8))
    found = asking(monkeypatch, script, z3="unknown", cvc5="unsat", bitwuzla="sat")
    assert found.verdict(formula) == "unsat" and found.has_no_model(formula)
    assert found.calls == {"z3": 1, "cvc5": 1}
    assert found.remarks() == ()


def test_without_a_definite_verdict_nothing_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    script = Script()
    formula = script.equal(script.variable("x", 8), script.constant(1, 8))
    found = asking(monkeypatch, script, z3="error", cvc5="unknown", bitwuzla="unknown")
    assert found.verdict(formula) == "no solver decides it in time" and not found.has_no_model(formula)
    assert "not proved" in found.finding(formula)
    assert any("bitwuzla" in remark for remark in found.remarks()) and "z3 failed: stumbled" in found.remarks()


def test_a_quick_question_that_is_not_answered_is_asked_again_in_earnest(monkeypatch: pytest.MonkeyPatch) -> None:
    script = Script()
    formula = script.equal(script.variable("x", 8), script.constant(1, 8))
    found = asking(monkeypatch, script, z3="unknown", z3_once="unsat", cvc5="sat")
    found.orders = MERGED_ORDER, MERGED_FLOATING_ORDER
    assert found.verdict(formula, quick=True) == "no solver decides it in time"
    assert found.calls == {"z3": 1}
    assert found.verdict(formula) == "unsat"
    assert found.calls == {"z3": 3}


def test_what_is_false_needs_no_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    script = Script()
    found = asking(monkeypatch, script)
    assert found.verdict(script.false) == "unsat" and found.calls == {}
