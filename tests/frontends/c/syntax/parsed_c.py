"""C text parsed, for the tests beside this module."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pycparser import c_ast

from pincer.frontends.c.syntax.parse import TranslationUnit, parse


def read(text: str) -> TranslationUnit:
    return parse(Path("program.c"), text)


def declarations(text: str) -> list[Any]:
    return list(read(text).ast.ext)


def body(statements: str) -> list[Any]:
    """The items of a function body."""
    return list(declarations(f"void f(int x, int *p) {{ {statements} }}")[0].body.block_items)


def everything(node: c_ast.Node) -> Iterator[c_ast.Node]:
    yield node
    for child in node:
        yield from everything(child)


def attributes(node: Any) -> list[tuple[str, list[str]]]:
    return [(item.name, [getattr(value, "value", "?") for value in item.arguments]) for item in node.attributes]
