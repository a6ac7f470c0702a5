"""A small program with a violation, for the tests of witnesses."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

from pincer.errors import Position
from pincer.evidence.c.trace import CStep, CTest, Failure, InputValue
from pincer.evidence.c.witness import Metadata

PROGRAM = """\
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int limit = 3;
int twice(int n) {
  return n + n;
}
int main(void) {
  int x = __VERIFIER_nondet_int();
  int y = twice(x);
  while (__VERIFIER_nondet_int()) {
    int inner = y;
    y = inner + 1;
  }
  if (x > limit && y)
    reach_error();
  return 0;
}
"""


def at(line: int, column: int) -> Position:
    return Position("program.c", line, column)


def metadata(text: str = PROGRAM) -> Metadata:
    digest = hashlib.sha256(text.encode()).hexdigest()
    specification = "CHECK( init(main()), LTL(G ! call(reach_error())) )"
    created = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    return Metadata("program.c", text, digest, specification, "LP64", "Pincer", "1.0", "", "some-uuid", created)


def violation() -> CTest:
    steps = (
        CStep(at(8, 3), "main", "int x = input", (("x", "5"),), inputs=1),
        CStep(at(9, 3), "main", "twice(x)"),
        CStep(at(5, 3), "twice", "return n + n"),
        CStep(at(9, 3), "main", "int y = ...", (("y", "10"),)),
        CStep(at(10, 3), "main", "input != 0", (), False, inputs=1),
        CStep(at(14, 3), "main", "x > limit", (), True),
        CStep(at(14, 3), "main", "y != 0", (), True),
    )
    inputs = tuple(
        InputValue("__VERIFIER_nondet_int", "nondet", 32, number, at(line, column))
        for number, line, column in ((5, 8, 11), (0, 10, 10))
    )
    return CTest("program.c", "assertions", "assertions", inputs, steps, Failure(at(15, 5), "x"), "LP64", "main")
