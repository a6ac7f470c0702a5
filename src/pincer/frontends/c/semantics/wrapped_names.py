"""Functions in whose place the linker puts others, which tests do to let calls fail (`--wrap=NAME`).

That is told where programs are linked, and nowhere in what is compiled. But nothing else has functions that are named
`__wrap_NAME`: where there is one, each file that does not define NAME itself means `__wrap_NAME` by it, and NAME by
`__real_NAME`.
"""

from __future__ import annotations

from collections.abc import Sequence

from pycparser import c_ast

from pincer.frontends.c.semantics.internal_names import Renaming, mentioned_names
from pincer.program.property import Assumption

_WRAPPING, _REAL = "__wrap_", "__real_"


def wrap(trees: Sequence[c_ast.FileAST]) -> tuple[str, ...]:
    """Rename in the trees as the linker would; the names that are wrapped."""
    defined = [_defined(tree) for tree in trees]
    everywhere = frozenset[str]().union(*defined)
    candidates = {name.removeprefix(_WRAPPING) for name in everywhere if name.startswith(_WRAPPING)}
    if not candidates:
        return ()
    wrapped = sorted(candidates & set[str]().union(*map(mentioned_names, trees)))
    real = {_REAL + name: name for name in wrapped if _REAL + name not in everywhere}
    for own, tree in zip(defined, trees, strict=True):
        Renaming({**{name: _WRAPPING + name for name in wrapped if name not in own}, **real}).file(tree)
    return tuple(wrapped)


def wrapping(name: str) -> Assumption:
    """What is taken for granted about a name that is wrapped."""
    return Assumption(
        f"`{name}` means `{_WRAPPING}{name}`, and `{_REAL}{name}` means `{name}`, as for a linker with --wrap={name}"
    )


def _defined(tree: c_ast.FileAST) -> frozenset[str]:
    """The functions that a file defines for all."""
    functions = (item.decl for item in tree.ext if isinstance(item, c_ast.FuncDef))
    return frozenset(function.name for function in functions if "static" not in function.storage)
