"""Functions without a program around them: entries with arguments, and harnesses with `<pincer.h>`."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from pincer.cli.main import main

Output = pytest.CaptureFixture[str]
FIND = """\
#include <stddef.h>
static int find(const unsigned char *buf, size_t n, int mode) {
  for (size_t i = 0; i < n; i++)
    if (buf[i] == 'x' && buf[i + 1] == 'y')
      return (int)i;
  return mode ? -1 : 0;
}
"""
STRING = """\
#include <pincer.h>
static size_t length(const char *s) { size_t n = 0; while (s[n]) n++; return n; }
int main(void) {
  unsigned char key[2];
  pincer_bytes(key, sizeof key);
  char *s = pincer_string(3);
  pincer_assert(length(s) <= 3);
  pincer_assume(key[0] == 'k' && pincer_size(1) == 1);
  pincer_assert(s[0] != 'a' || s[1] != key[1] || key[1] != 'b');
  free(s);
  return 0;
}
"""

DOCS = Path(__file__).parents[2] / "docs"
QUEUE_HEADER = """\
struct queue { unsigned char items[4]; unsigned first, count; };
int queue_put(struct queue *q, unsigned char item);
int queue_get(struct queue *q);
"""
QUEUE = """\
#include "queue.h"
int queue_put(struct queue *q, unsigned char item) {
  if (q->count == 4) return 0;
  q->items[(q->first + q->count++) % 4] = item;
  return 1;
}
int queue_get(struct queue *q) {
  if (q->count == 0) return -1;
  unsigned char item = q->items[q->first];
  q->first = (q->first + 1) % 4;
  q->count--;
  return item;
}
"""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("find.c").write_text(FIND)
    Path("string.c").write_text(STRING)


def said(capsys: Output, *arguments: str) -> tuple[int, str]:
    status = main([*arguments])
    printed = capsys.readouterr()
    assert "Traceback" not in printed.out + printed.err
    return status, " ".join((printed.out + printed.err).split())


def test_a_buffer_of_any_length_is_read_beyond_its_end(capsys: Output) -> None:
    entry = ("--entry", "find(buf[n], n <= 3)")
    status, printed = said(capsys, "check", "find.c", *entry, "--property", "memory", "--test-out", "bug")
    assert status == 1
    assert "invalid access to buf[i + 1] at find.c:4:26" in printed
    assert "confirmed by execution: heap-buffer-overflow" in printed
    assert " buf = " in printed and "argument n = " in printed
    assert said(capsys, "replay", "bug/test.json")[0] == 0


def test_with_one_byte_more_it_is_not(capsys: Output) -> None:
    entry = ("--entry", "find(buf[n + 1], n <= 2)")
    call = ("check", "find.c", *entry, "--property", "memory", "--certificate", "proof.json")
    assert said(capsys, *call)[0] == 0
    status, printed = said(capsys, "certify", "proof.json")
    assert status == 0 and "find(buf[n + 1], n <= 2)" in printed


def test_strings_and_bytes_are_delivered_to_compiled_code(capsys: Output) -> None:
    status, printed = said(capsys, "check", "string.c", "--property", "assertions", "--test-out", "bug")
    assert status == 1
    assert "pincer_bytes = 6b 62, " in printed
    assert "pincer_string = 61 62" in printed
    assert "confirmed by execution: reached a failing assertion at line 9" in printed
    assert said(capsys, "replay", "bug/test.json")[0] == 0


def test_mistakes_in_arguments_are_told(capsys: Output) -> None:
    status, printed = said(capsys, "check", "find.c", "--entry", "find(buf[n], n <= )")
    assert status == 2 and printed.startswith("<--entry>:5:26: error: expected an expression before `)`")
    status, printed = said(capsys, "check", "find.c", "--entry", "find(data[n])")
    assert status == 2 and "its parameters are buf, n, mode" in printed


def blocks_of(page: str) -> dict[str, str]:
    """The C texts of a page of the documentation, by the first word that tells them apart."""
    found = re.findall(r"```c\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)
    return {word: text for text in found for word in ("utf8_decode", "queue_put", "value_of") if word in text}


@pytest.mark.parametrize(
    ("word", "status", "arguments"),
    [
        ("utf8_decode", 1, ("--entry", "utf8_decode(s[n], n <= 4)", "--property", "memory")),
        ("queue_put", 0, ("queue.c", "--property", "assertions")),
        ("value_of", 0, ("--property", "assertions")),
    ],
)
def test_the_harnesses_of_the_documentation_show_what_it_says(
    capsys: Output, word: str, status: int, arguments: tuple[str, ...]
) -> None:
    Path("queue.h").write_text(QUEUE_HEADER)
    Path("queue.c").write_text(QUEUE)
    Path("harness.c").write_text(blocks_of("c.md")[word])
    assert said(capsys, "check", "harness.c", *arguments)[0] == status
