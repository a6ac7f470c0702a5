"""Parsing: GNU constructs become nodes, attributes find their declarations, mistakes have places."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from pincer.errors import PincerError
from pincer.frontends.c.syntax.parse import parse
from tests.frontends.c.syntax.parsed_c import everything, read


def test_functions_that_do_not_return_are_collected() -> None:
    unit = read(
        "void die(int) __attribute__((__noreturn__)); _Noreturn void stop(void); void goes_on(void);"
        "__attribute__((noreturn)) static void gone(void) { for (;;) ; }"
        "void (*handler)(void) __attribute__((noreturn)); void takes(void (*end)(void) __attribute__((noreturn)));"
    )
    assert unit.noreturn == {"die", "stop", "gone"}


def test_every_node_has_a_place() -> None:
    text = """
    typedef struct s { int a[3]; int (*f)(int, char *); } T;
    int g(T *t, ...) {
      for (int i = 0; i < (int)sizeof(T *[3]); i++) { T u = { .a = { [1] = i } }; (void)u; }
      return 0;
    }
    """
    tree = read(text).ast
    nowhere = [node for item in tree.ext for node in everything(item) if node.coord is None]
    assert nowhere == []


@pytest.mark.parametrize(
    "text, place, message",
    [
        ("int f(void) { return 1 }", "program.c:1:24", "expected `;` before `}`"),
        ("int x;\nfoo y;\n", "program.c:2:5", "if `foo` is a type, its declaration is missing"),
        ("int f(void) {\n", "program.c:1:13", "the text ends where `}` should follow"),
        ("int x = ;", "program.c:1:9", "expected an expression before `;`"),
        ("int x = 09;", "program.c:1:9", "`09` is not a number"),
        ("int x = 1zz;", "program.c:1:9", "`1zz` is not a number"),
        ('char *s = "abc;\n', "program.c:1:11", "without its partner"),
        ("int x; /* open\n", "program.c:1:8", "/\\* without its \\*/"),
        ("int x @ y;", "program.c:1:7", "unexpected character '@'"),
        ("}", "program.c:1:1", "expected a declaration before `}`"),
        ("int x int y;", "program.c:1:7", "expected `;` before `int`"),
        ("int f(void) { goto; }", "program.c:1:19", "expected a name before `;`"),
        ("int x; x = 1 +", "program.c:1:14", "the text ends"),
    ],
)
def test_mistakes_are_errors_with_place_and_advice(text: str, place: str, message: str) -> None:
    with pytest.raises(PincerError, match=message) as caught:
        read(text)
    assert str(caught.value.position) == place
    assert caught.value.excerpt == text.splitlines()[caught.value.position.line - 1]  # type: ignore[union-attr]


def test_text_can_be_added_to_a_unit() -> None:
    unit = parse(Path("program.c"), "int f(void);", extra="int g(void) { return f(); }")
    assert [type(item).__name__ for item in unit.ast.ext] == ["Decl", "FuncDef"]
    assert unit.ast.ext[1].coord.file == "<added>"


def test_an_empty_file_is_a_unit_without_declarations() -> None:
    assert read("").ast.ext == []


@pytest.mark.parametrize(
    "text",
    [
        "int x = " + "(" * 2000 + "1" + ")" * 2000 + ";",
        "void f(int x) { " + "if (x) x++; else " * 2000 + "x--; }",
        "void f(int x) { " + "{" * 2000 + "}" * 2000 + "}",
        "int x = " + "1 + " * 20000 + "1;",
    ],
)
def test_deep_nesting_is_no_obstacle(text: str) -> None:
    assert len(read(text).ast.ext) == 1


def test_nesting_without_end_is_an_error() -> None:
    with pytest.raises(PincerError, match="nested too deeply"):
        read("int x = " + "(" * 100_000 + "1" + ")" * 100_000 + ";")


def test_long_files_are_parsed_in_work_proportional_to_their_length() -> None:
    def calls(functions: int) -> int:
        text = "".join(
            f"int f{n}(int x) {{ if (x > {n}) return f{n}(x - 1);\n return x; }}\n" for n in range(functions)
        )
        count = 0

        def note(frame: object, event: str, argument: object) -> None:
            nonlocal count
            count += event == "call"

        sys.setprofile(note)
        try:
            read(text)
        finally:
            sys.setprofile(None)
        return count

    assert calls(200) < 11 * calls(20)
