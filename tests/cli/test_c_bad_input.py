"""C files that are wrong, odd or out of reach: what a user reads, and that it is no traceback."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pincer.cli.main import main

Output = pytest.CaptureFixture[str]


def said(capsys: Output, text: str, *arguments: str, name: str = "program.c") -> tuple[int, str]:
    """The exit status and all that is printed for a program, with line ends as spaces."""
    Path(name).write_text(text, encoding="utf-8")
    asked = () if "--property" in arguments else ("--property", "assertions")
    status = main(["check", name, *asked, *arguments])
    printed = capsys.readouterr()
    assert "Traceback" not in printed.out + printed.err
    return status, " ".join((printed.out + printed.err).split())


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("int main(void) { int x = 3\n  return x; }\n", "program.c:2:3: error: expected `;` before `return`"),
        (
            '#include "nowhere.h"\nint main(void) { return 0; }\n',
            "program.c:1:1: error: the header nowhere.h is not found",
        ),
        ("int f(int x) { return x; }\n", "program.c:1:1: error: there is no function `main` with a body"),
        ("", "program.c:1:1: error: there is no function `main` with a body"),
        ("{\x01\x02 not C at all", "program.c:1:1: error: expected a declaration before `{`"),
    ],
)
def test_a_mistake_is_named_with_its_place(capsys: Output, text: str, message: str) -> None:
    status, printed = said(capsys, text)
    assert status == 2
    assert printed.startswith(message)


def test_recursion_without_end_reaches_no_assertion_behind_it(capsys: Output) -> None:
    text = "int f(int x) { return f(x + 1); }\nint main(void) { f(0); reach_error(); return 0; }\n"
    status, printed = said(capsys, text, "--timeout", "60")
    assert status == 0
    assert "proof accepted" in printed


def test_a_jump_into_a_loop_begins_in_the_middle(capsys: Output) -> None:
    text = """
    int main(void) {
        int i = 3, n = 0;
        if (__VERIFIER_nondet_int()) goto in;
        for (i = 0; i < 5; i++) { n++; in: n += 2; }
        if (n != 5 && n != 15) reach_error();
    }
    """
    assert said(capsys, text)[0] == 0
    assert said(capsys, text.replace("n != 5 && ", ""))[0] == 1


def test_old_style_definitions_are_c(capsys: Output) -> None:
    text = "int add(a, b) int a; char b; { return a + b; }\nmain() { if (add(3, 4) != 7) reach_error(); return 0; }\n"
    assert said(capsys, text)[0] == 0
    assert said(capsys, text.replace("!= 7", "== 7"))[0] == 1


@pytest.mark.parametrize(
    ("construct", "name"),
    [
        ("double _Complex c = x; x = c == 1.0;", "arithmetic on the type _Complex"),
        ('__asm__("cpuid" : "=a"(x));', "inline assembly"),
    ],
)
def test_what_is_not_modelled_matters_only_where_a_run_gets(capsys: Output, construct: str, name: str) -> None:
    text = """
    int main(void) {
        int x = __VERIFIER_nondet_int();
        if (x > 3 && x < LIMIT) { CONSTRUCT }
        if (x == x + 1) reach_error();
    }
    """.replace("CONSTRUCT", construct)
    assert said(capsys, text.replace("LIMIT", "2"))[0] == 0
    status, printed = said(capsys, text.replace("LIMIT", "9"))
    assert status == 3
    assert f"unsupported: {name}" in printed or (name in printed and "unsupported: the function" in printed)
    assert "program.c:4:" in printed


def many_functions(count: int) -> Iterator[str]:
    yield '# 1 "large.c"\nint g;'
    for number in range(count):
        yield f"static int f{number}(int x)\n{{\n  if (x > {number})\n    g = {number % 7};\n  return x + 1;\n}}"
    yield "int main(void)\n{\n  int x = f1(1);\n  if (x != 2)\n    reach_error();\n  return 0;\n}\n"


def test_a_preprocessed_file_of_twenty_thousand_lines_is_read(capsys: Output) -> None:
    text = "\n".join(many_functions(3_330))
    assert text.count("\n") > 19_980
    assert said(capsys, text, "--timeout", "120", name="large.i")[0] == 0


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('_Static_assert(1 == 0, "no");', 'program.c:1:1: error: the static assertion fails: "no"'),
        ("_Static_assert(1 == 0);", "program.c:1:1: error: the static assertion fails"),
        ("static_assert(1 == 0);", "program.c:1:1: error: the static assertion fails"),
        ("#include <assert.h>\nstatic_assert(sizeof(int) == 2);", "program.c:2:1: error: the static assertion fails"),
        ("struct s { int a; static_assert(0); };", "program.c:1:19: error: the static assertion fails"),
        ("int f(void) { static_assert(0); return 1; }", "program.c:1:15: error: the static assertion fails"),
    ],
)
def test_a_static_assertion_that_fails_is_refused(capsys: Output, text: str, message: str) -> None:
    status, printed = said(capsys, f"{text}\nint main(void) {{ {'return f();' if ' f(' in text else ''} }}\n")
    assert status == 2
    assert printed.startswith(message)


@pytest.mark.parametrize(
    "text",
    [
        'static_assert(1);\nint main(void) { static_assert(2, "two"); return 0; }\n',
        "void static_assert(int x) { }\nint main(void) { static_assert(0); return 0; }\n",
        "int main(void) { int static_assert = 0; return static_assert; }\n",
    ],
)
def test_the_word_of_c23_may_also_be_a_name(capsys: Output, text: str) -> None:
    assert said(capsys, text, "--property", "assertions")[0] == 0


def test_headers_that_include_each_other_are_named(capsys: Output) -> None:
    Path("a.h").write_text('#include "b.h"\n')
    Path("b.h").write_text('#include "a.h"\n')
    status, printed = said(capsys, '#include "a.h"\nint main(void) { return 0; }\n')
    assert status == 2
    assert "files include each other; a header needs a guard" in printed
