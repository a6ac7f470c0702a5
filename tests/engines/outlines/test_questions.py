"""Which goals fail, and which facts a proof needed."""

from __future__ import annotations

from pincer.engines.outlines.questions import OutlineQuestions
from pincer.evidence.c_proof.smt import Script
from pincer.runtime.run import Run


def test_goals_that_fail_in_a_counterexample_are_told() -> None:
    script = Script()
    x = script.variable("x", 8)
    small, zero = script.at_most(x, script.constant(3, 8)), script.equal(x, script.constant(0, 8))
    questions = OutlineQuestions(script, Run())
    wrong = script.negation(script.conjunction((small, zero)))
    assert questions.refuted((small,), wrong, [small, zero]) == [zero]
    assert questions.refuted((zero,), wrong, [small, zero]) is None
    assert questions.asked == 2


def test_only_what_a_refutation_needs_is_named() -> None:
    script = Script()
    x, y = script.variable("x", 8), script.variable("y", 8)
    zero, other = script.equal(x, script.constant(0, 8)), script.equal(y, script.constant(5, 8))
    questions = OutlineQuestions(script, Run())
    goal = script.at_most(x, script.constant(7, 8))
    assert questions.needed([script.negation(goal)], [zero, other]) == [zero]
    assert questions.needed([script.negation(goal)], [other]) is None
