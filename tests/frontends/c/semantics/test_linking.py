"""What several files say about one name: joined as a linker does, compared as no compiler can."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.frontends.c.semantics.analysis import body
from tests.execution.interpreted import interpret
from tests.frontends.c.compiled_c import needs_compiler
from tests.frontends.c.linked_c import assert_same_result, linked, typed

MAIN = "int main(void) { return 0; }\n"
PROGRAMS = {
    "statics of two files are two objects": {
        "main.c": """
            long long result; int next(void); static int count = 10;
            static int step(void) { return ++count; }
            int main(void) { result = step(); result = result * 100 + next(); result = result * 100 + next();
              result = result * 100 + count; return 0; }""",
        "other.c": """
            static int count; static int step(void) { static int calls; return ++calls + count++; }
            int next(void) { return step(); }""",
    },
    "a hidden static stays hidden": {
        "main.c": """
            long long result; int f(int); static int x = 5; struct s { int x; };
            int g(int (*x)(int)) { return x(2); }
            int main(void) { struct s a = { .x = 3 }; { int x = 7; result = x + a.x; } result += 100 * x;
              { extern int x; result += 1000 * x; } for (int x = 0; x < 2; x++) result += x;
              enum e { y, z }; result = result * 10 + f(1) + g(f); return 0; }""",
        "other.c": "int x = 9; static int y = 4; int f(int x) { return x + y; }",
    },
    "tentative definitions are one object": {
        "main.c": """
            long long result; int shared; int set(void);
            int main(void) { shared++; result = set() + shared; return 0; }""",
        "other.c": "int shared; int set(void) { shared += 5; return shared; }",
        "more.c": "int shared = 30;",
    },
    "tags, typedefs and enumerators belong to their files": {
        "main.c": """
            struct s { char a; }; typedef char t; enum { N = 3 }; long long result; long other(void);
            int main(void) { result = sizeof(struct s) + 10 * sizeof(t) + 100 * N + 1000 * other(); return 0; }""",
        "other.c": """
            struct s { long a, b; }; typedef long t; enum { N = 4 };
            long other(void) { return sizeof(struct s) + 100 * sizeof(t) + 1000 * N; }""",
    },
    "records are passed between files": {
        "s.h": "struct s { int a; char b[5]; struct s *next; }; struct s made(struct s, int); extern struct s all[];",
        "main.c": """
            #include "s.h"
            long long result;
            int main(void) { struct s x = { 1, "ab", 0 }; struct s y = made(x, 4); all[1] = y;
              result = y.a + 10 * y.b[1] + 10000 * all[1].a + 100000 * all[0].a; return 0; }""",
        "other.c": """
            #include "s.h"
            struct s all[3] = { { 7 } };
            struct s made(struct s s, int n) { s.a += n; s.b[1]++; return s; }""",
    },
    "functions are called through pointers of another file": {
        "main.c": """
            long long result; typedef int (*step)(int); extern step steps[]; int twice(int);
            static int once(int x) { return x + 1; }
            int main(void) { for (int i = 0; i < 3; i++) result = result * 100 + steps[i](i); result += once(1);
              return 0; }
            int twice(int x) { return 2 * x; }""",
        "other.c": """
            typedef int (*step)(int); int twice(int); static int once(int x) { return x + 40; }
            step steps[] = { once, twice, once };""",
    },
    "inline functions have one body": {
        "m.h": "inline int m(int x) { return x * 3; } static inline int s(int x) { static int n; return x + ++n; }",
        "main.c": """
            #include "m.h"
            long long result; int f(int);
            int main(void) { result = m(2) + 100 * f(3); result += 10000 * s(0);
              result += 100000 * s(0); return 0; }""",
        "other.c": '#include "m.h"\nextern int m(int); int f(int x) { return m(x) + s(1); }',
    },
    "a weak definition gives way": {
        "main.c": """
            long long result; __attribute__((weak)) int f(void) { return 1; }
            __attribute__((weak)) int v = 1;
            int main(void) { result = f() + 10 * v; return 0; }""",
        "other.c": "int f(void) { return 2; } int v = 3;",
    },
    "the name of a function is as it was written": {
        "main.c": """
            int strcmp(const char *, const char *); long long result; int g(void);
            static int f(void) { return strcmp(__func__, "f"); }
            int main(void) { result = 10 + f() + g(); return 0; }""",
        "other.c": """
            int strcmp(const char *, const char *);
            static int f(void) { return strcmp(__func__, "f"); } int g(void) { return f(); }""",
    },
}


@needs_compiler
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_linked_program_computes_what_gcc_has_it_compute(name: str, tmp_path: Path) -> None:
    assert_same_result(tmp_path, PROGRAMS[name])


@pytest.mark.parametrize(
    ("one", "other", "message"),
    [
        ("int f(void) { return 1; }", "int f(void) { return 2; }", "`f` has a body already, at "),
        ("int x = 1;", "int x = 2;", "`x` is defined with an initial value in another file already, at "),
        ("int x = 1;", "int x(void) { return 2; }", "`x` is a variable here and a function at "),
    ],
)
def test_two_definitions_are_refused_with_both_places(tmp_path: Path, one: str, other: str, message: str) -> None:
    with pytest.raises(PincerError) as caught:
        linked(tmp_path, {"main.c": f"{MAIN}{one}", "other.c": other})
    assert message in str(caught.value)
    assert "main.c" in str(caught.value) and "other.c" in str(caught.value)


@pytest.mark.parametrize(
    ("declared", "defined", "text"),
    [
        ("extern unsigned x;", "int x = 1;", "`x` is `int` at "),
        ("extern int *x;", "char *x;", "`x` is `char *` at "),
        ("int f(char *);", "int f(int *p) { return *p; }", "`f` is `int (int *)` at "),
        ("struct s { int a; }; extern struct s x;", "struct s { int b; }; struct s x;", "`x` is `struct s` at "),
    ],
)
def test_types_that_differ_are_a_concern(tmp_path: Path, declared: str, defined: str, text: str) -> None:
    program = typed(tmp_path, {"main.c": f"{declared}{MAIN}", "other.c": defined})
    assert [str(concern).startswith(text) for concern in program.concerns] == [True]
    assert not program.unsupported
    assert ("with other members" in str(program.concerns[0])) is ("struct" in text)


@pytest.mark.parametrize(
    ("declared", "defined"),
    [
        ("extern long x;", "int x = 1;"),
        ("extern int x[4];", "int x[3];"),
        ("extern char *x;", "char x[8];"),
        ("int f(int);", "long f(int x) { return x; }"),
        ("int f(int);", "int f(int x, int y) { return x; }"),
        ("extern int x;", "_Thread_local int x;"),
        ("inline int f(void) { return 1; }", "int f(void) { return 2; }"),
    ],
)
def test_types_that_contradict_each_other_leave_the_program_open(tmp_path: Path, declared: str, defined: str) -> None:
    program = typed(tmp_path, {"main.c": f"{declared}\n{MAIN}", "other.c": defined})
    assert len(program.unsupported) == 1


@pytest.mark.parametrize(
    ("main", "other"),
    [
        (
            "struct t { int a; }; int f(struct t); int main(void) { struct t x = {1}; return f(x); }",
            "struct t { int a; long b; }; int f(struct t x) { return x.a; }",
        ),
        (
            "int f(int); int main(void) { return f(3); }",
            "struct t { int a[4]; } y; struct t f(int x) { return y; }",
        ),
        ("struct t { int a; }; struct t f(void); int main(void) { return f().a; }", "int f(void) { return 1; }"),
        ("struct t { int a, b; }; extern struct t x; int main(void) { return x.b; }", "int x = 3;"),
        ("extern int x; int main(void) { return x; }", "int x[4] = { 3 };"),
    ],
)
def test_what_contradicts_itself_is_lowered_and_left_open(tmp_path: Path, main: str, other: str) -> None:
    outcome = interpret(linked(tmp_path, {"main.c": main, "other.c": other}))
    assert outcome.stop.kind == "unsupported"
    assert "contradict each other" in outcome.stop.message


def test_an_external_declaration_in_a_function_is_linked(tmp_path: Path) -> None:
    text = "int f(void); int main(void) { extern int x; return x + f(); }"
    program = linked(tmp_path, {"main.c": text, "other.c": "int x = 4; int f(void) { extern int y; return y; }"})
    assert [variable.name for variable in program.variables if variable.scope is None] == ["x", "y"]
    assert [str(assumption)[:3] for assumption in program.assumptions] == ["`y`"]


@pytest.mark.parametrize(("header", "undeclared"), [("#include <string.h>\n", set()), ("", {"strlen"})])
def test_each_file_declares_the_library_functions_it_calls(header: str, undeclared: set[str], tmp_path: Path) -> None:
    files = {
        "main.c": "long long result; int f(const char *); int main(void) { result = f(0); return 0; }",
        "other.c": header + "int f(const char *p) { return p ? (int)strlen(p) : 0; }",
    }
    program = typed(tmp_path, files)
    body(program, "f")
    assert set(program.undeclared) == undeclared
