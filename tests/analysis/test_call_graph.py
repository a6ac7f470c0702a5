"""Who calls and starts whom."""

from __future__ import annotations

from pathlib import Path

from pincer.analysis.call_graph import call_graph
from tests.analysis.threaded_programs import analysed


def sites(folder: Path, text: str) -> set[tuple[str, str, str]]:
    return {(site.caller, site.kind, site.callee) for site in analysed(folder, text).calls.sites}


def test_calls_and_thread_creations_are_told_apart(tmp_path: Path) -> None:
    text = """
void f(void) {}
void *run(void *arg) { f(); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); f(); return 0; }
"""
    assert sites(tmp_path, text) == {("main", "create", "run"), ("run", "call", "f"), ("main", "call", "f")}


def test_a_call_through_a_pointer_reaches_only_what_the_pointer_may_be(tmp_path: Path) -> None:
    text = """
void f(void) {}
void g(void) {}
void (*chosen)(void) = f;
void (*other)(void) = g;
int main(void) { chosen(); return other != 0; }
"""
    assert sites(tmp_path, text) == {("main", "call", "f")}


def test_a_routine_passed_through_a_wrapper_is_found(tmp_path: Path) -> None:
    text = """
void *run(void *arg) { return 0; }
void *unused(void *arg) { return 0; }
void *(*kept)(void *) = unused;
void spawn(void *(*routine)(void *)) { pthread_t t; pthread_create(&t, 0, routine, 0); }
int main(void) { spawn(run); return 0; }
"""
    assert ("spawn", "create", "run") in sites(tmp_path, text)
    assert ("spawn", "create", "unused") not in sites(tmp_path, text)


def test_without_points_to_facts_an_unknown_routine_may_be_any_function(tmp_path: Path) -> None:
    text = """
void *run(void *arg) { return 0; }
void *other(void *arg) { return 0; }
void *(*kept)(void *) = other;
int main(void) { pthread_t t; void *(*chosen)(void *) = kept; pthread_create(&t, 0, chosen, 0);
  kept = run; return 0; }
"""
    found = call_graph(analysed(tmp_path, text).program)
    assert {site.callee for site in found.creations} == {"run", "other"}


def test_recursion_is_seen_within_a_thread_only(tmp_path: Path) -> None:
    text = """
int f(int n) { return n > 0 ? f(n - 1) : 0; }
void *run(void *arg) { pthread_t t; pthread_create(&t, 0, run, 0); return 0; }
int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); return f(3); }
"""
    assert analysed(tmp_path, text).calls.recursive == {"f"}


def test_a_comparison_written_by_the_programmer_may_also_hold_for_null(tmp_path: Path) -> None:
    text = """
void f(void) {}
void g(void) {}
void (*chosen)(void);
int main(void) { if (__VERIFIER_nondet_int()) chosen = f; __VERIFIER_assume(chosen != f); g(); return 0; }
"""
    assert ("main", "call", "g") in sites(tmp_path, "extern void __VERIFIER_assume(int);" + text)
