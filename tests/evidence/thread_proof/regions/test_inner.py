"""Traps: what may not be passed over as if it concerned nobody."""

from __future__ import annotations

import pytest

from pincer.evidence.thread_proof.program_registers import ProgramRegisters
from pincer.evidence.thread_proof.regions.inner import inner_places
from pincer.evidence.thread_proof.unfolding import unfolded
from pincer.program.control_flow import Assume
from pincer.program.threaded_system import UnfoldedThread
from tests.evidence.thread_proof.threaded_programs import lowered

MAIN = "int main(void) { pthread_t p; pthread_create(&p, 0, f, 0); return x; }"


def inner(body: str) -> tuple[set[str], list[str]]:
    """The inner places of a thread, and those where it branches."""
    program = lowered(f"int x, y; void *f(void *a) {{ int i = 0; {body} return 0; }} {MAIN}")
    thread = unfolded(program, False).threads[1]
    found = inner_places(thread, ProgramRegisters(program, {}))
    branches = dict.fromkeys(str(move.source) for move in thread.moves if isinstance(move.label, Assume))
    return set(map(str, found)), list(branches)


def test_branches_on_own_registers_are_inner() -> None:
    found, branches = inner("i = y; if (i > 3) i = 4; else i = 5; x = i;")
    assert branches and found >= set(branches)


@pytest.mark.parametrize("loop", ["while (1) { }", "while (i < 10) i = i + 0;", "do { i = i ^ 1; } while (i < 2);"])
def test_a_loop_is_never_passed_over(loop: str) -> None:
    """Or what was written before it would never be seen."""
    found, _ = inner(f"x = 1; {loop}")
    program = lowered(f"int x, y; void *f(void *a) {{ int i = 0; x = 1; {loop} return 0; }} {MAIN}")
    thread = unfolded(program, False).threads[1]
    following = {str(move.source): str(move.target) for move in thread.moves if str(move.source) in found}
    for start in found:
        place, steps = start, 0
        while place in following and steps <= len(found):
            place, steps = following[place], steps + 1
        assert steps <= len(found)


def test_a_place_from_which_one_may_not_go_on_is_not_inner() -> None:
    """Or a thread that is stuck there would keep others from going on."""
    program = lowered(f"int x; void *f(void *a) {{ int i = 0; x = 1; __VERIFIER_assume(i == 1); return 0; }} {MAIN}")
    thread = unfolded(program, False).threads[1]
    found = inner_places(thread, ProgramRegisters(program, {}))
    stuck = [place for place in thread.places if not thread.outgoing[place]]
    assert stuck and not found & set(stuck)
    (branch,) = {move.source for move in thread.moves if isinstance(move.label, Assume)}
    one_side = [m for m in thread.moves if m.source != branch or m.target not in stuck]
    partial = UnfoldedThread(1, thread.routine, 0, thread.site, False, thread.entry, tuple(one_side))
    assert branch in found and branch not in inner_places(partial, ProgramRegisters(program, {}))


def test_shared_data_are_not_inner() -> None:
    found, branches = inner("if (y) x = 1;")
    program = lowered(f"int x, y; void *f(void *a) {{ int i = 0; if (y) x = 1; return 0; }} {MAIN}")
    reads = [str(m.source) for m in unfolded(program, False).threads[1].moves if "value=y" in repr(m.label)]
    assert branches and reads and not found & set(reads)
