"""The exhaustive search: verdicts with and without reduction, inputs, truncation, replayable schedules."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.portfolio import Allowance, Going
from pincer.engines.schedules.exhaustive import AllSchedules, Exhaustive, explore
from pincer.engines.schedules.findings import Race, ScheduleAnswer
from pincer.engines.schedules.limits import ScheduleLimits
from pincer.execution.threads.deadlocks import ThreadDeadlock
from pincer.execution.threads.interleaving import Interleaver
from pincer.execution.threads.limits import ExecutionLimits
from pincer.execution.threads.schedules import replay
from pincer.frontends.c.load import load
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.property import PropertyKind
from pincer.runtime.run import Run

HEADER = """\
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int x, y;
"""
BOTH = """
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  %s
  return 0;
}"""


def lowered(folder: Path, text: str, end: str = "") -> ControlFlowProgram:
    file = folder / "program.c"
    file.write_text(HEADER + text + (BOTH % end if "main(" not in text else ""))
    return load(file)


def decide(
    program: ControlFlowProgram, name: PropertyKind, reduction: bool, limits: ScheduleLimits | None = None
) -> ScheduleAnswer:
    return explore(program, name, Run(timeout=20), limits, reduction)


PLAIN = "void *one(void *u) { x++; return 0; }\nvoid *two(void *u) { x++; return 0; }"
LOCKED = PLAIN.replace("x++;", "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);")
CROSSED = """
void *one(void *u) { pthread_mutex_lock(&m); pthread_mutex_lock(&k); x++;
  pthread_mutex_unlock(&k); pthread_mutex_unlock(&m); return 0; }
