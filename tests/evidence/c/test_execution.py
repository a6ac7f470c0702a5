"""Violations are confirmed by compiled code alone: every test here builds and runs a real program."""

from __future__ import annotations

import json
import select
import subprocess
import sys
from pathlib import Path

import pytest

from pincer.evidence.c import compiler, execution
from pincer.evidence.c.execution import confirm
from pincer.evidence.c.trace import InputKind, from_json
from pincer.program.control_flow import LITERALS_ARE_APART
from tests.evidence.c.recorded_tests import NONDET, integer, needs_compiler, recorded, status_and_detail, value, written

pytestmark = needs_compiler
needs_32_bits = pytest.mark.skipif(
    not compiler.can_build(compiler.find_compiler() or ("false",), ("-m32",)), reason="no libraries for 32 bits"
)


def test_a_failing_assertion_is_reached(tmp_path: Path) -> None:
    text = "#include <assert.h>\n" + NONDET + "int main(void) {\n  assert(__VERIFIER_nondet_int() != -7);\n}\n"
    status, detail = status_and_detail(tmp_path, text, recorded(integer(-7), line=4))
    assert status == "confirmed"
    assert "line 4" in detail
    assert status_and_detail(tmp_path, text, recorded(integer(7), line=4))[0] == "contradicted"


def test_inputs_are_delivered_in_call_order_with_their_types(tmp_path: Path) -> None:
    text = (
        "extern unsigned char __VERIFIER_nondet_uchar(void);\nextern long __VERIFIER_nondet_long(void);\n"
        "extern _Bool __VERIFIER_nondet_bool(void);\nextern void reach_error(void);\n"
        "int main(void) { int a = __VERIFIER_nondet_uchar(); long b = __VERIFIER_nondet_long();\n"
        "  if (a == 200 && b == -5 && __VERIFIER_nondet_bool() == 1) reach_error(); }\n"
    )
    inputs = (
        value("__VERIFIER_nondet_uchar", 200, width=8),
        value("__VERIFIER_nondet_long", -5, width=64),
        value("__VERIFIER_nondet_bool", 1, width=8),
    )
    assert status_and_detail(tmp_path, text, recorded(*inputs))[0] == "confirmed"


def test_a_run_that_asks_for_another_input_has_diverged(tmp_path: Path) -> None:
    text = NONDET + "extern void reach_error(void);\nint main(void) { __VERIFIER_nondet_int(); reach_error(); }\n"
    status, detail = status_and_detail(tmp_path, text, recorded(value("__VERIFIER_nondet_uint", 1)))
    assert status == "contradicted"
    assert "left the recorded path" in detail
    assert "__VERIFIER_nondet_uint" in detail


def test_inputs_after_the_last_recorded_one_are_zero(tmp_path: Path) -> None:
    text = NONDET + "extern void reach_error(void);\n"
    text += "int main(void) { int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();\n"
    text += "  if (a == 1 && b == 0) reach_error(); }\n"
    assert status_and_detail(tmp_path, text, recorded(integer(1)))[0] == "confirmed"


@pytest.mark.parametrize("body", ["", "return;", "extern void abort(void); abort();", "for (;;) ;"])
def test_the_programs_own_reach_error_counts_whatever_its_body_does(tmp_path: Path, body: str) -> None:
    text = f"static void reach_error(void) {{ {body} }}\nint main(void) {{ reach_error(); return 0; }}\n"
    assert status_and_detail(tmp_path, text, recorded()) == (
        "confirmed",
        "confirmed by execution: reached reach_error at line 2",
    )


def test_reach_error_defined_in_a_header_counts(tmp_path: Path) -> None:
    (tmp_path / "errors.h").write_text("void reach_error(void) { }\n", encoding="utf-8")
    text = '#include "errors.h"\nint main(void) { reach_error(); return 0; }\n'
    assert status_and_detail(tmp_path, text, recorded())[0] == "confirmed"


def test_a_broken_assumption_confirms_nothing(tmp_path: Path) -> None:
    text = NONDET + "extern void __VERIFIER_assume(int), reach_error(void);\n"
    text += "int main(void) { __VERIFIER_assume(__VERIFIER_nondet_int() == 1); reach_error(); }\n"
    assert status_and_detail(tmp_path, text, recorded(integer(1)))[0] == "confirmed"
    status, detail = status_and_detail(tmp_path, text, recorded(integer(2)))
    assert status == "contradicted"
    assert "assumption" in detail


