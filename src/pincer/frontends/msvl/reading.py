"""From text to program: blank, parse, classify, check, lower."""

from __future__ import annotations

from collections.abc import Mapping

from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.checks import (
    Definitions,
    check,
    find_definitions,
    function_names,
    parameter_name,
)
from pincer.frontends.msvl.classification import condition_expression, program_statement
from pincer.frontends.msvl.lexer import blank
from pincer.frontends.msvl.lowering import Lowering
from pincer.frontends.msvl.parser import parse_tree
from pincer.frontends.msvl.program import RESULT, Formal, MsvlFunction, Program
from pincer.frontends.msvl.syntax import Expression, MsvlSyntaxError, Statement
from pincer.frontends.msvl.types import ArrayOf, FunctionPointer, Layouts, PointerTo, Type, named_type
from pincer.frontends.source import MisreadError, SourceText


def read_program(source: SourceText) -> Program:
    blanked = blank(source)
    try:
        written = program_statement(parse_tree(source, blanked.text, "program"))
    except MisreadError as error:
        raise source.error(error.at, error.message, MsvlSyntaxError) from None
    if written is None:
        raise source.error(0, "there is no program here; write at least `empty` or `skip`", MsvlSyntaxError)
    found = find_definitions(source, written)
    check(found, written)
    lowering = Lowering(found)
    core = lowering.statement(written)
    functions = {name: _function(found, definition, lowering) for name, definition in found.functions.items()}
    return Program(
        source,
        written,
        core,
        functions,
        found.structs,
        Layouts(_fields(found)),
        blanked.properties,
        _address_taken(written),
        tuple(found.warnings),
    )


def read_expression(source: SourceText, text: str, at: int) -> Expression:
    """The expression that `text` holds; it begins at offset `at` of the source."""
    try:
        return condition_expression(parse_tree(source, " " * at + text, "condition"))
    except MisreadError as error:
        raise source.error(error.at, error.message, MsvlSyntaxError) from None


def _function(found: Definitions, definition: syntax.FunctionDefinition, lowering: Lowering) -> MsvlFunction:
    formals = []
    result: Type | None = None
    if definition.result is not None and found.returns(definition.name):
        result = named_type(definition.result, 0, found.structs)
    for parameter in definition.parameters:
        type_ = _parameter_type(found, parameter)
        if parameter_name(parameter) == RESULT:
            result = type_
        else:
            formals.append(Formal(parameter_name(parameter) or "", type_))
    body = lowering.statement(definition.body, tail=True)
    return MsvlFunction(definition.name, tuple(formals), result, body, function_names(definition), definition.at)


def _parameter_type(found: Definitions, parameter: syntax.Parameter) -> Type:
    declarator = parameter.declarator
    if parameter.type is None or (declarator is not None and declarator.signature is not None):
        return FunctionPointer()
    element = named_type(parameter.type, 0 if declarator is None else declarator.stars, found.structs)
    dimensions = () if declarator is None else declarator.dimensions
    if not dimensions:
        return element
    for dimension in reversed(dimensions[1:]):
        element = ArrayOf(element, _constant(found, dimension, parameter.at))
    return PointerTo(element)


def _fields(found: Definitions) -> Mapping[str, Mapping[str, Type]]:
    return {tag: _struct_fields(found, struct) for tag, struct in found.structs.items()}


def _struct_fields(found: Definitions, struct: syntax.StructDefinition) -> Mapping[str, Type]:
    fields: dict[str, Type] = {}
    for declaration in struct.fields:
        for declarator in declaration.declarators:
            type_ = named_type(declaration.type, declarator.stars, found.structs)
            for dimension in reversed(declarator.dimensions):
                type_ = ArrayOf(type_, _constant(found, dimension, declarator.at))
            fields[declarator.name] = FunctionPointer() if declarator.signature is not None else type_
    return fields


def _constant(found: Definitions, dimension: Expression | None, at: int) -> int:
    value = None if dimension is None else constant_integer(dimension)
    if value is None or value <= 0:
        raise found.mistake(at, "the length of an array is a positive constant here")
    return value


def constant_integer(expression: Expression) -> int | None:
    """The value of an expression of constants, None for any other."""
    match expression:
        case syntax.Number(int() as value) | syntax.Character(value):
            return value
        case syntax.Binary("+" | "-" | "*" as operator, left, right):
            a, b = constant_integer(left), constant_integer(right)
            if a is None or b is None:
                return None
            return a + b if operator == "+" else a - b if operator == "-" else a * b
    return None


def _address_taken(written: Statement) -> frozenset[str]:
    names: set[str] = set()
    for node in syntax.descendants(written, inside_definitions=True):
        match node:
            case syntax.Unary("&", operand):
                names.add(_base_name(operand))
            case syntax.Declarator(name, dimensions=dimensions) if dimensions:
                names.add(name)
    return frozenset(names)


def _base_name(expression: Expression) -> str:
    while isinstance(expression, syntax.Index | syntax.MemberAccess):
        expression = expression.base
    return expression.text if isinstance(expression, syntax.Name) else ""
