"""Indices beyond the declared bound are found where `-fsanitize=bounds` of gcc finds them, and nowhere else."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.logic.terms import FALSE
from pincer.program.control_flow import Check
from pincer.program.passes import Assertions, MemorySafety, instrumented, memory_safety
from tests.frontends.c.lowered_c import labels, lowered

TYPES = """
struct pair { char a[4]; char b[4]; };
struct inner { int x; int y[2]; };
struct outer { struct pair pair; struct inner inner; struct inner many[2]; struct { int h; int t[2]; }; };
struct flexible { int n; int t[]; };
struct one { int n; int t[1]; };
union both { int a[2]; int b[8]; };
struct pair s, *p = &s;
struct outer w, *pw = &w;
struct one o, *po = &o;
struct flexible *pf;
union both u, *pu = &u;
struct inner arr[3], *r = arr;
int m[2][4], (*pm)[4] = m;
char *c; int *q; int z; void *v;
"""
REPORTED = (
    "s.a[4] = 1;", "s.a[-1] = 1;", "p->a[4] = 1;", "s.b[4] = 1;", "c = &s.a[5];", "q = &m[2][0];", "z = m[0][4];",
    "q = &arr[3].x;", "q = arr[3].y;", "pw->pair.b[4] = 1;", "o.t[4] = 1;", "u.a[3] = 1;", "arr[0].y[2] = 1;",
    "z = 4[m[0]];", "(*(int (*)[2])m)[3] = 1;", "pm[0][4] = 1;", "q = &m[2][1];", "q = &m[3][0];", "v = &arr[4];",
    "v = &m[0][5];", "w.t[2] = 1;", "z = m[2][0];",
)  # fmt: skip
FINE = (
    "s.a[3] = 1;", "c = &s.a[4];", "c = s.a + 5;", "q = m[2];", "q = &m[0][4];", "q = &*m[2];", "v = &arr[3];",
    "p->b[4] = 1;", "(*p).b[4] = 1;", "z = (p->b)[4];", "pw->t[2] = 1;", "po->t[4] = 1;", "pf->t[4] = 1;",
    "pu->a[3] = 1;", "r[0].y[2] = 1;", "pw->many[0].y[2] = 1;", "z = sizeof s.a[4];", "*(s.a + 4) = 1;",
)  # fmt: skip


def _beyond(folder: Path, statement: str) -> bool:
    program = lowered(folder, f"{TYPES}int main(void) {{ {statement} return 0; }}\n")
    return any(check.kind == "bounds" and check.condition is FALSE for check in labels(program, Check))


@pytest.mark.parametrize("statement", REPORTED)
def test_an_index_beyond_the_declared_bound_is_reported(tmp_path: Path, statement: str) -> None:
    assert _beyond(tmp_path, statement)


@pytest.mark.parametrize("statement", FINE)
def test_one_past_the_end_and_the_last_member_behind_a_pointer_are_fine(tmp_path: Path, statement: str) -> None:
    assert not _beyond(tmp_path, statement)


def test_bounds_that_are_computed_count_too(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int f(int n) { int v[n][n]; return v[0][n]; }\nint main(void) { return f(3); }\n")
    assert "bounds" in {check.kind for check in labels(program, Check)}


def test_a_static_address_beyond_a_bound_is_what_compilers_make_of_it(tmp_path: Path) -> None:
    lowered(tmp_path, "int m[2][4]; int *end = &m[2][0]; int main(void) { return end == 0; }\n")


def test_an_access_to_a_whole_object_is_checked_once(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int a[4]; int main(void) { int i = 5; return a[i]; }\n")
    assert [check.kind for check in labels(program, Check)] == ["dereference"]


def test_an_index_whose_distance_wraps_around_is_beyond_the_bound(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int a[4]; int main(void) { unsigned long i = 1ul << 62; return a[i]; }\n")
    assert "bounds" in {check.kind for check in labels(program, Check)}


def test_only_the_whole_of_memory_safety_asks_for_declared_bounds(tmp_path: Path) -> None:
    program = lowered(tmp_path, f"{TYPES}int main(void) {{ int i = 4; s.a[i] = 1; return 0; }}\n")
    for wanted, kinds in ((MemorySafety(), {"bounds"}), (memory_safety({"valid-deref"}), set()), (Assertions(), set())):
        seen = instrumented(program, wanted)
        assert {check.kind for check in labels(seen, Check)} & {"bounds"} == kinds
