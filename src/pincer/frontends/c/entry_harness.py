"""A function to start in, with arguments: `f(buf[n], n <= 8)` says that `buf` points to `n` elements of any value.

What is said becomes a function in C, which is read behind the file and calls the function: engines, checkers and
compilers see an ordinary program. Parameters that nothing is said about take any value, as those of any entry do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from pycparser import c_ast, c_generator

from pincer.errors import PincerError
from pincer.frontends.c.lowering.entry import HARNESS
from pincer.frontends.c.syntax.parse import parse
from pincer.program.c_file import CFile
from pincer.program.property import DataModel

BYTES = "__VERIFIER_nondet_bytes_of_"
FILE = "<--entry>"
"""What the text of harnesses is shown as."""
_SIZE = "__typeof__(sizeof 0)"
_SPELLED = re.compile(r"\s*([A-Za-z_]\w*)\s*\((.*)\)\s*", re.DOTALL)
_BUFFER = re.compile(r"([A-Za-z_]\w*)\s*\[(.+)\]", re.DOTALL)
_NAME = re.compile(r"\b[A-Za-z_]\w*")


class EntryHarness(Struct, frozen=True):
    """The function that a check begins with, and the C text that defines it."""

    entry: str
    text: str


class _Parameter(Struct, frozen=True):
    """A parameter as a declaration of a variable; `points` where that is a pointer to an object."""

    name: str
    declaration: str
    points: bool


class _AskedLengths(Struct, frozen=True):
    """The lengths of buffers by the names of their parameters, and what is assumed."""

    lengths: dict[str, str]
    conditions: tuple[str, ...]


def entry_harness(entry: str, file: CFile, data_model: DataModel) -> EntryHarness:
    """The harness for an entry with arguments; mistakes in it are `PincerError`s."""
    spelled = _SPELLED.fullmatch(entry)
    if spelled is None:
        raise PincerError(f"--entry {entry!r} is no function, nor one with arguments such as 'f(buf[n], n <= 8)'")
    tree = parse(Path(file.path), layout_bits=64 if data_model == "LP64" else 32, flags=file.flags).ast
    name, asked = spelled[1], _asked(spelled[2])
    parameters = _parameters(tree, name)
    known = {parameter.name: parameter for parameter in parameters}
    for buffer in asked.lengths:
        if buffer not in known:
            listed = ", ".join(known) or "none"
            raise PincerError(f"--entry {entry!r}: `{name}` has no parameter `{buffer}`; its parameters are {listed}")
        if not known[buffer].points:
            raise PincerError(f"--entry {entry!r}: the parameter `{buffer}` is no pointer to objects")
    sizes = _sizes(asked, known, _file_names(tree))
    return EntryHarness(HARNESS + name, _text(name, parameters, asked, sizes))


def _asked(text: str) -> _AskedLengths:
    lengths: dict[str, str] = {}
    conditions: list[str] = []
    for item in _items(text):
        buffer = _BUFFER.fullmatch(item)
        if buffer is not None:
            lengths[buffer[1]] = length = buffer[2].strip()
            if length.startswith("-"):
                raise PincerError(f"--entry: `{item}` has a length below zero")
        elif not _NAME.fullmatch(item):
            conditions.extend(_conjuncts(item))
    return _AskedLengths(lengths, tuple(conditions))


def _items(text: str) -> list[str]:
    """What stands between the commas outside of brackets."""
    return [item for item in map(str.strip, _divided(text, ",")) if item]


def _conjuncts(condition: str) -> list[str]:
    """What has to hold, one by one: a condition may speak of a length and of contents."""
    if len(_divided(condition, "||")) > 1 or len(_divided(condition, "?")) > 1:
        return [condition]
    return [part.strip() for part in _divided(condition, "&&")]


def _divided(text: str, mark: str) -> list[str]:
    """The text cut at the marks outside of brackets."""
    parts, depth, start = [], 0, 0
    for index, character in enumerate(text):
        depth += (character in "([{") - (character in ")]}")
        if depth == 0 and text.startswith(mark, index):
            parts.append(text[start:index])
            start = index + len(mark)
    return [*parts, text[start:]]


def _parameters(tree: c_ast.FileAST, name: str) -> list[_Parameter]:
    for item in tree.ext:
        if isinstance(item, c_ast.FuncDef) and item.decl.name == name:
            arguments = item.decl.type.args
            old = {node.name: node for node in item.param_decls or ()}
            given = [old.get(getattr(node, "name", None), node) for node in arguments.params] if arguments else []
            return [_parameter(node) for node in given if isinstance(node, c_ast.Decl)]
    raise PincerError(f"there is no function `{name}` with a body; name another one with --entry")


def _parameter(node: Any) -> _Parameter:
    """A parameter; an array is a pointer."""
    kind = node.type
    if isinstance(kind, c_ast.ArrayDecl):
        _name_inside(kind, node.name)
        kind = c_ast.PtrDecl([], kind.type)
    points = isinstance(kind, c_ast.PtrDecl) and not isinstance(kind.type, c_ast.FuncDecl)
    plain = c_ast.Decl(node.name, [], [], [], [], kind, None, None)
    return _Parameter(node.name, c_generator.CGenerator().visit(plain), points)


def _name_inside(kind: Any, name: str) -> None:
    while not isinstance(kind, c_ast.TypeDecl):
        kind = kind.type
    kind.declname = name


def _file_names(tree: c_ast.FileAST) -> set[str]:
    """What the text of the harness can see: enumerators count, too."""
    names: set[str] = set()
    for item in tree.ext:
        node = item.decl if isinstance(item, c_ast.FuncDef) else item
        names.add(getattr(node, "name", None) or "")
        pending: list[c_ast.Node] = [] if isinstance(item, c_ast.FuncDef) else [item]
        while pending:
            inner = pending.pop()
            if isinstance(inner, c_ast.Enumerator):
                names.add(inner.name)
            pending.extend(inner)
    return names


def _sizes(asked: _AskedLengths, known: Iterable[str], visible: set[str]) -> list[str]:
    """Names in lengths and conditions that nothing else has: sizes of any value."""
    texts = (*asked.lengths.values(), *asked.conditions)
    mentioned = (name for text in texts for name in _NAME.findall(text))
    own = {*known, *visible, "sizeof", "int", "long", "unsigned", "char", "short", "signed", "struct", "union"}
    return [name for name in dict.fromkeys(mentioned) if name not in own]


def _text(function: str, parameters: Sequence[_Parameter], asked: _AskedLengths, sizes: Sequence[str]) -> str:
    """The harness on one line for each step, in C that needs no header."""
    buffers = [parameter for parameter in parameters if parameter.name in asked.lengths]
    others = [parameter.declaration for parameter in parameters if parameter.name not in asked.lengths]
    taken = ", ".join((*others, *(f"{_SIZE} {size}" for size in sizes))) or "void"
    lines = [f'# 1 "{FILE}"', f"extern void *malloc({_SIZE});", "extern void __VERIFIER_assume(int);"]
    lines += [f"extern unsigned char {BYTES}{buffer.name}(void);" for buffer in buffers]
    lines += [f"void {HARNESS}{function}({taken}) {{"]
    before, behind = _apart(asked)
    lines += [f"  __VERIFIER_assume(({condition}) != 0);" for condition in before]
    for buffer in buffers:
        length = asked.lengths[buffer.name]
        pointer, size = buffer.name, f"__pincer_size_of_{buffer.name}"
        lines += [
            f"  __VERIFIER_assume(!(({length}) < 0));",
            f"  {buffer.declaration} = malloc(({_SIZE})({length}) * sizeof(*{pointer}));",
            f"  {_SIZE} {size} = ({_SIZE})({length}) * sizeof(*{pointer});",
            f"  __VERIFIER_assume(({_SIZE})({length}) <= ({_SIZE})-1 / 2 / sizeof(*{pointer}));",
            f"  __VERIFIER_assume({pointer} != 0);",
            f"  for ({_SIZE} __pincer_i = 0; __pincer_i < {size}; __pincer_i++)",
            f"    ((unsigned char *){pointer})[__pincer_i] = {BYTES}{pointer}();",
        ]
    lines += [f"  __VERIFIER_assume(({condition}) != 0);" for condition in behind]
    arguments = ", ".join(parameter.name for parameter in parameters)
    return "\n".join([*lines, f"  {function}({arguments});", "}", ""])


def _apart(asked: _AskedLengths) -> tuple[list[str], list[str]]:
    """The conditions about numbers, which may bound lengths, and those about what is in the buffers."""
    about_contents = [not asked.lengths.keys().isdisjoint(_NAME.findall(text)) for text in asked.conditions]
    before = [text for text, late in zip(asked.conditions, about_contents, strict=True) if not late]
    return before, [text for text, late in zip(asked.conditions, about_contents, strict=True) if late]
