"""What is told of the calls of threads: the calls themselves, what they are given, and what they return."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.threads.told_schedule import steps_of
from pincer.evidence.threads.trace import ThreadedTest, ThreadStep
from pincer.execution.threads.interleaving import Interleaver
from pincer.execution.threads.schedules import Schedule, ThreadChoice, replay
from pincer.frontends.c.load import load
from tests.engines.threads.executor_schedules import found_test

TAKEN = """\
#include <assert.h>
#include <pthread.h>
static int left = 3;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int take(int wanted) {
    pthread_mutex_lock(&lock);
    int got = wanted < left ? wanted : left;
    left -= got;
    pthread_mutex_unlock(&lock);
    return got;
}
static void *worker(void *unused) {
    int got = take(2);
    assert(got == 2);
    return 0;
}
int main(void) {
    pthread_t a;
    pthread_create(&a, 0, worker, 0);
    int mine = take(2);
    pthread_join(a, 0);
    return mine;
}
"""
RECURSIVE = """\
#include <pthread.h>
static int seen;
static int down(int n) {
    if (n == 0)
        return 0;
    seen = n;
    return 1 + down(n - 1);
}
int main(void) {
    int depth = down(2);
    seen = depth;
    return 0;
}
"""


def told(tmp_path: Path, text: str) -> ThreadedTest:
    (tmp_path / "p.c").write_text(text, encoding="utf-8")
    found = found_test(tmp_path / "p.c", "assertions")
    assert found is not None
    return found


def of_thread(test: ThreadedTest, thread: int) -> list[ThreadStep]:
    return [step for step in test.steps if step.thread == thread]


def test_calls_and_returns_are_told_at_their_depth(tmp_path: Path) -> None:
    steps = of_thread(told(tmp_path, TAKEN), 1)
    places = list(dict.fromkeys((step.position.line, step.depth) for step in steps))
    assert places == [(13, 0), (6, 1), (7, 1), (8, 1), (9, 1), (10, 1)]
    assert next(step.text for step in steps if step.text) == "call of take"
    assert [step.position.line for step in steps if step.text == "return"] == [10]


def test_arguments_and_results_are_told_with_the_functions_they_belong_to(tmp_path: Path) -> None:
    steps = of_thread(told(tmp_path, TAKEN), 1)
    changes = {(scope, *change) for step in steps for scope, change in zip(step.scopes, step.changes, strict=True)}
    assert {("take", "wanted", "2"), ("take", "got", "1"), ("", "left", "0"), ("worker", "got", "1")} <= changes


def test_the_thread_that_goes_wrong_stands_below_the_calls_that_are_active(tmp_path: Path) -> None:
    inside = TAKEN.replace("    return got;", "    assert(got == 2);\n    return got;")
    assert [stop.depth for stop in told(tmp_path, TAKEN).failure.stops] == [0]
    assert [stop.depth for stop in told(tmp_path, inside).failure.stops] == [1]


def test_calls_of_a_function_in_itself_are_told_from_returns(tmp_path: Path) -> None:
    (tmp_path / "p.c").write_text(RECURSIVE, encoding="utf-8")
    interleaver = Interleaver(load(tmp_path / "p.c"))
    steps = list(steps_of(interleaver.program, replay(interleaver, Schedule((ThreadChoice(0),)))))
    calls = [(step.position.line, step.depth) for step in steps if step.text == "call of down"]
    assert calls == [(10, 0), (7, 1), (7, 2)]
    returns = [(step.position.line, step.depth) for step in steps if step.text == "return"]
    assert returns == [(5, 3), (7, 2), (7, 1), (12, 0)]
