"""Target sets: what the user names, assertions, deadlocks and races, in that order."""

from __future__ import annotations

from pathlib import Path

from pincer.analysis.thread_facts import ThreadFacts
from pincer.engines.agse.targets import target_sets
from pincer.errors import Position
from pincer.program.control_flow import Check
from pincer.program.passes.targets import LinesApart, with_lines_apart
from pincer.program.property import PropertyKind
from tests.analysis.threaded_programs import analysed
from tests.engines.agse.agse_programs import FIGURE_2, line_of

MIXED = """
pthread_mutex_t a, b; int g;
void *one(void *arg) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b); /* FIRST */
  g = 1; /* WRITE ONE */
  pthread_mutex_unlock(&b); pthread_mutex_unlock(&a);
  if (g > 3) reach_error(); /* FAIL */
  return 0;
}
void *two(void *arg) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a); /* SECOND */
  g = 2; /* WRITE TWO */
  pthread_mutex_unlock(&a); pthread_mutex_unlock(&b);
  return 0;
}
int main(void) { pthread_t x, y; pthread_create(&x, 0, one, 0); pthread_create(&y, 0, two, 0); return 0; }
"""


def test_each_property_has_targets_of_its_own(tmp_path: Path) -> None:
    facts = analysed(tmp_path, MIXED)
    kinds: tuple[PropertyKind, ...] = ("assertions", "deadlock", "race")
    found = [targets for kind in kinds for targets in target_sets(facts, kind)]
    assert [targets.kind for targets in found] == ["assertion", "deadlock", "race"]
    lines = [sorted(edge.position.line for edge in targets.edges) for targets in found]
    fail, first, second = (line_of(MIXED, mark) for mark in ("FAIL", "FIRST", "SECOND"))
    assert lines == [[fail], [first, second], [fail, line_of(MIXED, "WRITE TWO")]]


def test_each_pair_of_locations_is_one_race(tmp_path: Path) -> None:
    text = MIXED.replace("pthread_mutex_lock(&a);\n", "\n", 1).replace("/* FIRST */", "", 1)
    races = target_sets(analysed(tmp_path, text), "race")
    assert len({frozenset(targets.locations) for targets in races}) == len(races)
    assert all(targets.accesses is not None for targets in races)


def marked_lines(folder: Path, *marks: str) -> ThreadFacts:
    lines = LinesApart(tuple(Position("program.c", line_of(FIGURE_2, mark), 1) for mark in marks))
    return ThreadFacts(with_lines_apart(analysed(folder, FIGURE_2).program, lines))


def test_marked_lines_make_one_set(tmp_path: Path) -> None:
    found = target_sets(marked_lines(tmp_path, "LOCK A", "LOCK B"), "assertions")[0]
    assert found.kind == "user"
    assert [edge.position.line for edge in found.edges] == [line_of(FIGURE_2, "LOCK A"), line_of(FIGURE_2, "LOCK B")]


def test_a_line_that_is_named_twice_is_wanted_twice(tmp_path: Path) -> None:
    found = target_sets(marked_lines(tmp_path, "LOCK A", "LOCK A"), "assertions")[0]
    assert len(found.locations) == 2 and len(set(found.locations)) == 1


def test_waiting_for_ever_is_a_target_of_deadlocks(tmp_path: Path) -> None:
    text = """
    pthread_mutex_t m; pthread_cond_t c; struct timespec until;
    int main(void) {
      pthread_cond_timedwait(&c, &m, &until);
      pthread_cond_wait(&c, &m); /* WAIT */
      return 0;
    }
    """
    found = target_sets(analysed(tmp_path, text), "deadlock")
    assert [edge.position.line for targets in found for edge in targets.edges] == [line_of(text, "WAIT")]


def test_checks_of_pointers_come_first(tmp_path: Path) -> None:
    text = "int main(void) { int n = __VERIFIER_nondet_int(); int *p = 0; n = 1 / n; return *p; }"
    kinds = [targets.edges[0].label.kind for targets in target_sets(analysed(tmp_path, text), "memory")
             if isinstance(targets.edges[0].label, Check)]  # fmt: skip
    assert kinds == ["dereference", "division"]
