"""Memory errors are confirmed by the sanitizers or by the crash itself, and by nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace

from pincer.evidence.c.compiler import can_build, find_compiler
from pincer.evidence.c.execution import OBJECT_CHECKS, confirm
from pincer.evidence.c.failures import FailureKind
from tests.evidence.c.recorded_tests import integer, needs_compiler, recorded, written

HAS_SANITIZER = find_compiler() is not None and can_build(find_compiler() or (), (OBJECT_CHECKS,))
pytestmark = needs_compiler
needs_sanitizer = pytest.mark.skipif(not HAS_SANITIZER, reason="the compiler has no AddressSanitizer")

HEAD = "#include <stdlib.h>\nextern int __VERIFIER_nondet_int(void);\nint main(void) {\n"
ERRORS = {
    "heap-buffer-overflow": "int *p = malloc(16);\np[__VERIFIER_nondet_int()] = 1;",
    "heap-use-after-free": "int *p = malloc(16); free(p);\nreturn p[__VERIFIER_nondet_int() - 4];",
    "double-free": "int *p = malloc(16); free(p);\nfree(p);",
    "not malloc": "int a[4];\nfree(a);",
    "stack-use-after-scope": "int *p; { int x; p = &x; }\nreturn *p;",
    "out of bounds": "int a[4];\nreturn a[__VERIFIER_nondet_int()];",
    "index 4 out of bounds": "struct { char a[4], b[4]; } s;\ns.a[__VERIFIER_nondet_int()] = 1;",
    "division by zero": "int x = __VERIFIER_nondet_int();\nreturn 8 / (x - 4);",
    "not a valid value": "union { char c; _Bool b; } u; u.c = __VERIFIER_nondet_int();\nreturn u.b;",
    "null pointer": "int *p = 0;\nreturn *p;",
    "SEGV": 'char *s = "text";\n*s = 1;',
}


@needs_sanitizer
@pytest.mark.parametrize("error", ERRORS)
def test_a_memory_error_is_confirmed_at_its_line(tmp_path: Path, error: str) -> None:
    source = written(tmp_path, HEAD + ERRORS[error] + "\n}\n")
    answer = confirm(recorded(integer(4), kind="memory", line=5), source)
    assert answer.status == "confirmed"
    assert error in answer.detail
    assert answer.detail.endswith("at line 5")


@needs_sanitizer
@pytest.mark.parametrize("size", [0, 4])
@pytest.mark.parametrize("made", ["malloc(n)", "calloc(n, 2)", "calloc(2, n)", "realloc(0, n)"])
def test_objects_without_bytes_are_not_used(tmp_path: Path, made: str, size: int) -> None:
    body = (
        f"int n = __VERIFIER_nondet_int(); char *p = {made}; p = realloc(malloc(n), 8); p[7] = 0; free(p); p = {made};"
    )
    source = written(tmp_path, f"{HEAD}{body}\n*p = 1;\n}}\n")
    answer = confirm(recorded(integer(size), kind="memory", line=5), source)
    assert (answer.status == "confirmed") is (size == 0)
    assert size or "use of an object without bytes at line 5" in answer.detail


@needs_sanitizer
def test_objects_of_a_programs_own_allocator_are_left_alone(tmp_path: Path) -> None:
    own = "static char room[64]; void *malloc(__SIZE_TYPE__ n) { return room; }\n"
    source = written(tmp_path, own + HEAD.partition("\n")[2] + "char *p = malloc(0);\n*p = 1; return 0;\n}\n")
    assert confirm(recorded(integer(0), kind="memory", line=5), source).status == "not confirmed"


@needs_sanitizer
def test_objects_without_an_initial_value_are_guarded(tmp_path: Path) -> None:
    text = "extern int __VERIFIER_nondet_int(void);\nint a[2];\nint b[2];\n"
    text += "int main(void) {\nint *p = a; return p[__VERIFIER_nondet_int()];\n}\n"
    answer = confirm(recorded(integer(4), kind="memory", line=5), written(tmp_path, text))
    assert answer.status == "confirmed" and "global-buffer-overflow" in answer.detail


@pytest.mark.parametrize(
    "body",
    [
        "int *p = malloc(16); p[3] = 1; free(p); return 0;",
        "int m[2][3] = {0}; int i = 4; return m[0][i];",
        "struct s { int a, b; } *p = 0; return (int)(long)&p->b - 4;",
        "int big = 2147483647; return big + 1 < 0 ? 0 : 1;",
        "malloc(16); return 0;",
        "abort();",
    ],
    ids=["in bounds", "inside the object", "address only", "wrap-around", "leak", "abort"],
)
def test_what_is_no_memory_error_of_the_model_is_not_confirmed(tmp_path: Path, body: str) -> None:
    source = written(tmp_path, HEAD + body + "\n}\n")
    assert confirm(recorded(kind="memory", line=9), source).status == "not confirmed"


def test_endless_recursion_is_no_memory_error(tmp_path: Path) -> None:
    text = "int f(int n) { volatile int a[100]; a[0] = n; return f(n + 1) + a[0]; }\nint main(void) { return f(0); }\n"
    assert confirm(recorded(kind="memory", line=1), written(tmp_path, text)).status == "not confirmed"


def test_an_array_check_elsewhere_does_not_hide_the_violation(tmp_path: Path) -> None:
    body = "int m[2][3] = {0}; int i = 4; int *p = 0; i = m[0][i];\nreturn *p;"
    answer = confirm(recorded(kind="memory", line=5), written(tmp_path, HEAD + body + "\n}\n"))
    assert answer.status == "confirmed"


def test_without_sanitizers_a_crash_confirms(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    without = tmp_path / "compiler"
    without.write_text('#!/bin/sh\ncase "$*" in *-fsanitize*) exit 1;; esac\nexec cc "$@"\n', encoding="utf-8")
    without.chmod(0o755)
    monkeypatch.setenv("CC", str(without))
    for error, name in (("null pointer", "SIGSEGV"), ("division by zero", "SIGFPE")):
        source = written(tmp_path, HEAD + ERRORS[error] + "\n}\n")
        answer = confirm(recorded(integer(4), kind="memory", line=5), source)
        assert answer.status == "confirmed"
        assert name in answer.detail


@pytest.mark.parametrize("pointer", ["0", "(int (*)(int))&data"])
@pytest.mark.parametrize(
    ("kind", "line", "status"),
    [
        (FailureKind.CALL, 4, "confirmed"),
        (FailureKind.CALL, 8, "not confirmed"),
        (FailureKind.DEREFERENCE, 8, "not confirmed"),
    ],
)
def test_a_call_of_what_is_no_function_is_confirmed_at_the_call(
    tmp_path: Path, pointer: str, kind: FailureKind, line: int, status: str
) -> None:
    text = f"""static int data = 1;
