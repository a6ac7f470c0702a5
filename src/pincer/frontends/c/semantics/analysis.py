"""A program from its syntax trees: declarations are read, the bodies of functions get their types when asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct
from pycparser import c_ast

from pincer.frontends.c.semantics import calls, expressions, operators, type_expressions, variable_arguments
from pincer.frontends.c.semantics.context import Context, Handler, Jumps, Rule, TypedProgram
from pincer.frontends.c.semantics.globals import declare_all
from pincer.frontends.c.semantics.linking import link
from pincer.frontends.c.semantics.locals import parameters
from pincer.frontends.c.semantics.statements import block, check_labels, entrances, statement_expression
from pincer.frontends.c.semantics.symbols import FileScope, Scope
from pincer.frontends.c.semantics.tree import Body
from pincer.frontends.c.semantics.types import Target
from pincer.frontends.c.semantics.usage import Usage
from pincer.frontends.c.syntax import nodes
from pincer.frontends.c.syntax.parse import TranslationUnit


class Library(Struct, frozen=True):
    """The functions of the library that a program needs and has no bodies for, and the trees with their bodies."""

    functions: frozenset[str] = frozenset()
    trees: tuple[c_ast.FileAST, ...] = ()


EXPRESSIONS: Mapping[type, Handler] = {
    c_ast.Constant: expressions.literal,
    c_ast.ID: expressions.name,
    c_ast.StructRef: expressions.member,
    c_ast.ArrayRef: expressions.element,
    c_ast.UnaryOp: type_expressions.unary_operation,
    c_ast.BinaryOp: operators.binary,
    c_ast.Assignment: operators.assignment,
    c_ast.ExprList: operators.sequence,
    c_ast.TernaryOp: operators.conditional,
    nodes.OrElse: operators.or_else,
    c_ast.Cast: type_expressions.cast,
    c_ast.CompoundLiteral: type_expressions.compound_literal,
    c_ast.GenericSelection: type_expressions.selection,
    nodes.OffsetOf: type_expressions.offset,
    nodes.TypesCompatible: type_expressions.types_compatible,
    nodes.VaArg: variable_arguments.next_argument,
    nodes.LabelAddress: type_expressions.label_address,
    c_ast.FuncCall: calls.call,
    nodes.StatementExpression: statement_expression,
}
"""The kinds of syntax that are expressions, and what gives them their types."""


def typed_program(
    units: Sequence[TranslationUnit], library: Library, target: Target, usage: Usage, results: Mapping[str, Rule]
) -> TypedProgram:
    """The program of files and of the library functions they need, with all declarations read and linked."""
    trees = (*(unit.ast for unit in units), *library.trees)
    noreturn = frozenset[str]().union(*(unit.noreturn for unit in units))
    program = TypedProgram(units[0].file, target, usage, trees, EXPRESSIONS, results, noreturn, library.functions)
    program.weak = set[str]().union(*(unit.weak for unit in units))
    scopes = [program.scope, *(FileScope() for _ in units[1:])]
    for unit, scope in zip(units, scopes, strict=True):
        scope.encoding = unit.encoding
        declare_all(program, unit.ast, scope)
    program.lent = library.functions - program.scope.names.keys()
    for tree in library.trees:
        declare_all(program, tree)
    link(program, scopes)
    return program


def body(program: TypedProgram, name: str) -> Body:
    """The body of a function that the program defines."""
    if name not in program.bodies:
        definition = program.definitions[name]
        context = Context(program, Scope(definition.scope), name, definition.type, jumps=Jumps(name))
        with context.measuring() as lengths:
            given = parameters(context, definition.parameters)
        outermost = block(context, definition.node.body)
        check_labels(context)
        labelled, addressed = entrances(definition.node.body)[0], tuple(context.jumps.addressed)
        program.bodies[name] = Body(given, tuple(lengths), outermost, labelled, addressed)
    return program.bodies[name]
