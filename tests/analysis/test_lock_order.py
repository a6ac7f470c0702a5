"""Cycles of the lock-order graph: every deadlock by locks has one, and gates and joins exclude what they must."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.analysis.lock_order import LockCycle
from tests.analysis.threaded_programs import analysed, edges_at, lock, two_threads, unlock


def cycles(folder: Path, text: str) -> tuple[LockCycle, ...]:
    return analysed(folder, text).lock_cycles


def nested(first: str, second: str) -> str:
    return f"{lock(first)}\n{lock(second)}\ng++;\n{unlock(second)} {unlock(first)}"


def test_two_locks_in_opposite_orders_make_a_cycle_of_the_inner_acquisitions(tmp_path: Path) -> None:
    text = two_threads(nested("a", "b"), nested("b", "a"))
    (cycle,) = cycles(tmp_path, text)
    assert {member.thread.routine for member in cycle.members} == {"one", "two"}
    assert {site.label.function for site in cycle.sites} == {"pthread_mutex_lock"}  # type: ignore[union-attr]
    assert len(set(cycle.sites)) == 2


def test_the_same_order_makes_no_cycle(tmp_path: Path) -> None:
    assert cycles(tmp_path, two_threads(nested("a", "b"), nested("a", "b"))) == ()


def test_a_common_gate_lock_excludes_the_cycle(tmp_path: Path) -> None:
    gated = (
        f"{lock('gate')} {nested('a', 'b')} {unlock('gate')}",
        f"{lock('gate')} {nested('b', 'a')} {unlock('gate')}",
    )
    assert cycles(tmp_path, two_threads(*gated)) == ()
    assert len(cycles(tmp_path, two_threads(gated[0], nested("b", "a")))) == 1


def test_a_gate_that_only_readers_hold_excludes_nothing(tmp_path: Path) -> None:
    reading = "pthread_rwlock_rdlock(&door); {} pthread_rwlock_unlock(&door);"
    text = two_threads(reading.format(nested("a", "b")), reading.format(nested("b", "a")), "pthread_rwlock_t door;")
    assert any(len(cycle.members) == 2 for cycle in cycles(tmp_path, text))
    assert cycles(tmp_path, text.replace("rdlock", "wrlock")) == ()


def test_threads_that_never_run_together_make_no_cycle(tmp_path: Path) -> None:
    text = f"""
pthread_mutex_t a, b; int g;
void *one(void *arg) {{ {nested("a", "b")} return 0; }}
void *two(void *arg) {{ {nested("b", "a")} return 0; }}
int main(void) {{
  pthread_t x, y;
  pthread_create(&x, 0, one, 0); pthread_join(x, 0);
  pthread_create(&y, 0, two, 0); pthread_join(y, 0);
  return 0;
}}
"""
    assert cycles(tmp_path, text) == ()


@pytest.mark.parametrize("number", [3, 4])
def test_philosophers_with_their_own_routines_make_one_cycle_of_all(tmp_path: Path, number: int) -> None:
    forks = "".join(f"pthread_mutex_t f{i};\n" for i in range(number)) + "int g;\n"
    routines = "".join(
        f"void *p{i}(void *arg) {{ {nested(f'f{i}', f'f{(i + 1) % number}')} return 0; }}\n" for i in range(number)
    )
    starts = "".join(f"pthread_create(&t, 0, p{i}, 0);" for i in range(number))
    text = f"{forks}{routines}int main(void) {{ pthread_t t; {starts} return 0; }}\n"
    (cycle,) = cycles(tmp_path, text)
    assert len(cycle.members) == number
    ordered = text.replace(nested(f"f{number - 1}", "f0"), nested("f0", f"f{number - 1}"))
    assert ordered != text
    assert cycles(tmp_path, ordered) == ()


def test_philosophers_at_one_site_make_an_open_ended_cycle(tmp_path: Path) -> None:
    text = """
pthread_mutex_t forks[5];
void *eat(void *arg) {
  long i = (long)arg;
  pthread_mutex_lock(&forks[i]);
  pthread_mutex_lock(&forks[(i + 1) % 5]); /* SECOND */
  pthread_mutex_unlock(&forks[(i + 1) % 5]);
  pthread_mutex_unlock(&forks[i]);
  return 0;
}
int main(void) { pthread_t t; for (long i = 0; i < 5; i++) pthread_create(&t, 0, eat, (void *)i); return 0; }
"""
    facts = analysed(tmp_path, text)
    opened = [cycle for cycle in facts.lock_cycles if cycle.open_ended]
    assert any(set(cycle.sites) <= set(edges_at(facts, text, "SECOND")) for cycle in opened)


def test_taking_a_lock_twice_is_a_cycle_of_one(tmp_path: Path) -> None:
    (cycle,) = cycles(tmp_path, two_threads(lock("a", "a") + unlock("a"), ""))
    assert len(cycle.members) == 1


def test_joining_a_thread_that_needs_a_held_lock_is_a_cycle(tmp_path: Path) -> None:
    text = two_threads(f"{lock('a')} {unlock('a')}", "", main=f"{lock('a')} pthread_join(x, 0); {unlock('a')}")
    assert any(
        {member.thread.routine for member in cycle.members} == {"main", "one"} for cycle in cycles(tmp_path, text)
    )


def test_a_lock_kept_by_a_thread_that_ends_is_waited_for_in_vain(tmp_path: Path) -> None:
    text = two_threads(lock("a"), f"{lock('a')} {unlock('a')}")
    assert any(cycle.members[0].thread.routine == "two" for cycle in cycles(tmp_path, text) if len(cycle.members) == 1)


def test_an_attempt_never_waits(tmp_path: Path) -> None:
    tried = f"{lock('a')} if (pthread_mutex_trylock(&b) == 0) {{ {unlock('b')} }} {unlock('a')}"
    assert not [cycle for cycle in cycles(tmp_path, two_threads(tried, nested("b", "a"))) if len(cycle.members) == 2]


def test_a_condition_wait_takes_its_lock_again_while_others_are_held(tmp_path: Path) -> None:
    waiting = f"{lock('a', 'b')} pthread_cond_wait(&c, &a); {unlock('b', 'a')}"
    text = two_threads(waiting, nested("a", "b"), "pthread_cond_t c;")
    assert any({m.thread.routine for m in cycle.members} == {"one", "two"} for cycle in cycles(tmp_path, text))


def test_locks_chosen_by_pointers_are_matched_by_what_they_may_be(tmp_path: Path) -> None:
    shared = "void both(pthread_mutex_t *m, pthread_mutex_t *n);"
    text = two_threads("both(&a, &b);", "both(&b, &a);", shared)
    text += (
        "\nvoid both(pthread_mutex_t *m, pthread_mutex_t *n) { pthread_mutex_lock(m); pthread_mutex_lock(n); g++; }\n"
    )
    assert any({m.thread.routine for m in cycle.members} == {"one", "two"} for cycle in cycles(tmp_path, text))
