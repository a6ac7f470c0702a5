"""Short schedules drawn at random: what they find, in which kinds, and that it is the same for the same seed."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.portfolio import Allowance, Going
from pincer.engines.schedules.again import confirmed
from pincer.engines.schedules.drawn_schedules import DrawnSchedules
from pincer.engines.schedules.findings import ScheduleAnswer
from pincer.engines.schedules.limits import DrawnLimits
from pincer.execution.threads.limits import ExecutionLimits
from pincer.frontends.c.load import load
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.property import PropertyKind
from pincer.runtime.run import Run

SPIN = """\
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
atomic_int taken;
int inside, *cell;
void *worker(void *unused) {
    while (1) {
        while (atomic_load(&taken))
            ;
        atomic_store(&taken, 1);
        BODY
        atomic_store(&taken, 0);
    }
    return 0;
}
int main(void) {
    pthread_t t;
    while (1)
        pthread_create(&t, 0, worker, 0);
}
"""
COUNTED = SPIN.replace("BODY", "inside++; assert(inside == 1); inside--;")
FREED = SPIN.replace("BODY", "cell = malloc(4); *cell = 1; free(cell);")
CROSSED = """\
#include <pthread.h>
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
void *one(void *u) {
    while (1) {
        pthread_mutex_lock(&a); pthread_mutex_lock(&b); pthread_mutex_unlock(&b); pthread_mutex_unlock(&a);
    }
}
void *other(void *u) {
    while (1) {
        pthread_mutex_lock(&b); pthread_mutex_lock(&a); pthread_mutex_unlock(&a); pthread_mutex_unlock(&b);
    }
}
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, one, 0); pthread_create(&u, 0, other, 0);
    pthread_join(t, 0);
}
"""
COMPARED = """\
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
int x;
void *worker(void *u) { x = __VERIFIER_nondet_int(); while (1) assert(x != 7341); }
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); pthread_join(t, 0); }
"""


def lowered(folder: Path, text: str) -> ControlFlowProgram:
    file = folder / "program.c"
    file.write_text(text)
    return load(file)


def drawn(program: ControlFlowProgram, kind: PropertyKind, steps: int = 10_000, seed: int = 0) -> DrawnSchedules:
    search = DrawnSchedules(program, kind, Run(timeout=60), seed)
    search.step(Allowance(steps, 1))
    return search


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (COUNTED, "assertions"), (COUNTED, "race"), (FREED, "memory"), (CROSSED, "deadlock"), (COMPARED, "assertions"),
    ],
)  # fmt: skip
def test_mistakes_of_all_kinds_in_endless_programs_are_found_and_executed_again(
    tmp_path: Path, text: str, kind: PropertyKind
) -> None:
    program = lowered(tmp_path, text)
    found = drawn(program, kind).answer.violation
    assert found is not None
    assert confirmed(program, kind, found.schedule, ExecutionLimits()) is not None


def test_what_is_found_is_short_and_the_same_for_the_same_seed(tmp_path: Path) -> None:
    program = lowered(tmp_path, COUNTED)
    first, second = (drawn(program, "assertions", seed=3).answer.violation for _ in range(2))
    assert first is not None and second is not None and first.schedule == second.schedule
    # Main starts two threads; the shortest such schedule has ten more choices of theirs.
    assert len(first.schedule.choices) <= 20


def test_a_right_program_is_never_decided(tmp_path: Path) -> None:
    right = COUNTED.replace("while (atomic_load(&taken))", "while (atomic_exchange(&taken, 1))").replace(
        "atomic_store(&taken, 1);", ""
    )
    program = lowered(tmp_path, right)
    search = DrawnSchedules(program, "assertions", Run(timeout=60), drawn=DrawnLimits(transitions=3_000))
    going = search.step(Allowance(2_000, 1))
    assert isinstance(going, Going) and going.spent.steps >= 2_000
    answer = search.step(Allowance(2_000, 1))
    assert isinstance(answer, ScheduleAnswer) and answer.verdict == "unknown"
    assert answer.reason == "only some schedules were drawn at random"


def test_threads_beyond_the_most_are_not_created(tmp_path: Path) -> None:
    """Their creator stands still, and the others go on."""
    program = lowered(tmp_path, COUNTED.replace("assert(inside == 1)", "assert(inside < 1000)"))
    limits = DrawnLimits(stages=((100, 200, 3),))
    search = DrawnSchedules(program, "assertions", Run(timeout=60), drawn=limits)
    search.step(Allowance(1_000, 1))
    assert search.answer.longest == 200 and search.answer.violation is None
