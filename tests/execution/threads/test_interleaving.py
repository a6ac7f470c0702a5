"""Scheduling points, footprints and privacy."""

from __future__ import annotations

from pathlib import Path

from pincer.execution.threads.accesses import races
from pincer.execution.threads.interleaving import Interleaver
from tests.execution.threads.threaded_c import TWO, both_started, lowered


def test_an_increment_of_a_shared_variable_can_be_interrupted(tmp_path: Path) -> None:
    text = "int x; void *one(void *u) { x++; return 0; }\nvoid *two(void *u) { x++; return 0; }" + TWO
    interleaver = Interleaver(lowered(tmp_path, text))
    threads = both_started(interleaver)
    for number in (1, 2, 1, 2):
        threads = interleaver.take(threads, number).threads
    x = next(register for register in interleaver.shared.registers if str(register) == "x")
    assert threads.state.registers[x] == 1


def test_steps_on_objects_of_the_threads_own_are_no_scheduling_points(tmp_path: Path) -> None:
    text = """
    int x;
    void *one(void *u) {
      int local[3], *heap = malloc(4), sum = 0;
      for (int i = 0; i < 3; i++) local[i] = i;
      for (int i = 0; i < 3; i++) sum += local[i];
      *heap = sum;
      x = *heap;
      return 0;
    }
    void *two(void *u) { return 0; }"""
    interleaver = Interleaver(lowered(tmp_path, text + TWO))
    threads = both_started(interleaver)
    (access,) = interleaver.footprint(threads, 1).accesses
    assert (access.name, access.write) == ("x", True)


def test_an_object_is_shared_once_its_address_is_in_a_shared_variable(tmp_path: Path) -> None:
    text = """
    int *shown;
    void *one(void *u) {
      int *heap = malloc(4);
      *heap = 1;
      shown = heap;
      *heap = 2;
      return 0;
    }
    void *two(void *u) { return 0; }"""
    interleaver = Interleaver(lowered(tmp_path, text + TWO))
    threads = interleaver.take(both_started(interleaver), 1).threads
    footprint = interleaver.footprint(threads, 1)
    assert {access.space for access in footprint.accesses} == {"life", "memory"}


def test_atomic_accesses_race_with_plain_ones_only(tmp_path: Path) -> None:
    text = """
    _Atomic int a; int x;
    void *one(void *u) { a++; x = 1; return 0; }
    void *two(void *u) { __atomic_fetch_add(&a, 1, 5); __atomic_store_n(&x, 2, 5); return 0; }"""
    interleaver = Interleaver(lowered(tmp_path, text + TWO))
    threads = both_started(interleaver)
    first, second = (interleaver.footprint(threads, number) for number in (1, 2))
    assert first.conflicts(second)
    assert races(first, second) is None
    for number in (1, 2):
        threads = interleaver.take(threads, number).threads
    first, second = (interleaver.footprint(threads, number) for number in (1, 2))
    assert races(first, second) is not None


def test_an_atomic_section_is_one_transition(tmp_path: Path) -> None:
    text = """
    int x, y;
    void *one(void *u) { __VERIFIER_atomic_begin(); x++; y++; __VERIFIER_atomic_end(); return 0; }
    void *two(void *u) { return 0; }"""
    interleaver = Interleaver(lowered(tmp_path, text + TWO))
    footprint = interleaver.footprint(both_started(interleaver), 1)
    assert {access.name for access in footprint.accesses} == {"x", "y"}
    assert all(access.atomic for access in footprint.accesses)


def test_a_thread_that_does_nothing_for_ever_is_noticed_soon(tmp_path: Path) -> None:
    text = "int x; void *one(void *u) { x = 1; while (1); return 0; }\nvoid *two(void *u) { return 0; }" + TWO
    interleaver = Interleaver(lowered(tmp_path, text))
    threads = interleaver.take(both_started(interleaver), 1)
    assert threads.stop is None and len(threads.edges) < 1_000
    again = interleaver.take(threads.threads, 1)
    assert again.stop is not None and again.stop.kind == "steps" and len(again.edges) < 1_000


def test_a_loop_that_others_notice_is_no_standing_still(tmp_path: Path) -> None:
    text = """
    int x;
    void *one(void *u) { while (1) { __VERIFIER_atomic_begin(); __VERIFIER_atomic_end(); } return 0; }
    void *two(void *u) { return 0; }"""
    interleaver = Interleaver(lowered(tmp_path, text + TWO))
    threads = interleaver.take(both_started(interleaver), 1)
    assert threads.stop is None and interleaver.take(threads.threads, 1).stop is None
