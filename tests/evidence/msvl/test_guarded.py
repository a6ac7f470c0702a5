"""Guarded commands with the runs of an MSVL program."""

from __future__ import annotations

import pytest

from pincer.errors import UnsupportedError
from pincer.evidence.gcl.interpreter import compile_formula, is_initial, successors
from pincer.evidence.msvl.guarded import AT, MsvlQuestion, translated
from pincer.evidence.pptl.reading import read_formula
from pincer.frontends.gcl import formula_text, parse_formula
from pincer.frontends.msvl import parse_program
from pincer.program.guarded import FiniteType, GuardedChoice, Number
from tests.evidence.msvl.translated_programs import COUNTING, ENDING, READING, WRONG, made_of, question


def test_the_first_state_and_the_steps() -> None:
    _, made = made_of(COUNTING)
    state = {AT: 0, "x": 0}
    assert is_initial(made.program, state)
    assert not is_initial(made.program, {AT: 0, "x": 1}) and not is_initial(made.program, {AT: 1, "x": 0})
    for expected in ({AT: 1, "x": 0}, {AT: 1, "x": 1}, {AT: 1, "x": 2}):
        [(_, after)] = successors(made.program, state, (0,))
        assert after == expected
        state = dict(after)


def test_first_inputs_are_any_values_of_their_variables() -> None:
    _, made = made_of(ENDING)
    assert made.first_inputs
    for x in (-4, 0, 3):
        starts = [at for at in range(9) if is_initial(made.program, {AT: at, "x": x})]
        assert len(starts) == 1


def test_later_inputs_are_chosen_a_step_before_within_their_range() -> None:
    _, made = made_of(READING)
    choices = {
        value for one in made.program.transitions for _, value in one.assignments if isinstance(value, GuardedChoice)
    }
    assert choices == {GuardedChoice(-128, 127)}
    narrow = made.with_inputs(1000)
    assigned = [value for one in narrow.program.transitions for name, value in one.assignments if name != AT]
    assert Number(127) in assigned and not any(isinstance(value, GuardedChoice) for value in assigned)


def test_a_run_that_goes_wrong_is_asked_about() -> None:
    _, calm = made_of(COUNTING)
    assert calm.asked == calm.alone and not calm.goes_wrong
    _, made = made_of(WRONG)
    assert made.goes_wrong == ("a loop goes round for ever in one state",)
    assert "$wrong" in dict(made.asked.propositions) and "$wrong" not in dict(made.alone.propositions)
    assert made.asked.text == f"({made.alone.text}\n) and [](!$wrong)"
    _, linear = made_of(WRONG, "ltl: G {x>=0}")
    assert linear.asked.text.startswith("ltl: (") and linear.asked.text.endswith("&& G(!$wrong)")


def test_names_are_those_of_guarded_commands() -> None:
    program = parse_program("frame(at,init,x$1) and (int at<==1 and int init<==2 and int x$1<==3 and skip)", "t.m")
    made = translated(program, "", MsvlQuestion("p", "true", {}))
    names = [variable.name for variable in made.program.variables]
    assert len(set(names)) == 4 and names[0] == AT
    assert isinstance(made.program.variables[0].type, FiniteType)
    assert is_initial(made.program, dict(zip(names, (0, 1, 2, 3), strict=True)))


def test_a_formula_with_a_comment_at_its_end_loses_nothing() -> None:
    program = parse_program(WRONG, "t.m")
    made = translated(program, "", MsvlQuestion("p", "[]p // always", {"p": "x>=0"}))
    assert read_formula(made.asked.text) == read_formula("([]p) and [](!$wrong)")


def test_the_name_of_what_goes_wrong_is_no_other() -> None:
    with pytest.raises(UnsupportedError, match=r"\$wrong"):
        translated(parse_program(WRONG, "t.m"), "", MsvlQuestion("p", "[]$wrong", {"$wrong": "x>=0"}))


def test_conditions_mean_the_same_as_text() -> None:
    condition = "x%3!=1 AND (x/2>1 OR x/(-4)=y) AND 2*x-3*y<=7"
    text = "frame(x,y) and (int x and int y and input(x,y) and skip; while(true){x:=x+1 and y:=y-1})"
    made = translated(parse_program(text, "t.m"), "", MsvlQuestion("p", "[]p", {"p": condition}))
    [(_, formula)] = made.alone.propositions
    again = parse_formula(formula_text(formula, made.program), made.program)
    one, other = compile_formula(formula, made.program), compile_formula(again, made.program)
    for x in range(-9, 10):
        for y in range(-4, 5):
            state = {AT: 0, "x": x, "y": y}
            quotient, rest = abs(x) // 2 * (1 if x >= 0 else -1), abs(x) % 3 * (1 if x >= 0 else -1)
            fourth = abs(x) // 4 * (-1 if x >= 0 else 1)
            holds = rest != 1 and (quotient > 1 or fourth == y) and 2 * x - 3 * y <= 7
            assert one(state) == other(state) == holds, state


def test_many_integers_are_refused() -> None:
    with pytest.raises(UnsupportedError, match="too many integers"):
        translated(parse_program("int a[100]<==[1] and skip", "t.m"), "", MsvlQuestion("p", "true", {}))


@pytest.mark.parametrize("wanted", ["<>{x=5}", "[]({x>0} -> <>{x<=0})"])
def test_conditions_hold_where_they_do(wanted: str) -> None:
    made = translated(parse_program(ENDING, "t.m"), "", question(wanted))
    assert len(made.alone.propositions) == wanted.count("{")
