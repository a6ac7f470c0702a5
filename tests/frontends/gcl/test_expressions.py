"""Expressions: types, names, ranges and indices, and what a constant makes irrelevant."""

from __future__ import annotations

import pytest

from pincer.errors import UnsupportedError
from pincer.frontends.gcl import formula_text, parse_program
from pincer.program.guarded import (
    Arithmetic,
    Comparison,
    Conditional,
    Connective,
    ExpansionLimits,
    Expression,
    Formula,
    GuardedChoice,
    Not,
    Number,
    Truth,
    VariableRef,
)
from tests.frontends.gcl.gcl_samples import DECLARATIONS, assigned, check, guard, is_, parse


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("init @zz = 1;", "unknown name `zz`"),
        ("trans t: true -> @zz := 1;", "unknown name `zz`"),
        ("trans t: true -> @zz[1] := 1;", "unknown name `zz`"),
        ("control mode : {stop, going}; init mode = @goin;", "did you mean `going`?"),
        ("init forall i in 1..@M : x = i;", "unknown name `M`"),
        ("const A = @B; const B = 1;", "`B` is defined only later"),
        ("const A = @A + 1;", "`A` is defined only later"),
    ],
)
def test_unknown_name(text: str, message: str) -> None:
    check(text, message)


@pytest.mark.parametrize(
    "text",
    [
        "init @x * y = 1;",
        "init (@if b then 1 else 2) * x = 1;",
        "init 7 div @x = 1;",
        "init x mod @y = 1;",
        "trans t: b -> x := y + @x * x;",
    ],
)
def test_non_linear_term(text: str) -> None:
    check(text, "non-linear term")


@pytest.mark.parametrize("divisor", ["@0", "@-1", "(@N - 2)"])
@pytest.mark.parametrize("operator", ["div", "mod"])
def test_division_by_what_is_not_positive(operator: str, divisor: str) -> None:
    check(f"init x {operator} {divisor} = 1;", f"the right side of `{operator}` must be positive")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("init @x;", "this is an integer where a Boolean is needed"),
        ("init @x && b;", "where a Boolean is needed"),
        ("init b => @1;", "where a Boolean is needed"),
        ("init !@p;", "this is a value of {u, v} where a Boolean is needed"),
        ("init @b + 1 = 2;", "this is a Boolean where an integer is needed"),
        ("init @p + 1 = 2;", "where an integer is needed"),
        ("init -@u = 2;", "where an integer is needed"),
        ("init @b = 1;", "cannot compare a Boolean with an integer"),
        ("init @b < b;", "only `=` and `!=` can"),
        ("init @p < v;", "only `=` and `!=` can"),
        ("init @p = 1;", "cannot compare a value of {u, v} with an integer"),
        ("init @p = q;", "cannot compare a value of {u, v} with a value of {w, u}"),
        ("init @p = w;", "cannot compare a value of {u, v} with a value of {w, u}"),
        ("init (if b then x else @b) = 1;", "`then` gives an integer and `else` gives a Boolean"),
        ("init (if b then p else @q) = u;", "`then` gives a value of {u, v}"),
        ("init (if @x then 1 else 2) = x;", "where a Boolean is needed"),
        ("safety s: @x + 1;", "where a Boolean is needed"),
        ("trans t: @x -> x := 1;", "where a Boolean is needed"),
        ("trans t: b -> x := @b;", "where an integer is needed"),
        ("trans t: b -> x := @p;", "where an integer is needed"),
        ("trans t: b -> b := @1;", "where a Boolean is needed"),
        ("trans t: b -> p := @1;", "this is an integer, but `p` is one of {u, v}"),
        ("trans t: b -> p := @q;", "but `p` is one of {u, v}"),
        ("trans t: b -> p := @w;", "but `p` is one of {u, v}"),
        ("trans t: b -> p := nondet(@0..1);", "write `nondet` without a range"),
        ("trans t: b -> b := nondet(@0..1);", "write `nondet` without a range"),
        ("control m : {k, l} = @0;", "but `m` is one of {k, l}"),
        ("var c : bool = @0;", "where a Boolean is needed"),
        ("const C = @true;", "where an integer is needed"),
        ("control c : @int;", "a control variable needs a finite type"),
        ("init x = a[@b];", "where an integer is needed"),
    ],
)
def test_wrong_type(text: str, message: str) -> None:
    check(text, message)
    check(text, "wrong type")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("init @a[3] = 1;", "index out of range: `a[3]`, but the indices of `a` are 1..2"),
        ("init @a[0] = 1;", "index out of range"),
        ("trans t: b -> @a[N + 1] := 1;", "index out of range"),
        (
            "init forall i in 1..N : @a[i+1] = 0;",
            "index out of range: `a[3]`, but the indices of `a` are 1..2 (where i = 2)",
        ),
        ("init a[@x] = 1;", "the index of `a` must be constant"),
        ("trans t: b -> a[@y] := 1;", "the index of `a` must be constant"),
        ("init @a = 1;", "`a` is an array; give it an index, as in `a[1]`"),
        ("trans t: b -> @a := 1;", "`a` is an array"),
        ("init @x[1] = 1;", "`x` is not an array"),
        ("init @N[1] = 1;", "`N` is not an array"),
        ("process P[i in 1..2] { t: b -> @i[1] := 1; }", "`i` is not an array"),
        ("trans t: b -> @N := 1;", "`N` is not a variable and cannot be assigned"),
        ("trans t: b -> @u := 1;", "`u` is not a variable and cannot be assigned"),
        ("process P[i in 1..2] { t: b -> @i := 1; }", "`i` is not a variable and cannot be assigned"),
    ],
)
def test_misused_arrays_and_names(text: str, message: str) -> None:
    check(text, message)


