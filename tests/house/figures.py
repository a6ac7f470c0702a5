"""`python -m tests.house.figures [SRC ...]`: the size and the joints of the code, states of it side by side."""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

ROOT = Path(__file__).parents[2]
SMALL = 60
MANY_PARAMETERS = 6
SENTENCES = re.compile(r"(^|_)(reason|message|assumption|remark|function|callee|detail)s?$")
"""Names of values that are meant to be read by people, or that name functions of C libraries."""
CONSTANT = re.compile(r"^_?[A-Z][A-Z0-9_]*$")

Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Module:
    """One file of the source."""

    path: Path

    @cached_property
    def text(self) -> str:
        return self.path.read_text(encoding="utf-8")

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        return tuple(ast.walk(ast.parse(self.text)))

    @property
    def lines(self) -> int:
        return self.text.count("\n")

    def functions(self) -> Iterator[Function]:
        return (node for node in self.nodes if isinstance(node, Function))

    def classes(self) -> Iterator[str]:
        return (node.name for node in self.nodes if isinstance(node, ast.ClassDef))

    def lazy_imports(self) -> int:
        found = {
            (node.lineno, node.col_offset)
            for function in self.functions()
            for node in ast.walk(function)
            if isinstance(node, ast.Import | ast.ImportFrom)
        }
        return len(found)

    def numeric_constants(self) -> Iterator[str]:
        """Names of modules' own numbers; members of a dataclass of limits are explained there and do not count."""
        for node in ast.parse(self.text).body:
            if isinstance(node, ast.Assign | ast.AnnAssign) and _is_number(node.value):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                yield from (t.id for t in targets if isinstance(t, ast.Name) and CONSTANT.match(t.id))

    def sentences_compared(self) -> Iterator[int]:
        """Lines on which a text for people, or the name of a library function, is compared with a constant text."""
        for node in self.nodes:
            match node:
                case ast.Compare(left=left, comparators=[right]) if _is_text(right) and _reads_sentence(left):
                    yield node.lineno
                case ast.Compare(left=left, comparators=[right]) if _is_text(left) and _reads_sentence(right):
                    yield node.lineno
                case ast.Call(func=ast.Attribute(value=value, attr="startswith" | "endswith" | "removeprefix")):
                    if _reads_sentence(value):
                        yield node.lineno


def _is_number(node: ast.expr | None) -> bool:
    match node:
        case ast.Constant(value=int() | float()):
            return not isinstance(node.value, bool)
        case ast.BinOp(left=left, right=right):
            return _is_number(left) and _is_number(right)
        case ast.UnaryOp(operand=operand):
            return _is_number(operand)
        case ast.Tuple(elts=elements):
            return bool(elements) and all(map(_is_number, elements))
    return False


def _is_text(node: ast.expr) -> bool:
    match node:
        case ast.Constant(value=str()):
            return node.value != ""
        case ast.Tuple(elts=elements) | ast.Set(elts=elements) | ast.List(elts=elements):
            return bool(elements) and all(map(_is_text, elements))
    return False


def _reads_sentence(node: ast.expr) -> bool:
    match node:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return bool(SENTENCES.search(name))
    return False


def modules(source: Path) -> list[Module]:
    return [Module(path) for path in sorted(source.rglob("*.py"))]


def parameters(function: Function) -> int:
    """How many parameters a function has, `self` among them."""
    return len([*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs])


def figures(source: Path) -> dict[str, int]:
    """What is counted, by its name."""
    found = modules(source)
    named = Counter(name for module in found for name in set(module.classes()))
    return {
        "modules": len(found),
        "lines": sum(module.lines for module in found),
        f"modules under {SMALL} lines": sum(module.lines < SMALL for module in found),
        f"functions with {MANY_PARAMETERS} or more parameters": sum(
            parameters(function) >= MANY_PARAMETERS for module in found for function in module.functions()
        ),
        "functions over 60 lines": sum(
            (function.end_lineno or 0) - function.lineno >= SMALL for module in found for function in module.functions()
        ),
        "class names in two or more modules": sum(count > 1 for count in named.values()),
        "lazy imports": sum(module.lazy_imports() for module in found),
        "numeric constants of modules": sum(1 for module in found for _ in module.numeric_constants()),
        "sentences compared": sum(1 for module in found for _ in module.sentences_compared()),
    }


def main() -> None:
    sources = [Path(text) for text in sys.argv[1:]] or [ROOT / "src" / "pincer"]
    columns = [figures(source) for source in sources]
    for name in columns[0]:
        print("".join(f"{column[name]:9,}" for column in columns), "", name)


if __name__ == "__main__":
    main()
