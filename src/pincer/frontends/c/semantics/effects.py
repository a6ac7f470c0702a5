"""What evaluating an expression may change, read off its syntax."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

from pycparser import c_ast

from pincer.frontends.c.lowering.terms import reads_memory
from pincer.logic.terms import Term
from pincer.program.registers import Role, has_role, is_local

_STEPS = frozenset(("++", "--", "p++", "p--"))


@dataclass(frozen=True, slots=True)
class Effects:
    """Variables assigned by name, whether memory may be written, and whether a call may change globals."""

    names: frozenset[str] = frozenset()
    memory: bool = False
    calls: bool = False

    @property
    def none(self) -> bool:
        return not (self.names or self.memory or self.calls)

    def disturb(self, term: Term) -> bool:
        """Whether the value of a term read before may differ afterwards."""
        if (self.memory or self.calls) and reads_memory(term):
            return True
        for variable in term.variables:
            if self.calls and not is_local(variable):
                return True
            if has_role(variable, *_WRITTEN) and not self.names.isdisjoint(variable.args[0].name.split(".")):
                return True
        return False


_WRITTEN = (Role.VARIABLE, Role.PARAMETER, Role.THREAD_VARIABLE)
NONE = Effects()
_known: WeakKeyDictionary[c_ast.Node, Effects] = WeakKeyDictionary()


def effects(node: c_ast.Node | None) -> Effects:
    if node is None or isinstance(node, c_ast.ID | c_ast.Constant):
        return NONE
    known = _known.get(node)
    if known is None:
        known = _known[node] = _effects(node)
    return known


def _effects(node: c_ast.Node) -> Effects:
    if isinstance(node, c_ast.UnaryOp) and node.op in ("sizeof", "_Alignof", "__alignof__"):
        return NONE
    names: frozenset[str] = frozenset()
    memory = calls = False
    if isinstance(node, c_ast.Assignment):
        names, memory = _target(node.lvalue)
    elif isinstance(node, c_ast.UnaryOp) and node.op in _STEPS:
        names, memory = _target(node.expr)
    elif isinstance(node, c_ast.FuncCall):
        calls = not (isinstance(node.name, c_ast.ID) and node.name.name.startswith("__VERIFIER_nondet_"))
    for child in node:
        inner = effects(child)
        if not inner.none:
            names, memory, calls = names | inner.names, memory or inner.memory, calls or inner.calls
    return Effects(names, memory, calls) if names or memory or calls else NONE


def _target(node: c_ast.Node) -> tuple[frozenset[str], bool]:
    if isinstance(node, c_ast.ID):
        return frozenset((node.name,)), True
    return frozenset(), True
