"""Scheduling points, footprints, privacy, deadlocks, and schedules that replay."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.execution.threads.accesses import races
from pincer.execution.threads.deadlocks import deadlock
from pincer.execution.threads.interleaving import Interleaver
from pincer.execution.threads.limits import ExecutionLimits
from pincer.execution.threads.schedules import Choice, Schedule, replay
from pincer.execution.threads.state import ThreadedState
from tests.execution.threads.threaded_c import lowered

TWO = """
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}"""


def both_started(interleaver: Interleaver) -> ThreadedState:
    """The state in which both threads of `TWO` are before their first visible step."""
    threads = interleaver.initial()
    while len(threads.threads) < 3:
        threads = interleaver.take(threads, 0).threads
    for number in (1, 2):
        threads = interleaver.take(threads, number).threads
    return threads


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


CROSSED = """
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;
void *one(void *u) { pthread_mutex_lock(&m); pthread_mutex_lock(&k); return 0; }
void *two(void *u) { pthread_mutex_lock(&k); pthread_mutex_lock(&m); return 0; }"""


def test_a_circle_of_waiting_threads_says_who_waits_for_what(tmp_path: Path) -> None:
    interleaver = Interleaver(lowered(tmp_path, CROSSED + TWO))
    threads = both_started(interleaver)
    assert deadlock(interleaver, threads) is None
    for number in (1, 2):
        threads = interleaver.take(threads, number).threads
    found = deadlock(interleaver, threads)
    assert found is not None and found.circle
    assert str(found) == (
        "thread 1 waits for the mutex k, held by thread 2; thread 2 waits for the mutex m, held by thread 1"
    )


def test_waiting_for_a_signal_that_nobody_sends_is_a_deadlock(tmp_path: Path) -> None:
    text = """
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    int main(void) { pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); return 0; }"""
    program = lowered(tmp_path, text)
    for spurious in (False, True):
        interleaver = Interleaver(program, ExecutionLimits(spurious=spurious))
        threads = interleaver.initial()
        for _ in range(3):
            threads = interleaver.take(threads, 0).threads
        found = deadlock(interleaver, threads)
        assert str(found) == "thread 0 waits for a signal of c"
        assert bool(interleaver.enabled(threads)) == spurious


def test_a_signal_has_one_outcome_for_each_that_waits(tmp_path: Path) -> None:
    text = """
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
    void *one(void *u) { pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); return 0; }
    void *two(void *u) { return one(u); }"""
    main = TWO.replace("pthread_join(a, 0);", "pthread_cond_signal(&c); pthread_join(a, 0);")
    interleaver = Interleaver(lowered(tmp_path, text + main))
    threads = both_started(interleaver)
    for number in (1, 1, 2, 2):
        threads = interleaver.take(threads, number).threads
    assert interleaver.picks(threads, 0) == 2
    for pick in (0, 1):
        assert interleaver.enabled(interleaver.take(threads, 0, pick).threads) == [1 + pick]


def test_a_schedule_replays_the_same_steps(tmp_path: Path) -> None:
    text = "int x; void *one(void *u) { x = 3; return 0; }\nvoid *two(void *u) { x = 4; return 0; }" + TWO
    interleaver = Interleaver(lowered(tmp_path, text))
    schedule = Schedule(tuple(map(Choice, (0, 0, 0, 1, 2, 2, 1))))
    first, second = replay(interleaver, schedule), replay(Interleaver(interleaver.program), schedule)
    done = [(transition.thread, transition.edges) for transition in first.transitions]
    assert done == [(transition.thread, transition.edges) for transition in second.transitions]
    assert [thread for thread, _ in done] == [choice.thread for choice in schedule.choices]
    (x,) = interleaver.shared.registers
    assert [state.state.registers[x] for state in first.states][-3:] == [0, 4, 3]


def test_a_schedule_that_does_not_fit_is_a_mistake_of_its_own(tmp_path: Path) -> None:
    interleaver = Interleaver(lowered(tmp_path, CROSSED + TWO))
    with pytest.raises(PincerError, match="choice 2 of the schedule names thread 5"):
        replay(interleaver, Schedule((Choice(0), Choice(5))))
