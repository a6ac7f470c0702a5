"""Programs with threads that the guided search and the front are tested on."""

from __future__ import annotations

import random
from itertools import islice
from pathlib import Path

from pincer.analysis.thread_facts import ThreadFacts
from pincer.engines.agse.followed_traces import Following
from pincer.engines.agse.guided_search import GuidedSearch
from pincer.engines.agse.limits import AgseLimits, TrialRound
from pincer.engines.agse.system_flow import SystemFlow
from pincer.engines.agse.targets import target_sets
from pincer.engines.agse.trials import trials
from pincer.frontends.c.load import load
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.property import PropertyKind
from pincer.runtime.run import Run
from tests.analysis.threaded_programs import HEADER

COUNTER = """
int sold;
void *seller(void *u) { sold++; return 0; }
int main(void) {
  pthread_t t[LIMIT];
  for (int k = 0; k < LIMIT; k++) pthread_create(&t[k], 0, seller, 0);
  if (sold > LIMIT - 2) reach_error();
  return 0;
}
"""

CROSSED = """
pthread_mutex_t p = PTHREAD_MUTEX_INITIALIZER, q = PTHREAD_MUTEX_INITIALIZER;
void *one(void *u) { pthread_mutex_lock(&p); pthread_mutex_lock(&q); pthread_mutex_unlock(&q);
  pthread_mutex_unlock(&p); return 0; }
void *two(void *u) { pthread_mutex_lock(&q); pthread_mutex_lock(&p); pthread_mutex_unlock(&p);
  pthread_mutex_unlock(&q); return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
"""
ORDERED = CROSSED.replace(
    "pthread_mutex_lock(&q); pthread_mutex_lock(&p);", "pthread_mutex_lock(&p); pthread_mutex_lock(&q);"
)

RACING = """
int x, y;
void *writer(void *u) { if (y == 3) x = 1; return 0; }
int main(void) {
  pthread_t a;
  y = __VERIFIER_nondet_int();
  pthread_create(&a, 0, writer, 0);
  int seen = x;
  pthread_join(a, 0);
  return seen;
}
"""


def lowered(folder: Path, text: str) -> ControlFlowProgram:
    file = folder / "program.c"
    file.write_text(HEADER + text)
    return load(file)


def guided(
    program: ControlFlowProgram, name: PropertyKind, number: int = 0, seed: int = 0, copies: int = 16
) -> GuidedSearch:
    """The guided search of a trial, the first one unless told."""
    flow = SystemFlow(ThreadFacts(program))
    limits = AgseLimits(
        rounds=tuple(TrialRound(trace_sets, 20_000, 200) for trace_sets in (1, 3, 6)), most_copies=copies
    )
    trial = next(islice(trials(flow, target_sets(flow.facts, name), limits), number, None))
    return GuidedSearch(trial, Following(flow), name, Run(timeout=20), random.Random(seed), limits)
