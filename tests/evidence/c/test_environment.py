"""What the library reads from outside is delivered to compiled tests: violations that need it are confirmed."""

from __future__ import annotations

from pathlib import Path

import pytest

import pincer
from pincer.evidence.c.environment import delivered, environment
from pincer.evidence.c.instrument import FAILING_ALLOCATION, instrument
from tests.checking.answers import answer, confirmed

_NAMES = ("assert", "errno", "poll", "stdio", "sys/stat", "time", "unistd")
_HEADERS = "".join(f"#include <{name}.h>\n" for name in _NAMES)


@pytest.mark.parametrize(
    "statements",
    [
        'FILE *f = fopen("a", "r"); char b[4]; if (f && fgets(b, 4, f)) assert(b[0] != 113 || b[1] != 10);',
        "char b[4]; if (read(0, b, 4) == 3) assert(b[2] != 77);",
        "int a = getchar(); int b = getchar(); assert(a != 65 || b != -1);",
        "assert(time(0) != 4711);",
        'FILE *f = fopen("a", "r"); if (!f) assert(errno != 2);',
        "while (getc(stdin) != EOF) { } if (!feof(stdin)) assert(0);",
        "int c = getchar(); ungetc(88, stdin); if (c == 5) assert(getchar() != 88);",
        "int x[2]; if (fread(x, sizeof *x, 2, stdin) == 1) assert(x[0] != 1000);",
        'struct stat s; if (stat("a", &s) == 0) assert(s.st_size != 4711);',
        "struct pollfd p = {0, POLLIN, 0}; if (poll(&p, 1, 5) == 1) assert(!(p.revents & POLLIN));",
        "char b[8]; if (getcwd(b, 8)) assert(b[1] != 113);",
    ],
)
def test_violations_that_need_input_are_confirmed(statements: str, tmp_path: Path) -> None:
    text = f"{_HEADERS}int main(void) {{ {statements} return 0; }}"
    confirmed(answer(text, file=str(tmp_path / "program.c")))


def test_programs_that_read_nothing_get_nothing() -> None:
    program = instrument('int puts(const char *); int main(void) { puts("a"); return 0; }', "main", ())
    assert environment(program) == "" and delivered(program) == {FAILING_ALLOCATION}


def test_functions_of_the_program_are_its_own() -> None:
    program = instrument("int getchar(void) { return 1; } int main(void) { return getchar(); }", "main", ())
    assert delivered(program) == {FAILING_ALLOCATION}


def test_a_function_with_the_name_of_one_that_reads_is_delivered_as_it_is() -> None:
    text = "#include <assert.h>\nint read(void);\nint main(void) { assert(read() != 3); }\n"
    [answer] = pincer.check_text(text, "c", property="assertions", timeout=60).properties
    assert answer.verdict == "unsafe", answer.reason
