"""Functions whose locals need new addresses for each activation, and what new addresses bring to light."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.load import load
from pincer.program.control_flow import Begin, ControlFlowProgram
from tests.execution.interpreted import interpret


def program_of(tmp_path: Path, text: str) -> ControlFlowProgram:
    source = tmp_path / "program.c"
    source.write_text(text, encoding="utf-8")
    return load(source)


def has_fixed_objects(program: ControlFlowProgram, procedure: str) -> bool:
    return any(isinstance(edge.label, Begin) for edge in program.procedures[procedure].edges)


KEPT = {
    "in a global": "int *g; void f(int n) { int x = n; if (n) *g = 7; g = &x; } int main(void) { f(0); f(1); }",
    "by the caller": "int *f(int n) { int x = n; int *p = &x; return p; } "
    "int main(void) { int *a = f(1); f(2); return *a; }",
    "in an object of the caller": "struct S { int *p; }; "
    "void f(struct S *s) { int x; if (s->p) *s->p = 1; s->p = &x; } int main(void) { struct S s = {0}; f(&s); f(&s); }",
    "on the heap": "void *malloc(unsigned long); int **h; void f(int n) { int x = n; if (n) **h = 7; *h = &x; } "
    "int main(void) { h = malloc(8); f(0); f(1); }",
    "from turn to turn": "void f(void) { int *p = 0; "
    "for (int i = 0; i < 2; i++) { int x = i; if (p) *p = 3; p = &x; } } int main(void) { f(); }",
    "byte by byte": "char k[8]; void f(int n) { int x = n; int *p = &x; int *old; char *c = (char *)&p; "
    "char *o = (char *)&old; for (int i = 0; i < 8; i++) o[i] = k[i]; if (n) *old = 1; "
    "for (int i = 0; i < 8; i++) k[i] = c[i]; } int main(void) { f(0); f(1); }",
}


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT.keys())
def test_an_old_local_is_not_taken_for_the_new_one(tmp_path: Path, text: str) -> None:
    program = program_of(tmp_path, text)
    assert not has_fixed_objects(program, "f")
    assert interpret(program).stop.kind == "check"


NOT_KEPT = {
    "never kept": "void g(int *p) { *p = 1; } void f(void) { int x; g(&x); } int main(void) { f(); f(); }",
    "called once": "int *g; void f(void) { int x = 1; g = &x; } int main(void) { f(); }",
    "called on one of two ways": "int *g; int n; void f(void) { int x = 1; g = &x; } "
    "int main(void) { if (n) f(); else f(); }",
    "linked to itself": "struct L { struct L *next; }; void init(struct L *l) { l->next = l; } "
    "void f(void) { struct L head; init(&head); } int main(void) { f(); f(); }",
    "by objects of its own block": "void f(void) { for (int i = 0; i < 3; i++) { int x = i; int *p = &x; int **q = &p; "
    "**q = 2; } } int main(void) { f(); f(); }",
    "set anew in each turn": "void f(void) { int *p; for (int i = 0; i < 3; i++) { int x = i; p = &x; *p = 2; } } "
    "int main(void) { f(); f(); }",
}


@pytest.mark.parametrize("text", NOT_KEPT.values(), ids=NOT_KEPT.keys())
def test_other_locals_keep_their_fixed_addresses(tmp_path: Path, text: str) -> None:
    program = program_of(tmp_path, text)
    assert has_fixed_objects(program, "f")
    assert interpret(program).stop.kind == "halt"


def test_what_a_thread_is_given_may_be_kept_by_it_but_not_where_its_number_is_stored(tmp_path: Path) -> None:
    text = """#include <pthread.h>
int *g;
void *run(void *a) { g = a; return a; }
void f(void) { int x; pthread_t t; void *r; pthread_create(&t, 0, run, ARGUMENT); pthread_join(t, &r); }
int main(void) { f(); f(); }
"""
    assert has_fixed_objects(program_of(tmp_path, text.replace("ARGUMENT", "0")), "f")
    assert not has_fixed_objects(program_of(tmp_path, text.replace("ARGUMENT", "&x")), "f")