def test_a_program_cannot_pretend_to_fail(tmp_path: Path) -> None:
    text = "extern void exit(int);\nint main(void) { exit(97); }\n"
    assert status_and_detail(tmp_path, text, recorded())[0] == "contradicted"


def test_a_program_that_defines_write_and_exit_is_still_heard(tmp_path: Path) -> None:
    text = "long write(int a, const void *b, unsigned long c) { return 0; }\nvoid _exit(int s) { for (;;) ; }\n"
    text += "int main(void) { reach_error(); }\n"
    assert status_and_detail(tmp_path, text, recorded())[0] == "confirmed"


def test_functions_without_a_body_return_what_was_recorded(tmp_path: Path) -> None:
    text = "extern short probe(char *), rand(void);\nextern void notify(int);\nextern int limit;\n"
    text += "int main(void) { notify(1); if (probe(0) == -2 && rand() == 9 && limit == 0) reach_error(); }\n"
    inputs = (value("external probe", -2, "external", width=16), value("external rand", 9, "external", width=16))
    assert status_and_detail(tmp_path, text, recorded(*inputs))[0] == "confirmed"


def test_an_entry_function_is_called_with_its_recorded_arguments(tmp_path: Path) -> None:
    text = "typedef struct node { int key; struct node *next; } *list;\nint main(void) { return 0; }\n"
    text += "static int find(list l, int *out, short n, char (*f)(int), int a[]) {\n"
    text += "  if (l->key == 4 && !l->next && *out == 0 && n == -1 && !f && a) reach_error();\n  return 0;\n}\n"
    inputs = (
        value("argument l->key", 4, "argument"),
        value("argument n", -1, "argument", width=16),
        value("argument f", 0, "argument", width=64),
    )
    assert status_and_detail(tmp_path, text, recorded(*inputs, entry="find"))[0] == "confirmed"


def test_old_style_entry_functions_can_be_called(tmp_path: Path) -> None:
    text = "f(a, p) int a; char *p; { if (a == 3 && p) reach_error(); }\n"
    assert status_and_detail(tmp_path, text, recorded(value("argument a", 3, "argument"), entry="f"))[0] == "confirmed"


def test_the_arguments_of_main_can_be_recorded(tmp_path: Path) -> None:
    text = "int main(int argc, char **argv) { if (argc == 77) reach_error(); return 0; }\n"
    assert status_and_detail(tmp_path, text, recorded(value("argument argc", 77, "argument")))[0] == "confirmed"


@pytest.mark.parametrize(("entry", "program"), [("nothing", "int main(void) { return 0; }\n"), ("main", "int x;\n")])
def test_a_missing_entry_function_is_named(tmp_path: Path, entry: str, program: str) -> None:
    status, detail = status_and_detail(tmp_path, program, recorded(entry=entry))
    assert status == "not confirmed"
    assert entry in detail


def test_old_code_compiles(tmp_path: Path) -> None:
    text = "int strlen(char *s) { return 3; }\nchar *exit();\nint shared; int shared;\n"
    text += "inline int once(void) { return 1; }\n"
    text += 'main() { int *p = malloc(4); char *q = alloca(8); q[7] = 1; *p = strlen("x");\n'
    text += "  if (*p == 3 && once()) reach_error(); }\n"
    assert status_and_detail(tmp_path, text, recorded())[0] == "confirmed"


def test_a_program_that_does_not_compile_is_not_confirmed(tmp_path: Path) -> None:
    status, detail = status_and_detail(tmp_path, "int main(void) { return }\n", recorded())
    assert status == "not confirmed"
    assert "does not compile" in detail


def test_a_run_without_end_is_stopped_with_its_children(tmp_path: Path) -> None:
    text = "extern int fork(void);\nint main(void) { fork(); for (;;) ; }\n"
    status, detail = status_and_detail(tmp_path, text, recorded(), timeout=0.5)
    assert status == "not confirmed"
    assert "does not end in time" in detail


def test_a_program_without_32_bit_libraries_is_built_for_64_bits_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(execution, "can_build", lambda command, flags: "-m32" not in flags)
    text = NONDET + "int main(void) { if (__VERIFIER_nondet_int() == 3) reach_error(); }\n"
    status, detail = status_and_detail(tmp_path, text, recorded(integer(3), data_model="ILP32"))
    assert status == "confirmed"
    assert "64 bits" in detail
    wrong = "int main(void) { if (sizeof(long) == 4) reach_error(); }\n"
    assert status_and_detail(tmp_path, wrong, recorded(data_model="ILP32"))[0] == "not confirmed"


