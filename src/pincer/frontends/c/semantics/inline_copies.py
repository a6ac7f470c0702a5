"""Copies of library functions that the C library's headers offer for inlining.

With `extern inline` and the attribute `gnu_inline`, a body is no definition: compilers may use it or call the library's
function. The GNU C library writes such bodies with builtins that check sizes. The function itself is better known.
"""

from __future__ import annotations

from collections.abc import Callable

from pycparser import c_ast


def without_inline_copies(tree: c_ast.FileAST, is_known: Callable[[str], bool]) -> None:
    """Leave only the declarations of functions that are known without such a body."""
    tree.ext[:] = [item.decl if _is_copy(item) and is_known(item.decl.name) else item for item in tree.ext]


def _is_copy(item: c_ast.Node) -> bool:
    if not isinstance(item, c_ast.FuncDef) or "extern" not in item.decl.storage:
        return False
    attributes = getattr(item.decl, "attributes", None) or ()
    return any(attribute.name == "gnu_inline" for attribute in attributes)
