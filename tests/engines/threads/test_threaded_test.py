"""Schedules that the executor finds come true in compiled code."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from pincer.engines.schedules.findings import Violation
from pincer.engines.threads.threaded_test import threaded_test
from pincer.evidence.c.compiler import find_compiler
from pincer.evidence.threads.execution import confirm
from pincer.evidence.threads.trace import ThreadedTest, from_json, to_json
from pincer.execution.stepping import Stop
from pincer.execution.threads.interleaving import Interleaver
from pincer.execution.threads.schedules import Schedule, ThreadChoice, replay
from pincer.frontends.c.load import load
from pincer.logic.bitvectors import signed
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


@pytest.mark.parametrize("seed", range(5))
def test_a_random_schedule_leads_compiled_code_to_the_same_values(tmp_path: Path, seed: int) -> None:
    file = tmp_path / "program.c"
    file.write_text(MIXED.replace("WANTED", "-1"))
    schedule, wanted = _random_execution(file, seed)
    answer = confirm(_expecting(file, schedule, wanted), file)
    assert answer.status == "confirmed", answer.detail
