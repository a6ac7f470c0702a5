"""Library functions for schedules that pass through them: which are compiled from our bodies, and under what names."""

from __future__ import annotations

from pincer.evidence.c.tokens import read
from pincer.evidence.threads.library_bodies import bodies_of


def bodies(text: str, *defined: str) -> tuple[str, frozenset[str]]:
    return bodies_of([read(text)], frozenset(defined))


def test_functions_that_a_program_uses_get_bodies_under_redirected_names() -> None:
    text, names = bodies("char *strcat(char *, const char *); void f(char *a) { strcpy(a, a); }")
    assert names == {"strcpy"}
    assert "char *__wrap_strcpy(char *target" in text and "strcat" not in text


def test_copies_are_answered_by_the_runtime_which_calls_their_bodies() -> None:
    text, names = bodies("void f(char *a, unsigned long n) { memcpy(a, a, n); }")
    assert not names and "void *__pincer_bytes_memcpy(" in text


def test_functions_of_the_program_or_about_the_world_stay_as_they_are() -> None:
    assert bodies("void f(char *a) { strcpy(a, a); }", "strcpy") == ("", frozenset())
    assert bodies("void f(void *s) { fgetc(s); time(0); malloc(1); }") == ("", frozenset())


def test_the_linker_may_know_sscanf_by_other_names() -> None:
    _, names = bodies('void f(char *a) { int n; sscanf(a, "%d", &n); }')
    assert {"sscanf", "__isoc99_sscanf"} <= names
