"""From a syntax tree to the flat program: what is expanded, and what is refused."""

from __future__ import annotations

import hashlib

import pytest

from pincer.errors import Position
from pincer.frontends.gcl import formula_text, parse_program
from pincer.program.guarded import (
    BOOL,
    Arithmetic,
    Comparison,
    Connective,
    Deadlock,
    FiniteType,
    GuardedChoice,
    IntType,
    Not,
    Number,
    VariableRef,
)
from tests.frontends.gcl.gcl_samples import DECLARATIONS, check, error, is_, parse


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


def test_the_property_name_range_is_reserved() -> None:
    check("safety @range: b;", "the property name `range` is reserved")


def test_define_of_an_unknown_constant() -> None:
    caught = error(DECLARATIONS, M=3)
    assert "does not define `M`; its constants are N" in caught.message
    assert caught.excerpt == "-D M=3"
    assert "it has no constants" in error("var x : int;", x=3).message


TICKET = """\
// comment          /* comment */
program ticket;

const N = 2;                                     // overridden by  -D N=3
var s : int = 0;
var t : int;                                     // no initialiser: any integer
var a[1..N] : int = 0;
control pc[1..N] : {idle, wait, crit} = idle;
var busy : bool = false;

init s = t;

process P[i in 1..N] {
  take:  pc[i] = idle             -> a[i] := t, t := t + 1, pc[i] := wait;
  enter: pc[i] = wait && a[i] <= s -> pc[i] := crit;
  leave: pc[i] = crit             -> s := s + 1, a[i] := nondet, pc[i] := idle;
}

trans reset: s > 100 && !busy -> s := 0, t := nondet(0..7);

safety mutex: forall i in 1..N, j in 1..N : i < j => !(pc[i] = crit && pc[j] = crit);
safety live : !deadlock;
"""

MUTEX = """\
program mutex;
var x, y : int;
var b : int = 0;
control pc1 : 1..3 = 1;
control pc2 : 1..3 = 1;
process P1 {
  t1: pc1 = 1 -> b := b + 1, pc1 := 2;
  t2: pc1 = 2 && x <= y && b = 2 -> pc1 := 3;
  t3: pc1 = 3 -> x := nondet, pc1 := 2;
}
process P2 {
  t4: pc2 = 1 -> b := b + 1, pc2 := 2;
  t5: pc2 = 2 && x > y && b = 2 -> pc2 := 3;
  t6: pc2 = 3 -> y := nondet, pc2 := 2;
}
safety mutual_exclusion: !(pc1 = 3 && pc2 = 3);
"""

PARITY = """\
program parity;
var w : int = 0;  var z : int = 1;  control pc : {run, bad} = run;
trans step: pc = run -> w := w + 1, z := nondet;
trans hit : pc = run && 2*z = w -> pc := bad;
safety ok: pc != bad;
"""

PC = FiniteType(0, 2, ("idle", "wait", "crit"))


def test_ticket_has_its_variables_in_order_with_types_and_positions() -> None:
    program = parse(TICKET)
    assert [(v.name, v.type) for v in program.variables] == [
        ("s", IntType()),
        ("t", IntType()),
        ("a[1]", IntType()),
        ("a[2]", IntType()),
        ("pc[1]", PC),
        ("pc[2]", PC),
        ("busy", BOOL),
    ]
    assert program.variable("pc[2]").position == Position("test.gcl", 8, 9)
    assert [v.name for v in program.variables if v.finite] == ["pc[1]", "pc[2]", "busy"]


def test_ticket_expands_processes_instance_by_instance() -> None:
    program = parse(TICKET)
    assert [(t.name, t.process) for t in program.transitions] == [
        *((f"{name}[{i}]", "P") for i in (1, 2) for name in ("take", "enter", "leave")),
        ("reset", None),
    ]
    take = program.transitions[3]
    assert take.guard == is_("pc[2]", 0)
    assert take.assignments == (
        ("a[2]", VariableRef("t")),
        ("t", Arithmetic("+", VariableRef("t"), Number(1))),
        ("pc[2]", Number(1)),
    )
    assert take.position == Position("test.gcl", 14, 3)


