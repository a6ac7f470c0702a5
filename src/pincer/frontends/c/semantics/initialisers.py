"""Initialisers: braces, elided braces and designators flattened to one item per scalar."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace
from pycparser import c_ast

from pincer.frontends.c.semantics import literals
from pincer.frontends.c.semantics.context import Context
from pincer.frontends.c.semantics.effects import touched
from pincer.frontends.c.semantics.expressions import assigned, constant, value
from pincer.frontends.c.semantics.tree import Expression, Initialiser, Item, Number
from pincer.frontends.c.semantics.types import Array, Bits, CType, Integer, Member, Record, Target
from pincer.frontends.c.syntax import nodes

Span = tuple[int, int]


def initialiser(context: Context, type: CType, init: c_ast.Node) -> tuple[CType, Initialiser]:
    """An initialiser for an object of a type, and that type: an array gets the length that its initialiser gives it."""
    flat = _Flat(context)
    if isinstance(type, Array) and type.length is None:
        literal = _string(context, type, init)
        if literal is not None:
            type = Array(type.element, len(literal) // (context.target.size(type.element) or 1))
        elif isinstance(init, c_ast.InitList):
            flat.braced(type, 0, init)
            type = Array(type.element, flat.reached)
            flat.items.clear()
    flat.element(Member(None, type, 0), [init], 0)
    found = _arranged(flat.items, context.target)
    return type, replace(found, whole=_whole(context, type, init, flat), extent=_extent(context, type, flat.items))


def _whole(context: Context, type: CType, init: c_ast.Node, flat: _Flat) -> Expression | None:
    """The value of a scalar, in braces or not, or of a record that is initialised by another."""
    if isinstance(type, Array) or (isinstance(type, Record) and isinstance(init, c_ast.InitList)):
        return None
    while isinstance(init, c_ast.InitList) and init.exprs:
        init = init.exprs[0]
    if isinstance(init, c_ast.InitList):
        return Number(type, init, 0)
    return assigned(context, flat.value(init), type)


def _extent(context: Context, type: CType, items: Sequence[Item]) -> int | None:
    """The size of an object whose flexible array member is initialised; None for all others."""
    if not isinstance(type, Record) or not type.members or type.size is None:
        return None
    last = type.members[-1].type
    if not isinstance(last, Array) or last.length is not None:
        return None
    ends = [
        item.offset + (len(item.contents) if item.contents is not None else context.target.size(item.type) or 0)
        for item in items
    ]
    return max(type.size, *ends) if ends else None


def _string(context: Context, type: Array, node: c_ast.Node) -> bytes | None:
    """The bytes of a string literal, in braces or not, that initialises an array of characters."""
    if isinstance(node, c_ast.InitList) and len(node.exprs) == 1:
        node = node.exprs[0]
    if not isinstance(node, c_ast.Constant) or "string" not in node.type or not isinstance(type.element, Integer):
        return None
    contents, unit = literals.string(node.value, context.file.encoding)
    return contents if unit.bits == type.element.bits else None


class _Flat:
    """Walks an initialiser beside its type. `reached` is one more than the highest element of the outermost array."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._target = context.target
        self._values: dict[int, Expression] = {}
        self.items: list[Item] = []
        self.reached = 0

    def value(self, node: c_ast.Node) -> Expression:
        """The value of an expression, which may be asked for several times."""
        if id(node) not in self._values:
            self._values[id(node)] = value(self._context, node)
        return self._values[id(node)]

    def braced(self, type: CType, offset: int, node: c_ast.InitList) -> None:
        """`{ ... }` for an object of the type."""
        if isinstance(type, Array | Record):
            self._run(type, offset, node.exprs, 0, True, None)
        elif node.exprs:
            self.element(Member(None, type, offset), [node.exprs[0]], 0)

    def element(self, part: Member, exprs: Sequence[c_ast.Node], at: int) -> int:
        """Initialise one subobject from the item `at` and, without braces, from as many as it needs."""
        type, offset = part.type, part.offset
        node = exprs[at]
        if isinstance(node, c_ast.NamedInitializer):
            node = node.expr
        if isinstance(type, Array):
            literal = _string(self._context, type, node)
            if literal is not None:
                size = self._target.size(type)
                self.items.append(Item(offset, type, None, node, None, literal if size is None else literal[:size]))
                return at + 1
        if isinstance(node, c_ast.InitList):
            self.braced(type, offset, node)
            return at + 1
        if isinstance(type, Array) or (isinstance(type, Record) and not self._is_whole(type, node)):
            if isinstance(type, Array) and isinstance(node, c_ast.CompoundLiteral):
                return self.element(part, [node.init], 0) + at
            return self._run(type, offset, exprs, at, False, None)
        self.items.append(Item(offset, type, assigned(self._context, self.value(node), type), node, part.bits))
        return at + 1

    def _is_whole(self, type: Record, node: c_ast.Node) -> bool:
        return not isinstance(node, c_ast.Constant) and self.value(node).type is type

    def _run(
        self,
        type: Array | Record,
        offset: int,
        exprs: Sequence[c_ast.Node],
        at: int,
        outermost: bool,
        path: Sequence[c_ast.Node] | None,
    ) -> int:
        """Initialise subobjects in turn. Designators belong to the innermost braces, so others stop there."""
        position, taken = 0, outermost
        while at < len(exprs):
            node = exprs[at]
            if isinstance(node, c_ast.NamedInitializer) and path is None and taken:
                if not outermost:
                    return at
                path = node.name
            if path:
                at, position = self._designated(type, offset, exprs, at, path)
                path = None
            else:
                part = self._part(type, position)
                if part is None:
                    return len(exprs) if outermost else at
                at = self.element(_inside(part, offset), exprs, at)
            taken = True
            position = position + 1 if isinstance(type, Array) or type.kind == "struct" else len(type.members)
            if isinstance(type, Array) and outermost and offset == 0:
                self.reached = max(self.reached, position)
        return at

    def _designated(
        self, type: Array | Record, offset: int, exprs: Sequence[c_ast.Node], at: int, path: Sequence[c_ast.Node]
    ) -> tuple[int, int]:
        """One designated item; also the position of the subobject it names."""
        low, high, rest = self._positions(type, path)
        following = at
        for position in range(low, high + 1):
            part = self._part(type, position)
            if part is None:
                raise self._context.error("this designator is outside the object", path[0])
            if rest and isinstance(part.type, Array | Record):
                following = self._run(part.type, offset + part.offset, exprs, at, False, rest)
            else:
                following = self.element(_inside(part, offset), exprs, at)
        return following, high

    def _positions(self, type: Array | Record, path: Sequence[c_ast.Node]) -> tuple[int, int, Sequence[c_ast.Node]]:
        head = path[0]
        if isinstance(head, c_ast.ArrayDesignator):
            if isinstance(head.expr, nodes.ValueRange):
                return constant(self._context, head.expr.low), constant(self._context, head.expr.high), path[1:]
            index = constant(self._context, head.expr)
            return index, index, path[1:]
        name = head.name
        for position, member in enumerate(type.members if isinstance(type, Record) else ()):
            if member.name == name:
                return position, position, path[1:]
            if member.name is None and isinstance(member.type, Record) and name in member.type.index:
                return position, position, path
        raise self._context.error(f"there is no member `{name}` to initialise", head)

    def _part(self, type: Array | Record, position: int) -> Member | None:
        """The subobject at a position, None past the end."""
        if isinstance(type, Array):
            if isinstance(type.length, int) and not 0 <= position < type.length:
                return None
            return Member(None, type.element, position * (self._target.size(type.element) or 0))
        return type.members[position] if position < len(type.members) else None


