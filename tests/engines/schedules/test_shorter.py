"""Schedules are made shorter, and go wrong in the same way."""

from __future__ import annotations

from pathlib import Path

from pincer.engines.schedules.findings import Violation, violation
from pincer.engines.schedules.shorter import shortened
from pincer.execution.threads.interleaving import Interleaver
from pincer.execution.threads.schedules import ThreadChoice, replay
from pincer.frontends.c.load import load
from pincer.runtime.run import Run

TEXT = """\
#include <assert.h>
#include <pthread.h>
int x, y;
void *worker(void *u) { for (int i = 0; i < 20; i++) y = i; x = 1; y = 0; assert(x == 0); return 0; }
void *idle(void *u) { y = 1; y = 2; return 0; }
int main(void) {
    pthread_t t, u;
    pthread_create(&t, 0, idle, 0);
    pthread_create(&u, 0, worker, 0);
    pthread_join(t, 0);
    pthread_join(u, 0);
}
"""


def found_by_turns(folder: Path, text: str) -> tuple[Interleaver, Violation]:
    """What goes wrong if threads take turns."""
    file = folder / "program.c"
    file.write_text(text)
    interleaver = Interleaver(load(file), concrete=True)
    threads, choices = interleaver.initial(), list[ThreadChoice]()
    while True:
        able = interleaver.enabled(threads)
        choice = ThreadChoice(able[len(choices) % len(able)])
        transition = interleaver.take(threads, choice.thread)
        choices.append(choice)
        threads = transition.threads
        if transition.stop is not None:
            return interleaver, violation("assertions", transition.stop, choices, threads.state.values)


def test_threads_and_switches_that_do_not_matter_are_left_out(tmp_path: Path) -> None:
    interleaver, found = found_by_turns(tmp_path, TEXT)
    short = shortened(found, interleaver, Run(timeout=60), 20_000)
    threads = [choice.thread for choice in short.schedule.choices]
    # Thread 1 cannot be left out, since threads are numbered in the order of their creation, but it need not go.
    assert threads == [0] * threads.count(0) + [2] * threads.count(2)
    again = replay(interleaver, short.schedule)
    assert again.stop is not None and found.what == again.stop


def test_nothing_is_changed_without_a_budget(tmp_path: Path) -> None:
    interleaver, found = found_by_turns(tmp_path, TEXT)
    assert shortened(found, interleaver, Run(timeout=60), 0) is found
