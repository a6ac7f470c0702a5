"""An entry with arguments becomes a function in C that calls the one that was named."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.frontends.c.entry_harness import EntryHarness, entry_harness
from pincer.frontends.c.load import load
from pincer.program.c_file import CFile
from pincer.program.control_flow import Allocate, Input
from tests.frontends.c.lowered_c import labels

TEXT = """
#define COUNT 3
struct pair { int a, b; };
enum { MOST = 4 };
static int f(const char *const buf, int n, struct pair pairs[], int (*then)(int)) { return buf[n - 1]; }
int old(p, n) char *p; int n; { return p[n]; }
int none(void) { return 0; }
"""


def made(tmp_path: Path, entry: str) -> tuple[EntryHarness, Path]:
    file = tmp_path / "p.c"
    file.write_text(TEXT)
    return entry_harness(entry, CFile(str(file)), "LP64"), file


@pytest.mark.parametrize(
    ("entry", "head"),
    [
        ("f(buf[n], n <= 8)", "void __pincer_entry_f(int n, struct pair *pairs, int (*then)(int)) {"),
        ("f(buf[n], pairs[k], k < MOST)", "int n, int (*then)(int), __typeof__(sizeof 0) k) {"),
        (" f ( n > 0 , n ) ", "void __pincer_entry_f(const char * const buf, int n, struct pair *pairs"),
        ("old(p[n])", "void __pincer_entry_old(int n) {"),
        ("none()", "void __pincer_entry_none(void) {"),
    ],
)
def test_what_is_not_a_buffer_is_a_parameter(tmp_path: Path, entry: str, head: str) -> None:
    harness, file = made(tmp_path, entry)
    assert head in harness.text
    program = load(CFile(str(file), added=harness.text), entry=harness.entry)
    assert program.entry == harness.entry


def test_a_buffer_is_an_object_of_the_length_with_any_contents(tmp_path: Path) -> None:
    harness, file = made(tmp_path, "f(buf[n], n <= 8)")
    program = load(CFile(str(file), added=harness.text), entry=harness.entry)
    assert len(labels(program, Allocate)) == 1
    assert "__VERIFIER_nondet_bytes_of_buf" in {label.source for label in labels(program, Input)}
    assert "__VERIFIER_assume((n <= 8) != 0);" in harness.text


def test_what_is_said_of_the_contents_of_a_buffer_is_assumed_behind_its_bytes(tmp_path: Path) -> None:
    harness, file = made(tmp_path, "f(buf[n], 0 < n && n <= 4 && buf[n - 1] == 0)")
    load(CFile(str(file), added=harness.text), entry=harness.entry)
    texts = ("assume((n <= 4)", "malloc(", "nondet_bytes_of_buf();", "assume((buf[n - 1] == 0)", "  f(buf,")
    places = [harness.text.rindex(text) for text in texts]
    assert places == sorted(places)
    either = made(tmp_path, "f(buf[n], n < 3 || n == 5 && MOST > 1)")[0].text
    assert "assume((n < 3 || n == 5 && MOST > 1) != 0)" in either


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ("f(data[n])", "`f` has no parameter `data`; its parameters are buf, n, pairs, then"),
        ("none(data[n])", "its parameters are none"),
        ("f(n[3])", "the parameter `n` is no pointer to objects"),
        ("f(then[3])", "the parameter `then` is no pointer to objects"),
        ("gone()", "there is no function `gone` with a body"),
        ("f(buf[n]", "is no function, nor one with arguments"),
    ],
)
def test_mistakes_are_told(tmp_path: Path, entry: str, message: str) -> None:
    with pytest.raises(PincerError) as caught:
        made(tmp_path, entry)
    assert message in caught.value.message
