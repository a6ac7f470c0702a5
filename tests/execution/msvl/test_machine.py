"""Symbolic values and path constraints beside the concrete run."""

from __future__ import annotations

import pytest

from pincer.errors import PincerError
from pincer.execution.msvl import Execution, Options
from pincer.logic import terms
from pincer.logic.evaluation import evaluate
from pincer.logic.terms import Term, integer, less, negate, variable
from tests.execution.msvl.msvl_running import run, shown
from tests.execution.msvl.random_msvl_programs import RandomPrograms, text

X, Y, M, N = (variable(name) for name in ("s_x", "s_y", "s_main_message", "s_n"))
SIX = integer(6)

P = """frame(x,y,z) and (
  int x,y,z and
  input(x) and
  input(y) and skip;
  if(x<y) then {x:=x+3 and z:=x+y} else {x:=x+3 and z:=x-y};
  if(z=6) then {x:=x+1 and y:=y+1} else {x:=x-1 and y:=y-1}
)"""


def conditions(execution: Execution) -> list[Term]:
    return [constraint.condition for constraint in execution.constraints]


def same(left: Term, right: int) -> Term:
    return terms.equal(left, integer(right))


@pytest.mark.parametrize(
    ("x", "y", "states", "path"),
    [
        (1, 5, "1,5,NIL 1,5,NIL 4,5,6 5,6,6", [less(X, Y), terms.equal(terms.add(X, Y), SIX)]),
        (3, 2, "3,2,NIL 3,2,NIL 6,2,1 5,1,1", [negate(less(X, Y)), negate(same(terms.subtract(X, Y), 6))]),
        (8, 2, "8,2,NIL 8,2,NIL 11,2,6 12,3,6", [negate(less(X, Y)), same(terms.subtract(X, Y), 6)]),
        (1, 2, "1,2,NIL 1,2,NIL 4,2,3 3,1,3", [less(X, Y), negate(same(terms.add(X, Y), 6))]),
    ],
)
def test_d1_each_run_has_the_states_and_constraints_of_the_table(x: int, y: int, states: str, path: list[Term]) -> None:
    execution = run(P, {"s_x": x, "s_y": y})
    assert shown(execution, "x", "y", "z") == states
    assert conditions(execution) == path
    assert [constraint.state for constraint in execution.constraints] == [1, 2]
    assert execution.complete


def test_d1_symbolic_stores() -> None:
    execution = run(P, {"s_x": 1, "s_y": 5})
    total = terms.add(X, Y)
    assert execution.states[1].symbolics() == {"x": X, "y": Y}
    assert execution.states[2].symbolics() == {"x": terms.add(X, integer(3)), "y": Y, "z": total}
    last = {"x": terms.add(X, integer(4)), "y": terms.add(Y, integer(1)), "z": total}
    assert execution.states[3].symbolics() == last


AC = """frame(is_room_hot,is_door_closed,ac) and
( int is_room_hot<==1,is_door_closed<==1,ac<==1 and skip;
  function main (){
    frame(main_message) and
    ( int main_message and skip;
      input(main_message) and skip;
      if(main_message=1) then (is_room_hot:=0) else {skip};
      if(main_message=2) then (is_door_closed:=0) else {skip};
      if(main_message=3) then {ac:=0} else {skip} )
  };
  main()
)"""
MERGED = AC.replace("and skip;\n      input(main_message) and skip", "and input(main_message) and skip")
CONTROLLER = ("is_room_hot", "is_door_closed", "ac")


@pytest.mark.parametrize(
    ("message", "states"),
    [
        (7, "111 111 111 111 111 111 111"),
        (1, "111 111 111 111 011 011 011"),
        (2, "111 111 111 111 111 101 101"),
        (3, "111 111 111 111 111 111 110"),
    ],
)
@pytest.mark.parametrize("framing", ["implicit", "strict"])
@pytest.mark.parametrize("same_state", ["overwrite", "reject"])
def test_the_controller_runs_as_in_the_case_study(message: int, states: str, same_state: str, framing: str) -> None:
    options = Options(same_state=same_state, framing=framing)  # type: ignore[arg-type]
    execution = run(AC, {"s_main_message": message}, options)
    assert shown(execution, *CONTROLLER).replace(",", "") == states
    tested = [(same(M, value), value == message) for value in (1, 2, 3)]
    assert conditions(execution) == [terms.literal(condition, holds) for condition, holds in tested]
    assert [constraint.state for constraint in execution.constraints] == [3, 4, 5]
    assert [state.value("main_message") for state in execution.states][2:] == [message] * 5


