"""Declarations of one name that no compiler accepts together: which of them was meant would be a guess.

Only what is clearly different counts: qualifiers and types of the same size and sign are not told apart. The library's
declarations may differ from those of a system, so nothing is compared with them.
"""

from __future__ import annotations

from pycparser import c_ast

from pincer.frontends.c.semantics.context import Context, TypedProgram
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


def check_file_level(program: TypedProgram, node: c_ast.Decl, type: CType) -> None:
    """A declaration with linkage agrees with the first one of its name."""
    known, first = program.scope.names.get(node.name), program.first_declared.setdefault(node.name, node)
    if not isinstance(known, Variable | FunctionName) or first is node or is_ours(first) or is_ours(node):
        return
    if not _compatible(known.type, type):
        before = f"`{text(known.type)}` at {program.position(first)}"
        raise program.error(
            f"`{node.name}` is declared as `{text(type)}` here and as {before}; make the two agree", node
        )


def check_block_level(context: Context, node: c_ast.Decl, linked: bool) -> None:
    """A name is declared once in a block; only declarations with linkage may be repeated."""
    outermost, scope = context.program.scope, context.scope
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
            enumeration = one.name.startswith("enum ") or other.name.startswith("enum ")
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
