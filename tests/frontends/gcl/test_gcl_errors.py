"""Mistakes in programs: each is reported where it stands, in words that say what to do."""

from __future__ import annotations

import pytest

from pincer.errors import PincerError, UnsupportedError
from pincer.frontends.gcl import parse_program

DECLARATIONS = """\
const N = 2; var x, y : int; var b : bool; var a[1..N] : int;
control p : {u, v}; control q : {w, u}; control r : 1..3;
"""


def error(text: str, **defines: int) -> PincerError:
    with pytest.raises(PincerError) as caught:
        parse_program(text, "test.gcl", defines)
    assert caught.value.position is not None
    assert caught.value.excerpt is not None
    return caught.value


def check(text: str, message: str) -> None:
    """`text` follows the declarations in line 3; the mistake is where `@` stands in it."""
    column = text.index("@") + 1
    line = text.replace("@", "", 1)
    caught = error(DECLARATIONS + line)
    assert message in caught.message
    assert str(caught.position) == f"test.gcl:3:{column}"
    assert caught.excerpt == line


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
    ("text", "message"),
    [
        ("var @x : int;", "`x` is already defined in line 1"),
        ("const @N = 3;", "`N` is already defined in line 1"),
        ("const @x = 3;", "already"),
        ("var @a : int;", "already"),
        ("var @u : int;", "`u` is already defined in line 2"),
        ("control m : {s, @x};", "`x` is already defined in line 1"),
        ("control m : {s, t, @s};", "value `s` is already defined"),
        ("control m : {s, t}; var @t : int;", "already defined in line 3"),
        ("init forall @x in 1..2 : b;", "`x` is already a variable"),
        ("init forall @N in 1..2 : b;", "`N` is already a constant"),
        ("init forall @u in 1..2 : b;", "`u` is already a value of an enumeration"),
        ("init forall i in 1..2, @i in 1..2 : b;", "`i` is already a name bound around it"),
        ("process P[i in 1..2] { t: exists @i in 1..2 : b -> x := 1; }", "already"),
        ("process P[@a in 1..2] { t: b -> x := 1; }", "already"),
        ("process P { t: b -> x := 1; @t: b -> x := 2; }", "the transition `t` is already defined"),
        ("trans t: b -> x := 1; trans @t: b -> x := 2;", "the transition `t` is already defined"),
        ("process P { } process @P { }", "the process `P` is already defined"),
        ("safety s: b; safety @s: !b;", "the property `s` is already defined"),
    ],
)
def test_redefinition(text: str, message: str) -> None:
    check(text, message)
    check(text, "redefinition")


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
    "text",
    [
        "trans t: b -> x := 1, @x := 2;",
        "trans t: b -> a[1] := 1, @a[N - 1] := 2;",
        "process P[i in 1..2] { t: b -> a[i] := 1, @a[2] := 2; }",
    ],
)
def test_variable_assigned_twice(text: str) -> None:
    check(text, "is assigned twice in one transition")


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
    ("text", "message"),
    [
        ("trans t: b -> r := @4;", "4 is not in 1..3, the type of `r`"),
        ("trans t: b -> r := @N - 2;", "0 is not in 1..3"),
        ("control c[0..1] : 0..1 = @2;", "2 is not in 0..1, the type of `c`"),
        ("control c : 0..1 = @-1;", "-1 is not in 0..1"),
        ("trans t: b -> r := nondet(@0..2);", "0..2 is not within 1..3, the type of `r`"),
        ("trans t: b -> r := nondet(@3..4);", "3..4 is not within 1..3"),
    ],
)
def test_constant_out_of_range(text: str, message: str) -> None:
    check(text, message)
    check(text, "out of range")


def test_an_initialiser_is_constant() -> None:
    check("var z : int = @x;", "write the relation as `init ...;`")


@pytest.mark.parametrize(
    "text",
    ["init @deadlock;", "trans t: !@deadlock -> x := 1;", "trans t: b -> b := @deadlock;"],
)
def test_deadlock_belongs_to_properties(text: str) -> None:
    check(text, "`deadlock` can only be used in a safety property")


def test_the_property_name_range_is_reserved() -> None:
    check("safety @range: b;", "the property name `range` is reserved")


def test_define_of_an_unknown_constant() -> None:
    caught = error(DECLARATIONS, M=3)
    assert "does not define `M`; its constants are N" in caught.message
    assert caught.excerpt == "-D M=3"
    assert "it has no constants" in error("var x : int;", x=3).message


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
    monkeypatch.setattr("pincer.frontends.gcl.expressions.MAX_INSTANCES", 1000)
    with pytest.raises(UnsupportedError, match="expands to more than 1,000 instances"):
        parse_program(DECLARATIONS + text, "test.gcl")
