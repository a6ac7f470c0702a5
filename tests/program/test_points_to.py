"""Pointers point to what C says, fields are kept apart, and unknown numbers may point anywhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.analysis.thread_facts import ThreadFacts
from pincer.program.control_flow import Store
from pincer.program.memory_regions import ANYTHING, UNKNOWN, AbstractObject, AbstractPointer, MemoryRegion
from tests.analysis.threaded_programs import analysed, edges_at


def stored_at(facts: ThreadFacts, text: str, mark: str) -> set[tuple[str, int, int]]:
    """Where the store of a marked line may go."""
    stores = [edge.label for edge in edges_at(facts, text, mark) if isinstance(edge.label, Store)]
    return {(p.object.name, p.offset, p.stride) for label in stores for p in facts.pointers.address(label.address)}


def places(folder: Path, text: str, mark: str = "HERE") -> set[tuple[str, int, int]]:
    return stored_at(analysed(folder, text), text, mark)


def test_a_pointer_may_be_any_of_the_addresses_assigned_to_it(tmp_path: Path) -> None:
    text = """
int x, y, z;
int main(void) {
  int *p = &x; int *q = &z;
  if (__VERIFIER_nondet_int()) p = &y;
  *p = 1; /* HERE */
  return *q;
}
"""
    assert places(tmp_path, text) == {("x", 0, 0), ("y", 0, 0)}


def test_fields_of_a_structure_hold_different_pointers(tmp_path: Path) -> None:
    text = """
struct pair { int *first; int *second; } s;
int x, y;
int main(void) {
  s.first = &x; s.second = &y;
  *s.second = 1; /* HERE */
  return 0;
}
"""
    assert places(tmp_path, text) == {("y", 0, 0)}


def test_elements_of_an_array_of_structures_keep_their_fields_apart(tmp_path: Path) -> None:
    text = """
struct entry { long count; int *where; } table[4];
int x;
int main(void) {
  int i = __VERIFIER_nondet_int();
  table[i].count = i + 7;
  table[i].where = &x;
  *table[i].where = 1; /* HERE */
  return 0;
}
"""
    assert places(tmp_path, text) == {("x", 0, 0)}


def test_an_index_gives_the_stride_of_its_elements(tmp_path: Path) -> None:
    text = """
struct entry { int a; int b; } table[4];
int main(void) {
  int i = __VERIFIER_nondet_int();
  table[i].b = 1; /* HERE */
  return 0;
}
"""
    assert places(tmp_path, text) == {("table", 4, 8)}


def test_a_pointer_that_walks_through_an_array_ends_up_with_its_stride(tmp_path: Path) -> None:
    text = """
int table[100];
int main(void) {
  int *p = table;
  for (int i = 0; i < 100; i++) {
    *p = i; /* HERE */
    p++;
  }
  return 0;
}
"""
    assert ("table", 0, 4) in places(tmp_path, text)


def test_heap_objects_are_named_by_where_they_are_allocated(tmp_path: Path) -> None:
    text = """
int main(void) {
  int *p = malloc(4);
  int *q = malloc(4);
  *p = 1; /* HERE */
  return *q;
}
"""
    ((name, offset, stride),) = places(tmp_path, text)
    assert name.startswith("heap object") and (offset, stride) == (0, 0)


@pytest.mark.parametrize(
    "address",
    ["(int *)__VERIFIER_nondet_long()", "(int *)(long)__VERIFIER_nondet_int()", "kept[1]", "(int *)(n * 16)"],
)
def test_a_number_used_as_an_address_may_be_anything(tmp_path: Path, address: str) -> None:
    text = f"""
int *kept[2]; int x; long n = 3;
int main(void) {{
  kept[1] = (int *)__VERIFIER_nondet_long();
  *{address} = 1; /* HERE */
  return x;
}}
"""
    assert places(tmp_path, text) == {("anything", 0, 1)}


def test_a_pointer_stored_through_an_unknown_address_may_be_read_anywhere(tmp_path: Path) -> None:
    text = """
int x; int *kept;
int **holder = &kept;
int main(void) {
  *(int **)__VERIFIER_nondet_long() = &x;
  **holder = 1; /* HERE */
  return 0;
}
"""
    assert ("x", 0, 0) in places(tmp_path, text)


def test_pointers_survive_being_copied_as_bytes(tmp_path: Path) -> None:
    text = """
int x; struct box { int *p; int pad[40]; } from, to;
int main(void) {
  from.p = &x;
  to = from;
  *to.p = 1; /* HERE */
  return 0;
}
"""
    assert places(tmp_path, text) == {("x", 0, 0)}


def test_a_thread_gets_its_argument_and_a_join_its_result(tmp_path: Path) -> None:
    text = """
int x, y;
void *run(void *arg) {
  *(int *)arg = 1; /* ARGUMENT */
  return &y;
}
int main(void) {
  pthread_t t; void *result;
  pthread_create(&t, 0, run, &x);
  pthread_join(t, &result);
  *(int *)result = 2; /* RESULT */
  return 0;
}
"""
    facts = analysed(tmp_path, text)
    assert stored_at(facts, text, "ARGUMENT") == {("x", 0, 0)}
    assert ("y", 0, 0) in stored_at(facts, text, "RESULT")


def test_unknown_thread_functions_may_change_what_they_are_given(tmp_path: Path) -> None:
    text = """
extern int pthread_no_such_function(int **where);
int x; int *kept = &x;
int main(void) {
  int **where = &kept;
  pthread_no_such_function(where);
  *kept = 1; /* HERE */
  return 0;
}
"""
    assert ("anything", 0, 1) in places(tmp_path, text)


def test_regions_overlap_by_bytes_and_by_stride() -> None:
    thing, other = AbstractObject("static", "thing"), AbstractObject("static", "other")
    assert MemoryRegion(AbstractPointer(thing, 0), 4).overlaps(MemoryRegion(AbstractPointer(thing, 3), 1))
    assert not MemoryRegion(AbstractPointer(thing, 0), 4).overlaps(MemoryRegion(AbstractPointer(thing, 4), 4))
    assert not MemoryRegion(AbstractPointer(thing, 0, 8), 4).overlaps(MemoryRegion(AbstractPointer(thing, 4, 8), 4))
    assert MemoryRegion(AbstractPointer(thing, 0, 8), 4).overlaps(MemoryRegion(AbstractPointer(thing, 16), 4))
    assert MemoryRegion(AbstractPointer(thing, 0, 8), 8).overlaps(MemoryRegion(AbstractPointer(thing, 6, 8), 1))
    assert not MemoryRegion(AbstractPointer(thing), 4).overlaps(MemoryRegion(AbstractPointer(other), 4))
    assert MemoryRegion(UNKNOWN, 4).overlaps(MemoryRegion(AbstractPointer(other, 40), 4))
    assert UNKNOWN.object is ANYTHING
