"""Schedules that the executor finds come true in compiled code."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pincer.engines.schedules.findings import Violation
from pincer.engines.threads.threaded_test import threaded_test
from pincer.evidence.c.compiler import find_compiler
from pincer.evidence.c.failures import FailureKind
from pincer.evidence.threads.execution import confirm
from pincer.evidence.threads.trace import ThreadedTest, from_json, to_json
from pincer.execution.stepping import Stop
from pincer.execution.threads.interleaving import Interleaver
from pincer.execution.threads.schedules import Schedule, ThreadChoice, replay
from pincer.frontends.c.load import load
from pincer.logic.bitvectors import signed
from pincer.program.passes.overflow import DefinedArithmetic, with_overflow
from pincer.program.property import PropertyKind
from tests.engines.threads.executor_schedules import found_test
from tests.evidence.threads.written_schedules import LOST_UPDATE, TWO_LOCKS

pytestmark = pytest.mark.skipif(find_compiler() is None, reason="no C compiler")

HEAP = """\
#include <pthread.h>
#include <stdlib.h>
struct box { int *content; } box;
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *reader(void *unused) {
    pthread_mutex_lock(&lock);
    int *seen = box.content;
    pthread_mutex_unlock(&lock);
    return (void *)(long)*seen;
}
int main(void) {
    pthread_t a;
    box.content = malloc(sizeof(int));
    *box.content = 4;
    pthread_create(&a, 0, reader, 0);
    pthread_mutex_lock(&lock);
    free(box.content);
    pthread_mutex_unlock(&lock);
    pthread_join(a, 0);
    return 0;
}
"""

PHILOSOPHERS = """\
#include <pthread.h>
pthread_mutex_t forks[3];
static void *dine(void *given) {
    long seat = (long)given;
    pthread_mutex_lock(&forks[seat]);
    pthread_mutex_lock(&forks[(seat + 1) % 3]);
    pthread_mutex_unlock(&forks[(seat + 1) % 3]);
    pthread_mutex_unlock(&forks[seat]);
    return 0;
}
int main(void) {
    pthread_t threads[3];
    for (int i = 0; i < 3; i++) pthread_mutex_init(&forks[i], 0);
    for (long i = 0; i < 3; i++) pthread_create(&threads[i], 0, dine, (void *)i);
    for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
    return 0;
}
"""


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("assertions", LOST_UPDATE),
        ("race", LOST_UPDATE),
        ("deadlock", TWO_LOCKS),
        ("deadlock", PHILOSOPHERS),
        ("memory", HEAP),
    ],
)
def test_what_the_executor_finds_goes_wrong_in_compiled_code(tmp_path: Path, name: PropertyKind, text: str) -> None:
    file = tmp_path / "program.c"
    file.write_text(text)
    test = found_test(file, name)
    assert test is not None
    assert from_json(to_json(test)) == test
    answer = confirm(test, file)
    assert answer.status == "confirmed", answer.detail


STORES = """\
#include <assert.h>
#include <pthread.h>
enum state { IDLE, BUSY = 3 };
struct job { enum state s; unsigned n : 4, m : 4; } jobs[2];
static void *work(void *given) {
    int i = (int)(long)given;
    jobs[i].s = BUSY;
    jobs[i].m = 9;
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, work, (void *)1);
    pthread_join(a, 0);
    assert(jobs[1].s == IDLE);
    return 0;
}
"""


def test_what_threads_store_is_told_in_the_words_of_the_source(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(STORES)
    test = found_test(file, "assertions")
    assert test is not None
    told = [(step.position.line, change) for step in test.steps for change in step.changes]
    assert told == [(6, ("i", "1")), (7, ("jobs[1].s", "BUSY")), (8, ("jobs[1].m", "9"))]


OVERWRITTEN = """\
#include <assert.h>
#include <pthread.h>
static void *work(void *given) {
    int own[3], i = 0;
    own[0] = 1;
    own[0] = 2;
    own[i] = 3;
    i = 2;
    return (void *)(long)own[1 - 1];
}
int main(void) {
    pthread_t a;
    void *found;
    pthread_create(&a, 0, work, 0);
    pthread_join(a, &found);
    assert(!found);
    return 0;
}
"""


def test_of_stores_in_one_transition_only_what_is_sure_is_told(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(OVERWRITTEN)
    test = found_test(file, "assertions")
    assert test is not None
    told = {change for step in test.steps for change in step.changes if change[0].startswith("own")}
    assert told <= {("own[0]", "3")}


MIXED = """\
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int x, y, trace, table[2];
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
sem_t done;
static void *one(void *unused) {
    for (int i = 0; i < 2; i++) {
        x = x * 2 + y;
        table[i] = x;
    }
    pthread_mutex_lock(&lock);
    trace = trace * 10 + 1;
    pthread_mutex_unlock(&lock);
    sem_post(&done);
    return 0;
}
static void *two(void *given) {
    y = y + *(int *)given;
    __VERIFIER_atomic_begin();
    x = x + 3;
    trace = trace * 10 + x;
    __VERIFIER_atomic_end();
    if (x > 4) y++;
    else table[0]--;
    sem_post(&done);
    return 0;
}
int main(void) {
    pthread_t a, b;
    int given = 5;
    sem_init(&done, 0, 0);
    pthread_create(&a, 0, one, 0);
    pthread_create(&b, 0, two, &given);
    sem_wait(&done);
    x = x + 1;
    sem_wait(&done);
    pthread_join(a, 0);
    pthread_join(b, 0);
    int result = x + 100 * y + 1000 * trace + 7 * table[0] + 13 * table[1];
    assert(result != WANTED);
    return 0;
}
"""


def _random_execution(file: Path, seed: int) -> tuple[Schedule, int]:
    """A random schedule to the end of the program, and the value of `result` that it leads to."""
    dice = random.Random(seed)
    interleaver = Interleaver(load(file))
    threads, choices = interleaver.initial(), list[ThreadChoice]()
    stop: Stop | None = None
    while stop is None:
        choices.append(ThreadChoice(dice.choice(interleaver.enabled(threads))))
        transition = interleaver.take(threads, choices[-1].thread)
        threads, stop = transition.threads, transition.stop
    variable = next(v for v in interleaver.program.variables if v.name == "result")
    assert variable.register is not None
    return Schedule(tuple(choices)), signed(threads.state.registers[variable.register], 32)


def _expecting(file: Path, schedule: Schedule, wanted: int) -> ThreadedTest:
    file.write_text(MIXED.replace("WANTED", str(wanted)))
    interleaver = Interleaver(load(file))
    stop = replay(interleaver, schedule).stop
    assert stop is not None and stop.kind == "fail"
    return threaded_test(interleaver, Violation("assertions", "the result is reached", schedule, stop), "assertions")


def test_what_a_pass_makes_of_arithmetic_is_told_as_what_it_is(tmp_path: Path) -> None:
    file = tmp_path / "program.c"
    file.write_text(
        "#include <pthread.h>\nint n = 2147483647;\nint main(void) {\n    return n + 1;\n}\n", encoding="utf-8"
    )
    interleaver = Interleaver(with_overflow(load(file), DefinedArithmetic()))
    threads, stop, steps = interleaver.initial(), None, 0
    while stop is None:
        transition = interleaver.take(threads, 0)
        threads, stop, steps = transition.threads, transition.stop, steps + 1
    schedule = Schedule((ThreadChoice(0),) * steps)
    test = threaded_test(interleaver, Violation("assertions", stop.message, schedule, stop), "overflow")
    assert (test.kind, test.failure.kind) == ("undefined", FailureKind.OVERFLOW)
    assert from_json(to_json(test)) == test
    assert confirm(test, file).detail == "confirmed by execution: signed integer overflow at line 4"


@pytest.mark.parametrize("seed", range(5))
def test_a_random_schedule_leads_compiled_code_to_the_same_values(tmp_path: Path, seed: int) -> None:
    file = tmp_path / "program.c"
    file.write_text(MIXED.replace("WANTED", "-1"))
    schedule, wanted = _random_execution(file, seed)
    answer = confirm(_expecting(file, schedule, wanted), file)
    assert answer.status == "confirmed", answer.detail
