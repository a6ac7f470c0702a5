"""Schedules are enforced in compiled code, and what goes wrong there is what the test says."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from pincer.evidence.c.compiler import can_build, find_compiler
from pincer.evidence.c.execution import Confirmation
from pincer.evidence.c.failures import FailureKind
from pincer.evidence.threads.execution import confirm, judged
from pincer.evidence.threads.program import ReplayProgram
from pincer.runtime.commands import Finished, run
from tests.evidence.threads.written_schedules import (
    LOST_UPDATE,
    LOST_UPDATE_POINTS,
    TWO_LOCKS,
    TWO_LOCKS_POINTS,
    TWO_LOCKS_STOPS,
    Written,
)

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")


def test_a_lost_update_fails_its_assertion(tmp_path: Path) -> None:
    program = Written(tmp_path, LOST_UPDATE)
    answer = confirm(program.test("assertion", LOST_UPDATE_POINTS), program.source)
    assert answer.status == "confirmed"
    assert answer.detail == "confirmed by execution: reached a failing assertion at line 14"


def test_a_schedule_without_the_bug_speaks_against_it(tmp_path: Path) -> None:
    program = Written(tmp_path, LOST_UPDATE)
    points = LOST_UPDATE_POINTS.splitlines()
    points[4], points[5] = points[5], points[4]
    answer = confirm(program.test("assertion", "\n".join(points)), program.source)
    assert answer.status == "contradicted"
    assert "nothing goes wrong" in answer.detail


def test_two_locks_in_two_orders_are_a_deadlock(tmp_path: Path) -> None:
    program = Written(tmp_path, TWO_LOCKS)
    answer = confirm(program.test("deadlock", TWO_LOCKS_POINTS, TWO_LOCKS_STOPS), program.source)
    assert answer.status == "confirmed"
    assert "thread 1 at line 5 waits for the mutex second, held by thread 2" in answer.detail
    assert "thread 2 at line 12 waits for the mutex first, held by thread 1" in answer.detail
    assert "thread 0 at line 21 waits for the end of thread 1" in answer.detail


def test_locks_taken_one_after_the_other_are_no_deadlock(tmp_path: Path) -> None:
    program = Written(tmp_path, TWO_LOCKS)
    points = """
        0 calls pthread_create @ pthread_create(&a
        1 calls pthread_mutex_lock first @ pthread_mutex_lock(&first); // forward 1
        1 calls pthread_mutex_lock second @ pthread_mutex_lock(&second); // forward 2
        1 calls pthread_mutex_unlock second @ pthread_mutex_unlock(&second
        1 calls pthread_mutex_unlock first @ pthread_mutex_unlock(&first
        1 ends @ return 0
    """
    answer = confirm(program.test("deadlock", points, TWO_LOCKS_STOPS), program.source)
    assert answer.status == "not confirmed"


MISSED_SIGNAL = """\
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
static void *waiter(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&ready, &lock);
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, waiter, 0);
    pthread_cond_signal(&ready);
    pthread_join(a, 0);
    return 0;
}
"""


def test_a_signal_before_the_wait_is_missed(tmp_path: Path) -> None:
    program = Written(tmp_path, MISSED_SIGNAL)
    points = """
        0 calls pthread_create @ pthread_create(&a
        0 calls pthread_cond_signal ready @ pthread_cond_signal(
        1 calls pthread_mutex_lock lock @ pthread_mutex_lock(
        1 calls pthread_cond_wait ready @ pthread_cond_wait(
    """
    stops = """
        1 calls pthread_cond_wait ready @ pthread_cond_wait(
        0 calls pthread_join @ pthread_join(a
    """
    answer = confirm(program.test("deadlock", points, stops), program.source)
    assert answer.status == "confirmed"
    assert "thread 1 at line 6 waits for a signal of ready" in answer.detail


def test_a_signal_after_the_wait_is_not_missed(tmp_path: Path) -> None:
    program = Written(tmp_path, MISSED_SIGNAL)
    points = """
        0 calls pthread_create @ pthread_create(&a
        1 calls pthread_mutex_lock lock @ pthread_mutex_lock(
        1 calls pthread_cond_wait ready @ pthread_cond_wait(
        0 calls pthread_cond_signal ready @ pthread_cond_signal(
        1 calls pthread_cond_wait ready @ pthread_cond_wait(
    """
    stops = "1 calls pthread_cond_wait ready @ pthread_cond_wait("
    answer = confirm(program.test("deadlock", points, stops), program.source)
    assert answer.status == "not confirmed"


def test_two_threads_before_the_same_global_race(tmp_path: Path) -> None:
    program = Written(tmp_path, LOST_UPDATE)
    points = """
        0 calls pthread_create @ pthread_create(&a
        0 calls pthread_create @ pthread_create(&b
        1 reads counter @ counter++
    """
    stops = """
        1 writes counter @ counter++
        2 reads counter @ counter++
    """
    answer = confirm(program.test("race", points, stops), program.source, tmp_path / "kept")
    assert answer.status == "confirmed"
    assert "thread 1 at line 5 is about to write what thread 2 at line 5 is about to read" in answer.detail


@pytest.mark.skipif(
    find_compiler() is None or not can_build(find_compiler() or (), ("-fsanitize=thread",)),
    reason="no thread sanitizer",
)
def test_the_thread_sanitizer_is_asked_about_a_race_too(tmp_path: Path) -> None:
    program = Written(tmp_path, LOST_UPDATE, "two words.c")
    points = "0 calls pthread_create @ pthread_create(&a\n0 calls pthread_create @ pthread_create(&b"
    stops = "1 reads counter @ counter++\n2 writes counter @ counter++"
    answer = confirm(program.test("race", points, stops), program.source)
    assert answer.detail.endswith("ThreadSanitizer reports a data race at lines 5 and 5")


HEAP_RACE = """\
#include <pthread.h>
#include <stdlib.h>
struct node { int key; long value; };
static void *worker(void *given) {
    struct node *node = given;
    node->value = 1; // worker
    return 0;
}
int main(void) {
    pthread_t a;
    struct node *node = malloc(sizeof *node);
    node->key = 0; node->value = 0;
    pthread_create(&a, 0, worker, node);
    long seen = node->value; // main
    int key = node->key; // other
    pthread_join(a, 0);
    return (int)seen + key;
}
"""


def test_two_threads_before_the_same_heap_object_race(tmp_path: Path) -> None:
    program = Written(tmp_path, HEAP_RACE)
    stops = """
        0 reads node @ node->value; // main
        1 writes node @ node->value = 1; // worker
    """
    test = program.test("race", "0 calls pthread_create @ pthread_create(&a", stops)
    answer = confirm(test, program.source)
    assert answer.status == "confirmed"
    assert "thread 0 at line 14 is about to read what thread 1 at line 6 is about to write" in answer.detail


def test_accesses_to_different_fields_do_not_race(tmp_path: Path) -> None:
    program = Written(tmp_path, HEAP_RACE)
    stops = """
        0 reads node @ node->key; // other
        1 writes node @ node->value = 1; // worker
    """
    test = program.test("race", "0 calls pthread_create @ pthread_create(&a", stops)
    answer = confirm(test, program.source)
    assert answer.status == "not confirmed"
    assert "the two accesses do not race" in answer.detail


SEMAPHORE = """\
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
sem_t turn;
int last;
static void *one(void *unused) { sem_wait(&turn); last = 1; sem_post(&turn); return 0; }
static void *two(void *unused) { sem_wait(&turn); last = 2; sem_post(&turn); return 0; }
int main(void) {
    pthread_t a, b;
    sem_init(&turn, 0, 1);
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(last == WANTED);
    return 0;
}
"""


@pytest.mark.parametrize(("order", "last"), [("12", 2), ("21", 1)])
def test_the_schedule_decides_who_gets_a_semaphore_first(tmp_path: Path, order: str, last: int) -> None:
    program = Written(tmp_path, SEMAPHORE)
    threads = "\n".join(
        f"""
        {thread} calls sem_wait turn @ {name}
        {thread} writes last @ {name}
        {thread} calls sem_post turn @ {name}
        {thread} ends @ {name}
        """
        for thread, name in ((number, {"1": "*one(", "2": "*two("}[number]) for number in order)
    )
    points = f"""
        0 calls sem_init turn @ sem_init(
        0 calls pthread_create @ pthread_create(&a
        0 calls pthread_create @ pthread_create(&b
        {threads}
        0 calls pthread_join @ pthread_join(a
        0 calls pthread_join @ pthread_join(b
        0 reads last @ assert(last
    """
    test = program.test("assertion", points)
    assert confirm(test, program.source, preprocessor=[f"-DWANTED={3 - last}"]).status == "confirmed"
    assert confirm(test, program.source, preprocessor=[f"-DWANTED={last}"]).status == "contradicted"


RECURSIVE = """\
#define _GNU_SOURCE
#include <pthread.h>
pthread_mutex_t lock = KIND;
int main(void) {
    pthread_mutex_lock(&lock); // outer
    pthread_mutex_lock(&lock); // inner
    pthread_mutex_unlock(&lock);
    pthread_mutex_unlock(&lock);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("kind", "status"),
    [
        ("PTHREAD_MUTEX_INITIALIZER", "confirmed"),
        ("PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP", "not confirmed"),
        ("PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP", "not confirmed"),
    ],
)
def test_only_a_plain_mutex_locks_out_its_own_holder(tmp_path: Path, kind: str, status: str) -> None:
    program = Written(tmp_path, RECURSIVE)
    test = program.test(
        "deadlock",
        "0 calls pthread_mutex_lock lock @ pthread_mutex_lock(&lock); // outer",
        "0 calls pthread_mutex_lock lock @ pthread_mutex_lock(&lock); // inner",
    )
    answer = confirm(test, program.source, preprocessor=[f"-DKIND={kind}"])
    assert answer.status == status


TWO_WAITERS = """\
#include <assert.h>
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t ready = PTHREAD_COND_INITIALIZER;
int first;
static void *waiter(void *number) {
    pthread_mutex_lock(&lock);
    pthread_cond_wait(&ready, &lock);
    first = (int)(long)number;
    pthread_mutex_unlock(&lock);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, waiter, (void *)1);
    pthread_create(&b, 0, waiter, (void *)2);
    pthread_cond_signal(&ready);
    pthread_mutex_lock(&lock); // main
    assert(first != 2);
    return 0;
}
"""


@pytest.mark.parametrize(("pick", "woken", "status"), [(0, 1, "contradicted"), (1, 2, "confirmed")])
def test_the_schedule_picks_whom_a_signal_wakes(tmp_path: Path, pick: int, woken: int, status: str) -> None:
    program = Written(tmp_path, TWO_WAITERS)
    points = f"""
        0 calls pthread_create @ pthread_create(&a
        0 calls pthread_create @ pthread_create(&b
        1 calls pthread_mutex_lock lock @ pthread_mutex_lock(
        1 calls pthread_cond_wait ready @ pthread_cond_wait(
        2 calls pthread_mutex_lock lock @ pthread_mutex_lock(
        2 calls pthread_cond_wait ready @ pthread_cond_wait(
        0 calls pthread_cond_signal ready {pick} @ pthread_cond_signal(
        {woken} calls pthread_cond_wait ready @ pthread_cond_wait(
        {woken} writes first @ first = (int)
        {woken} calls pthread_mutex_unlock lock @ pthread_mutex_unlock(
        0 calls pthread_mutex_lock lock @ pthread_mutex_lock(&lock); // main
        0 reads first @ assert(first
    """
    answer = confirm(program.test("assertion", points), program.source)
    assert answer.status == status


INPUTS = """\
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int left, right;
static void *worker(void *unused) {
    int mine = __VERIFIER_nondet_int(); // worker
    left = mine;
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, worker, 0);
    right = __VERIFIER_nondet_int(); // main
    pthread_join(a, 0);
    assert(!(left == -7 && right == 12));
    return 0;
}
"""


def test_each_thread_gets_its_own_inputs_in_whatever_order_they_come(tmp_path: Path) -> None:
    program = Written(tmp_path, INPUTS)
    points = """
        0 calls pthread_create @ pthread_create(&a
        0 writes right @ right = __VERIFIER
        1 writes left @ left = mine
        1 ends @ return 0
        0 calls pthread_join @ pthread_join(a
        0 reads left @ assert(
        0 reads right @ assert(
    """
    inputs = ((1, "__VERIFIER_nondet_int(); // worker", -7), (0, "__VERIFIER_nondet_int(); // main", 12))
    assert confirm(program.test("assertion", points, inputs=inputs), program.source).status == "confirmed"


ATOMIC = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
_Atomic int shared;
int plain;
static void __VERIFIER_atomic_add(void) { if (plain < 5) { plain = plain + 1; return; } }
static void *worker(void *unused) {
    shared += 1;
    __VERIFIER_atomic_add();
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, worker, 0);
    shared += 2; // main
    __VERIFIER_atomic_add(); // main
    pthread_join(a, 0);
    assert(shared == 3 && plain == 2);
    assert(0); // end
    return 0;
}
"""


def test_atomic_operations_and_sections_are_one_step(tmp_path: Path) -> None:
    program = Written(tmp_path, ATOMIC)
    points = """
        0 calls pthread_create @ pthread_create(&a
        1 calls __VERIFIER_atomic_begin @ shared += 1
        0 calls __VERIFIER_atomic_begin @ shared += 2
        0 calls __VERIFIER_atomic_begin @ __VERIFIER_atomic_add(); // main
        1 calls __VERIFIER_atomic_begin @ __VERIFIER_atomic_add();
        1 ends @ return 0
        0 calls pthread_join @ pthread_join(a
    """
    answer = confirm(program.test("assertion", points, "0 ends @ assert(0)"), program.source)
    assert answer.detail == "confirmed by execution: reached a failing assertion at line 19"


BARRIER = """\
#include <assert.h>
#include <pthread.h>
pthread_barrier_t gate;
int serial;
static void *worker(void *unused) {
    int told = pthread_barrier_wait(&gate); // worker
    if (told) serial = 1;
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_barrier_init(&gate, 0, 2);
    pthread_create(&a, 0, worker, 0);
    pthread_barrier_wait(&gate); // main
    pthread_join(a, 0);
    assert(serial == 0);
    return 0;
}
"""


@pytest.mark.parametrize(("pick", "status"), [(0, "confirmed"), (1, "contradicted")])
def test_a_barrier_opens_for_all_and_tells_the_one_that_the_schedule_picks(
    tmp_path: Path, pick: int, status: str
) -> None:
    program = Written(tmp_path, BARRIER)
    points = f"""
        0 calls pthread_barrier_init gate @ pthread_barrier_init(
        0 calls pthread_create @ pthread_create(&a
        1 calls pthread_barrier_wait gate @ pthread_barrier_wait(&gate); // worker
        0 calls pthread_barrier_wait gate {pick} @ pthread_barrier_wait(&gate); // main
        1 calls pthread_barrier_wait gate @ pthread_barrier_wait(&gate); // worker
        {"1 writes serial @ serial = 1" if pick == 0 else ""}
        1 ends @ return 0
        0 calls pthread_join @ pthread_join(a
        0 reads serial @ assert(serial
    """
    assert confirm(program.test("assertion", points), program.source).status == status


LOCKS = """\
#define _GNU_SOURCE
#include <pthread.h>
pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
pthread_spinlock_t spin;
static void *worker(void *unused) {
    pthread_spin_lock(&spin); // worker
    pthread_rwlock_wrlock(&shared); // worker
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_spin_init(&spin, 0);
    pthread_create(&a, 0, worker, 0);
    pthread_rwlock_rdlock(&shared); // main
    pthread_spin_lock(&spin); // main
    return 0;
}
"""


def test_read_write_locks_and_spin_locks_are_part_of_circles(tmp_path: Path) -> None:
    program = Written(tmp_path, LOCKS)
    points = """
        0 calls pthread_spin_init spin @ pthread_spin_init(
        0 calls pthread_create @ pthread_create(&a
        1 calls pthread_spin_lock spin @ pthread_spin_lock(&spin); // worker
        0 calls pthread_rwlock_rdlock shared @ pthread_rwlock_rdlock(
    """
    stops = """
        1 calls pthread_rwlock_wrlock shared @ pthread_rwlock_wrlock(
        0 calls pthread_spin_lock spin @ pthread_spin_lock(&spin); // main
    """
    answer = confirm(program.test("deadlock", points, stops), program.source)
    assert answer.status == "confirmed"
    assert "waits for the read-write lock shared, held by thread 0" in answer.detail
    assert "waits for the spin lock spin, held by thread 1" in answer.detail


FREED = """\
#include <pthread.h>
#include <stdlib.h>
int *data;
static void *worker(void *unused) {
    *data = 3;
    return 0;
}
int main(void) {
    pthread_t a;
    data = malloc(sizeof *data);
    pthread_create(&a, 0, worker, 0);
    free(data);
    pthread_join(a, 0);
    return 0;
}
"""


def test_use_of_memory_that_another_thread_freed_is_seen(tmp_path: Path) -> None:
    program = Written(tmp_path, FREED)
    points = """
        0 calls pthread_create @ pthread_create(&a
        1 reads data @ *data = 3
        0 reads data @ free(data
        0 writes data @ free(data
    """
    stops = "1 writes data @ *data = 3"
    answer = confirm(program.test("memory", points, stops), program.source)
    assert answer.status == "confirmed"
    assert answer.detail.endswith("use of memory that was freed by thread 1 at line 5")


def test_a_lock_that_another_thread_freed_is_seen(tmp_path: Path) -> None:
    text = FREED.replace("int *data", "pthread_mutex_t *data").replace("*data = 3", "pthread_mutex_lock(data)")
    program = Written(tmp_path, text)
    points = """
        0 calls pthread_create @ pthread_create(&a
        1 reads data @ pthread_mutex_lock(data
        0 reads data @ free(data
        0 writes data @ free(data
    """
    stops = "1 calls pthread_mutex_lock @ pthread_mutex_lock(data"
    answer = confirm(program.test("memory", points, stops), program.source)
    assert answer.status == "confirmed"
    assert answer.detail.endswith("use of memory that was freed by thread 1 at line 5")


UNLOCKED = """\
#include <pthread.h>
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *unused) {
    pthread_mutex_unlock(&lock); // worker
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_mutex_lock(&lock);
    pthread_create(&a, 0, worker, 0);
    pthread_join(a, 0);
    return 0;
}
"""


def test_unlocking_what_another_thread_holds_is_seen(tmp_path: Path) -> None:
    program = Written(tmp_path, UNLOCKED)
    points = """
        0 calls pthread_mutex_lock lock @ pthread_mutex_lock(
        0 calls pthread_create @ pthread_create(&a
    """
    stops = "1 calls pthread_mutex_unlock lock @ pthread_mutex_unlock("
    answer = confirm(program.test("memory", points, stops), program.source)
    assert answer.status == "confirmed"
    assert "an unlock of a mutex that it does not hold by thread 1 at line 4" in answer.detail


EVALUATION = """\
#include <assert.h>
#include <pthread.h>
int left, right, sum;
static void *worker(void *unused) {
    left = 1;
    right = 1;
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, worker, 0);
    sum = left + right;
    pthread_join(a, 0);
    assert(sum != 1);
    return 0;
}
"""


@pytest.mark.parametrize("order", [("left", "right"), ("right", "left")])
def test_parts_of_a_statement_may_come_in_another_order_than_recorded(tmp_path: Path, order: tuple[str, str]) -> None:
    program = Written(tmp_path, EVALUATION)
    points = f"""
        0 calls pthread_create @ pthread_create(&a
        1 writes left @ left = 1
        0 reads {order[0]} @ sum = left
        0 reads {order[1]} @ sum = left
        1 writes right @ right = 1
        1 ends @ return 0
        0 writes sum @ sum = left
        0 calls pthread_join @ pthread_join(a
        0 reads sum @ assert(sum
    """
    assert confirm(program.test("assertion", points), program.source).status == "confirmed"


ONCE = """\
#include <assert.h>
#include <pthread.h>
pthread_once_t control = PTHREAD_ONCE_INIT;
int times;
static void begin(void) { times = times + 1; }
static void *worker(void *unused) { pthread_once(&control, begin); return 0; }
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, worker, 0);
    pthread_once(&control, begin); // main
    pthread_join(a, 0);
    assert(times != 1);
    return 0;
}
"""


def test_a_once_routine_runs_once(tmp_path: Path) -> None:
    program = Written(tmp_path, ONCE)
    points = """
        0 calls pthread_create @ pthread_create(&a
        1 calls pthread_once control @ pthread_once(&control, begin); return
        1 reads times @ times = times
        1 writes times @ times = times
        1 calls pthread_once_done control @ pthread_once(&control, begin); return
        0 calls pthread_once control @ pthread_once(&control, begin); // main
        1 ends @ return 0
        0 calls pthread_join @ pthread_join(a
        0 reads times @ assert(times
    """
    assert confirm(program.test("assertion", points), program.source).status == "confirmed"


def test_a_schedule_that_the_program_cannot_follow_is_left_and_said_so(tmp_path: Path) -> None:
    program = Written(tmp_path, LOST_UPDATE)
    points = """
        0 calls pthread_create @ pthread_create(&a
        1 calls pthread_mutex_lock none @ counter++
        1 ends @ return 0
    """
    answer = confirm(program.test("assertion", points), program.source)
    assert answer.status == "not confirmed"
    assert "left the recorded schedule at step 2, thread 1 at line 5" in answer.detail


def test_statements_over_several_lines_keep_their_schedule(tmp_path: Path) -> None:
    text = LOST_UPDATE.replace("counter++;", "counter =\n        counter\n        + 1;")
    program = Written(tmp_path, text)
    points = LOST_UPDATE_POINTS.replace("reads counter @ counter++", "reads counter @ + 1")
    points = points.replace("writes counter @ counter++", "writes counter @ counter =")
    assert confirm(program.test("assertion", points), program.source).status == "confirmed"


def test_a_program_that_never_ends_is_stopped(tmp_path: Path) -> None:
    program = Written(tmp_path, "int main(void) { for (;;) { } return 0; }\n")
    answer = confirm(program.test("assertion", "0 ends @ return"), program.source, timeout=1)
    assert answer.status == "not confirmed"
    assert "does not end in time" in answer.detail


def test_a_program_that_does_not_compile_is_not_confirmed(tmp_path: Path) -> None:
    program = Written(tmp_path, "int main(void) { return x; }\n")
    answer = confirm(program.test("assertion", "0 ends @ return"), program.source)
    assert answer.status == "not confirmed"
    assert "does not compile" in answer.detail


def test_without_a_compiler_that_is_the_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    program = Written(tmp_path, LOST_UPDATE)
    assert confirm(program.test("assertion", LOST_UPDATE_POINTS), program.source).status == "no compiler"


def test_the_kept_script_repeats_the_run(tmp_path: Path) -> None:
    program = Written(tmp_path, TWO_LOCKS)
    folder = tmp_path / "kept"
    answer = confirm(program.test("deadlock", TWO_LOCKS_POINTS, TWO_LOCKS_STOPS), program.source, folder)
    assert answer.command == f"sh {folder}/build.sh"
    program.source.unlink()
    assert run(("sh", str(folder / "build.sh")), tmp_path, 60).status == 96


def test_another_failure_than_the_recorded_one_does_not_confirm_it(tmp_path: Path) -> None:
    test = Written(tmp_path, LOST_UPDATE).test("assertion", LOST_UPDATE_POINTS)
    said = "pincer: deadlock\npincer: thread 1 waits for the mutex m, held by thread 1\n"
    answer = judged(Finished(96, said), ReplayProgram.of(test, LOST_UPDATE))
    assert answer.status == "not confirmed"
    assert "instead of the assertion: thread 1 waits for the mutex m" in answer.detail


def test_text_of_the_program_that_looks_like_a_report_proves_nothing(tmp_path: Path) -> None:
    test = Written(tmp_path, LOST_UPDATE).test("assertion", LOST_UPDATE_POINTS)
    said = Finished(0, "pincer: reached a failing assertion\n")
    program = ReplayProgram.of(test, LOST_UPDATE)
    assert judged(said, program, exact=True).status == "contradicted"
    assert judged(said, program).status == "not confirmed"


ARITHMETIC = """\
#include <pthread.h>
#include <assert.h>
int least = -2147483647 - 1, most = 2147483647, none, result;
long long wide = 9223372036854775807LL;
double large = 1e30;
static void *first(void *unused) {
    result = 1; OPERATION;
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, first, 0);
    pthread_join(a, 0);
    result = most + 1;
    return 0;
}
"""
ARITHMETIC_POINTS = "0 calls pthread_create @ pthread_create(&a\n1 writes result @ result = 1"


def undefined(folder: Path, operation: str, kind: FailureKind, place: str = "result = 1") -> Confirmation:
    program = Written(folder, ARITHMETIC.replace("OPERATION", operation))
    test = program.test("undefined", ARITHMETIC_POINTS, f"1 calls x @ {place}")
    return confirm(replace(test, failure=replace(test.failure, kind=kind)), program.source)


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize(
    ("operation", "kind"),
    [
        ("most++", FailureKind.OVERFLOW),
        ("result = least - 1", FailureKind.OVERFLOW),
        ("wide *= 3", FailureKind.OVERFLOW),
        ("result = -least", FailureKind.OVERFLOW),
        ("result = least / (none - 1)", FailureKind.OVERFLOW),
        ("result = most << 1", FailureKind.OVERFLOW),
        ("result = most / none", FailureKind.DIVISION),
        ("wide %= none", FailureKind.DIVISION),
        ("result = 1 << (none + 32)", FailureKind.SHIFT),
        ("result = 1 >> (none - 1)", FailureKind.SHIFT),
        ("wide = (wide - wide - 1) << 1", FailureKind.SHIFT),
        ("result = large", FailureKind.CONVERSION),
    ],
)
def test_the_compilers_checks_confirm_arithmetic_without_a_result(
    compiler: str, operation: str, kind: FailureKind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}")
    monkeypatch.setenv("CC", compiler)
    answer = undefined(tmp_path, operation, kind)
    assert answer.status == "confirmed", answer.detail
    assert answer.detail.endswith("at line 7")
    others = {FailureKind.OVERFLOW, FailureKind.DIVISION, FailureKind.SHIFT, FailureKind.CONVERSION} - {kind}
    assert undefined(tmp_path, operation, min(others - NEAR.get(kind, set()))).status == "not confirmed"


NEAR = {FailureKind.SHIFT: {FailureKind.OVERFLOW}}
"""A shift by too much, as compilers tell it, may be what a model calls an overflow."""


def test_the_absolute_value_of_the_least_number_is_an_overflow(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if shutil.which("gcc") is None:
        pytest.skip("only gcc looks into abs")
    monkeypatch.setenv("CC", "gcc")
    assert undefined(tmp_path, "extern int abs(int); result = abs(least)", FailureKind.OVERFLOW).status == "confirmed"
    assert undefined(tmp_path, "extern int abs(int); result = abs(most)", FailureKind.OVERFLOW).status != "confirmed"


def test_another_failure_in_the_line_of_an_overflow_does_not_confirm_it(tmp_path: Path) -> None:
    for operation in ("result = 1; assert(none)", "__builtin_trap()", "none = 3; *(volatile int *)none = 1"):
        answer = undefined(tmp_path, operation, FailureKind.OVERFLOW)
        assert answer.status == "not confirmed", operation
    assert "instead of the overflow" in undefined(tmp_path, "assert(none)", FailureKind.OVERFLOW).detail


def test_an_overflow_elsewhere_does_not_confirm_one(tmp_path: Path) -> None:
    assert undefined(tmp_path, "result = 2", FailureKind.OVERFLOW).status == "not confirmed"
    assert undefined(tmp_path, "result = 2", FailureKind.OVERFLOW, "result = most + 1").status == "confirmed"


def test_an_overflow_does_not_confirm_an_assertion(tmp_path: Path) -> None:
    program = Written(tmp_path, ARITHMETIC.replace("OPERATION", "most++; assert(result)"))
    answer = confirm(program.test("assertion", ARITHMETIC_POINTS, "1 calls x @ assert(result"), program.source)
    assert answer.status != "confirmed"
