"""What evaluating an expression may use and change, read off its syntax."""

from __future__ import annotations

from dataclasses import dataclass

from pycparser import c_ast

STEPS = ("++", "--", "p++", "p--")
ANY = "*"
"""Any function: what a call through a pointer may reach."""


@dataclass(frozen=True, slots=True)
class Touched:
    """Variables by name that an expression uses and changes, whether it reads and writes memory, whom it calls."""

    uses: frozenset[str] = frozenset()
    changes: frozenset[str] = frozenset()
    loads: bool = False
    stores: bool = False
    calls: frozenset[str] = frozenset()

    def __or__(self, other: Touched) -> Touched:
        return Touched(
            self.uses | other.uses, self.changes | other.changes, self.loads or other.loads,
            self.stores or other.stores, self.calls | other.calls,
        )  # fmt: skip

    def without(self, names: frozenset[str]) -> Touched:
        return Touched(self.uses - names, self.changes - names, self.loads, self.stores, self.calls)

    def disturbs(self, other: Touched) -> bool:
        if self.changes & (other.uses | other.changes):
            return True
        return self.stores and (other.loads or other.stores)


NOTHING = Touched()


def touched(node: c_ast.Node | None, own: frozenset[str] = frozenset()) -> Touched:
    """What evaluating an expression, or running a statement, touches, apart from the contents of `own` aggregates."""
    match node:
        case None | c_ast.Constant() | c_ast.Typename():
            return NOTHING
        case c_ast.ID():
            return Touched(uses=frozenset((node.name,)))
        case c_ast.UnaryOp(op="sizeof" | "_Alignof" | "__alignof__"):
            return NOTHING
        case c_ast.UnaryOp(op="&"):
            return place_touched(node.expr, own)
        case c_ast.UnaryOp(op="*"):
            return touched(node.expr, own) | Touched(loads=True)
        case c_ast.UnaryOp() if node.op in STEPS:
            return touched(node.expr, own) | _changed(node.expr, own)
        case c_ast.Assignment():
            before = place_touched(node.lvalue, own) if node.op == "=" else touched(node.lvalue, own)
            return before | touched(node.rvalue, own) | _changed(node.lvalue, own)
        case c_ast.ArrayRef() | c_ast.StructRef():
            return place_touched(node, own) | Touched(loads=not _is_own(node, own))
        case c_ast.FuncCall():
            callee = node.name
            direct = isinstance(callee, c_ast.ID)
            calls = Touched(calls=frozenset((callee.name if direct else ANY,)))
            return calls | (NOTHING if direct else touched(callee, own)) | touched(node.args, own)
    found = NOTHING
    for child in node:
        found |= touched(child, own)
    return found


def place_touched(node: c_ast.Node, own: frozenset[str] = frozenset()) -> Touched:
    """What finding a place touches, without reading it."""
    match node:
        case c_ast.ID():
            return NOTHING
        case c_ast.UnaryOp(op="*"):
            return touched(node.expr, own)
        case c_ast.ArrayRef():
            return touched(node.name, own) | touched(node.subscript, own)
        case c_ast.StructRef():
            return place_touched(node.name, own) if node.type == "." else touched(node.name, own)
    return touched(node, own)


def _changed(node: c_ast.Node, own: frozenset[str]) -> Touched:
    """The change of a place: a variable by name, anything else somewhere in memory."""
    return (
        Touched(changes=frozenset((node.name,)))
        if isinstance(node, c_ast.ID)
        else Touched(stores=not _is_own(node, own))
    )


def _is_own(node: c_ast.Node, own: frozenset[str]) -> bool:
    """Whether a place is a part of one of these aggregates."""
    while isinstance(node, c_ast.ArrayRef) or (isinstance(node, c_ast.StructRef) and node.type == "."):
        node = node.name
    return isinstance(node, c_ast.ID) and node.name in own
