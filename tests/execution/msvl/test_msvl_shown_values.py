"""Values as people read them."""

from __future__ import annotations

from pincer.execution.msvl import execute
from pincer.frontends.msvl import parse_program

_PROGRAM = """
struct T { int u and int v };
frame(t,p,a,q) and (
  T t and T *p and int a[2]<==[1,2] and int *q and skip;
  t.u<==1 and t.v<==2 and p<==&t and q<==&a[1] and skip
)
"""


def test_arrays_structs_and_pointers_are_written_by_their_names() -> None:
    states = execute(parse_program(_PROGRAM, "t.m")).states
    assert states[0].texts() == {"t": "{u: NIL, v: NIL}", "p": "NIL", "a": "[1, 2]", "q": "NIL"}
    assert states[-1].texts() == {"t": "{u: 1, v: 2}", "p": "&t", "a": "[1, 2]", "q": "&a[1]"}
