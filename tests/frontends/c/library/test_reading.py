"""What library functions read through a pointer must be there: texts with their end, and numbers of bytes."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.logic.bitvectors import variable
from pincer.logic.terms import postorder
from pincer.program.control_flow import ControlFlowProgram
from pincer.program.labels import read_terms
from tests.execution.interpreted import interpret
from tests.frontends.c.lowered_c import lowered, outcome

HEAD = """\
#include <pthread.h>
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
"""
SIZE = 4


def end_of(program: ControlFlowProgram, *inputs: int) -> str:
    """The message of the end of the run with these inputs."""
    return interpret(program, {variable(f"input{i}", 32): value for i, value in enumerate(inputs)}).stop.message


def with_inputs(folder: Path, call: str) -> ControlFlowProgram:
    """A call about an array of `SIZE` characters, of which the last ones are zero, at an offset."""
    return lowered(
        folder,
        f"""{HEAD}
int main(void) {{
    int length = __VERIFIER_nondet_int(), offset = __VERIFIER_nondet_int(), most = __VERIFIER_nondet_int();
    char a[{SIZE}] = {{0}};
    for (int i = 0; i < length; i++) a[i] = 'a' + i;
    {call};
    return 0;
}}
""",
    )


def test_a_text_ends_within_its_object(tmp_path: Path) -> None:
    program = with_inputs(tmp_path, "puts(a + offset)")
    for length in range(SIZE + 1):
        for offset in range(SIZE + 1):
            ends = length < SIZE and offset < SIZE
            expected = (
                "main returned" if ends else "puts reads a + offset, which is no text that ends within its object"
            )
            assert end_of(program, length, offset) == expected, (length, offset)


def test_of_a_text_with_a_precision_only_so_many_characters_are_read(tmp_path: Path) -> None:
    program = with_inputs(tmp_path, 'printf("%.*s\\n", most, a + offset)')
    for length in (0, 2, SIZE):
        for offset in (0, 3, SIZE):
            for most in range(SIZE + 2):
                ends = length < SIZE and offset < SIZE
                is_right = ends or offset + most <= SIZE
                assert (end_of(program, length, offset, most) == "main returned") == is_right, (length, offset, most)


def test_a_number_of_bytes_has_room(tmp_path: Path) -> None:
    """Zeros do not end it; none may be read anywhere."""
    program = with_inputs(tmp_path, "fwrite(a + offset, 1, (unsigned)most, stdout)")
    for offset in range(SIZE + 1):
        for most in (*range(SIZE + 2), 0xFFFFFFFF, 0x80000000):
            expected = "main returned" if offset + most <= SIZE else "fwrite reads source beyond its object"
            assert end_of(program, 0, offset, most) == expected, (offset, most)


@pytest.mark.parametrize(
    ("statement", "end"),
    [
        ('puts("literal")', "main returned"),
        ("puts((char *)0)", "puts reads (char *)0, which is no text that ends within its object"),
        ("fputc('x', stderr)", "main returned"),
        ("fputc('x', none)", "no open stream is used"),
        ('none = fopen("f", "w"); if (none) { fclose(none); fputc(\'x\', none); }', "no open stream is used"),
        ('fprintf(none, "x")', "fprintf uses none, no open stream"),
        ("fwrite((void *)1, 1, 0, stdout)", "main returned"),
        ("fwrite((void *)1, 1, 1, stdout)", "fwrite reads source beyond its object"),
        ('fwrite("abc", 2, 2, stdout)', "main returned"),
        ('fwrite("abc", 2, 3, stdout)', "fwrite reads source beyond its object"),
        ("fopen(\"f\", (char[]){'r'})", "fopen reads mode, which is no text that ends within its object"),
    ],
)
def test_calls_end_as_they_must(tmp_path: Path, statement: str, end: str) -> None:
    ended = outcome(tmp_path, f"{HEAD}int main(void) {{ FILE *none = 0; {statement}; return 0; }}\n")
    assert ended.stop.message == end


def bytes_read(program: ControlFlowProgram) -> int:
    """How many edges read single bytes of memory."""
    parts = (part for edge in program.edges() for term in read_terms(edge.label) for part in postorder(term))
    return sum(part.op == "load" and part.args[1] == 1 for part in parts)


def test_other_threads_see_the_bytes_being_read(tmp_path: Path) -> None:
    body = "char a[4]; int main(void) {{ {} fwrite(a, 1, 4, stdout); return 0; }}"
    alone = lowered(tmp_path, HEAD + body.format(""))
    start = "pthread_t t; pthread_create(&t, 0, other, 0);"
    threaded = lowered(tmp_path, HEAD + "void *other(void *p) { return p; }\n" + body.format(start))
    assert bytes_read(alone) == 0
    assert bytes_read(threaded) == 1
