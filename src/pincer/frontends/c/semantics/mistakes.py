"""Mistakes about names that no compiler accepts: declarations that do not agree, changes of constants.

Only what is clearly different counts: qualifiers and types of the same size and sign are not told apart, for which of
two declarations was meant would be a guess. The library's declarations may differ from those of a system, so nothing is
compared with them.
"""

from __future__ import annotations

from pycparser import c_ast

from pincer.frontends.c.semantics.context import Context
from pincer.frontends.c.semantics.symbols import FunctionName, Variable
from pincer.frontends.c.semantics.types import (
    INT,
    VOID,
    Array,
    CType,
    Floating,
    Function,
    Integer,
    Pointer,
    Record,
    text,
)
from pincer.frontends.c.syntax.wording import source_text


def check_file_level(context: Context, node: c_ast.Decl, type: CType) -> None:
    """A declaration with linkage agrees with the first one of its name in the file."""
    program, file = context.program, context.file
    known, first = file.names.get(node.name), file.first_declared.setdefault(node.name, node)
    if not isinstance(known, Variable | FunctionName) or first is node or is_ours(first) or is_ours(node):
        return
    if not _compatible(known.type, type):
        before = f"`{text(known.type)}` at {program.position(first)}"
        raise program.error(
            f"`{node.name}` is declared as `{text(type)}` here and as {before}; make the two agree", node
        )


def check_block_level(context: Context, node: c_ast.Decl, linked: bool) -> None:
    """A name is declared once in a block; only declarations with linkage may be repeated."""
    outermost, scope = context.file, context.scope
    known = scope.names.get(node.name)
    if known is None and scope.outer is not None and scope.outer.outer is outermost:
        known = scope.outer.names.get(node.name)  # A parameter, seen from the block of the function's body.
    if not isinstance(known, Variable | FunctionName) or getattr(known, "node", None) is node:
        return
    if not linked or not (isinstance(known, FunctionName) or known is outermost.names.get(node.name)):
        raise context.error(f"`{node.name}` is declared twice in this block; rename or remove one of the two", node)


def is_ours(node: c_ast.Node) -> bool:
    """Whether a declaration comes from our own headers or library, which are shown in angle brackets."""
    return node.coord is not None and str(node.coord.file).startswith("<")


def _compatible(one: CType, other: CType) -> bool:
    match one, other:
        case Integer(), Integer():
            enumeration = one.is_enumeration or other.is_enumeration
            same = (one.bits, one.signed, one.boolean) == (other.bits, other.signed, other.boolean)
            return same or (enumeration and one.bits == other.bits)
        case Floating(), Floating():
            return one.size == other.size
        case Pointer(), Pointer():
            return _compatible(one.target, other.target)
        case Array(), Array():
            known = isinstance(one.length, int) and isinstance(other.length, int)
            return _compatible(one.element, other.element) and (not known or one.length == other.length)
        case Record(), Record():
            return one is other or (one.tag is not None and one.tag == other.tag)
        case Function(), Function():
            return _compatible_functions(one, other)
    return one == other


def _compatible_functions(one: Function, other: Function) -> bool:
    """Old-style declarations promise nothing about parameters, and an omitted result type goes with `void`."""
    if {one.result, other.result} != {VOID, INT} and not _compatible(one.result, other.result):
        return False
    if not (one.prototyped and other.prototyped):
        return True
    if len(one.parameters) != len(other.parameters) or one.variadic != other.variadic:
        return False
    pairs = zip(one.parameters, other.parameters, strict=True)
    return all(isinstance(a, Record) or isinstance(b, Record) or _compatible(a, b) for a, b in pairs)


def check_assignable(context: Context, node: c_ast.Node) -> None:
    """Refuse to change a constant variable, a part of one, or what a variable that points to constants points to."""
    name = _constant_name(context, node)
    if name is not None:
        message = f"`{source_text(node)}` cannot be changed: the declaration of `{name}` says `const`"
        raise context.error(message, node)


def _constant_name(context: Context, node: c_ast.Node) -> str | None:
    """The variable whose declaration makes a place constant, as far as the declaration alone tells."""
    while isinstance(node, c_ast.StructRef) and node.type == ".":
        node = node.name
    through = isinstance(node, c_ast.StructRef) or (isinstance(node, c_ast.UnaryOp) and node.op == "*")
    subscripts = 0
    if through:
        node = node.expr if isinstance(node, c_ast.UnaryOp) else node.name
    while isinstance(node, c_ast.ArrayRef) and not through:
        node, subscripts = node.name, subscripts + 1
    symbol = context.scope.find(node.name) if isinstance(node, c_ast.ID) else None
    if not isinstance(symbol, Variable):
        return None
    if through or (subscripts == 1 and isinstance(symbol.type, Pointer)):
        return symbol.name if _points_to_constant(symbol) else None
    return symbol.name if symbol.const and subscripts <= _dimensions(symbol.type) else None


def _points_to_constant(symbol: Variable) -> bool:
    kind = getattr(symbol.node, "type", None)
    target = kind.type if isinstance(kind, c_ast.PtrDecl | c_ast.ArrayDecl) else None
    return isinstance(target, c_ast.TypeDecl) and "const" in (target.quals or ())


def _dimensions(type: CType) -> int:
    return 1 + _dimensions(type.element) if isinstance(type, Array) else 0
