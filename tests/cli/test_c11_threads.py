"""Programs with threads of C11 and with thread-specific data, checked and confirmed."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import pincer

SAFE = """
#include <threads.h>
#include <assert.h>
mtx_t m; cnd_t c; int ready, inits; once_flag once = ONCE_FLAG_INIT; tss_t key;
void init(void) { inits++; }
int producer(void *arg) {
  call_once(&once, init);
  tss_set(key, arg);
  mtx_lock(&m);
  ready = *(int *)tss_get(key);
  cnd_signal(&c);
  mtx_unlock(&m);
  return ready;
}
int main(void) {
  thrd_t t; int v = 42, r = 0;
  if (mtx_init(&m, mtx_plain) != thrd_success || cnd_init(&c) != thrd_success) return 1;
  tss_create(&key, 0);
  if (thrd_create(&t, producer, &v) != thrd_success) return 1;
  call_once(&once, init);
  mtx_lock(&m);
  while (!ready) cnd_wait(&c, &m);
  mtx_unlock(&m);
  thrd_join(t, &r);
  assert(r == 42 && inits == 1 && tss_get(key) == 0);
  return 0;
}
"""
BROKEN = """
#include <threads.h>
#include <assert.h>
mtx_t a, b; int busy;
int first(void *arg) { mtx_lock(&a); mtx_lock(&b); mtx_unlock(&b); mtx_unlock(&a); return 3; }
int second(void *arg) { mtx_lock(&b); mtx_lock(&a); mtx_unlock(&a); mtx_unlock(&b); thrd_exit(4); }
int main(void) {
  thrd_t t, u; int r = 0, s = 0;
  mtx_init(&a, mtx_plain);
  mtx_init(&b, mtx_plain);
  thrd_create(&t, first, 0);
  thrd_create(&u, second, 0);
  if (mtx_trylock(&a) == thrd_busy) busy = 1;
  else mtx_unlock(&a);
  thrd_join(t, &r);
  thrd_join(u, &s);
  assert(r + s != 7 || !busy);
  return 0;
}
"""


@pytest.mark.parametrize("name", ["assertions", "race", "deadlock", "memory"])
def test_a_program_with_all_of_it_is_safe(name: str) -> None:
    [answer] = pincer.check_text(SAFE, "c", property=name, timeout=60).properties
    assert answer.verdict == "safe", answer.reason


@pytest.mark.skipif(shutil.which("cc") is None, reason="no compiler")
@pytest.mark.parametrize("name", ["assertions", "deadlock"])
def test_mistakes_are_confirmed_by_compiled_code(name: str) -> None:
    [answer] = pincer.check_text(BROKEN, "c", property=name, timeout=60).properties
    assert answer.verdict == "unsafe", answer.reason


def test_destructors_of_thread_specific_data_leave_everything_open(tmp_path: Path) -> None:
    text = SAFE.replace("tss_create(&key, 0)", "tss_create(&key, done)").replace(
        "void init", "void done(void *p) { }\nvoid init"
    )
    [answer] = pincer.check_text(text, "c", property="assertions", timeout=60).properties
    assert answer.verdict == "unknown" and "destructors of thread-specific data" in answer.reason
