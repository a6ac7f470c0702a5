"""States as seen from outside: values as people read them, and what propositions are worth."""

from __future__ import annotations

import pytest

from pincer.execution.msvl import StateObserver, execute
from pincer.frontends.msvl import parse_condition, parse_program
from pincer.frontends.source import SourceText
from pincer.logic import terms
from pincer.logic.terms import integer, variable

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


LOCALS = "function f(){ int l<==7 and skip; l:=l+g; skip }; int g<==1 and skip; f(); g:=2"


@pytest.mark.parametrize(
    ("proposition", "truths"),
    [
        ("g=1", "111110"),
        ("l=7", "011000"),
        ("l>g", "011110"),
        ("l=8 OR g=2", "000110"),
        ("g=2 OR l=8", "000111"),
        ("nowhere=1", "000000"),
        ("10/(g-1)>0", "000001"),
    ],
)
def test_propositions_see_globals_first_then_the_innermost_scope(proposition: str, truths: str) -> None:
    program = parse_program(LOCALS, "f.m")
    execution = execute(program)
    condition = parse_condition(proposition, SourceText("f.m", proposition))
    observer = StateObserver(program)
    seen = [observer.observe(state, condition) for state in execution.states]
    assert "".join(str(int(one.value)) for one in seen) == truths


def test_propositions_stand_for_formulas_over_the_inputs() -> None:
    program = parse_program("int x and input(x) and skip; x:=x+2", "f.m")
    execution = execute(program, {"s_x": 1})
    condition = parse_condition("x<=10", SourceText("f.m", "x<=10"))
    observed = StateObserver(program).observe(execution.states[-1], condition)
    assert observed.value and observed.exact and observed.defined
    assert observed.formula is terms.at_most(variable("s_x"), integer(8))


def test_undefined_propositions_are_false_and_say_so() -> None:
    program = parse_program("int x and skip", "f.m")
    observed = StateObserver(program).observe(
        execute(program).states[0], parse_condition("x=1", SourceText("f.m", "x=1"))
    )
    assert not observed.value and not observed.defined


def test_a_proposition_can_follow_and_compare_pointers() -> None:
    program = parse_program("frame(x,p) and (int x<==1 and int *p and skip; p:=&x; *p:=3)", "f.m")
    observer, states = StateObserver(program), execute(program).states
    for text, expected in (("p=&x", [False, False, True, True]), ("*p=3", [False, False, False, True])):
        condition = parse_condition(text, SourceText("f.m", text))
        assert [observer.observe(state, condition).value for state in states] == expected
