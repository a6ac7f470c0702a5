"""Threads themselves: arguments, results, ends, and what is each thread's own."""

from __future__ import annotations

from pathlib import Path

from pincer.execution.threads.limits import ExecutionLimits
from tests.execution.threads.threaded_c import IDLE, finished, result_of


def test_a_thread_gets_its_argument_and_returns_its_result(tmp_path: Path) -> None:
    text = """
    void *twice(void *given) { return (void *)(2 * (long)given); }
    int main(void) {
      pthread_t t;
      void *back;
      pthread_create(&t, 0, twice, (void *)21);
      pthread_join(t, &back);
      result = (int)(long)back;
      return 0;
    }"""
    assert result_of(tmp_path, text) == 42


def test_pthread_exit_ends_a_thread_from_inside_a_call(tmp_path: Path) -> None:
    text = """
    void inner(void) { pthread_exit((void *)7); }
    void *outer(void *unused) { inner(); return (void *)1; }
    int main(void) {
      pthread_t t;
      void *back;
      pthread_create(&t, 0, outer, 0);
      pthread_join(t, &back);
      result = (int)(long)back;
      return 0;
    }"""
    assert result_of(tmp_path, text) == 7


def test_every_thread_has_its_own_locals_and_thread_local_variables(tmp_path: Path) -> None:
    text = """
    _Thread_local int mine = 5;
    static __thread int many[2] = {1, 2};
    int seen[2];
    void *work(void *given) {
      int local, *pointer = &local;
      *pointer = (int)(long)given;
      mine += *pointer;
      many[1] += *pointer;
      seen[*pointer - 1] = mine * 10 + many[1];
      return 0;
    }
    int main(void) {
      pthread_t a, b;
      pthread_create(&a, 0, work, (void *)1);
      pthread_create(&b, 0, work, (void *)2);
      pthread_join(a, 0);
      pthread_join(b, 0);
      result = seen[0] * 10000 + seen[1] * 100 + mine * 10 + many[1];
      return 0;
    }"""
    assert result_of(tmp_path, text) == result_of(tmp_path, text, last=True) == 637452


def test_more_threads_than_the_limit_are_a_truncation(tmp_path: Path) -> None:
    text = f"""{IDLE}
    int main(void) {{
      pthread_t t;
      for (int i = 0; i < 5; i++) pthread_create(&t, 0, idle, 0);
      return 0;
    }}"""
    _, stop = finished(tmp_path, text, limits=ExecutionLimits(max_threads=3))
    assert (stop.kind, stop.message) == ("steps", "stopped at 3 threads")