static int (*get)(int) = {pointer};
static int use(int x) {{
    return get(x);
}}
int main(void) {{
    data++;
    return use(3);
}}
"""
    claimed = recorded(kind="memory", line=line)
    claimed = replace(claimed, failure=replace(claimed.failure, kind=kind))
    assert confirm(claimed, written(tmp_path, text)).status == status


def test_a_crash_does_not_confirm_an_assertion(tmp_path: Path) -> None:
    source = written(tmp_path, HEAD + ERRORS["null pointer"] + "\n}\n")
    answer = confirm(recorded(line=5), source)
    assert answer.status == "not confirmed"
    assert "SIGSEGV" in answer.detail


def test_an_assertion_does_not_confirm_a_memory_error(tmp_path: Path) -> None:
    answer = confirm(recorded(kind="memory"), written(tmp_path, "int main(void) { reach_error(); }\n"))
    assert answer.status == "not confirmed"
    assert answer.detail == "not confirmed: reached reach_error, another failure than the violation"


@needs_sanitizer
@pytest.mark.parametrize("call", ['strcpy(s.a, "abcd")', 'sprintf(s.a, "%d", 1234)', 'snprintf(s.a, 8, "abcd")'])
def test_a_text_that_is_too_long_for_a_member_is_seen_by_the_checks_of_the_c_library(tmp_path: Path, call: str) -> None:
    head = "#include <stdio.h>\n#include <string.h>\nstruct { char a[4], b[4]; } s; int main(void) {\n"
    text = f"{head}  {call};\n}}\n"
    test = recorded(kind="memory", line=4)
    claimed = replace(test, failure=replace(test.failure, kind=FailureKind.BOUNDS))
    answer = confirm(claimed, written(tmp_path, text))
    assert answer.status == "confirmed" and answer.detail.endswith("at line 4")


@needs_sanitizer
def test_what_is_no_character_is_seen_by_a_function_of_the_test(tmp_path: Path) -> None:
    text = "#include <ctype.h>\nint main(void) {\n  char c = -20;\n  return isspace(c) != 0;\n}\n"
    test = recorded(kind="memory", line=4)
    claimed = replace(test, failure=replace(test.failure, kind=FailureKind.CHARACTER))
    assert confirm(claimed, written(tmp_path, text)).status == "confirmed"
