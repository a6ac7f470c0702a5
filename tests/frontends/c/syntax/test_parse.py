"""Parsing: GNU constructs become nodes, attributes find their declarations, mistakes have places."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pycparser import c_ast

from pincer.errors import PincerError
from pincer.frontends.c.syntax import nodes
from pincer.frontends.c.syntax.parse import TranslationUnit, parse


def read(text: str) -> TranslationUnit:
    return parse(Path("program.c"), text)


def declarations(text: str) -> list[Any]:
    return list(read(text).ast.ext)


def body(statements: str) -> list[Any]:
    """The items of a function body."""
    return list(declarations(f"void f(int x, int *p) {{ {statements} }}")[0].body.block_items)


def everything(node: c_ast.Node) -> Iterator[c_ast.Node]:
    yield node
    for child in node:
        yield from everything(child)


def attributes(node: Any) -> list[tuple[str, list[str]]]:
    return [(item.name, [getattr(value, "value", "?") for value in item.arguments]) for item in node.attributes]


def test_statement_expressions_have_their_own_node() -> None:
    (declaration,) = body("int y = ({ int z = x; z + 1; }) * 2;")
    expression = declaration.init.left
    assert isinstance(expression, nodes.StatementExpression)
    assert len(expression.body.block_items) == 2


@pytest.mark.parametrize("spelling", ["typeof", "__typeof", "__typeof__"])
def test_typeof_takes_expressions_and_types(spelling: str) -> None:
    of_value, of_type = body(f"{spelling}(x + 1) a; const {spelling}(int *) b;")
    assert isinstance(of_value.type.type, c_ast.TypeOf)
    assert isinstance(of_value.type.type.expr, c_ast.BinaryOp)
    assert isinstance(of_type.type.type.expr, c_ast.Typename)


def test_builtins_that_take_types_have_nodes() -> None:
    text = "__builtin_offsetof(struct s, a.b[2]); __builtin_types_compatible_p(int, long); __builtin_va_arg(p, char *);"
    offset, same, argument = body(text)
    assert isinstance(offset, nodes.OffsetOf)
    assert isinstance(offset.member, c_ast.ArrayRef)
    assert isinstance(same, nodes.TypesCompatible)
    assert isinstance(argument, nodes.VaArg)


def test_a_conditional_may_omit_its_middle_operand() -> None:
    (expression,) = body("x ?: p ? 1 : 2;")
    assert isinstance(expression, nodes.OrElse)
    assert isinstance(expression.otherwise, c_ast.TernaryOp)


def test_ranges_in_cases_and_designators() -> None:
    switch, table = body("switch (x) { case 1 ... 5: x = 0; case 7: break; } int t[9] = { [0 ... 3] = 1, [5] = 2 };")
    first, second = switch.stmt.block_items
    assert isinstance(first.expr, nodes.Range)
    assert (first.expr.low.value, first.expr.high.value) == ("1", "5")
    assert isinstance(second.expr, c_ast.Constant)
    designators = [item.name[0].expr for item in table.init.exprs]
    assert isinstance(designators[0], nodes.Range)
    assert isinstance(designators[1], c_ast.Constant)


def test_designators_old_and_new() -> None:
    (item,) = declarations("struct s { int a; struct { int b[2]; } c; } v = { a: 1, .c.b[1] = 2, .c = { } };")
    old, nested, empty = item.init.exprs
    assert [part.name for part in old.name] == ["a"]
    assert [type(part).__name__ for part in nested.name] == ["ID", "ID", "ArrayDesignator"]
    assert empty.expr.exprs == []


def test_assembly_keeps_its_operands_and_knows_barriers() -> None:
    work, barrier, old = body(
        'asm volatile ("add %1, %0" : [out] "+r" (x), "=m" (*p) : "r" (x + 1) : "cc", "memory");'
        '__asm__ __volatile__ ("" ::: "memory"); asm("nop");'
    )
    assert [operand.constraint for operand in work.outputs] == ['"+r"', '"=m"']
    assert isinstance(work.inputs[0].expression, c_ast.BinaryOp)
    assert work.clobbers == ['"cc"', '"memory"']
    assert [node.is_barrier for node in (work, barrier, old)] == [False, True, False]


def test_assembly_with_jumps_names_its_labels() -> None:
    statement, label = body('asm goto ("jmp %l0" : : : : out); out: ;')
    assert (statement.labels, label.name) == (["out"], "out")


def test_assembler_names_are_attributes_of_the_declaration() -> None:
    function, variable = declarations('int f(int) __asm__("g") __attribute__((weak)); register long sp asm("esp");')
    assert attributes(function) == [("asm", ['"g"']), ("weak", [])]
    assert attributes(variable) == [("asm", ['"esp"'])]


def test_labels_as_values() -> None:
    address, jump, _ = body("void *q = &&out; goto *q; out: return;")
    assert isinstance(address.init, nodes.LabelAddress)
    assert isinstance(jump, nodes.ComputedGoto)


def test_local_labels_are_kept() -> None:
    (labels, *_) = body("__label__ a, b; a: b: ;")
    assert isinstance(labels, nodes.LocalLabels)
    assert labels.names == ["a", "b"]


def test_alignof_takes_types_and_expressions() -> None:
    first, second = body("_Alignof(int); __alignof__ x;")
    assert (first.op, second.op) == ("_Alignof", "__alignof__")
    assert isinstance(first.expr, c_ast.Typename)


def test_standard_extras_keep_pycparsers_nodes() -> None:
    check, selection = body('_Static_assert(sizeof(int) == 4, "int"); _Generic(x, int: 1, default: 2);')
    assert isinstance(check, c_ast.StaticAssert)
    assert isinstance(selection, c_ast.GenericSelection)


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


def test_pragma_pack_is_an_attribute_of_the_structures_it_governs() -> None:
    text = (
        "struct a { char c; };\n#pragma pack(push, 1)\nstruct b { char c; };\n#pragma pack(2)\nstruct c { char c; };\n"
        '#pragma pack(pop)\nstruct d { char c; };\n_Pragma("pack(4)") struct e { char c; };\n#pragma pack()\n'
        "struct f { char c; };\n"
    )
    found = [attributes(item.type) for item in declarations(text)]
    one, two, four = ([("pragma_pack", [value])] for value in "124")
    assert found == [[], one, two, [], four, []]


def test_functions_that_do_not_return_are_collected() -> None:
    unit = read(
        "void die(int) __attribute__((__noreturn__)); _Noreturn void stop(void); void goes_on(void);"
        "__attribute__((noreturn)) static void gone(void) { for (;;) ; }"
        "void (*handler)(void) __attribute__((noreturn)); void takes(void (*end)(void) __attribute__((noreturn)));"
    )
    assert unit.noreturn == {"die", "stop", "gone"}


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


def test_comments_continuations_and_odd_characters() -> None:
    unit = read(
        'int a; /* é \n /* ; */ int b; // c\\\n still a comment\nchar *s = "a\\\nb"; int größe; int $x;\nint z;\n'
    )
    assert [item.name for item in unit.ast.ext] == ["a", "b", "s", "größe", "$x", "z"]
    assert [item.coord.line for item in unit.ast.ext] == [1, 2, 4, 4, 4, 6]


@pytest.mark.parametrize(
    "text, line, file",
    [
        ('# 12 "other.c"\nint x;', 12, "other.c"),
        ('#line 7 "dir/x.h"\n\nint x;', 8, "dir/x.h"),
        ("\n#line 40\nint x;", 40, "program.c"),
        ('# 1 "a.h" 1 3 4\n# 33 "b.c" 2\nint x;', 33, "b.c"),
    ],
)
def test_line_markers_move_positions(text: str, line: int, file: str) -> None:
    coord = parse(Path("program.c"), text).ast.ext[0].coord
    assert (coord.file, coord.line, coord.column) == (file, line, 5)


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


def test_an_attribute_without_a_declaration_is_not_dropped_silently() -> None:
    with pytest.raises(PincerError, match="`packed` belongs to no declaration"):
        read("int f(void) { return sizeof(int * __attribute__((packed))); }")


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


def test_long_files_are_parsed_in_time_proportional_to_their_length() -> None:
    def seconds(functions: int) -> float:
        text = "".join(
            f"int f{n}(int x) {{ if (x > {n}) return f{n}(x - 1);\n return x; }}\n" for n in range(functions)
        )
        start = time.process_time()
        read(text)
        return time.process_time() - start

    seconds(100)
    assert seconds(1500) < 25 * max(seconds(150), 0.01)