def test_the_merged_controller_saves_one_state() -> None:
    execution = run(MERGED, {"s_main_message": 3})
    assert shown(execution, *CONTROLLER).replace(",", "") == "111 111 111 111 111 110"


@pytest.mark.parametrize(
    ("n", "states", "path"),
    [
        (0, 2, [negate(less(integer(0), N))]),
        (1, 3, [less(integer(0), N), negate(less(integer(1), N))]),
        (2, 4, [less(integer(0), N), less(integer(1), N), negate(less(integer(2), N))]),
    ],
)
def test_d2_a_counted_loop_adds_a_constraint_for_each_round(n: int, states: int, path: list[Term]) -> None:
    execution = run("frame(n,i) and (int n and int i<==0 and input(n) and skip; while(i<n){i:=i+1})", {"s_n": n})
    assert len(execution.states) == states
    assert conditions(execution) == path


def test_a_concrete_assignment_removes_the_symbolic_value() -> None:
    execution = run("int x and input(x) and skip; x:=7; skip", {"s_x": 1})
    assert execution.states[-1].symbolics() == {}


def test_later_reads_of_a_variable_are_numbered() -> None:
    execution = run("int x and input(x) and skip; input(x) and skip", {"s_x": 1, "s_x#2": 5})
    assert [(read.name, read.value, read.state) for read in execution.inputs] == [("s_x", 1, 0), ("s_x#2", 5, 1)]
    assert shown(execution, "x") == "1 5 5"


def test_inputs_nobody_gives_are_drawn_from_the_seed_and_recorded() -> None:
    text_ = "int x and char c and bool b and unsigned u and input(x,c,b,u) and skip"
    first, second = run(text_), run(text_)
    other = run(text_, options=Options(seed=1, input_range=(1000, 2000)))
    assert first.inputs == second.inputs
    assert first.input_values() != other.input_values()
    assert [(read.low, read.high) for read in first.inputs] == [(None, None), (-128, 127), (0, 1), (0, None)]
    assert 1000 <= other.input_values()["s_x"] <= 2000
    assert all(read.low is None or read.low <= read.value for read in first.inputs)


def test_an_input_outside_its_type_is_refused() -> None:
    with pytest.raises(PincerError, match="between -128 and 127"):
        run("char c and input(c) and skip", {"s_c": 500})


@pytest.mark.parametrize(
    ("statement", "reason"),
    [
        ("y:=a[x]", "a symbolic index"),
        ("y:=x*x", "a product of two symbolic values"),
        ("y:=100/x", "a symbolic divisor"),
        ("y:=x&3", "an operation on bits"),
        ("y:=x<<1", "an operation on bits"),
        ("f:=x", "floating-point numbers"),
        ("y:=abs(x)", "a call of abs"),
        ("p:=&a[0]+x", "a symbolic offset of a pointer"),
    ],
)
def test_what_linear_terms_cannot_say_is_recorded_as_concretised(statement: str, reason: str) -> None:
    program = "int x and int y and float f and int *p and int a[3]<==[1,2,3] and input(x) and skip; "
    execution = run(program + statement, {"s_x": 1})
    assert [event.reason for event in execution.concretised] == [reason]
    assert not execution.complete


def test_a_symbolic_divisor_becomes_a_constraint_either_way() -> None:
    program = "int x and int y and input(x) and skip; y:=10/x"
    assert conditions(run(program, {"s_x": 2})) == [negate(same(X, 0))]
    broken = run(program, {"s_x": 0})
    assert conditions(broken) == [same(X, 0)]
    assert broken.ending.kind == "error"


@pytest.mark.parametrize(("x", "y"), [(0, 0), (1, 0), (0, 1), (1, 1)])
def test_short_circuit_conditions_are_one_constraint_whose_negation_is_the_other_side(x: int, y: int) -> None:
    program = "int x and int y and input(x,y) and skip; if(x=1 AND y=1) then {skip} else {empty}"
    whole = terms.conjunction(same(X, 1), same(Y, 1))
    execution = run(program, {"s_x": x, "s_y": y})
    assert conditions(execution) == [terms.literal(whole, x == 1 and y == 1)]


@pytest.mark.parametrize(("x", "count"), [(0, 1), (2, 3)])
def test_a_guard_of_something_that_may_fail_is_a_constraint_of_its_own(x: int, count: int) -> None:
    execution = run("int x and input(x) and skip; if(x!=0 AND 10/x=5) then {skip} else {empty}", {"s_x": x})
    assert execution.ending.kind == "terminated"
    assert conditions(execution)[0] is terms.literal(same(X, 0), x == 0)
    assert len(execution.constraints) == count - (count == 3)


