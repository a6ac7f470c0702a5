"""What is shown to other threads takes along what it leads to."""

from __future__ import annotations

from pincer.evidence.thread_proof.exploration.states import State, ThreadState, WorkingState
from pincer.evidence.thread_proof.exploration.things import made

from .explored_programs import moves_of, program_of

PROGRAM = program_of("int main(void) { return 0; }")
SLOT = PROGRAM.layout.slot


def _working() -> WorkingState:
    main = PROGRAM.procedures["main"]
    memory = {SLOT: made(16, b"").with_bytes(8, (2 * SLOT + 4).to_bytes(8, "little")), 2 * SLOT: made(8, b"")}
    memory[3 * SLOT] = made(8, b"")
    owners = dict.fromkeys(memory, 0)
    return WorkingState(State((ThreadState(main, main.entry, (), (), ()),), (), memory, {}, owners, frozenset()), 0)


def test_what_an_object_points_to_is_shown_with_it() -> None:
    state, sharing = _working(), moves_of(PROGRAM).steps.sharing
    sharing.show_value(state, SLOT + 3)
    assert set(state.owners) == {3 * SLOT}


def test_numbers_that_are_no_pointers_show_nothing() -> None:
    state, sharing = _working(), moves_of(PROGRAM).steps.sharing
    sharing.show_value(state, 7)
    sharing.show_value(state, None)
    assert len(state.owners) == 3


def test_pointers_among_bytes_are_shown() -> None:
    state, sharing = _working(), moves_of(PROGRAM).steps.sharing
    del state.owners[SLOT]
    sharing.show_bytes(state, SLOT, 0, 8)
    assert set(state.owners) == {2 * SLOT, 3 * SLOT}
    sharing.show_bytes(state, SLOT, 8, 8)
    assert set(state.owners) == {3 * SLOT}
