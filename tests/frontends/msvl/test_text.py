"""Trees survive being written and read."""

from __future__ import annotations

import pytest

from pincer.frontends.msvl import parse_program, program_text, statement_text, syntax
from pincer.frontends.msvl.classification import program_statement
from pincer.frontends.msvl.parser import parse_tree
from pincer.frontends.source import SourceText
from tests.frontends.msvl.random_msvl_trees import RandomTrees

_TAG = syntax.StructDefinition("T", (syntax.Declaration(syntax.TypeName(("int",)), (syntax.Declarator("u"),)),))


def read(text: str) -> syntax.Statement:
    statement = program_statement(parse_tree(SourceText("random.m", text), text, "program"))
    assert statement is not None
    return statement


@pytest.mark.parametrize("seed", range(100))
def test_statements_survive_printing_on_one_line_and_indented(seed: int) -> None:
    statement = syntax.Chop((_TAG, RandomTrees(seed).statement(3)))
    assert read(statement_text(statement)) == statement
    assert read(program_text(statement)) == statement


@pytest.mark.parametrize("seed", range(100))
def test_expressions_survive_printing(seed: int) -> None:
    wanted = syntax.Unit(syntax.Name("x"), RandomTrees(seed).expression(4))
    statement = syntax.Chop((_TAG, wanted))
    assert read(statement_text(statement)) == statement


@pytest.mark.parametrize(
    ("written", "printed"),
    [
        ("x:=1+2*3", "x:=1+2 * 3"),
        ("x:=(1+2)*3", "x:=(1+2) * 3"),
        ("x := a/b", "x:=a / b"),
        ("{skip;skip} and skip", "(skip; skip) and skip"),
        ("x==1", "x=1"),
        ("if(x=1) then x:=2", "if(x=1) then {x:=2}"),
        ("(skip, len(2)) prj skip", "(skip, len(2)) prj {skip}"),
        ("int a[3][4]", "int a[3][4]"),
        ("alw(x=1)", "always {x=1}"),
        ("exists(x): skip", "local(x): {skip}"),
        ("while(x) do skip", "while(x) {skip}"),
    ],
)
def test_printing_chooses_one_spelling(written: str, printed: str) -> None:
    assert statement_text(read(written)) == printed


def test_indented_text_has_a_line_for_each_part_of_a_sequence() -> None:
    program = parse_program("frame(x) and (int x<==1 and skip; while(x<3){x:=x+1; skip})", "f.m")
    assert program_text(program.written) == (
        "frame(x) and (\n  int x<==1 and skip;\n  while(x<3) {\n    x:=x+1;\n    skip\n  }\n)\n"
    )