def test_ticket_chooses_from_the_type_or_the_range() -> None:
    leave, reset = parse(TICKET).transitions[2], parse(TICKET).transitions[-1]
    assert leave.assignments[1] == ("a[1]", GuardedChoice(None, None))
    assert reset.assignments == (("s", Number(0)), ("t", GuardedChoice(0, 7)))
    assert reset.guard == Connective("&&", (Comparison(">", VariableRef("s"), Number(100)), Not(is_("busy", 1))))


def test_ticket_properties_keep_their_order_and_lose_their_constants() -> None:
    mutex, live = parse(TICKET).properties
    assert mutex.formula == Not(Connective("&&", (is_("pc[1]", 2), is_("pc[2]", 2))))
    assert (live.name, live.formula, live.position) == (
        "live",
        Not(Deadlock()),
        Position("test.gcl", 22, 8),
    )


def test_ticket_initialisers_and_init_are_conjoined() -> None:
    program = parse(TICKET)
    assert formula_text(program.init, program) == (
        "s = 0 && a[1] = 0 && a[2] = 0 && pc[1] = idle && pc[2] = idle && busy = false && s = t"
    )


def test_program_records_name_file_hash_and_constants() -> None:
    program = parse(TICKET)
    assert (program.name, program.file, program.constants) == ("ticket", "test.gcl", {"N": 2})
    assert program.sha256 == hashlib.sha256(TICKET.encode()).hexdigest()


def test_defines_override_constants_and_reach_those_that_depend_on_them() -> None:
    text = "const N = 2; const M = 2*N - 1; var a[0..M] : int;"
    assert parse(text).constants == {"N": 2, "M": 3}
    program = parse(text, N=2, M=1)
    assert program.constants == {"N": 2, "M": 1}
    assert parse(text, N=1).constants == {"N": 1, "M": 1}
    assert len(parse(TICKET, N=3).transitions) == 10
    assert isinstance(parse(TICKET, N=3).properties[0].formula, Connective)


def test_mutex_of_the_paper() -> None:
    program = parse(MUTEX)
    assert [v.name for v in program.variables] == ["x", "y", "b", "pc1", "pc2"]
    assert program.variable("pc1").type == FiniteType(1, 3)
    assert [(t.process, t.name) for t in program.transitions] == [
        *(("P1", f"t{k}") for k in (1, 2, 3)),
        *(("P2", f"t{k}") for k in (4, 5, 6)),
    ]
    assert formula_text(program.transitions[4].guard, program) == "pc2 = 2 && x > y && b = 2"
    assert program.properties[0].formula == Not(Connective("&&", (is_("pc1", 3), is_("pc2", 3))))


def test_parity() -> None:
    program = parse(PARITY)
    step, hit = program.transitions
    assert step.assignments[1] == ("z", GuardedChoice(None, None))
    assert formula_text(hit.guard, program) == "pc = run && 2 * z = w"
    assert program.properties[0].formula == Comparison("!=", VariableRef("pc"), Number(1))


def test_the_program_line_may_be_left_out() -> None:
    assert parse_program("var x : int;", "models/counter.gcl").name == "counter"


def test_declarations_may_use_what_follows_them() -> None:
    program = parse("safety p: x = N; trans t: x < N -> x := x + 1; var x : int = 0; const N = 3;")
    assert formula_text(program.properties[0].formula, program) == "x = 3"


def test_a_program_without_properties_is_accepted() -> None:
    assert parse("var x : int;").properties == ()


def test_several_parameters_give_one_instance_for_each_combination() -> None:
    program = parse("var x[1..3] : int; process P[i in 1..2, j in i+1..3] { move: x[i] < x[j] -> x[i] := x[j]; }")
    assert [t.name for t in program.transitions] == ["move[1,2]", "move[1,3]", "move[2,3]"]


def test_a_transition_name_of_several_processes_is_qualified() -> None:
    program = parse(
        "var x : int; process P[i in 1..1] { go: x = i -> x := 2; own: x = 0 -> x := 1; }"
        "process Q { go: x = 2 -> x := 0; } trans go: x = 5 -> x := 6;"
    )
    assert [t.name for t in program.transitions] == ["P.go[1]", "own[1]", "Q.go", "go"]
