"""Functions without a program around them: entries with arguments, and harnesses with `<pincer.h>`."""

from __future__ import annotations

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