@pytest.mark.parametrize(
    "text",
    [
        "init forall i in @2..1 : b;",
        "init exists i in 1..2, j in @i..1 : b;",
        "var c[@1..0] : int;",
        "control c : @5..4;",
        "trans t: b -> x := nondet(@N..0);",
        "process P[i in @N..1] { t: b -> x := 1; }",
    ],
)
def test_empty_range(text: str) -> None:
    check(text, "empty range")


@pytest.mark.parametrize(
    "text",
    [
        "init forall i in 1..@x : b;",
        "control c : @y..4;",
        "trans t: b -> x := nondet(0..@y);",
        "var c[1..@x] : int;",
    ],
)
def test_bounds_are_constant(text: str) -> None:
    check(text, "the bound of a range must be constant")


@pytest.mark.parametrize(
    "text",
    ["init @deadlock;", "trans t: !@deadlock -> x := 1;", "trans t: b -> b := @deadlock;"],
)
def test_deadlock_belongs_to_properties(text: str) -> None:
    check(text, "`deadlock` can only be used in a safety property")


def test_a_mistake_that_only_some_instances_make_is_found() -> None:
    check("process P[i in 1..2] { t: 4 div (@2 - i) = x -> x := 1; }", "(where i = 2)")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("init false && @zz;", "unknown name"),
        ("init true || @x;", "wrong type"),
        ("trans t: false -> p := @b;", "wrong type"),
    ],
)
def test_irrelevant_parts_are_still_checked_for_names_and_types(text: str, message: str) -> None:
    check(text, message)


