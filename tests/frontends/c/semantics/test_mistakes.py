"""What may be declared or changed only once or not at all is refused; what gcc accepts is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.program.control_flow import Input
from tests.frontends.c.lowered_c import labels, lowered, result_of

_MAIN = " int main(void) { return 0; }"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("int f(void) { return 1; } int f(void) { return 2; }" + _MAIN, "`f` has a body already"),
        ("int g = 1; int g = 2;" + _MAIN, "`g` has an initial value already"),
        ("struct S { int a; }; struct S { int b; };" + _MAIN, "`struct S` has members already"),
        ("struct S { int a; int a; };" + _MAIN, "the member `a` is declared twice"),
        ("struct S { int a; union { int b; char a; }; };" + _MAIN, "the member `a` is declared twice"),
        ("extern int v; char v;" + _MAIN, "`v` is declared as `char` here and as `int` at"),
        ("int f(int); int f(char *);" + _MAIN, "make the two agree"),
        ("int f(int); int f(int, int);" + _MAIN, "make the two agree"),
        ("int f(int); int *f(int x) { return 0; }" + _MAIN, "make the two agree"),
        ("int f(void); int f;" + _MAIN, "make the two agree"),
        ("int a[3]; int a[4];" + _MAIN, "make the two agree"),
        ("int main(void) { extern long main; return 0; }", "make the two agree"),
        ("int main(void) { int a = 1; int a = 2; return a; }", "`a` is declared twice in this block"),
        ("int main(void) { extern int a; static int a; return a; }", "`a` is declared twice in this block"),
        ("int main(int c, char **v) { int c = 1; return c; }", "`c` is declared twice in this block"),
        ("int main(void) { l: ; l: return 0; }", "the label `l` is there twice"),
    ],
)
def test_second_declarations_are_refused(tmp_path: Path, text: str, reason: str) -> None:
    with pytest.raises(PincerError, match=reason) as caught:
        lowered(tmp_path, text)
    assert caught.value.position is not None and caught.value.position.column > 1


@pytest.mark.parametrize(
    "text",
    [
        "int g; int g; extern int g; int g = 1; int g;",
        "extern int a[]; int a[3]; extern int a[];",
        "int f(); int f(int x) { return x; } int f();",
        "int f(int); int f(x) int x; { return x; }",
        "void f(int); f(int x) { }",
        "enum e { A }; enum e f(void); unsigned f(void);",
        "int f(const int); int f(int x) { return x; }",
        "extern inline __attribute__((gnu_inline)) int f(void) { return 1; } int f(void) { return 2; }",
        "inline int f(void) { return 1; } extern int f(void);",
        "void f(struct S { int a; } *p); void g(struct S { int a; } *p); struct S { int a; };",
        "typedef int T; typedef int T; struct S; struct S { int a; }; struct S;",
    ],
)
def test_declarations_that_go_together_are_accepted(tmp_path: Path, text: str) -> None:
    assert lowered(tmp_path, text + _MAIN).procedures


@pytest.mark.parametrize(
    "body",
    [
        "int f(void); int f(void); extern int h; extern int h; extern int g; extern int g; return f() + h + g;",
        "int a = n; { int a = 2; n += a; } for (int a = 0; a < n; a++) { int a = 3; n -= a; } return a;",
        "int a = ({ int b = n; b; }) + ({ int b = 2; b; }); if (({ int b = a; b; })) { int n = 1; a = n; } return a;",
        "switch (n) { case 1: { int a = n; n = a; } case 2: { int a = 2; n = a; } } return n;",
    ],
)
def test_blocks_have_names_of_their_own(tmp_path: Path, body: str) -> None:
    assert lowered(tmp_path, f"int g; int main(int n, char **v) {{ {body} }}").procedures


def test_declarations_of_the_users_own_replace_those_of_our_headers(tmp_path: Path) -> None:
    text = "#include <unistd.h>\n#include <time.h>\nextern int usleep(long); struct timespec { int other; };"
    assert lowered(tmp_path, text + _MAIN).procedures


def test_the_body_that_is_not_for_inlining_counts(tmp_path: Path) -> None:
    inlined = "extern inline __attribute__((gnu_inline)) int f(void) { return 1; }"
    text = f"long result; {inlined} int f(void) {{ return 2; }} int main(void) {{ result = f(); return 0; }}"
    assert result_of(tmp_path, text) == 2


@pytest.mark.parametrize(
    "body",
    [
        "const int c = 1; c = 2;",
        "const int c = 1; c++;",
        "const int c = 1; c += 2;",
        "int x, *const p = &x; p = 0;",
        "const int a[2][2] = {{1}}; a[0][1] = 2;",
        "const struct { int m; } s = {1}; s.m = 2;",
        "int x; const int *p = &x; *p = 2;",
        "int x; const int *p = &x; p[0] = 2;",
        "constant = 2;",
        "typedef const int T; T c = 1; c = 2;",
    ],
)
def test_constants_are_not_changed(tmp_path: Path, body: str) -> None:
    with pytest.raises(PincerError, match=r"cannot be changed: the declaration of `.*` says `const`"):
        lowered(tmp_path, f"const int constant = 1; int main(void) {{ {body} return 0; }}")


@pytest.mark.parametrize(
    "body",
    [
        "const int *p = 0; p = q; p++;",
        "const char *texts[2]; texts[0] = 0;",
        "*(int *)&c = 3;",
        "f(a, q);",
        "struct { const int *m; } s; s.m = q; s.m++;",
    ],
)
def test_what_only_points_to_constants_is_changed(tmp_path: Path, body: str) -> None:
    before = "void f(const int a[], const int *q) { a = q; q = a; } const int c; int main(void) { int a[2], *q = a; "
    assert lowered(tmp_path, f"{before}{body} return 0; }}").procedures


@pytest.mark.parametrize("call", ["none(1)", "one()", "one(1, 2)", "pointer(1)", "several()"])
def test_calls_have_the_arguments_that_prototypes_ask_for(tmp_path: Path, call: str) -> None:
    declared = "int none(void); int one(int); int several(int, ...); int (*pointer)(void);"
    with pytest.raises(PincerError, match=r"takes \d arguments?, not \d"):
        lowered(tmp_path, f"{declared} int main(void) {{ return {call}; }}")


@pytest.mark.parametrize("call", ["old(1, 2)", "older(1)", "several(1, 2, 3)", "implicit(1, 2)", "pointer(1)"])
def test_calls_without_a_prototype_have_any_arguments(tmp_path: Path, call: str) -> None:
    declared = "int old(); int older(a, b) int a, b; { return a; } int several(int, ...); int (*pointer)();"
    assert lowered(tmp_path, f"{declared} int main(void) {{ return {call}; }}").procedures


def test_a_label_may_have_the_name_of_a_type(tmp_path: Path) -> None:
    text = "typedef int T; long result; int main(void) { goto T; result = 1; if (0) T: result += 2; return 0; }"
    assert result_of(tmp_path, text) == 2


def test_labels_of_a_block_are_its_own(tmp_path: Path) -> None:
    skip = "({ __label__ out; int n = 1; if (x) goto out; n = 5; out: n; })"
    text = f"long result; int main(void) {{ int x = 1; result = {skip}; x = 0; result += 10 * {skip}; return 0; }}"
    assert result_of(tmp_path, text) == 51


def test_a_jump_to_the_label_of_a_block_skips_what_is_declared_there(tmp_path: Path) -> None:
    blocks = "{ __label__ out; goto out; int x = 5; out: n = x; } { __label__ out; goto out; out: ; }"
    program = lowered(tmp_path, f"int main(void) {{ int n; {blocks} return n; }}")
    assert "uninitialised variable x" in [label.source for label in labels(program, Input)]
