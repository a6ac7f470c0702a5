"""Schedules written by hand: points are found in the program's text by what they do."""

from __future__ import annotations

from pathlib import Path

from pincer.errors import Position
from pincer.evidence.threads.trace import (
    Action,
    Kind,
    Point,
    ThreadedFailure,
    ThreadedTest,
    ThreadInput,
    ThreadStep,
)

WORDS: dict[str, Action] = {"reads": "read", "writes": "write", "calls": "call", "ends": "end"}


class Written:
    """A program, and the parts of a schedule for it."""

    def __init__(self, folder: Path, text: str, name: str = "program.c") -> None:
        self.source = folder / name
        self.source.write_text(text, encoding="utf-8")
        self._lines = text.splitlines()

    def at(self, needle: str) -> Position:
        """The first place of a piece of text."""
        for number, line in enumerate(self._lines, 1):
            if needle in line:
                return Position(str(self.source), number, line.index(needle) + 1)
        raise AssertionError(f"{needle!r} is not in the program")

    def point(self, described: str) -> Point:
        """A point as text: `1 reads counter @ counter++`, `0 calls pthread_join @ join(a`, `2 ends @ return 0`.

        Behind the function of a call may stand what it is about and whom it picks: `1 calls pthread_cond_signal c 1`.
        """
        what, _, needle = described.partition(" @ ")
        thread, word, *rest = what.split()
        name = rest[0] if rest else ""
        about = rest[1] if len(rest) > 1 else ""
        pick = int(rest[2]) if len(rest) > 2 else 0
        return Point(int(thread), WORDS[word], name, self.at(needle), about, pick)

    def test(
        self,
        kind: Kind,
        points: str,
        stops: str = "",
        inputs: tuple[tuple[int, str, int], ...] = (),
        steps: tuple[ThreadStep, ...] = (),
        message: str = "goes wrong",
    ) -> ThreadedTest:
        """A test; points and stops are one to a line, inputs are (thread, place of a nondet_int call, value)."""
        halts = tuple(map(self.point, _lines(stops)))
        order = tuple(map(self.point, _lines(points)))
        position = halts[0].position if halts else order[-1].position
        values = tuple(self._input(*given) for given in inputs)
        return ThreadedTest(
            file=str(self.source),
            property={"assertion": "assertions"}.get(kind, kind),
            kind=kind,
            data_model="LP64",
            entry="main",
            inputs=values,
            steps=steps,
            points=order,
            failure=ThreadedFailure(position, message, halts),
        )

    def _input(self, thread: int, needle: str, value: int) -> ThreadInput:
        bits = value & 0xFFFFFFFF
        return ThreadInput("__VERIFIER_nondet_int", "nondet", 32, bits, self.at(needle), thread=thread)


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


LOST_UPDATE = """\
#include <assert.h>
#include <pthread.h>
int counter;
static void *worker(void *unused) {
    counter++;
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, worker, 0);
    pthread_create(&b, 0, worker, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    assert(counter == 2);
    return 0;
}
"""

LOST_UPDATE_POINTS = """
    0 calls pthread_create @ pthread_create(&a
    0 calls pthread_create @ pthread_create(&b
    1 reads counter @ counter++
    2 reads counter @ counter++
    1 writes counter @ counter++
    2 writes counter @ counter++
    1 ends @ return 0
    2 ends @ return 0
    0 calls pthread_join @ pthread_join(a
    0 calls pthread_join @ pthread_join(b
    0 reads counter @ assert(counter
"""

TWO_LOCKS = """\
#include <pthread.h>
pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;
static void *forward(void *unused) {
    pthread_mutex_lock(&first); // forward 1
    pthread_mutex_lock(&second); // forward 2
    pthread_mutex_unlock(&second);
    pthread_mutex_unlock(&first);
    return 0;
}
static void *backward(void *unused) {
    pthread_mutex_lock(&second); // backward 1
    pthread_mutex_lock(&first); // backward 2
    pthread_mutex_unlock(&first);
    pthread_mutex_unlock(&second);
    return 0;
}
int main(void) {
    pthread_t a, b;
    pthread_create(&a, 0, forward, 0);
    pthread_create(&b, 0, backward, 0);
    pthread_join(a, 0);
    pthread_join(b, 0);
    return 0;
}
"""

TWO_LOCKS_POINTS = """
    0 calls pthread_create @ pthread_create(&a
    0 calls pthread_create @ pthread_create(&b
    1 calls pthread_mutex_lock first @ pthread_mutex_lock(&first); // forward 1
    2 calls pthread_mutex_lock second @ pthread_mutex_lock(&second); // backward 1
"""

TWO_LOCKS_STOPS = """
    1 calls pthread_mutex_lock second @ pthread_mutex_lock(&second); // forward 2
    2 calls pthread_mutex_lock first @ pthread_mutex_lock(&first); // backward 2
"""