@pytest.mark.parametrize(
    "text",
    [
        "var big[1..100000000000] : int;",
        "init forall i in 1..10000, j in 1..10000 : i <= j || x = 1;",
        "process P[i in 1..2000000] { }",
    ],
)
def test_an_expansion_without_bounds_is_refused(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pincer.frontends.gcl.expressions.LIMITS", ExpansionLimits(instances=1000))
    with pytest.raises(UnsupportedError, match="expands to more than 1,000 instances"):
        parse_program(DECLARATIONS + text, "test.gcl")


def test_what_a_constant_makes_irrelevant_may_leave_the_array() -> None:
    program = parse(
        "const N = 2; var a[1..N] : int;"
        "process P[i in 1..N] { push: i < N && a[i] > 0 -> a[i] := 0, a[i+1] := a[i]; }"
        "safety sorted: forall i in 1..N : i < N => a[i] <= a[i + 1];"
        "safety some: exists i in 1..N : if i = N then false else a[i] = a[i+1];"
        "safety other: forall i in 1..N : i = N || 7 div (N - i) = a[i];"
    )
    assert [formula_text(p.formula, program) for p in program.properties] == [
        "a[1] <= a[2]",
        "a[1] = a[2]",
        "7 = a[1]",
    ]
    first, last = program.transitions
    assert [name for name, _ in first.assignments] == ["a[1]", "a[2]"]
    assert (last.guard, last.assignments) == (Truth(False), ())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("b", is_("b", 1)),
        ("!b", Not(is_("b", 1))),
        ("b = false", is_("b", 0)),
        ("b != true", Comparison("!=", VariableRef("b"), Number(1))),
        ("b = c", Comparison("=", VariableRef("b"), VariableRef("c"))),
        ("b = (x = 1)", Connective("<=>", (is_("b", 1), is_("x", 1)))),
        ("b != (x = 1)", Not(Connective("<=>", (is_("b", 1), is_("x", 1))))),
        ("(x < 1) != true", Not(Comparison("<", VariableRef("x"), Number(1)))),
        ("(x < 1) = true", Comparison("<", VariableRef("x"), Number(1))),
        ("b <=> c", Connective("<=>", (is_("b", 1), is_("c", 1)))),
        (
            "if b then c else x = 1",
            Connective(
                "&&",
                (
                    Connective("=>", (is_("b", 1), is_("c", 1))),
                    Connective("=>", (Not(is_("b", 1)), is_("x", 1))),
                ),
            ),
        ),
        ("if b then true else c", Connective("=>", (Not(is_("b", 1)), is_("c", 1)))),
        (
            "(if b then 1 else x) = 2",
            Comparison("=", Conditional(is_("b", 1), Number(1), VariableRef("x")), Number(2)),
        ),
    ],
)
def test_booleans_become_formulas(text: str, expected: Formula) -> None:
    assert guard(text) == expected


@pytest.mark.parametrize(
    ("declaration", "text", "expected"),
    [
        ("var b : bool; var x : int;", "b := x = 1", Conditional(is_("x", 1), Number(1), Number(0))),
        ("var b : bool;", "b := true", Number(1)),
        ("var b, c : bool;", "b := c", Conditional(is_("c", 1), Number(1), Number(0))),
        ("var b : bool;", "b := nondet", GuardedChoice(0, 1)),
        ("control p : {u, v, w};", "p := w", Number(2)),
        ("control p : {u, v, w};", "p := nondet", GuardedChoice(0, 2)),
        ("control p, q : {u, v};", "p := q", VariableRef("q")),
        (
            "control p : {u, v};",
            "p := if p = u then v else u",
            Conditional(is_("p", 0), Number(1), Number(0)),
        ),
        ("control r : -1..4;", "r := nondet", GuardedChoice(-1, 4)),
        ("control r : -1..4;", "r := nondet(0..2)", GuardedChoice(0, 2)),
        ("var x : int;", "x := nondet(-2..1)", GuardedChoice(-2, 1)),
        ("var x : int; control r : 1..3;", "x := r + 1", Arithmetic("+", VariableRef("r"), Number(1))),
        ("var x : int; control r : 1..3;", "r := x", VariableRef("x")),
    ],
)
def test_assignments_take_the_type_of_their_variable(
    declaration: str, text: str, expected: Expression | GuardedChoice
) -> None:
    assert assigned(text, declaration) == expected


def test_a_name_of_several_enumerations_is_resolved_by_what_it_meets() -> None:
    declarations = "var x : int; control p : {a, b}; control q : {c, b, a};"
    assert guard("p = b", declarations) == is_("p", 1)
    assert guard("a = q", declarations) == Comparison("=", Number(2), VariableRef("q"))
    assert guard("q != (if x = 0 then a else c)", declarations) == Comparison(
        "!=", VariableRef("q"), Conditional(is_("x", 0), Number(2), Number(0))
    )
    assert guard("a = b", declarations) == Truth(False)
    assert guard("a = a", declarations) == Truth(True)
    assert assigned("q := b", declarations) == Number(1)