def _inside(part: Member, offset: int) -> Member:
    """A part of an object that is at an offset itself."""
    bits = part.bits and Bits(part.bits.first + 8 * offset, part.bits.width)
    return Member(part.name, part.type, offset + part.offset, bits)


def _arranged(found: Sequence[Item], target: Target) -> Initialiser:
    """Items in the order of the object, in which compilers evaluate them; later ones of the text override earlier ones.

    C leaves open whether an initialiser that is overridden is evaluated, and compilers differ about one that is
    overridden in part.
    """
    last: dict[Span, tuple[int, Item]] = {}
    dropped: list[Item] = []
    for number, item in enumerate(found):
        span = _span(item, target)
        if span in last and span[0] < span[1]:
            dropped.append(last[span][1])
        last[span if span[0] < span[1] else (span[0], -number)] = number, item
    kept: list[Item] = []
    outer, outer_number = (0, 0), -1
    for span, (number, item) in sorted(last.items(), key=lambda entry: (entry[0][0], -entry[0][1], entry[1][0])):
        if span[0] < span[1] and span[0] < outer[1]:
            if span[1] > outer[1] or number > outer_number:
                return Initialiser(
                    tuple(kept), refused=("an initialiser that overrides a part of another", item.written)
                )
            dropped.append(item)
            continue
        kept.append(item)
        if span[0] < span[1]:
            outer, outer_number = span, number
    for item in dropped:
        if item.value is not None and touched(item.value).acts:
            return Initialiser(
                tuple(kept), refused=("an initialiser with effects that another one overrides", item.written)
            )
    return Initialiser(tuple(kept))


def _span(item: Item, target: Target) -> Span:
    """The bits of the object that an item is about: from the first to the one after the last."""
    if item.bits is not None:
        return item.bits.first, item.bits.first + item.bits.width
    size = target.size(item.type)
    if size is None:
        size = len(item.contents or b"")
    return 8 * item.offset, 8 * (item.offset + size)