def test_a_length_from_outside_is_a_constraint() -> None:
    assert conditions(run("int n and input(n) and skip; len(n)", {"s_n": 3})) == [same(N, 3)]


def test_agreeing_writes_constrain_the_inputs_on_which_they_agree() -> None:
    program = "int x and int y and int z and input(x,y) and skip; z<==x and z<==y and skip"
    assert conditions(run(program, {"s_x": 4, "s_y": 4})) == [terms.equal(X, Y)]
    broken = run(program, {"s_x": 4, "s_y": 5})
    assert conditions(broken) == [negate(terms.equal(X, Y))]
    assert broken.ending.kind == "inconsistent"


def test_a_condition_as_a_statement_is_part_of_the_path() -> None:
    program = "int x and input(x) and skip; x>3 and skip"
    assert run(program, {"s_x": 5}).ending.kind == "terminated"
    assert run(program, {"s_x": 1}).ending.kind == "inconsistent"
    assert len(run(program, {"s_x": 1}).constraints) == 1


def test_a_free_choice_that_fails_is_taken_back_and_a_given_one_is_not() -> None:
    program = "int x<==1 and skip; ((x=2 and x:=5) or (x:=6))"
    free = [run(program, options=Options(seed=seed)) for seed in range(6)]
    assert {shown(execution, "x") for execution in free} == {"1 1 6"}
    assert all(execution.input_values() == {"s_or": 0} for execution in free)
    assert run(program, {"s_or": 1}).ending.kind == "inconsistent"


def test_writes_of_an_alternative_taken_back_are_forgotten_and_later_ones_are_checked() -> None:
    program = "int x<==1 and skip; (((x<==3 and false) or x<==2) and x<==4 and skip)"
    ending = run(program).ending
    assert ending.error is not None and "2 and 4" in ending.error.message
    assert shown(run(program.replace("x<==4", "x<==2")), "x") == "1 2 2"


def test_three_alternatives_ask_two_questions() -> None:
    program = "int x<==0 and skip; (x:=1 or x:=2 or x:=3)"
    assert shown(run(program, {"s_or": 0, "s_or#2": 0}), "x") == "0 0 3"
    assert shown(run(program, {"s_or": 0, "s_or#2": 1}), "x") == "0 0 2"


def test_branches_inside_external_calls_are_part_of_the_path() -> None:
    program = (
        "function sign(int a,int RValue){ if(a<0) then {RValue:=0-1} else {RValue:=1} }; "
        "int x and int y and input(x) and skip; y:=extern sign(x)"
    )
    execution = run(program, {"s_x": 5})
    assert shown(execution, "y") == "NIL NIL 1"
    assert conditions(execution) == [negate(less(X, integer(0)))]


def inputs_of(seed: int) -> dict[str, int]:
    return {"s_x": seed % 7 - 3, "s_y": seed % 5 - 2, "s_z": seed % 3}


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("int32", [False, True])
def test_terms_evaluate_to_the_concrete_values_and_constraints_hold(seed: int, int32: bool) -> None:
    """Also for other inputs of the same path: there the terms foretell the values of another run."""
    body = text(RandomPrograms(seed, ("x", "y", "z")).statement(3))
    program = f"frame(x,y,z) and (int x,y,z and input(x,y,z) and skip; {body})"
    options = Options(int32=int32)
    execution = run(program, inputs_of(seed), options)
    _agree(execution, execution)
    for other in range(seed + 1, seed + 12):
        second = inputs_of(other)
        known = {variable(name): value for name, value in second.items()}
        if execution.complete and all(evaluate(condition, known) for condition in conditions(execution)):
            rerun = run(program, second, options)
            assert conditions(rerun) == conditions(execution)
            _agree(execution, rerun)


def _agree(symbolic: Execution, concrete: Execution) -> None:
    """The terms of one run, at the inputs of another, are the values of that other."""
    known = {variable(read.name): read.value for read in concrete.inputs}
    assert all(evaluate(condition, known) for condition in conditions(symbolic))
    assert len(symbolic.states) == len(concrete.states)
    for left, right in zip(symbolic.states, concrete.states, strict=True):
        for name in left.names():
            term = left.symbolic(name)
            wanted = left.value(name) if term is None else evaluate(term, known)
            assert wanted == right.value(name)


def test_inputs_that_are_drawn_fit_their_types() -> None:
    execution = run("char c and bool b and input(c,b) and skip", options=Options(input_range=(1000, 2000)))
    assert execution.input_values() == {"s_c": 127, "s_b": 1}