void *two(void *u) { pthread_mutex_lock(&k); pthread_mutex_lock(&m); x++;
  pthread_mutex_unlock(&m); pthread_mutex_unlock(&k); return 0; }"""
REORDER = """
void *one(void *u) { x = 1; y = -1; return 0; }
void *two(void *u) { assert((x == 0 && y == 0) || (x == 1 && y == -1)); return 0; }"""
LOST = """
void *one(void *u) { pthread_mutex_lock(&m); if (!x) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); return 0; }
void *two(void *u) { x = 1; pthread_cond_signal(&c); return 0; }"""
KEPT = LOST.replace(
    "x = 1; pthread_cond_signal(&c);",
    "pthread_mutex_lock(&m); x = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);",
)
FREED = """
int *p;
void *one(void *u) { *p = 1; return 0; }
void *two(void *u) { free(p); return 0; }
int main(void) { pthread_t a, b; p = malloc(4); if (!p) return 0;
  pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0); pthread_join(a, 0); pthread_join(b, 0); return 0; }"""
CASES: list[tuple[str, str, PropertyKind, str]] = [
    (PLAIN, "assert(x == 2);", "assertions", "unsafe"),
    (LOCKED, "assert(x == 2);", "assertions", "safe"),
    (PLAIN, "", "race", "unsafe"),
    (LOCKED, "", "race", "safe"),
    (LOCKED, "", "deadlock", "safe"),
    (CROSSED, "", "deadlock", "unsafe"),
    (CROSSED, "assert(x == 2);", "assertions", "safe"),
    (REORDER, "", "assertions", "unsafe"),
    (LOST, "", "deadlock", "unsafe"),
    (KEPT, "", "deadlock", "safe"),
    (FREED, "", "memory", "unsafe"),
    (FREED, "", "assertions", "unknown"),
]  # fmt: skip


@pytest.mark.parametrize("reduction", [True, False])
@pytest.mark.parametrize(("text", "end", "name", "verdict"), CASES)
def test_verdicts(tmp_path: Path, text: str, end: str, name: PropertyKind, verdict: str, reduction: bool) -> None:
    answer = decide(lowered(tmp_path, text, end), name, reduction)
    assert (answer.verdict, answer.reason) == (verdict, answer.reason)


@pytest.mark.parametrize("reduction", [True, False])
def test_inputs_are_explored_with_the_schedules(tmp_path: Path, reduction: bool) -> None:
    text = """
    void *one(void *u) { int n = __VERIFIER_nondet_int(); if (n > 10) x = n; return 0; }
    void *two(void *u) { if (x == 1234) y = 1; return 0; }"""
    answer = decide(lowered(tmp_path, text, "assert(y == 0);"), "assertions", reduction)
    assert answer.verdict == "unsafe" and answer.violation is not None
    assert 1234 in answer.violation.schedule.inputs.values()
    again = replay(Interleaver(lowered(tmp_path, text, "assert(y == 0);")), answer.violation.schedule)
    assert again.stop is not None and again.stop.kind == "fail"


def test_an_input_bounded_only_by_an_assumption_is_explored(tmp_path: Path) -> None:
    text = """
    void *one(void *u) { assert(x != 3); return 0; }
    int main(int argc, char **argv) { pthread_t a; x = argc; pthread_create(&a, 0, one, 0); return 0; }"""
    assert decide(lowered(tmp_path, text), "assertions", True).verdict == "unsafe"


def test_the_end_of_main_ends_the_others_at_any_time(tmp_path: Path) -> None:
    text = """
    void *one(void *u) { x = 1; y = 1; assert(0); return 0; }
    int main(void) { pthread_t a; pthread_create(&a, 0, one, 0); return 0; }"""
    assert decide(lowered(tmp_path, text), "assertions", True).verdict == "unsafe"


def test_violations_come_with_what_they_are(tmp_path: Path) -> None:
    crossed = decide(lowered(tmp_path, CROSSED), "deadlock", True).violation
    assert crossed is not None and isinstance(crossed.what, ThreadDeadlock) and crossed.what.circle
    plain = decide(lowered(tmp_path, PLAIN), "race", True).violation
    assert plain is not None and isinstance(plain.what, Race)
    assert plain.message.startswith("data race: thread 1 writes x while thread 2")


def test_reduction_explores_fewer_transitions_with_the_same_verdict(tmp_path: Path) -> None:
    text = "int a1, a2, b1, b2;" + PLAIN.replace("x++", "a1++; a2++", 1).replace("x++", "b1++; b2++")
    program = lowered(tmp_path, text)
    reduced, whole = decide(program, "memory", True), decide(program, "memory", False)
    assert reduced.verdict == whole.verdict == "safe"
    assert reduced.executions == 1
    assert reduced.transitions < whole.transitions


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (ScheduleLimits(max_transitions=5), "stopped after 5 transitions"),
        (ScheduleLimits(max_depth=4), "executions of more than 4 transitions"),
        (ScheduleLimits(execution=ExecutionLimits(max_threads=2)), "stopped at 2 threads"),
    ],
)
def test_whatever_is_left_out_keeps_a_program_from_being_safe(
    tmp_path: Path, limits: ScheduleLimits, reason: str
) -> None:
    answer = decide(lowered(tmp_path, LOCKED), "assertions", True, limits)
    assert answer.verdict == "unknown"
    assert reason in answer.reason


def test_a_loop_that_waits_by_reading_is_decided_by_visiting_states_once(tmp_path: Path) -> None:
    text = """
    void *one(void *u) { y = 1; x = 1; return 0; }
    void *two(void *u) { while (!x) { } assert(y == 1); return 0; }"""
    assert decide(lowered(tmp_path, text), "assertions", False).verdict == "safe"


def test_blocks_that_threads_copy_at_the_same_time_leave_the_verdict_open(tmp_path: Path) -> None:
    text = """
    #include <string.h>
    char a[1000], b[1000];
    void *one(void *u) { memcpy(a, b, 1000); return 0; }
    void *two(void *u) { a[3] = 1; return 0; }"""
    for reduction in (True, False):
        answer = decide(lowered(tmp_path, text), "assertions", reduction)
        assert answer.verdict == "unknown" and "in one step" in answer.reason
    assert decide(lowered(tmp_path, text), "race", True).verdict == "unsafe"


PETERSON = """
int wants[2], turn, inside;
void enter(int me) { wants[me] = 1; turn = 1 - me; while (wants[1 - me] && turn == 1 - me); }
void *one(void *u) { enter(0); inside++; assert(inside == 1); inside--; wants[0] = 0; return 0; }
void *two(void *u) { enter(1); inside++; assert(inside == 1); inside--; wants[1] = 0; return 0; }"""


def test_a_program_that_spins_is_explored_to_its_end(tmp_path: Path) -> None:
    assert decide(lowered(tmp_path, PETERSON), "assertions", True).verdict == "safe"


def test_a_failure_behind_a_spin_loop_is_found(tmp_path: Path) -> None:
    wrong = PETERSON.replace("wants[me] = 1; turn = 1 - me;", "turn = 1 - me; wants[me] = 1;")
    assert decide(lowered(tmp_path, wrong), "assertions", True).verdict == "unsafe"


def test_a_thread_that_spins_for_ever_is_no_deadlock(tmp_path: Path) -> None:
    text = "void *one(void *u) { while (!x); return 0; }\nvoid *two(void *u) { while (!y); return 0; }"
    assert decide(lowered(tmp_path, text, "x = y = 1;"), "deadlock", True).verdict == "safe"


def test_a_spinning_program_with_endlessly_many_states_stays_open(tmp_path: Path) -> None:
    text = """
