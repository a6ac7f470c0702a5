"""Words of verifiers that a program does not declare get the declarations that make compilers pass them exactly."""

from __future__ import annotations

from pincer.evidence.c.tokens import read
from pincer.evidence.c.words import declarations


def declared(text: str) -> list[str]:
    return [line.strip() for line in declarations(read(text))]


def test_a_word_that_is_only_called_is_declared() -> None:
    text = "int main(void) { if (nondet_long()) return nondet_int(); assert(1); klee_choose(3); klee_abort(); }"
    assert declared(text) == [
        "extern void assert(_Bool, ...);",
        "extern void klee_abort();",
        "extern __SIZE_TYPE__ klee_choose();",
        "extern int nondet_int();",
        "extern long nondet_long();",
    ]


def test_a_word_that_the_program_declares_or_names_otherwise_is_left_alone() -> None:
    assert declared("int nondet_int(void); int main(void) { return nondet_int(); }") == []
    assert declared("int main(void) { extern void assert(int); assert(1); }") == []
    assert declared("int nondet_x; int main(void) { return nondet_x; }") == []
