"""Variables that begin as a parameter stand for the argument."""

from __future__ import annotations

from pycparser import c_ast, c_parser

from pincer.frontends.c.syntax.argument_names import argument_names, base_name

TEXT = """
int f(char *target, const char *source, int) {
  char *to = (char *)target + 1;
  { const char *at = source; int n = 3; target[n] = *at; }
  return *(to + 1);
}
"""


def test_variables_that_begin_as_a_parameter_have_its_number() -> None:
    function = c_parser.CParser().parse(TEXT).ext[0]
    found = argument_names(function.decl.type.args.params, function.body)
    assert found == {"target": 0, "source": 1, "to": 0, "at": 1}


def test_expressions_go_out_from_a_variable_or_from_none() -> None:
    function = c_parser.CParser().parse(TEXT).ext[0]
    assert base_name(function.body.block_items[-1].expr) == "to"
    assert base_name(c_ast.Constant("int", "3")) == ""
