"""The grammar beyond the standard one: attributes, old definitions, odd structures, hidden names."""

from __future__ import annotations

import pytest
from pycparser import c_ast

from pincer.errors import PincerError
from tests.frontends.c.syntax.parsed_c import attributes, body, declarations, everything, read


def test_designators_old_and_new() -> None:
    (item,) = declarations("struct s { int a; struct { int b[2]; } c; } v = { a: 1, .c.b[1] = 2, .c = { } };")
    old, nested, empty = item.init.exprs
    assert [part.name for part in old.name] == ["a"]
    assert [type(part).__name__ for part in nested.name] == ["ID", "ID", "ArrayDesignator"]
    assert empty.expr.exprs == []


def test_assembler_names_are_attributes_of_the_declaration() -> None:
    function, variable = declarations('int f(int) __asm__("g") __attribute__((weak)); register long sp asm("esp");')
    assert attributes(function) == [("asm", ['"g"']), ("weak", [])]
    assert attributes(variable) == [("asm", ['"esp"'])]


def test_alignof_takes_types_and_expressions() -> None:
    first, second = body("_Alignof(int); __alignof__ x;")
    assert (first.op, second.op) == ("_Alignof", "__alignof__")
    assert isinstance(first.expr, c_ast.Typename)


def test_standard_extras_keep_pycparsers_nodes() -> None:
    check, selection = body('_Static_assert(sizeof(int) == 4, "int"); _Generic(x, int: 1, default: 2);')
    assert isinstance(check, c_ast.StaticAssert)
    assert isinstance(selection, c_ast.GenericSelection)


@pytest.mark.parametrize(
    "text",
    [
        "struct __attribute__((packed, aligned(4))) s { char c; int i; } v;",
        "struct s { char c; int i; } __attribute__((__packed__)) __attribute__((__aligned__(4))) v;",
        "typedef struct { char c; int i; } __attribute__((packed, aligned(4), unused)) t;",
    ],
)
def test_packed_and_aligned_belong_to_the_structure(text: str) -> None:
    (item,) = declarations(text)
    assert attributes(item.type.type) == [("packed", []), ("aligned", ["4"])]
    assert attributes(item) == []


def test_attributes_of_members_and_of_types() -> None:
    record, alias = declarations(
        "struct s { int a __attribute__((aligned(16))), b; char c : 3 __attribute__((packed)); };"
        "typedef int word __attribute__((mode(DI)));"
    )
    members = record.type.decls
    assert [attributes(member) for member in members] == [[("aligned", ["16"])], [], [("packed", [])]]
    assert [item.name for item in alias.attributes] == ["mode"]


def test_attributes_survive_a_second_look_at_the_same_tokens() -> None:
    (item,) = body("int n = ((struct { char c; } __attribute__((packed))){ 1 }).c;")
    (record,) = [node for node in everything(item) if isinstance(node, c_ast.Struct)]
    assert attributes(record) == [("packed", [])]


def test_attribute_arguments_with_casts_do_not_disturb_other_declarations() -> None:
    items = declarations(
        "struct a { int x; } __attribute__((aligned(32)));"
        "struct b { int x; } __attribute__((aligned(sizeof(long)))); struct c { int x; };"
    )
    assert [[name for name, _ in attributes(item.type)] for item in items] == [["aligned"], ["aligned"], []]


def test_definitions_in_the_style_of_kernighan_and_ritchie() -> None:
    first, second, third, fourth = declarations(
        "int f(a, b) int a; char *b; { return a; } main(argc, argv) char **argv; { }"
        "*g() { return 0; } count, total = 1;"
    )[:4]
    assert [param.name for param in first.decl.type.args.params] == ["a", "b"]
    assert [declaration.name for declaration in first.param_decls] == ["a", "b"]
    assert second.decl.type.type.type.names == ["int"]
    assert isinstance(third.decl.type.type, c_ast.PtrDecl)
    assert fourth.type.type.names == ["int"]


def test_declarations_without_a_type_are_ints() -> None:
    first, second = declarations("static x; const y = 5;")
    assert first.type.type.names == ["int"]
    assert second.type.type.names == ["int"]


def test_typedef_names_can_be_hidden() -> None:
    items = body("typedef int T; { int T = 2; T * x; } T y; { T T = 1; }")
    assert isinstance(items[1].block_items[1], c_ast.BinaryOp)
    assert isinstance(items[2], c_ast.Decl)


def test_odd_structures() -> None:
    empty, anonymous, flexible = declarations(
        "struct a { }; struct b { union { int x; char y; }; struct { int z; } ; };"
        "struct c { int n; int none[0]; int rest[]; };"
    )
    assert empty.type.decls == []
    assert [type(item.type).__name__ for item in anonymous.type.decls] == ["Union", "Struct"]
    assert [item.type.dim and item.type.dim.value for item in flexible.type.decls[1:]] == ["0", None]


def test_an_attribute_without_a_declaration_is_not_dropped_silently() -> None:
    with pytest.raises(PincerError, match="`packed` belongs to no declaration"):
        read("int f(void) { return sizeof(int * __attribute__((packed))); }")