void *one(void *u) { while (!x); return 0; }
void *two(void *u) { for (unsigned i = 0; !x; i++) y = (int)(i & 0xffff); return 0; }"""
    answer = decide(lowered(tmp_path, text, "x = 1;"), "assertions", True, ScheduleLimits(max_transitions=2_000))
    assert answer.verdict == "unknown" and "2000 transitions" in answer.reason


def test_a_lock_that_is_seen_to_be_held_right_before_its_release_is_noticed(tmp_path: Path) -> None:
    text = """
void *one(void *u) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return 0; }
void *two(void *u) { if (x == 1 && pthread_mutex_trylock(&m)) assert(0); return 0; }"""
    assert decide(lowered(tmp_path, text), "assertions", True).verdict == "unsafe"


def test_a_mutex_that_is_destroyed_right_before_its_release_is_noticed(tmp_path: Path) -> None:
    text = """
void *one(void *u) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); return 0; }
void *two(void *u) { if (x == 1) pthread_mutex_destroy(&m); return 0; }"""
    answer = decide(lowered(tmp_path, text), "memory", True)
    assert answer.verdict == "unsafe" and "destroyed while thread 1 holds it" in answer.reason


def test_a_mutex_whose_memory_is_freed_right_before_its_release_is_noticed(tmp_path: Path) -> None:
    text = """
pthread_mutex_t *own;
void *one(void *u) { pthread_mutex_lock(own); x = 1; pthread_mutex_unlock(own); return 0; }
void *two(void *u) { if (x == 1) free(own); return 0; }
int main(void) {
  pthread_t a, b;
  own = malloc(sizeof *own);
  if (!own) return 0;
  pthread_mutex_init(own, 0);
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  return 0;
}"""
    answer = decide(lowered(tmp_path, text), "memory", True)
    assert answer.verdict == "unsafe" and "pthread_mutex_unlock gets a pointer to no object" in answer.reason


def test_sections_without_contents_are_tried_in_both_orders(tmp_path: Path) -> None:
    text = """
void *one(void *u) { x = 1; pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; }
void *two(void *u) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); x = 2; return 0; }"""
    assert decide(lowered(tmp_path, text), "race", True).verdict == "unsafe"


@pytest.mark.parametrize("name", ["assertions", "deadlock", "race"])
@pytest.mark.parametrize("text", [LOCKED, CROSSED, REORDER])
def test_merging_releases_changes_no_verdict_and_takes_fewer_transitions(
    tmp_path: Path, text: str, name: PropertyKind
) -> None:
    program = lowered(tmp_path, text)
    plain = Exhaustive(program, name, Run(timeout=20)).search()
    merged = Exhaustive(program, name, Run(timeout=20), merges=True).search()
    assert merged.verdict == plain.verdict
    assert merged.verdict == "unsafe" or merged.transitions < plain.transitions


@pytest.mark.parametrize("name", ["assertions", "deadlock", "race"])
def test_a_search_in_many_turns_is_the_same_as_in_one(tmp_path: Path, name: PropertyKind) -> None:
    program = lowered(tmp_path, LOCKED)
    strategy, turns = AllSchedules(program, name, Run()), 0
    while isinstance(answer := strategy.step(Allowance(3, 1)), Going):
        assert answer.spent.steps <= 3
        turns += 1
    assert turns > 1
    assert answer == explore(program, name, Run())
