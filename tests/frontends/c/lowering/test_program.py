"""The shape of the automata: registers and objects, decisions, checks, lifetimes, what is left out."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Assume,
    Begin,
    Call,
    Check,
    Copy,
    End,
    Fail,
    Halt,
    Input,
    Skip,
    Store,
    Unsupported,
)
from tests.frontends.c.lowered_c import labels, lowered, outcome, result_of


def test_scalars_live_in_registers_unless_their_address_is_used(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int g, h; int main(void) { int x = 1, y = 2; int *p = &y, *q = &h; return x + g; }")
    places = {variable.name: variable.register is not None for variable in program.variables}
    assert places == {"g": True, "h": False, "x": True, "y": False, "p": True, "q": True}


def test_a_name_is_taken_only_where_it_means_that_variable(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int x; int main(void) { { int x = 1; int *p = &x; *p = 2; } x = 3; return x; }")
    assert [v.register is not None for v in program.variables if v.name == "x"] == [False, True]


def test_initial_values_of_global_registers(tmp_path: Path) -> None:
    program = lowered(tmp_path, "short g = -2; int z; int main(void) { return g + z; }")
    assert {str(register): value for register, value in program.initial.items()} == {"g": 0xFFFE, "z": 0}


def test_locals_of_a_procedure_that_is_not_recursive_have_fixed_addresses(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int f(void) { int a[2]; a[0] = 1; return a[0]; } int main(void) { return f() + f(); }")
    (begin,), (end,) = labels(program, Begin, "f"), labels(program, End, "f")
    assert end.address.args[0] == begin.address
    assert not labels(program, Allocate)


@pytest.mark.parametrize(
    "calls", ["f(n - 1)", "g(n)", "(*p)(n - 1)"], ids=["directly", "through another", "through a pointer"]
)
def test_locals_of_a_recursive_procedure_are_new_objects(calls: str, tmp_path: Path) -> None:
    program = lowered(
        tmp_path,
        f"""int f(int n); int (*p)(int) = f; int g(int n) {{ return f(n - 1); }}
        int f(int n) {{ int a[2]; a[0] = n; if (n > 0) {calls}; return a[0]; }} int main(void) {{ return f(3); }}""",
    )
    assert [label.storage for label in labels(program, Allocate, "f")] == ["stack"]
    assert not labels(program, Begin, "f")


def test_activations_of_a_recursive_procedure_do_not_share_objects(tmp_path: Path) -> None:
    program = """long long result;
    void f(int n, int *up) { int a[1] = {n}; if (n) f(n - 1, a); if (up) result += *up * 10 + a[0]; }
    int main(void) { f(3, 0); return 0; }"""
    assert result_of(tmp_path, program) == (1 * 10 + 0) + (2 * 10 + 1) + (3 * 10 + 2)


def test_thread_functions_may_be_active_several_times(tmp_path: Path) -> None:
    program = lowered(
        tmp_path,
        """#include <pthread.h>
        void *work(void *p) { int a[2] = {0}; return a; }
        int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); return 0; }""",
    )
    assert labels(program, Allocate, "work") and not labels(program, Begin, "work")


def test_a_simple_condition_is_one_decision_with_complementary_sides(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int main(void) { int a = 1, b = 2; if (a < b && (a || !b)) return 1; return 0; }")
    yes, no = labels(program, Assume)
    assert (yes.branch, no.branch) == (True, False)
    assert str(no.condition) != str(yes.condition)


def test_a_condition_that_dereferences_checks_only_where_it_is_evaluated(tmp_path: Path) -> None:
    text = """int main(int c, char **v) { int x = 1, *p = c > 1 ? &x : 0; if (p && *p) return 1; return 0; }"""
    program = lowered(tmp_path, text)
    (check,) = labels(program, Check)
    assert "main::p, 0" in str(check.condition)
    assert outcome(tmp_path, text).stop.kind == "halt"


def test_a_condition_that_calls_is_control_flow(tmp_path: Path) -> None:
    text = "int f(void) { return 1; } int main(int c, char **v) { if (c > 1 && f()) return 1; return 0; }"
    program = lowered(tmp_path, text)
    assert len([label for label in labels(program, Assume) if label.branch is not None]) == 3


@pytest.mark.parametrize(
    ("condition", "sides"),
    [
        ("f() && g()", [None, False, True, False]),
        ("f() || g()", [True, None, True, False]),
        ("!f()", [False, True]),
        ("!(f() && g())", [None, True, False, True]),
        ("f() ? g() : 1", [None, None, True, False]),
    ],
)
def test_a_way_out_of_a_condition_tells_its_truth_once_it_is_settled(
    condition: str, sides: list[bool | None], tmp_path: Path
) -> None:
    text = f"int f(void); int g(void); int main(void) {{ if ({condition}) return 1; return 0; }}"
    found = [label.branch for label in labels(lowered(tmp_path, text), Assume, "main")]
    assert found == sides


def test_the_access_of_an_alternative_is_checked_once(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int f(int *p) { int x = *p; if (*p == 1 || *p == 2) return x; return 0; }", entry="f")
    assert len([label for label in labels(program, Assume) if label.branch]) == 1
    assert len(labels(program, Check)) == 1


def test_constant_decisions_leave_no_edges(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int main(void) { if (sizeof(int) == 8) return 1; while (1) { break; } return 0; }")
    assert not labels(program, Assume) and not labels(program, Skip)
    assert len(labels(program, Assign)) == 1


def test_loop_heads_are_the_targets_of_back_edges(tmp_path: Path) -> None:
    program = lowered(
        tmp_path,
        """int main(void) { int i = 0; while (i < 5) { do i++; while (i & 1); }
        back: if (i-- > 3) goto back; return 0; }""",
    )
    assert len(program.procedures["main"].loop_heads) == 3


def test_an_endless_empty_loop_stays_a_loop(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int main(void) { for (;;) ; }")
    (edge,) = program.procedures["main"].edges
    assert edge.source == edge.target


def test_named_objects_are_checked_only_where_the_offset_is_not_constant(tmp_path: Path) -> None:
    program = lowered(
        tmp_path,
        "int a[4]; struct { int x[2]; } s; int main(void) { int i = a[3] + s.x[1]; return a[i] + s.x[i & 1]; }",
    )
    messages = [label.message for label in labels(program, Check)]
    assert messages == ["invalid access to a[i]", "invalid access to s.x[i & 1]"]


def test_the_same_access_is_checked_once_until_something_changes(tmp_path: Path) -> None:
    text = "struct S { int a, b; }; int f(struct S *p, struct S *q) { p->a = 1; p->a = 2; %s return p->a; }"
    assert len(labels(lowered(tmp_path, text % "", entry="f"), Check)) == 1
    assert len(labels(lowered(tmp_path, text % "p = q;", entry="f"), Check)) == 2


def test_uninitialised_locals_are_undefined_only_where_they_may_be_read(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int main(int c, char **v) { int x, y, z; x = 1; if (c > 1) y = 2; return x + y; }")
    undefined = [label.source for label in labels(program, Input) if label.kind == "undefined"]
    assert undefined == ["uninitialised variable y"]


def test_a_jump_past_a_declaration_leaves_the_variable_undefined(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int main(void) { goto in; { int x = 1; in: return x; } }")
    assert [label.kind for label in labels(program, Input)] == ["undefined"]


def test_large_structures_are_copied_at_once(tmp_path: Path) -> None:
    program = lowered(tmp_path, "struct S { int a[100]; } x, y; int main(void) { x = y; return x.a[1]; }")
    assert len(labels(program, Copy)) == 1 and not labels(program, Store)


def test_a_structure_read_through_itself_is_copied_whole(tmp_path: Path) -> None:
    program = """struct N { struct N *next; int v; } a, b; long long result;
    int main(void) { struct N *p = &a; a.next = &b; b.next = 0; b.v = 7; *p = *p->next; result = a.v; return 0; }"""
    assert result_of(tmp_path, program) == 7


def test_dead_functions_may_contain_anything(tmp_path: Path) -> None:
    program = lowered(tmp_path, "double f(double x) { return x * undeclared; } int main(void) { return 0; }")
    assert list(program.procedures) == ["main"]


UNSUPPORTED = [
    ("double x = c; return x > 1;", "floating-point"),
    ('__asm__("nop"); return 0;', "inline assembly"),
    ("void *p = &&here; goto *p; here: return 0;", "label"),
    ("__int128 x = c; return x + 1 > 0;", "128-bit"),
    ("int b[25]; return setjmp(b);", "setjmp"),
]


@pytest.mark.parametrize(("body", "what"), UNSUPPORTED)
def test_constructs_that_are_not_modelled_end_the_path_where_they_are_used(
    body: str, what: str, tmp_path: Path
) -> None:
    text = f"int setjmp(int *); int main(int c, char **v) {{ if (c > 1) {{ {body} }} return 0; }}"
    program = lowered(tmp_path, text)
    assert what in labels(program, Unsupported)[0].what
    assert any(edge.target == program.procedures["main"].exit for edge in program.edges())


def test_an_assembly_barrier_does_nothing(tmp_path: Path) -> None:
    program = lowered(tmp_path, 'int main(void) { __asm__ volatile("" : : : "memory"); return 0; }')
    assert not labels(program, Unsupported)


def test_failures_and_ends(tmp_path: Path) -> None:
    program = lowered(
        tmp_path,
        """void abort(void); void reach_error(void) { abort(); } void __VERIFIER_error(void);
        int main(int c, char **v) { if (c == 1) reach_error(); if (c == 2) __VERIFIER_error(); if (c == 3) abort();
        if (c == 4) goto ERROR; return 0; ERROR: return 1; }""",
    )
    assert [label.message for label in labels(program, Fail)] == [
        "reach_error() is called",
        "__VERIFIER_error() is called",
        "the label ERROR is reached",
    ]
    assert [label.what for label in labels(program, Halt)] == ["abort"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int main(void) { return undeclared; }", "`undeclared` is not declared"),
        ("int main(void) { goto nowhere; }", "no label `nowhere`"),
        ("struct S; int main(void) { struct S s; return 0; }", "incomplete"),
        ("int main(void) { int x = 1; return x->y; }", "pointer to a structure"),
        ("struct S { int a; } s; int main(void) { return s.b; }", "no member `b`"),
        ("int main(void) { 3 = 4; return 0; }", "no object"),
        ("int main(void) { break; }", "outside a loop"),
        ("int f(void) { return 1; }", "no function `main`"),
    ],
)
def test_mistakes_have_a_position_and_a_reason(text: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(PincerError, match=message) as caught:
        lowered(tmp_path, text)
    assert caught.value.position is not None


WARNINGS = [
    "int main(void) { return undeclared_function(1, 2); }",
    "int main(void) { int *p = 5; char *q = p; return p == q; }",
    "main() { return 0; }",
    "f(a, b) int a; char *b; { return a + b[0]; } int main(void) { char c = 1; return f(1, &c, 3); }",
    "int f(int x) { if (x) return; } int main(void) { return f(1); }",
    "void f(void) { return 1; } int main(void) { f(); return 0; }",
    "int main(void) { const int c = 1; *(int *)&c = 2; return c; }",
]


@pytest.mark.parametrize("text", WARNINGS)
def test_what_compilers_only_warn_about_is_accepted(text: str, tmp_path: Path) -> None:
    assert "main" in lowered(tmp_path, text).procedures


def test_large_static_objects_get_larger_slots_in_32_bits(tmp_path: Path) -> None:
    small = lowered(tmp_path, "char a[100]; int main(void) { return a[1]; }", data_model="ILP32")
    large = lowered(tmp_path, "char a[100000]; int main(void) { return a[1]; }", data_model="ILP32")
    assert small.layout.slot_bits == 16
    assert large.layout.slot_bits > 17 and large.first_free < 1 << 31


def test_lowering_is_deterministic(tmp_path: Path) -> None:
    text = "int f(int x) { return x ? f(x - 1) : 0; } int main(void) { int a[3] = {1}; return f(a[0]); }"
    first, second = (lowered(tmp_path, text) for _ in range(2))
    assert [(e.source, e.target, e.label) for e in first.edges()] == [
        (e.source, e.target, e.label) for e in second.edges()
    ]
    assert [label.procedure for label in labels(first, Call)] == ["f", "f"]
