"""Variable arguments: `va_start`, `va_arg`, `va_copy` and `va_end`.

A list of arguments holds one thing, a pointer to the next argument. On x86-64 it lies inside an array of one record, on
x86 it is the list itself; `_cursor` is its place in both cases, so that all operations but `va_arg` are assignments.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from pycparser import c_ast

from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.context import Context
from pincer.frontends.c.semantics.declarations import type_name
from pincer.frontends.c.semantics.expressions import check_size, converted, part, place, read, value
from pincer.frontends.c.semantics.tree import Expression
from pincer.frontends.c.semantics.types import INT, VOID, Array, Function, Pointer, Void
from pincer.frontends.c.semantics.usage import LIST_STARTERS
from pincer.frontends.c.syntax import nodes
from pincer.frontends.c.syntax.wording import source_text

Operation: TypeAlias = Callable[[Context, Sequence[c_ast.Node], c_ast.Node], Expression]


def _cursor(context: Context, node: c_ast.Node) -> Expression:
    """The place of the pointer to the next argument of a list."""
    lists = context.target.argument_list
    if not isinstance(lists, Array):
        found = place(context, node)
        if not isinstance(found.type, Pointer):
            raise context.error(f"`{source_text(node)}` is no list of arguments", node)
        return found
    pointer = value(context, node)
    if pointer.type != Pointer(lists.element):
        raise context.error(f"`{source_text(node)}` is no list of arguments", node)
    return part(context, tree.Dereference(lists.element, node, pointer), "__next", node)


def _set(context: Context, cursor: Expression, found: Expression, node: c_ast.Node) -> Expression:
    return tree.Assignment(cursor.type, node, cursor, converted(context, found, cursor.type))


def _start(context: Context, written: Sequence[c_ast.Node], node: c_ast.Node) -> Expression:
    if context.result is None or not context.result.variadic:
        raise context.error("`va_start` needs a function that is declared with `...`", node)
    return _set(context, _cursor(context, written[0]), tree.Arguments(Pointer(VOID), node), node)


def _copy(context: Context, written: Sequence[c_ast.Node], node: c_ast.Node) -> Expression:
    return _set(context, _cursor(context, written[0]), read(_cursor(context, written[1])), node)


def _end(context: Context, written: Sequence[c_ast.Node], node: c_ast.Node) -> Expression:
    """The list is not valid any more: it points to nothing."""
    return _set(context, _cursor(context, written[0]), tree.Number(INT, node, 0), node)


_OPERATIONS: Mapping[str, tuple[Operation, int]] = {
    **dict.fromkeys(LIST_STARTERS, (_start, 1)),
    **dict.fromkeys(("__builtin_va_copy", "va_copy", "__va_copy"), (_copy, 2)),
    **dict.fromkeys(("__builtin_va_end", "va_end"), (_end, 1)),
}
"""What operations on lists are called, and how many arguments each needs."""


def operation_on_list(
    context: Context, name: str, written: Sequence[c_ast.Node], node: c_ast.Node
) -> Expression | None:
    """An operation on a list of arguments, None where the name is none of them."""
    lowering, needed = _OPERATIONS.get(name, (None, 0))
    if lowering is None:
        return None
    if len(written) < needed:
        raise context.error(f"`{name}` takes {needed} arguments, not {len(written)}", node)
    return lowering(context, written, node)


def next_argument(context: Context, node: nodes.VaArg) -> Expression:
    """`va_arg(list, type)`."""
    type = type_name(context, node.type)
    if isinstance(type, Void | Function):
        raise context.error("`va_arg` needs the type of an object", node)
    check_size(context, type, node)
    return tree.NextArgument(type, node, _cursor(context, node.list))
