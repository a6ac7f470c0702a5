"""Calls: records by value, pointers to functions, functions without a body, the library, handlers of rules."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.frontends.c.lowering.hooks import Hook
from pincer.program.control_flow import Allocate, Assume, Call, Check, Free, Halt, Input, Unsupported
from pincer.program.thread_labels import Start, ThreadOperation
from tests.frontends.c.lowered_c import labels, lowered, result_of

RECORDS = """
struct P { int x, y; char tag[3]; }; long long result;
struct P make(int x) { struct P p = {x, x + 1, "ab"}; return p; }
int take(struct P p) { p.x += 100; return p.x + p.y; }
struct P swap(struct P p) { return (struct P){p.y, p.x}; }
"""


@pytest.mark.parametrize(
    ("body", "value"),
    [
        ("struct P p = make(3); result = p.x * 10 + p.y + p.tag[1];", 30 + 4 + 98),
        ("struct P p = {1, 2}; result = take(p) * 10 + p.x;", 1031),
        ("result = make(5).y;", 6),
        ("result = take(make(1)) + take(swap(make(2)));", 103 + 105),
        ("struct P a[2], *q = a; q[1] = swap(make(7)); result = a[1].x * 10 + a[1].y;", 87),
        ("struct P p = make(1), q = make(2); result = (result ? p : q).x;", 2),
        ("struct P (*f)(int) = make; result = f(4).x;", 4),
    ],
)
def test_records_are_passed_and_returned_by_value(body: str, value: int, tmp_path: Path) -> None:
    assert result_of(tmp_path, f"{RECORDS} int main(void) {{ {body} return 0; }}") == value


def test_a_call_through_a_pointer_has_one_branch_per_function_that_fits(tmp_path: Path) -> None:
    program = lowered(
        tmp_path,
        """int one(int a) { return 1; } int two(int a) { return 2; } int other(int a, int b) { return 3; }
        int never(int a) { return 4; } void *keep = other;
        int main(int c, char **v) { int (*f)(int) = c > 1 ? one : two; return f(0); }""",
    )
    assert sorted(label.procedure for label in labels(program, Call)) == ["one", "two"]
    (check,) = labels(program, Check)
    assert check.kind == "call"
    assert [label.branch for label in labels(program, Assume, "main")[-2:]] == [None, None]


def test_addresses_of_functions_are_told_apart(tmp_path: Path) -> None:
    program = """long long result; int one(void) { return 1; } int two(void) { return 2; }
    int (*table[])(void) = {one, two, &one};
    int main(void) { for (int i = 0; i < 3; i++) result = result * 10 + table[i]();
    result += 1000 * (table[0] == one) + 2000 * (*table[1] == one); return 0; }"""
    assert result_of(tmp_path, program) == 1121


def test_a_second_name_is_the_same_function(tmp_path: Path) -> None:
    program = """long long result; int g(void) { return 1; } int h(void) __attribute__((alias("g")));
    int main(void) { int (*p)(void) = h; result = h() * 10 + p() + 100 * (p == g); return 0; }"""
    assert result_of(tmp_path, program) == 111


def test_code_that_runs_before_main_is_not_passed_over(tmp_path: Path) -> None:
    program = lowered(tmp_path, "__attribute__((constructor)) void f(void); int main(void) { return 0; }")
    assert [label.what for label in labels(program, Unsupported)] == [
        "f, which runs without being called and has no body"
    ]


def test_a_function_without_a_body_returns_anything_and_is_named(tmp_path: Path) -> None:
    program = lowered(tmp_path, "int ext(int); int main(void) { ext(1); return ext(2) + ext(3); }")
    assert [label.kind for label in labels(program, Input)] == ["external"] * 3
    [assumed] = program.assumptions
    assert str(assumed) == "`ext` has no body here: it returns any value and touches no memory"


def test_a_function_that_does_not_return_ends_the_program(tmp_path: Path) -> None:
    program = lowered(tmp_path, "_Noreturn void stop(int); int main(void) { stop(1); return 0; }")
    assert [label.what for label in labels(program, Halt)] == ["stop"]


def test_output_changes_nothing_and_needs_no_assumption(tmp_path: Path) -> None:
    program = lowered(tmp_path, '#include <stdio.h>\nint main(void) { printf("%d", 3); puts("x"); return 0; }')
    assert not program.assumptions and not program.objects


def test_arguments_of_output_still_have_effects(tmp_path: Path) -> None:
    program = '#include <stdio.h>\nlong long result; int main(void) { printf("%d", (int)(result = 5)); return 0; }'
    assert result_of(tmp_path, program) == 5


@pytest.mark.parametrize(
    ("kind", "bits"), [("int", 32), ("uchar", 8), ("long", 64), ("bool", 8), ("pointer", 64), ("ushort", 16)]
)
def test_inputs_have_the_width_of_their_kind(kind: str, bits: int, tmp_path: Path) -> None:
    program = lowered(tmp_path, f"int main(void) {{ return __VERIFIER_nondet_{kind}() != 0; }}")
    (given,) = labels(program, Input)
    assert (given.register.sort.width, given.source, given.kind) == (bits, f"__VERIFIER_nondet_{kind}", "nondet")
    assert bool(labels(program, Assume)) == (kind == "bool")


def test_assumptions_end_the_paths_that_do_not_meet_them(tmp_path: Path) -> None:
    program = lowered(
        tmp_path,
        "void __VERIFIER_assume(int); int main(int c, char **v) { __VERIFIER_assume(c == 4 || c == 5); return c; }",
    )
    assert [label.branch for label in labels(program, Assume)[-1:]] == [None]


LIBRARY = [
    ('char b[20]; strcpy(b, "hello"); strcat(b, " you"); result = strlen(b) * 10 + (strcmp(b, "hello me") > 0);', 91),
    ("int a[4] = {1, 2, 3, 4}, b[4]; memcpy(b, a, sizeof b); memmove(a, a + 1, 12); result = b[3] * 10 + a[2];", 44),
    ("int n = 3; char b[5]; memset(b, 7, n); memset(b + n, 1, 2); result = b[2] * 10 + b[4];", 71),
    ("int *p = calloc(3, 4); p[1] = 5; p = realloc(p, 40); result = p[0] + p[1]; free(p);", 5),
    ('result = abs(-4) + labs(-5L) + atoi("12");', 21),
    ("int a[3] = {3, 1, 2}; qsort(a, 3, sizeof *a, compare); result = a[0] * 100 + a[1] * 10 + a[2];", 123),
    ("char *p = alloca(4); p[3] = 2; result = p[3];", 2),
    ("int x = 5; __sync_fetch_and_add(&x, 2); result = __sync_bool_compare_and_swap(&x, 7, 9) * 10 + x;", 19),
    ("int x; result = __builtin_add_overflow(2147483647, 1, &x) * 10 + (x < 0);", 11),
]


@pytest.mark.parametrize(("body", "value"), LIBRARY)
def test_library_functions(body: str, value: int, tmp_path: Path) -> None:
    head = """#include <string.h>\n#include <stdlib.h>\n#include <alloca.h>
    long long result; int compare(const void *a, const void *b) { return *(int *)a - *(int *)b; }"""
    assert result_of(tmp_path, f"{head} int main(void) {{ {body} return 0; }}") == value


def test_allocation_says_what_it_assumes(tmp_path: Path) -> None:
    program = lowered(tmp_path, "#include <stdlib.h>\nint main(void) { free(malloc(8)); return 0; }")
    assert [label.storage for label in labels(program, Allocate)] == ["heap"] and len(labels(program, Free)) == 1
    assert tuple(map(str, program.assumptions)) == ("memory allocation never fails for lack of memory",)


def test_the_program_s_own_function_comes_before_the_library_s(tmp_path: Path) -> None:
    program = 'long long result; int strlen(char *s) { return 77; } int main(void) { result = strlen("a"); return 0; }'
    assert result_of(tmp_path, program) == 77


def test_thread_functions_become_thread_calls(tmp_path: Path) -> None:
    program = lowered(
        tmp_path,
        """#include <pthread.h>
        pthread_mutex_t m; void *work(void *p) { pthread_mutex_lock(&m); return p; }
        void __VERIFIER_atomic_step(void) {}
        int main(void) { pthread_t t; int r = pthread_create(&t, 0, work, 0); __VERIFIER_atomic_step(); return r; }""",
    )
    names = [label.function for label in labels(program, ThreadOperation)]
    assert names == ["pthread_create", "__VERIFIER_atomic_begin", "__VERIFIER_atomic_end", "pthread_mutex_lock"]
    assert program.functions["work"] == labels(program, Start)[0].routine.args[0]


HANDLERS = """
long long result; int ext(int); int f(int a) { return a * 2; }
void before(int a) { result = result * 10 + a; } void after(int a, int r) { result = result * 100 + r; }
void entered(int a) { result = result * 10 + 1; } void left(int a, int r) { result = result * 10 + 2; }
int main(void) { int (*p)(int) = f; f(3); p(4); return 0; }
"""


def test_handlers_run_around_calls_and_inside_functions(tmp_path: Path) -> None:
    hooks = {"f": Hook("before", "after", "entered", "left")}
    assert result_of(tmp_path, HANDLERS, hooks=hooks) == 3120641208


def test_calls_of_functions_without_a_body_have_handlers_too(tmp_path: Path) -> None:
    program = lowered(
        tmp_path, HANDLERS.replace("f(3);", "ext(3);"), hooks={"ext": Hook(before="before", after="after")}
    )
    assert [label.procedure for label in labels(program, Call, "main")][:2] == ["before", "after"]


def test_a_once_routine_that_is_no_function_by_its_type_is_not_modelled(tmp_path: Path) -> None:
    text = "#include <pthread.h>\npthread_once_t o; void f(void) {} void *p = f;\n"
    program = lowered(tmp_path, text + "int main(void) { pthread_once(&o, p); return 0; }")
    assert "pthread_once" in labels(program, Unsupported)[0].what
