"""Nodes for GNU constructs: what they hold, and that visitors find it."""

from __future__ import annotations

from pycparser import c_ast

from pincer.frontends.c.syntax import nodes
from tests.frontends.c.syntax.parsed_c import body


def test_statement_expressions_have_their_own_node() -> None:
    (declaration,) = body("int y = ({ int z = x; z + 1; }) * 2;")
    expression = declaration.init.left
    assert isinstance(expression, nodes.StatementExpression)
    assert len(expression.body.block_items) == 2


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
    assert isinstance(first.expr, nodes.ValueRange)
    assert (first.expr.low.value, first.expr.high.value) == ("1", "5")
    assert isinstance(second.expr, c_ast.Constant)
    designators = [item.name[0].expr for item in table.init.exprs]
    assert isinstance(designators[0], nodes.ValueRange)
    assert isinstance(designators[1], c_ast.Constant)


def test_assembly_keeps_its_operands_and_knows_barriers() -> None:
    work, *others = body(
        'asm volatile ("add %1, %0" : [out] "+r" (x), "=m" (*p) : "r" (x + 1) : "cc", "memory");'
        '__asm__ __volatile__ ("" ::: "memory"); asm("nop"); asm("" : "+r"(x)); asm("" : "=r"(x));'
    )
    assert [operand.constraint for operand in work.outputs] == ['"+r"', '"=m"']
    assert isinstance(work.inputs[0].expression, c_ast.BinaryOp)
    assert work.clobbers == ['"cc"', '"memory"']
    assert [node.is_barrier for node in (work, *others)] == [False, True, True, True, False]


def test_assembly_with_operands_that_do_something_is_no_barrier() -> None:
    found = body('asm("" : "=r"(x) : "0"(x)); asm("" : "=r"(x) : "0"(p)); asm("" :: "r"(x++)); asm("" : "+r"(*f(1)));')
    assert [node.is_barrier for node in found] == [True, False, False, False]
    found = body('asm("" :: "r"(&x), "i"(3)); asm("" : "+r"(*p)); asm("" :: "r"(1 / x)); asm("" :: "r"(p[x]));')
    assert [node.is_barrier for node in found] == [True, False, False, False]


def test_assembly_with_jumps_names_its_labels() -> None:
    statement, label = body('asm goto ("jmp %l0" : : : : out); out: ;')
    assert (statement.labels, label.name) == (["out"], "out")


def test_labels_as_values() -> None:
    address, jump, _ = body("void *q = &&out; goto *q; out: return;")
    assert isinstance(address.init, nodes.LabelAddress)
    assert isinstance(jump, nodes.ComputedGoto)


def test_local_labels_are_kept() -> None:
    (labels, *_) = body("__label__ a, b; a: b: ;")
    assert isinstance(labels, nodes.LocalLabels)
    assert labels.names == ["a", "b"]
