"""C text with its types, for the tests beside this module."""

from __future__ import annotations

from pathlib import Path

from pincer.frontends.c.load import read
from pincer.frontends.c.semantics import analysis, tree
from pincer.frontends.c.semantics.context import TypedProgram
from pincer.program.property import DataModel


def typed(folder: Path, text: str, data_model: DataModel = "LP64") -> TypedProgram:
    """The program of a file with this text."""
    file = folder / "program.c"
    file.write_text(text)
    return read(file, data_model=data_model)


def body(folder: Path, text: str) -> tree.Body:
    """The body of `main`."""
    return analysis.body(typed(folder, text), "main")


def expression(folder: Path, text: str, before: str = "", data_model: DataModel = "LP64") -> tree.Expression:
    """The expression after these declarations, which stand in `main` before it."""
    program = typed(folder, f"int main(void) {{ {before} {text}; }}", data_model)
    last = analysis.body(program, "main").block.statements[-1]
    assert isinstance(last, tree.Evaluate)
    return last.expression
