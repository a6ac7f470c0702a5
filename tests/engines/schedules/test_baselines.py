"""Iterative context bounding and random schedules."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.schedules.baselines import ContextBounded, context_bounding, random_schedules
from pincer.engines.schedules.limits import ScheduleLimits
from pincer.execution.threads.interleaving import Interleaver
from pincer.execution.threads.schedules import replay
from pincer.frontends.c.load import load
from pincer.program.control_flow import ControlFlowProgram
from pincer.runtime.run import Run

RACY = """\
#include <assert.h>
#include <pthread.h>
int x;
void *one(void *u) { x++; return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, one, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
  return 0;
}
"""
LOCKED = RACY.replace("x++;", "pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);").replace(
    "int x;", "int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;"
)


def lowered(folder: Path, text: str) -> ControlFlowProgram:
    file = folder / "program.c"
    file.write_text(text)
    return load(file)


def test_a_lost_update_needs_one_interruption(tmp_path: Path) -> None:
    program = lowered(tmp_path, RACY)
    none = ContextBounded(program, "assertions", Run(timeout=20), 0)
    assert none.search().violation is None and none.cut
    answer = context_bounding(program, "assertions", Run(timeout=20))
    assert answer.violation is not None
    again = replay(Interleaver(program), answer.violation.schedule)
    assert again.stop is not None and again.stop.kind == "fail"


def test_schedules_beyond_the_bound_leave_the_verdict_open(tmp_path: Path) -> None:
    answer = context_bounding(lowered(tmp_path, LOCKED), "assertions", Run(timeout=20), ScheduleLimits(interruptions=1))
    assert answer.verdict == "unknown"
    assert answer.reason == "schedules with more than 1 interruptions"


def test_enough_interruptions_prove_a_program_safe(tmp_path: Path) -> None:
    answer = context_bounding(
        lowered(tmp_path, LOCKED), "assertions", Run(timeout=20), ScheduleLimits(interruptions=12)
    )
    assert answer.verdict == "safe"


def test_random_schedules_repeat_with_their_seed_and_never_prove(tmp_path: Path) -> None:
    program = lowered(tmp_path, RACY)
    limits = ScheduleLimits(random_executions=200)
    first, second = (random_schedules(program, "assertions", Run(timeout=20), 7, limits) for _ in range(2))
    assert first.violation is not None and second.violation is not None
    assert first.violation.schedule == second.violation.schedule
    locked = random_schedules(
        lowered(tmp_path, LOCKED), "assertions", Run(timeout=20), 0, ScheduleLimits(random_executions=20)
    )
    assert (locked.verdict, locked.reason) == ("unknown", "only 20 random schedules were tried")
