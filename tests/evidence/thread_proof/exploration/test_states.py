"""States at work are copies; accesses overlap where bytes do."""

from __future__ import annotations

from pincer.evidence.c_proof.smt import Script
from pincer.evidence.thread_proof.exploration.states import State, StepAccess, ThreadState, WorkingState
from pincer.evidence.thread_proof.exploration.things import made

from .explored_programs import program_of

MAIN = program_of("int main(void) { return 0; }").procedures["main"]


def _state(threads: int = 1) -> State:
    return State(
        (ThreadState(MAIN, MAIN.entry, (), (1, None), ()),) * threads, (5,), {8: made(1, b"")}, {}, {}, frozenset()
    )


def test_a_copy_goes_its_own_way() -> None:
    state = _state()
    work = WorkingState(state, 0)
    other = work.copy()
    other.own[0], other.all[0], other.memory[8] = 2, 6, made(1, b"\1")
    assert work.own == [1, None] and work.all == [5] and work.memory == state.memory == {8: made(1, b"")}


def test_a_thread_keeps_only_what_it_needs() -> None:
    work = WorkingState(_state(), 0)
    assert work.mine((1,)).own == (None, None) and work.mine().own == (1, None)


def test_a_thread_is_alone_when_all_others_have_ended() -> None:
    work = WorkingState(_state(2), 0)
    assert not work.is_alone()
    work.changed_thread(1, work.threads[1]._replace(ended=True))
    assert work.is_alone()


def test_variables_of_all_threads_and_of_memory_are_known() -> None:
    script = Script()
    one, two, three = (script.variable(name, 8) for name in "abc")
    work = WorkingState(_state(2), 0)
    work.own[0] = one
    work.changed_thread(1, work.threads[1]._replace(own=(two,)))
    work.memory[8] = made(1, b"").with_node(script, 0, three)
    assert work.variables() == {one.text, two.text, three.text}


def test_accesses_overlap_where_bytes_do() -> None:
    assert StepAccess(8, 4, True).overlaps(StepAccess(11, 1, False))
    assert not StepAccess(8, 4, True).overlaps(StepAccess(12, 4, True))
    assert not StepAccess(8, 4, True).overlaps(StepAccess(8, 1, True, register=True))
    assert not StepAccess(8, 4, True).overlaps(StepAccess(8, 1, True, life=True))