def test_without_a_compiler_nothing_is_claimed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CC", raising=False)
    status, detail = status_and_detail(tmp_path, "int main(void) { reach_error(); }\n", recorded())
    assert status == "no compiler"
    assert "install" in detail


def test_kept_files_repeat_the_test_and_the_users_file_is_untouched(tmp_path: Path) -> None:
    text = "static void reach_error(void) { }\nint main(void) { reach_error(); }\n"
    source, folder, test = written(tmp_path, text), tmp_path / "kept here", recorded()
    answer = confirm(test, source, folder)
    again = subprocess.run(answer.command, shell=True, capture_output=True, text=True, check=False)
    assert again.returncode == 97
    assert confirm(test, source).command == ""
    assert "pincer: reached reach_error" in again.stderr
    assert source.read_text(encoding="utf-8") == text
    assert from_json(json.loads((folder / "test.json").read_text(encoding="utf-8"))) == test


def test_preprocessor_arguments_reach_the_program(tmp_path: Path) -> None:
    source = written(tmp_path, "int main(void) { if (LIMIT == 4) reach_error(); }\n")
    assert confirm(recorded(), source, preprocessor=("-DLIMIT=4",)).status == "confirmed"


def test_text_that_is_not_utf_8_passes_through(tmp_path: Path) -> None:
    source = tmp_path / "program.c"
    source.write_bytes(b'int main(void) { if ((unsigned char)"\xe9"[0] == 0xe9) reach_error(); }\n')
    assert confirm(recorded(), source).status == "confirmed"


@needs_32_bits
def test_a_32_bit_program_runs_with_32_bit_types(tmp_path: Path) -> None:
    text = """\
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
    unsigned long x = __VERIFIER_nondet_ulong();
    if (x + 10 < 5 && x << 4 == 0xffffffa0ul && sizeof(void *) == 4) reach_error();
}
"""
    found = value("__VERIFIER_nondet_ulong", 0xFFFFFFFA)
    assert status_and_detail(tmp_path, text, recorded(found, data_model="ILP32"))[0] == "confirmed"
    assert status_and_detail(tmp_path, text, recorded(found, data_model="LP64"))[0] == "contradicted"


def test_a_relative_folder_for_the_files_is_taken_from_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    answer = confirm(recorded(), written(tmp_path, "int main(void) { reach_error(); }\n"), Path("kept/here"))
    assert answer.status == "confirmed"
    assert (tmp_path / "kept" / "here" / "build.sh").is_file()


@pytest.mark.parametrize("kind", ["undefined", "external", "argument"])
def test_a_run_that_depends_on_more_than_its_inputs_is_not_contradicted(kind: InputKind, tmp_path: Path) -> None:
    text = "int f(void) { return 0; }\nint main(void) { return f(); }\n"
    assert status_and_detail(tmp_path, text, recorded(value("x", 3, kind)))[0] == "not confirmed"


@pytest.mark.skipif(sys.platform != "linux", reason="the kernel's own way to tell")
@pytest.mark.parametrize(("apart", "is_said"), [(1, True), (0, False)])
def test_what_compilers_decide_is_said_where_they_do_not(apart: int, is_said: bool, tmp_path: Path) -> None:
    text = '#include <assert.h>\nint main(void) { const char *p = "ab", *q = "ab"; assert(p == q); return 0; }\n'
    status, detail = status_and_detail(tmp_path, text, recorded(value(LITERALS_ARE_APART, apart, "library", 8), line=2))
    assert status == "not confirmed"
    assert ("it needs equal string literals that do not share memory" in detail) is is_said


def test_a_test_does_not_outlive_the_process_that_started_it(tmp_path: Path) -> None:
    text = '#include <stdio.h>\nint main(void) { puts("begun"); fflush(stdout); for (;;) ; }\n'
    confirm(recorded(), written(tmp_path, text), tmp_path / "kept", timeout=0.2)
    starter = f"import subprocess; subprocess.Popen(['{tmp_path}/kept/test']); input()"
    with subprocess.Popen([sys.executable, "-c", starter], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"begun\n"
        process.kill()
        # Both hold the stream open: it ends when the test has ended, too.
        assert select.select([process.stdout], [], [], 60)[0]
        assert process.stdout.read() == b""
