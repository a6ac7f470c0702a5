"""Shared cells, visible moves, cut points and ends of blocks."""

from __future__ import annotations

from pincer.engines.outlines.form import flags
from pincer.logic import bitvectors
from pincer.program.control_flow import Assume
from tests.engines.outlines.outlined_programs import form_of
from tests.evidence.thread_proof.threaded_programs import COUNTER


def test_cells_are_what_programs_share_and_not_the_librarys_objects() -> None:
    assert [str(cell.args[0]) for cell in form_of(COUNTER).cells if cell.op == "var"] == ["x"]


def test_branches_on_own_registers_are_local() -> None:
    form = form_of(COUNTER)
    worker = form.system.threads[1]
    branches = [move for move in worker.moves if isinstance(move.label, Assume)]
    assert branches and not any(map(form.is_visible, branches))
    assert not {move.source for move in branches} & set(form.cuts[1])


def test_a_place_where_a_thread_may_be_stuck_is_a_cut_point() -> None:
    """Otherwise what was written before it would be hidden from others."""
    text = "int x; int main(void) { int y = __VERIFIER_nondet_int(); x = 1; __VERIFIER_assume(y); return 0; }"
    form = form_of(text)
    main = form.system.threads[0]
    conditions = [
        {move.label.condition for move in main.outgoing[place] if isinstance(move.label, Assume)}
        for place in main.places
    ]
    partial = [place for place, found in zip(main.places, conditions, strict=True) if len(found) == 1]
    dead = [place for place in main.places if not main.outgoing[place]]
    assert partial or dead
    assert {*partial, *dead} <= set(form.cuts[0])


def test_loops_are_not_inside_blocks() -> None:
    form = form_of("int main(void) { int i = 0; while (1) i = i + 1; }")
    heads = {head for made in form.program.procedures.values() for head in made.loop_heads}
    assert heads & {place.location for place in form.cuts[0]}


def test_where_a_block_ends_depends_on_the_branch() -> None:
    form = form_of(COUNTER)
    worker, cuts = form.system.threads[1], form.cuts[1]
    numbers = {place: bitvectors.constant(i, 16) for i, place in enumerate(cuts, 1)}
    ends = {place: form.block_end(worker, place, numbers) for place in worker.places}
    assert all(ends[place] is numbers[place] for place in cuts)
    assert any(end.op == "ite" for end in ends.values())


def test_flags_are_only_given_constants() -> None:
    assert [str(cell.args[0]) for cell in flags(form_of(COUNTER))] == ["x"]
    changed = COUNTER.replace("x = 0;", "x = x - 1;")
    assert flags(form_of(changed)) == []
