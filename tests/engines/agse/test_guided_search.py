"""The guided search follows abstract traces to real errors, and refines them when a branch goes the wrong way."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.schedules.findings import shown
from pincer.execution.threads.deadlocks import ThreadDeadlock
from pincer.execution.threads.interleaving import Interleaver
from pincer.execution.threads.schedules import replay
from tests.engines.agse.agse_programs import FIGURE_2, line_of
from tests.engines.agse.guided_programs import COUNTER, CROSSED, ORDERED, RACING, guided, lowered


def test_the_example_of_the_paper_is_found_with_one_refinement(tmp_path: Path) -> None:
    program = lowered(tmp_path, FIGURE_2)
    search = guided(program, "assertions")
    before = search.traces
    found = search.search()
    assert found is not None
    assert search.statistics.refinements == 1
    assert search.statistics.states < 50
    assert search.traces[0][-len(before[0]) :] == before[0]
    again = replay(Interleaver(program), found.schedule)
    assert again.stop is not None and again.stop.kind == "fail"
    done = [edge.position.line for transition in again.transitions for edge in transition.edges]
    assert done.index(line_of(FIGURE_2, "UNLOCK B")) < done.index(line_of(FIGURE_2, "LOCK A"))
    assert any(19 <= value < 1 << 31 for value in found.schedule.inputs.values())


def test_the_release_of_a_lock_that_both_traces_take_is_appended(tmp_path: Path) -> None:
    search = guided(lowered(tmp_path, FIGURE_2), "assertions")
    own = len(search.traces[0])
    search.search()
    flow = search.system.flow
    release = search.traces[0][-own - 1]
    assert flow.edges(release)[0].position.line == line_of(FIGURE_2, "UNLOCK B")


@pytest.mark.parametrize(("limit", "copies", "refinements"), [(4, 1, 3), (6, 1, 5), (4, 16, 2), (6, 16, 3)])
def test_a_counter_gets_over_a_bound_by_the_same_definition_again_and_again(
    tmp_path: Path, limit: int, copies: int, refinements: int
) -> None:
    search = guided(lowered(tmp_path, COUNTER.replace("LIMIT", str(limit))), "assertions", copies=copies)
    assert search.search() is not None
    assert search.statistics.refinements == refinements


def test_threads_are_led_into_a_circle_of_locks(tmp_path: Path) -> None:
    program = lowered(tmp_path, CROSSED)
    search = guided(program, "deadlock")
    found = search.search()
    assert found is not None and isinstance(found.what, ThreadDeadlock) and found.what.circle
    assert search.statistics.states <= 12
    interleaver = Interleaver(program)
    assert shown(interleaver, "deadlock", replay(interleaver, found.schedule).last) is not None


def test_ordered_locks_give_no_target(tmp_path: Path) -> None:
    with pytest.raises(StopIteration):
        guided(lowered(tmp_path, ORDERED), "deadlock")


def test_a_signal_that_comes_too_early_is_found_though_no_locks_make_a_cycle(tmp_path: Path) -> None:
    text = """
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void *waiter(void *u) { pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, waiter, 0);
  pthread_cond_signal(&c);
  pthread_join(a, 0);
  return 0;
}
"""
    found = guided(lowered(tmp_path, text), "deadlock").search()
    assert found is not None and isinstance(found.what, ThreadDeadlock) and "a signal of c" in found.message


def test_a_race_behind_an_input_is_reached_with_the_right_value(tmp_path: Path) -> None:
    program = lowered(tmp_path, RACING)
    found = guided(program, "race").search()
    assert found is not None
    assert 3 in found.schedule.inputs.values()
    interleaver = Interleaver(program)
    assert shown(interleaver, "race", replay(interleaver, found.schedule).last) is not None


def test_a_check_that_should_fail_is_refined_by_the_end_of_its_object(tmp_path: Path) -> None:
    text = """
void free(void *);
void *malloc(unsigned long);
int *p, done;
void *user(void *u) { int *q = done ? 0 : p; if (q) *q = 5; return 0; }
void *owner(void *u) { done = 1; free(p); return 0; }
int main(void) {
  pthread_t a, b;
  p = malloc(4);
  if (!p) return 0;
  pthread_create(&a, 0, user, 0);
  pthread_create(&b, 0, owner, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
"""
    search = guided(lowered(tmp_path, text), "memory")
    found = search.search()
    assert found is not None and "invalid access" in found.message
    assert search.statistics.refinements >= 1


def test_an_unreachable_target_ends_within_the_bounds(tmp_path: Path) -> None:
    text = "int f; void *t(void *u) { if (f == 1) reach_error(); return 0; }\n" + (
        "int main(void) { pthread_t a; pthread_create(&a, 0, t, 0); pthread_join(a, 0); f = 2; return 0; }\n"
    )
    search = guided(lowered(tmp_path, text), "assertions")
    assert search.search() is None
    assert search.statistics.refinements <= search.trial.round.max_refinements
    assert search.statistics.states <= search.trial.round.max_states + 2


def test_the_same_seed_gives_the_same_search(tmp_path: Path) -> None:
    program = lowered(tmp_path, FIGURE_2)
    first, second = (guided(program, "assertions", 1, seed=5) for _ in range(2))
    found = first.search(), second.search()
    assert found[0] is not None and found[1] is not None
    assert found[0].schedule.choices == found[1].schedule.choices
    assert (first.statistics, first.traces) == (second.statistics, second.traces)
