"""Steps between loop heads count where the automaton accepts on them, or reads nothing."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.cutpoints.cutting import Cut, Manner, cut_of
from pincer.engines.questions import Questions
from pincer.engines.termination.marks import always_accepts, before_accepting, marks_of
from pincer.engines.termination.verify import violations
from pincer.logic.terms import FALSE, TRUE
from pincer.runtime.run import Run
from tests.engines.termination.formula_programs import ANSWERED, SERVER, observed


def cut_with(folder: Path, text: str, formula: str) -> Cut:
    program = observed(folder, text, formula)
    manner = Manner(automaton=violations(program.formula))
    cut = cut_of(program, "assertions", Questions(Run(), program.layout.slot_bits), manner)
    assert isinstance(cut, Cut)
    return cut


def test_waiting_counts_and_serving_does_not(tmp_path: Path) -> None:
    cut = cut_with(tmp_path, SERVER % "--", ANSWERED)
    assert cut.product is not None
    blocks, product = cut.induction.blocks, cut.product
    marks = marks_of(blocks, product)
    assert marks.sometimes
    for source, target in marks.always:
        assert product.accepts(source) or (source, target) in marks.sometimes
    idle = [q for q, accepts in enumerate(product.automaton.accepting) if not accepts]
    heads = [place for place in product.procedure.loop_heads & blocks.cuts if product.origins[place][1] in idle]
    assert any((head, head) not in marks.always for head in heads)


def test_what_must_hold_for_accepting_ways_only(tmp_path: Path) -> None:
    cut = cut_with(tmp_path, SERVER % "--", ANSWERED)
    assert cut.product is not None
    blocks = cut.induction.blocks
    for target in blocks.cuts:
        everywhere = blocks.before(target, FALSE)
        accepting = before_accepting(blocks, cut.product, target, FALSE)
        assert all(formula is TRUE for place, formula in accepting.items() if place not in everywhere)


def test_cycles_without_accepting_nodes_are_seen(tmp_path: Path) -> None:
    cut = cut_with(tmp_path, SERVER % "--", ANSWERED)
    assert cut.product is not None
    product = cut.product
    accepting = [place for place in product.origins if product.accepts(place)]
    assert not always_accepts(product, product.procedure.edges, [product.procedure.entry])
    inside = [edge for edge in product.procedure.edges if edge.source in accepting and edge.target in accepting]
    assert always_accepts(product, inside, accepting)
