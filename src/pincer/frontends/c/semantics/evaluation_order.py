"""Operands whose order C leaves open although it matters.

Where one operand changes a variable that another uses, the program is undefined, and the analysis says so at that
place. Where a function that one operand calls may change what another uses, C allows several results; one of them is
modelled, and the verdict says so.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate, permutations
from operator import or_

from pycparser import c_ast

from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.semantics.effects import effects
from pincer.frontends.c.semantics.touched import ANY, NOTHING, STEPS, Touched, place_touched, touched
from pincer.program.property import Assumption

ORDER = Assumption(
    "where the order of evaluation matters and C leaves it open, operands go left to right, arguments right to left, "
    "initialisers in the order of what they initialise"
)
_SEQUENCED = ("&&", "||")


def note_order(frame: Frame, operands: Sequence[c_ast.Node], node: c_ast.Node) -> None:
    """Look at operands that C does not order, and say what that leaves open."""
    if all(effects(operand).none for operand in operands):
        return
    parts = [touched(operand) for operand in operands]
    for one, other in permutations(parts, 2):
        if _refused(frame, one.changes & (other.uses | other.changes), node):
            return
    for (part, _), (other, operand) in permutations(zip(parts, operands, strict=True), 2):
        known = isinstance(operand, c_ast.ID) or not isinstance(node, c_ast.BinaryOp)
        if not known and _refused(frame, _with_calls(frame, part).changes & other.uses, node):
            return
    _note_disturbance(frame, parts)


def note_assignment(frame: Frame, node: c_ast.Assignment) -> None:
    """The place and the value of an assignment; its own change comes last."""
    if effects(node.rvalue).none and effects(node.lvalue).none:
        return
    place, value = place_touched(node.lvalue), touched(node.rvalue)
    stepped = frozenset(step.expr.name for step in _steps(node.rvalue))
    target = frozenset((node.lvalue.name,)) if isinstance(node.lvalue, c_ast.ID) else frozenset[str]()
    names = value.changes & place.uses | place.changes & (value.uses | value.changes) | stepped & target
    if _refused(frame, names, node):
        return
    if place.calls and _refused(frame, _with_calls(frame, place).changes & _with_calls(frame, value).changes, node):
        return
    _note_disturbance(frame, [place, value])


def note_initialisers(frame: Frame, nodes: Sequence[c_ast.Node]) -> None:
    """The initialisers of one list: each is complete before the next one begins, in some order."""
    if all(effects(node).none for node in nodes):
        return
    parts = [_with_calls(frame, touched(node)) for node in nodes]
    following = [*accumulate(reversed(parts), or_, initial=NOTHING)][::-1][1:]
    earlier = NOTHING
    for part, later in zip(parts, following, strict=True):
        if part.disturbs(earlier | later):
            frame.unit.assume(ORDER)
            return
        earlier |= part


def _refused(frame: Frame, names: frozenset[str], node: c_ast.Node) -> bool:
    """Say that nothing is known of a value: compilers do differ here."""
    for name in sorted(names)[:1]:
        frame.unsupported(f"`{name}` is changed and used in an expression without an order between the two", node)
    return bool(names)


def _note_disturbance(frame: Frame, parts: Sequence[Touched]) -> None:
    """Where calls are ordered as compilers usually do it, that is an assumption."""
    if any(one.disturbs(other) for one, other in permutations([_with_calls(frame, part) for part in parts], 2)):
        frame.unit.assume(ORDER)


def _steps(node: c_ast.Node) -> Iterator[c_ast.UnaryOp]:
    """The `++` and `--` of variables whose effect comes at any time before the end of an expression."""
    if isinstance(node, c_ast.UnaryOp) and node.op in STEPS and isinstance(node.expr, c_ast.ID):
        yield node
    elif isinstance(node, c_ast.BinaryOp | c_ast.UnaryOp | c_ast.Cast) and getattr(node, "op", "") not in _SEQUENCED:
        for child in node:
            yield from _steps(child)


def _with_calls(frame: Frame, part: Touched) -> Touched:
    """What an expression touches together with the functions it calls."""
    found = part
    for name in part.calls:
        found |= _of_function(frame, name)
    return found


def _of_function(frame: Frame, name: str) -> Touched:
    """What a function and those it calls touch that others know; for calls through pointers, what any function does."""
    summaries = frame.unit.touched
    if name not in summaries:
        found, seen, pending = NOTHING, set[str](), [name]
        while pending:
            current = pending.pop()
            if current in seen:
                continue
            seen.add(current)
            if current == ANY or (current not in frame.unit.usage.arity and current not in frame.unit.library):
                pending.extend(frame.unit.usage.addressed)
            elif current in frame.unit.definitions:
                own = _of_body(frame.unit.definitions[current].node)
                pending.extend(own.calls)
                found |= own
        summaries[name] = Touched(found.uses, found.changes, found.loads, found.stores)
    return summaries[name]


def _of_body(function: c_ast.FuncDef) -> Touched:
    local = [node for node in _declared(function.body) if "static" not in (node.storage or ())]
    parameters = function.decl.type.args.params if function.decl.type.args else ()
    names = frozenset(node.name for node in (*local, *parameters) if getattr(node, "name", None))
    aggregates = frozenset(node.name for node in local if not isinstance(node.type, c_ast.PtrDecl))
    return touched(function.body, aggregates).without(names)


def _declared(node: c_ast.Node) -> Iterator[c_ast.Decl]:
    if isinstance(node, c_ast.Decl) and node.name:
        yield node
    for child in node:
        yield from _declared(child)
