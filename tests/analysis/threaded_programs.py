"""C programs with threads, lowered and analysed, for the tests beside this module."""

from __future__ import annotations

from pathlib import Path

from pincer.analysis.thread_facts import ThreadFacts
from pincer.analysis.threads import AbstractThread
from pincer.frontends.c.load import load
from pincer.program.control_flow import Edge

HEADER = """\
#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern long __VERIFIER_nondet_long(void);
extern void reach_error(void);
"""
FIRST = HEADER.count("\n") + 1
"""The line number of a program's first own line."""


def analysed(folder: Path, text: str) -> ThreadFacts:
    """The facts about a program; its text follows the header."""
    file = folder / "program.c"
    file.write_text(HEADER + text)
    return ThreadFacts(load(file))


def line_of(text: str, mark: str) -> int:
    """The line of the only place where a text has a mark."""
    (found,) = [i for i, line in enumerate(text.splitlines(), FIRST) if mark in line]
    return found


def edges_at(facts: ThreadFacts, text: str, mark: str) -> list[Edge]:
    """The edges of a marked line."""
    wanted = line_of(text, mark)
    return [edge for edge in facts.program.edges() if edge.position.line == wanted]


def thread_of(facts: ThreadFacts, routine: str) -> AbstractThread:
    """The only thread with a routine."""
    (found,) = [thread for thread in facts.threads.all if thread.routine == routine]
    return found


def two_threads(first: str, second: str, shared: str = "", main: str = "") -> str:
    """A program with two threads that run one body each; `main` stands before the joins."""
    return f"""
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER, gate = PTHREAD_MUTEX_INITIALIZER;
int g; {shared}
void *one(void *arg) {{ {first} return 0; }}
void *two(void *arg) {{ {second} return 0; }}
int main(void) {{
  pthread_t x, y;
  pthread_create(&x, 0, one, 0);
  pthread_create(&y, 0, two, 0);
  {main}
  pthread_join(x, 0);
  pthread_join(y, 0);
  return 0;
}}
"""


def lock(*names: str) -> str:
    return " ".join(f"pthread_mutex_lock(&{name});" for name in names)


def unlock(*names: str) -> str:
    return " ".join(f"pthread_mutex_unlock(&{name});" for name in names)
