"""The accesses of a move: registers and bytes, with what they are."""

from __future__ import annotations

from pincer.evidence.c_proof.smt import Script
from pincer.evidence.thread_proof.accesses import AccessWriter, GuardedAccess
from pincer.evidence.thread_proof.checker import claim_writer
from pincer.evidence.thread_proof.outline import Outline
from pincer.evidence.thread_proof.unfolding import unfolded
from tests.evidence.thread_proof.threaded_programs import lowered


def accesses(statement: str) -> list[GuardedAccess]:
    program = lowered(
        f"int g, h; atomic_int a; int n[20], k[20]; void *f(void *p) {{ {statement} return 0; }}"
        "int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); return 0; }"
    )
    system = unfolded(program, False)
    claims = claim_writer(program, system, Outline(), Script(), False)
    thread, writer = system.threads[1], AccessWriter(claims)
    return [found for move in thread.moves for found in writer.of(thread, move, claims.encoder.view("me", thread))]


def test_reads_and_writes_of_registers() -> None:
    found = {(access.register, access.write) for access in accesses("g = h;")}
    assert found == {("h", False), ("g", True)}


def test_atomic_accesses_are_known_as_such() -> None:
    assert [access.atomic for access in accesses("a = 1;")] == [True]
    assert [access.atomic for access in accesses("g = 1;")] == [False]


def test_accesses_to_bytes_have_a_place_and_a_size() -> None:
    [access] = accesses("n[3] = 1;")
    assert access.write and not access.block and access.size is not None
    assert access.size.value == 4


def test_two_accesses_overlap_where_their_bytes_do() -> None:
    program = lowered("int main(void) { return 0; }")
    claims = claim_writer(program, unfolded(program, False), Outline(), Script(), False)
    script, writer = claims.script, AccessWriter(claims)

    def at(start: int, size: int) -> GuardedAccess:
        return GuardedAccess(script.true, True, False, start=script.constant(start, 64), size=script.constant(size, 64))

    assert writer.overlap(at(100, 4), at(103, 1)).is_true
    assert writer.overlap(at(103, 1), at(100, 4)).is_true
    assert writer.overlap(at(100, 4), at(104, 4)).is_false
    assert writer.overlap(at(104, 4), at(100, 4)).is_false
