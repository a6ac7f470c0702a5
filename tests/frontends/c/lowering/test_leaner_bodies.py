"""Library functions do no more than is asked for: the sign of a result, or none at all."""

from __future__ import annotations

from pathlib import Path

import pytest

from pincer.engines.sequential import SequentialSettings, check
from pincer.engines.task import EngineTask
from pincer.frontends.c.lowering.hooks import Hook
from pincer.program.control_flow import Call, Input
from pincer.runtime.run import Run
from tests.frontends.c.lowered_c import labels, lowered

HEAD = (
    "#include <assert.h>\n#include <errno.h>\n#include <stdarg.h>\n#include <stdio.h>\n#include <string.h>\n"
    "#include <strings.h>\nextern int __VERIFIER_nondet_int(void);\n"
)
PICKED = ("result of a comparison", "failure of printing", "failure of writing", "result of writing")


def _picked(folder: Path, statements: str, before: str = "") -> set[str]:
    """What the library picks in a program."""
    program = lowered(folder, f'{HEAD}{before}int main(void) {{ char a[4] = "abc"; {statements} return 0; }}\n')
    return {label.source for label in labels(program, Input) if label.source in PICKED}


@pytest.mark.parametrize(
    "statements",
    [
        'assert(strcmp(a, "abd") < 0);',
        'if (!strcmp(a, "abd")) return 1;',
        'if (strncmp(a, "abd", 3) || memcmp(a, "abd", 4)) return 1;',
        'return 0 != strcasecmp(a, "ABC") ? 3 : 4;',
        'while (strncasecmp("ABC", a, 2) > 0) ;',
        "const char *f = a; printf(f, 1); fprintf(stderr, f, 1); puts(a); fputs(a, stdout); fflush(stdout);",
        "(void)fwrite(a, 1, 4, stdout); fputc(a[0], stderr); putc(a[0], stderr);",
    ],
)
def test_nothing_is_picked_that_nobody_looks_at(tmp_path: Path, statements: str) -> None:
    assert not _picked(tmp_path, statements)


@pytest.mark.parametrize(
    ("statements", "picked"),
    [
        ('int order = strcmp(a, "abd"); if (order < 0) return 1;', {"result of a comparison"}),
        ('return strcmp(a, "abd") == 1;', {"result of a comparison"}),
        ('return -memcmp(a, "abd", 3);', {"result of a comparison"}),
        ("const char *f = a; if (printf(f) < 0) return 1;", {"failure of printing"}),
        ("return puts(a) == EOF;", {"result of writing"}),
        ("return fflush(stdout) == EOF;", {"failure of writing"}),
        ("puts(a); return ferror(stdout);", {"failure of writing"}),
        ("fflush(stdout); return errno;", {"failure of writing"}),
    ],
)
def test_what_is_looked_at_is_picked(tmp_path: Path, statements: str, picked: set[str]) -> None:
    assert picked <= _picked(tmp_path, statements)


def test_functions_of_the_program_are_called_as_they_are(tmp_path: Path) -> None:
    own = "int strcmp(const char *a, const char *b) { return *a - *b; }\nint __sign_of_strcmp(void);\n"
    program = lowered(tmp_path, own + 'int main(void) { if (strcmp("a", "b")) return 1; return 0; }\n')
    assert {label.procedure for label in labels(program, Call)} >= {"strcmp"}


def test_rules_see_the_functions_they_are_about(tmp_path: Path) -> None:
    text = 'void seen(void) {}\n#include <string.h>\nint main(void) { return strcmp("a", "b") < 0; }\n'
    program = lowered(tmp_path, text, hooks={"strcmp": Hook(on_entry="seen")})
    called = {label.procedure for label in labels(program, Call)}
    assert called >= {"strcmp", "seen"}


@pytest.mark.parametrize(
    ("condition", "verdict"),
    [
        ("strcmp(a, b) < 0 || a[0] != 97 || b[0] != 98", "safe"),
        ("(strcmp(a, b) > 0) == (memcmp(b, a, 2) < 0)", "safe"),
        ("!strncmp(a, b, 1) == (a[0] == b[0])", "safe"),
        ("strcasecmp(a, b) == 0", "unsafe"),
        ("strcmp(a, b) >= -1 || 1 == strcmp(b, a)", "unsafe"),
    ],
)
def test_signs_are_those_of_the_whole_functions(tmp_path: Path, condition: str, verdict: str) -> None:
    strings = "char a[2] = {0}, b[2] = {0}; a[0] = __VERIFIER_nondet_int(); b[0] = __VERIFIER_nondet_int();"
    program = lowered(tmp_path, f"{HEAD}int main(void) {{ {strings} assert({condition}); return 0; }}\n")
    [claim] = check(EngineTask(program, ("assertions",), SequentialSettings()), Run())
    assert claim.verdict == verdict
