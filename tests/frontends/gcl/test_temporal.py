"""`temporal` and `fairness` declarations, and formulas over states."""

from __future__ import annotations

import pytest

from pincer.errors import PincerError, Position
from pincer.frontends.gcl import asked_property, formula_text, parse_formula, parse_program
from pincer.program.guarded import GuardedProgram

PROGRAM = """
const N = 2;
var x : int = 0;
var b : bool = false;
control pc[1..N] : {idle, busy} = idle;
process P[i in 1..N] {
  go : pc[i] = idle -> pc[i] := busy;
  stop: pc[i] = busy -> pc[i] := idle;
}
trans tick: true -> x := x + 1;
"""


def _program(declarations: str) -> GuardedProgram:
    return parse_program(PROGRAM + declarations, "t.gcl")


def test_braces_become_propositions_and_columns_stay() -> None:
    program = _program("temporal live: []({pc[1]=busy} -> <>{x > 3});")
    [found] = program.temporal
    assert found.written == "[]({pc[1]=busy} -> <>{x > 3})"
    assert len(found.text) == len(found.written)
    assert found.text.split() == ["[]($1", "->", "<>$2", ")"]
    assert {name: formula_text(meaning, program) for name, meaning in found.propositions} == {
        "$1": "pc[1] = busy",
        "$2": "x > 3",
    }


def test_the_same_predicate_is_one_proposition_and_a_boolean_variable_needs_no_braces() -> None:
    [found] = _program("temporal t: []({x > 3} || b) && <>{ x  > 3 };").temporal
    assert [name for name, _ in found.propositions] == ["$1", "b"]


def test_binders_give_one_property_for_each_instance() -> None:
    program = _program("temporal live[i in 1..N]: <>{pc[i] = busy};")
    assert [found.name for found in program.temporal] == ["live[1]", "live[2]"]
    second = dict(program.temporal[1].propositions)["$1"]
    assert second == parse_formula("pc[2] = busy", program)


def test_chop_stands_in_parentheses_and_comments_do_not_matter() -> None:
    text = "temporal t: (keep(b) ; []!b); // a comment; with a semicolon {\nsafety s: x >= 0;"
    program = _program(text)
    assert program.temporal[0].written == "(keep(b) ; []!b)"
    assert [item.name for item in program.properties] == ["s"]


def test_the_words_are_names_elsewhere() -> None:
    program = parse_program("var temporal, fairness : int = 0; trans go: temporal < 3 -> temporal := 1;", "t.gcl")
    assert [variable.name for variable in program.variables] == ["temporal", "fairness"]
    assert program.temporal == ()


def test_deadlock_may_stand_in_braces() -> None:
    assert _program("temporal t: []{!deadlock};").temporal


def test_ltl_keeps_its_prefix_and_its_words() -> None:
    [found] = _program("temporal t: ltl: G(F {b});").temporal
    assert found.text.startswith("ltl:")
    assert [name for name, _ in found.propositions] == ["$1"]


def test_a_name_of_two_things_is_not_fair() -> None:
    with pytest.raises(PincerError, match="a process and of a transition"):
        _program("trans P: x > 3 -> x := 0; fairness weak P;")
    assert len(_program("trans P: x > 3 -> x := 0; fairness weak P.go;").fairness) == 2


def test_groups_of_fairness() -> None:
    program = _program("fairness weak P, tick; fairness strong P[2], P[N - 1].go;")
    groups = {group.name: (group.strong, group.transitions) for group in program.fairness}
    assert groups == {
        "P[1]": (False, ("go[1]", "stop[1]")),
        "P[2]": (True, ("go[2]", "stop[2]")),
        "tick": (False, ("tick",)),
        "P[1].go": (True, ("go[1]",)),
    }


def test_strong_is_not_weakened_by_a_later_weak() -> None:
    program = _program("fairness strong P[1]; fairness weak P;")
    assert {group.name: group.strong for group in program.fairness} == {"P[1]": True, "P[2]": False}


@pytest.mark.parametrize(
    ("declaration", "message", "column"),
    [
        ("temporal t: []({x > 3)", "has no end", 1),
        ("temporal t: []({x > 3);", "has no end", 1),
        ("temporal t: <>{y > 3};", "unknown name `y`", 16),
        ("temporal t: <>{x};", "wrong type", 16),
        ("temporal : <>b;", "needs a name", 1),
        ("temporal t <>b;", "expected `:`", 12),
        ("temporal range: <>b;", "reserved", 1),
        ("temporal t: <>b; temporal t: <>b;", "already defined", 18),
        ("fairness odd P;", "`weak` or `strong`", 10),
        ("fairness weak Q;", "no process or transition `Q`", 15),
        ("fairness weak P[7];", "no process or transition `P[7]`", 15),
        ("fairness weak P.fly;", "no process or transition `P.fly`", 15),
        ("fairness weak P go;", "expected `,`", 17),
        ("fairness weak P,;", "expected the name", 17),
        ("temporal t: []{x := 2};", "unexpected `:=`: expected an operator, `[` or the end", 18),
    ],
)
def test_mistakes_have_a_place(declaration: str, message: str, column: int) -> None:
    with pytest.raises(PincerError) as caught:
        _program(declaration)
    assert message in str(caught.value)
    assert caught.value.position == Position("t.gcl", PROGRAM.count("\n") + 1, column)


def test_a_formula_of_a_call_has_its_own_place_and_definitions() -> None:
    program = _program("")
    defines = {"high": parse_formula("x > 9", program)}
    found = asked_property(program, "[](high -> {x > 0})", "asked", Position("call", 1, 1), defines)
    assert [name for name, _ in found.propositions] == ["high", "$1"]
    with pytest.raises(PincerError, match="unknown name `z`") as caught:
        asked_property(program, "<>{z = 1}", "asked", Position("call", 1, 1), {})
    assert caught.value.position == Position("call", 1, 4)
