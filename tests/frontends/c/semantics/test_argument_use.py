"""Which uses of `argv` a few short arguments stand for."""

from __future__ import annotations

from pathlib import Path

import pytest

import pincer
from pincer.frontends.c.semantics.argument_use import looks_at_little
from tests.frontends.c.typed_c import typed

HEAD = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"


def is_little(folder: Path, text: str, before: str = "") -> bool:
    return looks_at_little(typed(folder, f"{HEAD}{before}int main(int argc, char **argv) {{ {text} }}"), 3, 11)


@pytest.mark.parametrize(
    "text",
    [
        'fprintf(stderr, "usage: %s N", argv[0]);',
        "return atoi(argv[1]) > 0 ? atoi(argv[1]) : atoi(argv[3]);",
        'int n; return sscanf(argv[2], "%d", &n);',
        'return argv[1] != NULL && strcmp(argv[1], "--version") == 0 && !argv[0];',
        'return strncmp("-o", argv[1], 2) + (argv[1][0] == 120) + (*argv[2] == 0);',
        "(void)argv; return argc > 100;",
    ],
)
def test_little_is_looked_at(tmp_path: Path, text: str) -> None:
    assert is_little(tmp_path, text)


@pytest.mark.parametrize(
    "text",
    [
        "return atoi(argv[4]);",
        "return atoi(argv[argc - 1]);",
        "return (int)strlen(argv[1]);",
        "return (int)atol(argv[1]);",
        'return strcmp(argv[1], "a-longer-option");',
        'return strcmp(argv[0], "x");',
        'return printf("%s", argv[1]);',
        "return argv[1][11];",
        "return argv[1][1];",
        "return argv[2] != 0;",
        'return strncmp(argv[1], "     ", 5) == 0 && atoi(argv[1]) == 7;',
        'int n; return sscanf(argv[1], "%i", &n) + atoi(argv[1]);',
        "char *p = argv[1]; return *p;",
        "argv++; return atoi(argv[1]);",
        "char b[9]; strcpy(b, argv[1]);",
    ],
)
def test_more_is_looked_at(tmp_path: Path, text: str) -> None:
    assert not is_little(tmp_path, text)


def test_functions_of_the_program_may_look_at_anything(tmp_path: Path) -> None:
    text = 'return strcmp(argv[1], "x");'
    assert not is_little(tmp_path, text, "int strcmp(const char *a, const char *b) { return a[20] - b[0]; }\n")


USAGE = """
#include <assert.h>
int main(int argc, char **argv) {
    if (argc < 2) { printf("%s", argv[0]); return 1; }
    assert(CLAIM);
}"""


@pytest.mark.parametrize(("claim", "verdict"), [("argc > 1", "safe"), ("argc < 9", "unsafe")])
def test_what_holds_for_few_arguments_holds_for_all(claim: str, verdict: str) -> None:
    text = HEAD + USAGE.replace("CLAIM", claim)
    [answer] = pincer.check_text(text, "c", property="assertions", timeout=60).properties
    assert answer.verdict == verdict, answer.reason
