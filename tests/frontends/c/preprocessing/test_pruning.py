"""Declarations of our headers that nothing mentions are left out; what is mentioned, and what that needs, stays."""

from __future__ import annotations

from pincer.frontends.c.preprocessing.pruning import without_unused

_HEADER = """#line 1 "<things.h>"
typedef long first_t;
typedef first_t second_t;
extern int thing;
second_t used(int);
void unused(first_t);
struct kept { int a; };
#line 9 "program.c"
"""


def _left(program: str) -> list[str]:
    return [line for line in without_unused(_HEADER + program).split("\n") if line and not line.startswith("#")]


def test_what_is_mentioned_stays_with_what_it_needs() -> None:
    assert _left("long f(void) { return used(1); }")[:3] == [
        "typedef long first_t;",
        "typedef first_t second_t;",
        "second_t used(int);",
    ]


def test_what_nothing_mentions_goes_and_lines_keep_their_numbers() -> None:
    assert _left("int f(void);") == ["struct kept { int a; };", "int f(void);"]
    assert without_unused(_HEADER).count("\n") == _HEADER.count("\n")


def test_builtins_need_the_declarations_of_their_functions() -> None:
    assert "second_t used(int);" in _left("int f(void) { return __builtin_used(1); }")


def test_declarations_of_the_program_stay() -> None:
    assert _left("void mine(int);") == ["struct kept { int a; };", "void mine(int);"]
    assert without_unused('# 1 "program.c"\nvoid mine(int);\n') == '# 1 "program.c"\nvoid mine(int);\n'
