"""Programs with threads that end, and others that do not."""

from __future__ import annotations

import tempfile
from pathlib import Path

from pincer.frontends.c.load import load
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.passes.termination import with_termination

HEAD = """#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int flag, x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
"""

SPIN = "while (!__atomic_load_n(&flag, 5));"
SET = "__atomic_store_n(&flag, 1, 5);"
STARVED = "for (;;) { pthread_mutex_lock(&m); int f = flag; pthread_mutex_unlock(&m); if (f) return 0; }"
LOCKED_SET = "pthread_mutex_lock(&m); flag = 1; pthread_mutex_unlock(&m);"
WAIT = "pthread_mutex_lock(&m); while (!flag) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);"
SIGNAL = "pthread_mutex_lock(&m); flag = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);"


def text_of(worker: str, first: str, last: str = "pthread_join(t, 0);") -> str:
    """A worker, and what the first thread does before and after."""
    return (
        f"{HEAD}void *work(void *p) {{ {worker} return 0; }}\n"
        f"int main(void) {{ pthread_t t; pthread_create(&t, 0, work, 0); {first} {last} return 0; }}\n"
    )


def ending_program(worker: str, first: str, last: str = "pthread_join(t, 0);") -> ControlFlowProgram:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "program.c"
        path.write_text(text_of(worker, first, last), encoding="utf-8")
        return with_termination(load(path))
