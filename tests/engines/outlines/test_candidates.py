"""Guesses from the program's text: ghosts, carried conditions, live registers."""

from __future__ import annotations

from pincer.engines.outlines.candidates import Candidates
from pincer.engines.outlines.carrying import Carrier
from pincer.engines.outlines.form import ThreadedForm, flags
from pincer.engines.outlines.ghosts import block_ghosts, owner_ghosts
from pincer.engines.outlines.registers_live import live_registers
from pincer.evidence.thread_proof.sync_objects import SyncObjects
from pincer.evidence.thread_proof.unfolding import unfolded
from pincer.logic import bitvectors, terms
from pincer.program.registers import global_register
from tests.evidence.thread_proof.threaded_programs import COUNTER, HAND_OVER, SPIN_LOCK, lowered


def form_of(text: str) -> ThreadedForm:
    program = lowered(text)
    system = unfolded(program, False)
    return ThreadedForm(program, system, SyncObjects(program, system))


def test_a_cell_that_is_tested_and_set_has_an_owner() -> None:
    made = owner_ghosts(form_of(SPIN_LOCK))
    [name] = made.ghosts
    assert made.cells[name].op == "load"
    assert len(made.updates) == 2
    assert not owner_ghosts(form_of(COUNTER)).ghosts


def test_single_threads_have_a_ghost_for_where_they_are() -> None:
    made = block_ghosts(form_of(HAND_OVER))
    assert list(made.ghosts) == ["at1"]
    assert not block_ghosts(form_of(SPIN_LOCK)).ghosts


def test_branches_are_carried_back_to_shared_data() -> None:
    form = form_of(COUNTER)
    carrier = Carrier(form)
    for thread in form.system.threads:
        carrier.conditions(thread)
    x = global_register("x", 32)
    assert terms.equal(x, bitvectors.constant(1, 32)) in carrier.shared


def test_what_leads_to_a_wait_is_seen() -> None:
    form = form_of(HAND_OVER)
    [condition] = form.objects.waiters
    seen = Carrier(form).seen_before(form.system.threads[0], condition)
    assert terms.equal(global_register("ready", 32), bitvectors.constant(0, 32)) in seen


def test_flags_are_only_given_constants() -> None:
    assert [str(cell.args[0]) for cell in flags(form_of(COUNTER))] == ["x"]
    changed = COUNTER.replace("x = 0;", "x = x - 1;")
    assert flags(form_of(changed)) == []


def test_registers_are_live_until_they_are_read_last() -> None:
    worker = form_of(COUNTER).system.threads[1]
    live = live_registers(worker)
    assert not live[worker.entry]
    assert any(live[place] for place in worker.places)


def test_guesses_cover_every_place() -> None:
    form = form_of(COUNTER)
    outline = Candidates(form, blocks=False, waits=False).outline()
    assert outline.standing
    assert all(outline.at(1, place) for place in form.system.threads[1].places)
