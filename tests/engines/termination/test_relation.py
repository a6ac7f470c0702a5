"""Steps between cut points: the relation knows what one round does, and nothing more."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.termination.relation import Relation
from pincer.logic.bitvectors import binary, compare, constant
from pincer.logic.terms import FALSE, TRUE, equal, negate
from tests.engines.termination.loop_programs import cut_in, ending

TEXT = "int main(void) { unsigned n = __VERIFIER_nondet_uint(); while (n > 3) n -= 2; }"


def test_a_round_relates_what_is_before_and_after(tmp_path: Path) -> None:
    cut = cut_in(ending(tmp_path, TEXT))
    [head] = cut.view.procedure.loop_heads
    relation = Relation(cut, {head: {}})
    observed = relation.observed([head])
    names = relation.names(observed)
    [n] = observed
    before, after = names.earlier(n), names.later(n)
    less = equal(after, binary("bvsub", before, constant(2, 32)))
    assert relation.follows(head) == (head,)
    assert relation.model(head, head, observed, negate(less)) is None
    assert relation.model(head, head, observed, compare("bvule", before, constant(3, 32))) is None
    assert relation.model(head, head, observed, FALSE) is None
    model = relation.model(head, head, observed, TRUE)
    assert model is not None
    assert model[before] > 3
    assert model[after] == model[before] - 2


def test_facts_leave_steps_out(tmp_path: Path) -> None:
    cut = cut_in(ending(tmp_path, TEXT))
    [head] = cut.view.procedure.loop_heads
    [n] = Relation(cut, {head: {}}).observed([head])
    few = compare("bvule", n, constant(3, 32))
    assert Relation(cut, {head: {few: None}}).model(head, head, (n,), TRUE) is None
