"""C text with threads, lowered and run under given schedules, for the tests beside this module."""

from __future__ import annotations

from pathlib import Path

from pincer.execution.stepping import Stop
from pincer.execution.threads.interleaving import Interleaver
from pincer.execution.threads.limits import ExecutionLimits
from pincer.execution.threads.state import ThreadedState
from pincer.frontends.c.load import load
from pincer.program.control_flow import Assign, ControlFlowProgram

HEADER = """\
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
int result;
"""


IDLE = "void *idle(void *unused) { return 0; }\n"

TWO = """
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}"""

CROSSED = """
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;
void *one(void *u) { pthread_mutex_lock(&m); pthread_mutex_lock(&k); return 0; }
void *two(void *u) { pthread_mutex_lock(&k); pthread_mutex_lock(&m); return 0; }"""


def lowered(folder: Path, text: str) -> ControlFlowProgram:
    file = folder / "program.c"
    file.write_text(HEADER + text)
    return load(file)


def finished(
    folder: Path, text: str, last: bool = False, limits: ExecutionLimits | None = None
) -> tuple[ThreadedState, Stop]:
    """Run a program; of the threads that can, the first always goes on, or with `last` the last."""
    interleaver = Interleaver(lowered(folder, text), limits or ExecutionLimits())
    threads = interleaver.initial()
    for _ in range(10_000):
        enabled = interleaver.enabled(threads)
        if not enabled:
            return threads, Stop("halt", "nobody can run")
        transition = interleaver.take(threads, enabled[-1 if last else 0])
        threads = transition.threads
        if transition.stop is not None:
            return threads, transition.stop
    raise AssertionError("the program does not end")


def result_of(folder: Path, text: str, last: bool = False) -> int:
    """The global variable `result` when `main` has returned."""
    threads, stop = finished(folder, text, last)
    assert stop.message == "main returned", stop
    program = threads.state.world.program
    register = next(v.register for v in program.variables if v.name == "result")
    assert register is not None
    return threads.state.registers[register]


def assignments(folder: Path, text: str, procedure: str) -> list[Assign]:
    """The assignments that a procedure is lowered to."""
    edges = lowered(folder, text).procedures[procedure].edges
    return [edge.label for edge in edges if isinstance(edge.label, Assign)]


def both_started(interleaver: Interleaver) -> ThreadedState:
    """The state in which both threads of `TWO` are before their first visible step."""
    threads = interleaver.initial()
    while len(threads.threads) < 3:
        threads = interleaver.take(threads, 0).threads
    for number in (1, 2):
        threads = interleaver.take(threads, number).threads
    return threads
