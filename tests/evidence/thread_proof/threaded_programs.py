"""Small programs with threads, and outlines for them as the prover finds them."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from pincer.engines.outlines.proving import OutlineProver
from pincer.evidence.c_proof.checker import CheckResult
from pincer.evidence.thread_proof.certificate import ThreadCertificate, ThreadProofKind
from pincer.evidence.thread_proof.checker import check_thread_proof, unsigned_certificate
from pincer.evidence.thread_proof.outline import Outline
from pincer.evidence.thread_proof.unfolding import unfolded
from pincer.frontends.c.load import load
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.passes import CProgramProperty, instrumented
from pincer.program.passes.assertions import Assertions
from pincer.program.passes.memory import MemorySafety
from pincer.program.passes.threads import Deadlocks, Races
from pincer.runtime.run import Run

HEADER = """
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
"""
MEANINGS: dict[str, CProgramProperty] = {
    "assertions": Assertions(), "memory": MemorySafety(), "race": Races(), "deadlock": Deadlocks(),
}  # fmt: skip

SPIN_LOCK = """
atomic_int l; int in, c;
void *worker(void *a) {
  while (1) { while (atomic_exchange(&l, 1)); in = in + 1; assert(in == 1); c = c + 1; in = in - 1; l = 0; }
  return 0;
}
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, worker, 0); }
"""
COUNTER = """
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x;
void *worker(void *a) {
  while (1) { pthread_mutex_lock(&m); x = 1; assert(x == 1); x = 0; pthread_mutex_unlock(&m); }
  return 0;
}
int main(void) { pthread_t t; while (1) pthread_create(&t, 0, worker, 0); }
"""
HAND_OVER = """
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int ready;
void *giver(void *a) {
  pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, giver, 0);
  pthread_mutex_lock(&m);
  while (ready == 0) pthread_cond_wait(&c, &m);
  assert(ready == 1);
  pthread_mutex_unlock(&m);
  return 0;
}
"""


@cache
def lowered(text: str, kind: ThreadProofKind = "assertions") -> ControlFlowProgram:
    """A program as a property sees it."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "program.c"
        file.write_text(HEADER + text)
        return instrumented(load(file), MEANINGS[kind])


@cache
def proved(text: str, kind: ThreadProofKind = "assertions", spurious: bool = False) -> Outline | None:
    """The outline that the prover finds, if it finds one."""
    attempt = OutlineProver(lowered(text, kind), kind, spurious, Run()).attempt()
    while True:
        try:
            next(attempt)
        except StopIteration as ended:
            found: Outline | None = ended.value.outline
            return found


def certificate(
    text: str, outline: Outline, kind: ThreadProofKind = "assertions", spurious: bool = False
) -> ThreadCertificate:
    program = lowered(text, kind)
    return unsigned_certificate(program, unfolded(program, spurious), outline, kind, spurious)


def checked(text: str, outline: Outline, kind: ThreadProofKind = "assertions", spurious: bool = False) -> CheckResult:
    """What the checker says of an outline, after a way through its text."""
    written = ThreadCertificate.from_json(certificate(text, outline, kind, spurious).to_json())
    return check_thread_proof(lowered(text, kind), written)


def is_certified(text: str, kind: ThreadProofKind = "assertions", spurious: bool = False) -> bool:
    """Whether the prover finds an outline; it must be accepted then."""
    outline = proved(text, kind, spurious)
    if outline is None:
        return False
    answer = checked(text, outline, kind, spurious)
    assert answer.accepted, answer.refused
    return True
