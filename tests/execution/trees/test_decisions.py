"""What is known about the ways of a program: which sides were taken, and when no other can exist."""

from __future__ import annotations

from pincer.execution.trees.decisions import Turning, decision_at, record
from pincer.logic.terms import at_most, integer, negate, variable

SMALL = at_most(variable("x"), integer(3))
EVEN, ODD, NEITHER = (at_most(variable(name), integer(0)) for name in "abc")


def test_a_decision_is_complete_when_two_sides_negate_each_other() -> None:
    root = Turning()
    record(root, [SMALL, EVEN])
    assert not root.complete and not decision_at(root, [SMALL]).complete
    record(root, [negate(SMALL)])
    assert root.complete and not decision_at(root, [SMALL]).complete


def test_many_sides_are_complete_only_when_closed() -> None:
    root = Turning()
    for side in (EVEN, ODD, NEITHER):
        record(root, [side])
    assert not root.complete
    assert root.others() == (negate(EVEN), negate(ODD), negate(NEITHER))
    root.closed = True
    assert root.complete


def test_what_is_known_below_one_side_is_not_known_below_the_other() -> None:
    root = Turning()
    record(root, [SMALL, EVEN])
    record(root, [negate(SMALL), ODD])
    record(root, [SMALL])
    assert list(decision_at(root, [SMALL]).sides) == [EVEN]
    assert list(decision_at(root, [negate(SMALL)]).sides) == [ODD]
