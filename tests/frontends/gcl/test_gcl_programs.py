"""What programs expand to."""

from __future__ import annotations

import hashlib

import pytest

from pincer.errors import Position
from pincer.frontends.gcl import expression_text, formula_text, parse_program
from pincer.program.guarded import (
    BOOL,
    Arithmetic,
    Choice,
    Comparison,
    Conditional,
    Connective,
    Deadlock,
    Expression,
    FiniteType,
    Formula,
    GuardedProgram,
    IntType,
    Not,
    Number,
    Truth,
    VariableRef,
)

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


def parse(text: str, **defines: int) -> GuardedProgram:
    return parse_program(text, "test.gcl", defines)


def guard(text: str, declarations: str = "var x, y : int; var b, c : bool;") -> Formula:
    return parse(f"{declarations} trans t: {text} -> x := x;").transitions[0].guard


def assigned(text: str, declarations: str) -> Expression | Choice:
    (_, value) = parse(f"{declarations} trans t: true -> {text};").transitions[0].assignments[0]
    return value


def is_(name: str, value: int) -> Comparison:
    return Comparison("=", VariableRef(name), Number(value))


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
    assert leave.assignments[1] == ("a[1]", Choice(None, None))
    assert reset.assignments == (("s", Number(0)), ("t", Choice(0, 7)))
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
    assert step.assignments[1] == ("z", Choice(None, None))
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


def test_array_indices_may_start_anywhere() -> None:
    program = parse("var a[-1..1] : int = 7; safety p: forall i in -1..0 : a[i] <= a[i + 1];")
    assert [v.name for v in program.variables] == ["a[-1]", "a[0]", "a[1]"]
    assert formula_text(program.properties[0].formula, program) == "a[-1] <= a[0] && a[0] <= a[1]"


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
    ("text", "expected"),
    [
        ("2 * 3 - 1 = 5", Truth(True)),
        ("-7 div 2 = -4", Truth(True)),
        ("-7 mod 2 = 1", Truth(True)),
        ("-(7 div 2) = -3", Truth(True)),
        ("x = 2 + 3 * 4", is_("x", 14)),
        ("true && x = 1", is_("x", 1)),
        ("x = 1 && false", Truth(False)),
        ("x = 1 || true", Truth(True)),
        ("x = 1 => false", Not(is_("x", 1))),
        ("x = 1 <=> false", Not(is_("x", 1))),
        ("true <=> x = 1", is_("x", 1)),
        ("!true", Truth(False)),
        ("(if 1 < 2 then x else y) = 1", is_("x", 1)),
        ("exists i in 1..3 : x = i && i > 2", is_("x", 3)),
        ("forall i in 1..1 : i = 2", Truth(False)),
        ("x + 0 = 1", Comparison("=", Arithmetic("+", VariableRef("x"), Number(0)), Number(1))),
    ],
)
def test_constants_are_folded_and_nothing_else(text: str, expected: Formula) -> None:
    assert guard(text) == expected


@pytest.mark.parametrize(
    ("declaration", "text", "expected"),
    [
        ("var b : bool; var x : int;", "b := x = 1", Conditional(is_("x", 1), Number(1), Number(0))),
        ("var b : bool;", "b := true", Number(1)),
        ("var b, c : bool;", "b := c", Conditional(is_("c", 1), Number(1), Number(0))),
        ("var b : bool;", "b := nondet", Choice(0, 1)),
        ("control p : {u, v, w};", "p := w", Number(2)),
        ("control p : {u, v, w};", "p := nondet", Choice(0, 2)),
        ("control p, q : {u, v};", "p := q", VariableRef("q")),
        (
            "control p : {u, v};",
            "p := if p = u then v else u",
            Conditional(is_("p", 0), Number(1), Number(0)),
        ),
        ("control r : -1..4;", "r := nondet", Choice(-1, 4)),
        ("control r : -1..4;", "r := nondet(0..2)", Choice(0, 2)),
        ("var x : int;", "x := nondet(-2..1)", Choice(-2, 1)),
        ("var x : int; control r : 1..3;", "x := r + 1", Arithmetic("+", VariableRef("r"), Number(1))),
        ("var x : int; control r : 1..3;", "r := x", VariableRef("x")),
    ],
)
def test_assignments_take_the_type_of_their_variable(
    declaration: str, text: str, expected: Expression | Choice
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


def test_equal_enumerations_are_one_type() -> None:
    assert guard("p = q", "var x : int; control p : {a, b}; control q : {a, b};") == Comparison(
        "=", VariableRef("p"), VariableRef("q")
    )


def test_expressions_have_a_text() -> None:
    program = parse(
        "var x, y : int; var b : bool; trans t: true -> x := -(x - (y - 2*x)) div 3 + (if b then 1 else y);"
    )
    (_, value) = program.transitions[0].assignments[0]
    assert not isinstance(value, Choice)
    assert expression_text(value, program) == "-(x - (y - 2 * x)) div 3 + (if b then 1 else y)"
