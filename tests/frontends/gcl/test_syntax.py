"""The tree of a file: parts begin where their first part begins."""

from __future__ import annotations

from pincer.frontends.gcl import syntax
from pincer.frontends.gcl.parser import parse_formula_tree, parse_program_tree
from pincer.frontends.source import SourceText


def test_parts_without_a_word_of_their_own_begin_with_their_first_part() -> None:
    text = "control c : { red, green }; var a[ -1..2 ] : int;"
    first, second = parse_program_tree(SourceText("t.gcl", text)).declarations
    assert isinstance(first, syntax.VariablesDeclaration) and isinstance(first.type, syntax.Enumeration)
    assert first.type.at == text.index("red")
    assert isinstance(second, syntax.VariablesDeclaration)
    (declarator,) = second.declarators
    assert declarator.range is not None and declarator.range.at == text.index("-1")


def test_an_operation_begins_with_its_left_operand() -> None:
    text = "  x + y < 3 && ( b => !c )"
    tree = parse_formula_tree(SourceText("f", text))
    assert isinstance(tree, syntax.Chain)
    assert [operand.at for operand in tree.operands] == [text.index("x"), text.index("b")]
    assert tree.at == text.index("x")
