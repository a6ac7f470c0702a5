"""Words of verifiers that a program does not declare get the declarations that make compilers pass them exactly."""

from __future__ import annotations

from pincer.evidence.c.tokens import read
from pincer.evidence.c.words import declarations, looks_at_objects


def declared(text: str) -> list[str]:
    return [line.strip() for line in declarations(read(text))]


def test_a_word_that_is_only_called_is_declared() -> None:
    text = "int main(void) { if (nondet_long()) return nondet_int(); assert(1); klee_choose(3); klee_abort(); }"
    assert declared(text) == [
        "extern void assert(_Bool, ...);",
        "extern void klee_abort();",
        "extern __typeof__(sizeof 0) klee_choose();",
        "extern int nondet_int();",
        "extern long nondet_long();",
    ]


def test_a_word_that_the_program_declares_or_names_otherwise_is_left_alone() -> None:
    assert declared("int nondet_int(void); int main(void) { return nondet_int(); }") == []
    assert declared("int main(void) { extern void assert(int); assert(1); }") == []
    assert declared("int nondet_x; int main(void) { return nondet_x; }") == []


def test_words_about_objects_have_their_types() -> None:
    assert declared("int main(void) { return __CPROVER_r_ok(0, 1) + __CPROVER_OBJECT_SIZE(0); }") == [
        "__typeof__(sizeof 0) __CPROVER_OBJECT_SIZE(const void *pointer);",
        "int __CPROVER_r_ok(const void *pointer, __typeof__(sizeof 0) size);",
    ]
    assert looks_at_objects("x = __CPROVER_same_object(p, q);") and not looks_at_objects("__CPROVER_assume(x);")
