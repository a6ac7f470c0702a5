"""What more than one thread may use is shared; what stays with its thread is private."""

from __future__ import annotations

from pathlib import Path

from pincer.analysis.sharing import escaping
from pincer.analysis.thread_facts import ThreadFacts
from pincer.program.control_flow import Edge
from tests.analysis.threaded_programs import analysed, two_threads


def is_touching(facts: ThreadFacts, edge: Edge) -> bool:
    """Whether an edge reads or writes anything shared."""
    return any(facts.sharing.is_shared(access) for access in facts.sharing.accesses.get(edge, ()))


def shared(folder: Path, text: str) -> set[str]:
    found = analysed(folder, text).sharing
    return {target.name for target in found.objects} | {str(register) for register in found.registers}


def test_a_variable_of_one_thread_is_not_shared(tmp_path: Path) -> None:
    found = shared(tmp_path, two_threads("g = 1;", "h = 2;", "int h;"))
    assert not found & {"g", "h"}


def test_a_variable_of_two_threads_is_shared(tmp_path: Path) -> None:
    assert "g" in shared(tmp_path, two_threads("g = 1;", "h = g;", "int h;"))


def test_a_variable_of_a_thread_that_exists_twice_is_shared(tmp_path: Path) -> None:
    text = """
int g;
void *run(void *arg) { g++; return 0; }
int main(void) { pthread_t t; for (int i = 0; i < 2; i++) pthread_create(&t, 0, run, 0); return 0; }
"""
    assert "g" in shared(tmp_path, text)


PRIVATE = """
struct node {{ int v; struct node *next; }}; struct node *head;
void *run(void *arg) {{
  struct node *n = malloc(sizeof *n); int local[2];
  n->v = 1; n->next = 0; local[0] = n->v; {leak}
  return 0;
}}
int main(void) {{ pthread_t t; for (int i = 0; i < 2; i++) pthread_create(&t, 0, run, 0); return 0; }}
"""


def test_heap_and_stack_objects_that_stay_in_their_thread_are_private(tmp_path: Path) -> None:
    assert not {name for name in shared(tmp_path, PRIVATE.format(leak="")) if "object" in name}


def test_a_heap_object_that_a_global_points_to_has_escaped(tmp_path: Path) -> None:
    assert any("heap object" in name for name in shared(tmp_path, PRIVATE.format(leak="head = n;")))


def test_a_heap_object_linked_from_an_escaped_one_has_escaped(tmp_path: Path) -> None:
    leak = "struct node *m = malloc(sizeof *m); m->v = 2; m->next = n; head = m;"
    assert len([name for name in shared(tmp_path, PRIVATE.format(leak=leak)) if "heap object" in name]) >= 1
    facts = analysed(tmp_path, PRIVATE.format(leak=leak))
    assert len([target for target in escaping(facts.pointers) if target.storage == "heap"]) == 2


def test_a_local_passed_to_a_thread_is_shared(tmp_path: Path) -> None:
    text = """
void *run(void *arg) { *(int *)arg = 1; return 0; }
int main(void) { int x = 0; pthread_t t; pthread_create(&t, 0, run, &x); return x; }
"""
    assert "x" in shared(tmp_path, text)


def test_nothing_is_private_where_a_number_is_used_as_an_address(tmp_path: Path) -> None:
    leak = "*(int *)__VERIFIER_nondet_long() = 1;"
    assert any("heap object" in name for name in shared(tmp_path, PRIVATE.format(leak=leak)))


def test_edges_with_shared_accesses_are_told_from_private_ones(tmp_path: Path) -> None:
    facts = analysed(tmp_path, two_threads("int n = 0; n++; g = n;", "g = 2;"))
    touching = {edge for edge in facts.program.edges() if is_touching(facts, edge)}
    assert len(touching) == 2
