"""Where calls are put before statements: every place must leave the text a program that means the same."""

from __future__ import annotations

import pytest

from pincer.errors import Position
from pincer.evidence.c.instrument import inserted
from pincer.evidence.c.tokens import read
from pincer.evidence.threads.statements import before_statement

TEXT = """\
struct pair { int a; int b; };
int f(int n) {
  struct pair p = {
    1,
    2 };
  if (n)
    n = 1;
  else
    n = 2;
  for (int i = 0; i < n;
       i++)
    n += i;
  do {
    n--;
  } while (n > 3);
  switch (n) {
  case 1:
    n = 5;
  }
  n = n ? 3 :
    4;
again:
  return n;
}
"""
WHOLE = {3: "struct pair p", 6: "if (n)", 10: "for (int i", 13: "do {", 14: "n--", 16: "switch", 20: "n = n ? 3"}
BODIES = {7: "n = 1", 9: "n = 2", 12: "n += i", 18: "n = 5", 23: "return n"}


def put(line: int) -> str | None:
    found = before_statement(read(TEXT, "f.c"), Position("f.c", line, 1), "call()")
    return None if found is None else inserted(TEXT, [found])


@pytest.mark.parametrize("line", WHOLE)
def test_a_statement_of_a_block_gets_a_statement_before_it(line: int) -> None:
    text = put(line)
    assert text is not None and f" call(); {WHOLE[line]}" in text


@pytest.mark.parametrize("line", BODIES)
def test_a_statement_that_is_governed_by_another_stays_one_statement(line: int) -> None:
    text = put(line)
    assert text is not None and f" if (call(), 0) ; else {BODIES[line]}" in text


@pytest.mark.parametrize("line", [1, 2, 4, 5, 8, 11, 15, 17, 19, 21, 22, 24, 99])
def test_a_line_on_which_no_statement_begins_has_no_place(line: int) -> None:
    assert put(line) is None
