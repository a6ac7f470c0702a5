"""The spellings of GNU C."""

from __future__ import annotations

import pytest
from pycparser import c_ast

from pincer.frontends.c.syntax import nodes
from tests.frontends.c.syntax.parsed_c import body, declarations, everything, read


@pytest.mark.parametrize("spelling", ["typeof", "__typeof", "__typeof__"])
def test_typeof_takes_expressions_and_types(spelling: str) -> None:
    of_value, of_type = body(f"{spelling}(x + 1) a; const {spelling}(int *) b;")
    assert isinstance(of_value.type.type, c_ast.TypeOf)
    assert isinstance(of_value.type.type.expr, c_ast.BinaryOp)
    assert isinstance(of_type.type.type.expr, c_ast.Typename)


def test_alternate_spellings_become_the_plain_ones() -> None:
    (item,) = declarations("static __inline__ __const __signed__ char *__restrict f(__volatile__ int v) { return 0; }")
    assert item.decl.funcspec == ["inline"]
    assert item.decl.quals == ["const"]
    assert item.decl.type.args.params[0].quals == ["volatile"]


def test_thread_local_storage_is_among_the_storage_classes() -> None:
    first, second = declarations("static __thread int a; extern _Thread_local int b;")
    assert first.storage == ["static", "_Thread_local"]
    assert second.storage == ["extern", "_Thread_local"]


@pytest.mark.parametrize("name", ["__int128", "__float128", "_Float128", "_Complex double", "__builtin_va_list"])
def test_types_beyond_the_standard_are_named(name: str) -> None:
    (item,) = declarations(f"{name} v;")
    assert item.type.type.names == name.split()


def test_attributes_that_change_nothing_may_stand_anywhere() -> None:
    text = """
    __attribute__((unused)) static int __attribute__((noinline)) f(int a __attribute__((unused)), char *
        __attribute__((nonnull)) p) __attribute__((nothrow, format(printf, 1, 2)));
    enum e { A __attribute__((deprecated)) = 1, B } __attribute__((unused));
    int g(void) { lab: __attribute__((unused)) ; switch (A) { case 1: __attribute__((fallthrough)); default: ; } }
    int (__attribute__((cdecl)) *h)(void);
    """
    unit = read(text)
    assert not [node for node in everything(unit.ast) if isinstance(node, nodes.Attribute)]
