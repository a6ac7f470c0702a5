"""Initialisers: braces, elided braces and designators flattened to one item per scalar; static and automatic use."""

from __future__ import annotations

from collections.abc import Sequence

from pycparser import c_ast

from pincer.frontends.c.lowering.conversions import convert
from pincer.frontends.c.lowering.expressions import check_defined, constant, places, type_of, value
from pincer.frontends.c.lowering.frame import Frame, static_frame
from pincer.frontends.c.lowering.memory import assign, bit_range, leaves, named_origin, shifted, spill
from pincer.frontends.c.lowering.operators import assigned_value
from pincer.frontends.c.lowering.unit import Unit
from pincer.frontends.c.lowering.values import MemoryPlace, Place, Value
from pincer.frontends.c.semantics import literals
from pincer.frontends.c.semantics.declarations import type_name
from pincer.frontends.c.semantics.effects import effects
from pincer.frontends.c.semantics.evaluation_order import note_initialisers
from pincer.frontends.c.semantics.initialiser_items import Item, arranged
from pincer.frontends.c.semantics.symbols import Variable
from pincer.frontends.c.semantics.types import Array, Bits, CType, Integer, Member, Record
from pincer.frontends.c.syntax import nodes
from pincer.logic import bitvectors
from pincer.logic.terms import FALSE
from pincer.program.control_flow import Check, Fill, Label, StaticObject, Store, Unsupported

_MOST_STORES = 64


def completed(frame: Frame, type: CType, init: c_ast.Node | None) -> CType:
    """An array of unknown length with the length that its initialiser gives it."""
    if not isinstance(type, Array) or type.length is not None or init is None:
        return type
    literal = _string(frame, type, init)
    if literal is not None:
        return Array(type.element, len(literal) // (frame.target.size(type.element) or 1))
    if not isinstance(init, c_ast.InitList):
        return type
    flat = _Flat(frame)
    flat.braced(type, 0, init)
    return Array(type.element, flat.reached)


def extent(frame: Frame, type: CType, init: c_ast.Node | None) -> int | None:
    """The size of an object whose flexible array member is initialised; None for all others."""
    if init is None or not isinstance(type, Record) or not type.members or type.size is None:
        return None
    last = type.members[-1].type
    if not isinstance(last, Array) or last.length is not None:
        return None
    ends = [
        item.offset + (len(item.contents) if item.contents is not None else frame.target.size(item.type) or 0)
        for item in items(frame, type, init)
    ]
    return max(type.size, *ends) if ends else None


def items(frame: Frame, type: CType, init: c_ast.Node) -> list[Item]:
    """The items of an initialiser, in order of the text."""
    flat = _Flat(frame)
    flat.element(type, 0, None, [init], 0)
    return flat.items


def _string(frame: Frame, type: Array, node: c_ast.Node) -> bytes | None:
    """The bytes of a string literal, in braces or not, that initialises an array of characters."""
    if isinstance(node, c_ast.InitList) and len(node.exprs) == 1:
        node = node.exprs[0]
    if not isinstance(node, c_ast.Constant) or "string" not in node.type or not isinstance(type.element, Integer):
        return None
    contents, unit = literals.string(node.value, frame.target, frame.unit.encoding)
    return contents if unit.bits == type.element.bits else None


class _Flat:
    """Walks an initialiser beside its type. `reached` is one more than the highest element of the outermost array."""

    def __init__(self, frame: Frame) -> None:
        self._frame = frame
        self._target = frame.target
        self.items: list[Item] = []
        self.reached = 0

    def braced(self, type: CType, offset: int, node: c_ast.InitList) -> None:
        """`{ ... }` for an object of the type."""
        if isinstance(type, Array | Record):
            self._run(type, offset, node.exprs, 0, True, None)
        elif node.exprs:
            self.element(type, offset, None, [node.exprs[0]], 0)

    def element(self, type: CType, offset: int, bits: Bits | None, exprs: Sequence[c_ast.Node], at: int) -> int:
        """Initialise one subobject from the item `at` and, without braces, from as many as it needs."""
        node = exprs[at]
        if isinstance(node, c_ast.NamedInitializer):
            node = node.expr
        if isinstance(type, Array):
            literal = _string(self._frame, type, node)
            if literal is not None:
                size = self._target.size(type)
                self.items.append(Item(offset, type, node, None, literal if size is None else literal[:size]))
                return at + 1
        if isinstance(node, c_ast.InitList):
            self.braced(type, offset, node)
            return at + 1
        if isinstance(type, Array) or (isinstance(type, Record) and not self._is_whole(type, node)):
            if isinstance(type, Array) and isinstance(node, c_ast.CompoundLiteral):
                return self.element(type, offset, bits, [node.init], 0) + at
            return self._run(type, offset, exprs, at, False, None)
        self.items.append(Item(offset, type, node, bits))
        return at + 1

    def _is_whole(self, type: Record, node: c_ast.Node) -> bool:
        return not isinstance(node, c_ast.Constant) and type_of(self._frame, node) is type

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
                at = self.element(part.type, offset + part.offset, _moved(part.bits, offset), exprs, at)
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
                raise self._frame.unit.error("this designator is outside the object", path[0])
            if rest and isinstance(part.type, Array | Record):
                following = self._run(part.type, offset + part.offset, exprs, at, False, rest)
            else:
                following = self.element(part.type, offset + part.offset, _moved(part.bits, offset), exprs, at)
        return following, high

    def _positions(self, type: Array | Record, path: Sequence[c_ast.Node]) -> tuple[int, int, Sequence[c_ast.Node]]:
        head = path[0]
        if isinstance(head, c_ast.ArrayDesignator):
            if isinstance(head.expr, nodes.Range):
                return constant(self._frame, head.expr.low), constant(self._frame, head.expr.high), path[1:]
            index = constant(self._frame, head.expr)
            return index, index, path[1:]
        name = head.name
        for position, member in enumerate(type.members if isinstance(type, Record) else ()):
            if member.name == name:
                return position, position, path[1:]
            if member.name is None and isinstance(member.type, Record) and name in member.type.index:
                return position, position, path
        raise self._frame.unit.error(f"there is no member `{name}` to initialise", head)

    def _part(self, type: Array | Record, position: int) -> Member | None:
        """The subobject at a position, None past the end."""
        if isinstance(type, Array):
            if isinstance(type.length, int) and not 0 <= position < type.length:
                return None
            return Member(None, type.element, position * (self._target.size(type.element) or 0))
        return type.members[position] if position < len(type.members) else None


def _moved(bits: Bits | None, offset: int) -> Bits | None:
    return bits and Bits(bits.first + 8 * offset, bits.width)


def static_contents(unit: Unit, variable: Variable) -> bytes:
    """The bytes of a variable with static storage when the program starts."""
    return contents_of(static_frame(unit), variable.type, variable.init)


def contents_of(frame: Frame, type: CType, init: c_ast.Node | None) -> bytes:
    image = bytearray(extent(frame, type, init) or frame.target.size(type) or 0)
    if init is None:
        return bytes(image)
    found = arranged(items(frame, type, init), frame.target)
    if found.refused is not None:
        frame.unit.unsupported.append((found.refused[0], frame.unit.position(found.refused[1])))
    for item in found.items:
        _write_static(frame, image, item)
    return bytes(image)


def _write_static(frame: Frame, image: bytearray, item: Item) -> None:
    if item.contents is not None:
        image[item.offset : item.offset + len(item.contents)] = item.contents
        return
    if isinstance(item.type, Record):
        image[item.offset : item.offset + (item.type.size or 0)] = _static_record(frame, item)
        return
    aside = frame.aside()
    found = convert(aside, value(aside, item.node), item.type)
    known = bitvectors.constant_value(found.term)
    for edge in aside.builder.edges:
        open_value = _open_value(edge.label)
        if open_value is not None:
            frame.unit.unsupported.append((open_value, edge.position))
            return
    check_defined(aside, item.node)
    if known is None:
        raise frame.unit.error("the initialiser of a static object must be constant", item.node)
    size = frame.target.size(item.type) or 0
    if item.bits is None:
        image[item.offset : item.offset + size] = known.to_bytes(size, "little")
        return
    first, width = item.bits.first, item.bits.width
    mask = (1 << width) - 1
    whole = int.from_bytes(image, "little") & ~(mask << first) | (known & mask) << first
    image[:] = whole.to_bytes(len(image), "little")


def _open_value(label: Label) -> str | None:
    """Why a step of an initialiser leaves no value that is known; compilers accept shifts without a defined result."""
    match label:
        case Unsupported(what):
            return what
        case Check("shift", condition, message) if condition is FALSE:
            return f"an initial value that C does not define ({message})"
    return None


def _static_record(frame: Frame, item: Item) -> bytes:
    if isinstance(item.node, c_ast.CompoundLiteral):
        return contents_of(frame, item.type, item.node.init)
    raise frame.unit.error("the initialiser of a static object must be constant", item.node)


def initialise(frame: Frame, place: Place, init: c_ast.Node, node: c_ast.Node) -> None:
    """Run the initialiser of an automatic object; what it does not mention becomes zero."""
    if not isinstance(place, MemoryPlace) or not _is_list(place.type, init):
        while isinstance(init, c_ast.InitList) and init.exprs:
            init = init.exprs[0]
        if isinstance(init, c_ast.InitList):
            init = c_ast.Constant("int", "0", node.coord)
        assign(frame, place, assigned_value(frame, init, place), node)
        return
    found = arranged(items(frame, place.type, init), frame.target)
    if found.refused is not None:
        frame.unsupported(*found.refused)
    larger = extent(frame, place.type, init)
    if larger is not None and larger > (frame.target.size(place.type) or 0):
        raise frame.unit.error("a flexible array member of an automatic object cannot be initialised", node)
    note_initialisers(frame, [item.node for item in found.items])
    _clear(frame, place, found.items, node)
    known: dict[int, Value] = {}
    for item in found.items:
        _write_automatic(frame, place, item, known, node)


def _is_list(type: CType, init: c_ast.Node) -> bool:
    if isinstance(type, Array):
        return True
    return isinstance(type, Record) and isinstance(init, c_ast.InitList)


def _clear(frame: Frame, place: MemoryPlace, found: list[Item], node: c_ast.Node) -> None:
    """Zero the pieces that no item covers."""
    size = frame.target.size(place.type) or 0
    pieces = leaves(place.type, frame.target)
    zero = bitvectors.constant(0, 8)
    if len(pieces) > _MOST_STORES:
        frame.emit(Fill(place.address, frame.address(size), zero), node)
        return
    covered: set[int] = set()
    for item in found:
        if item.bits is None:
            covered.update(range(item.offset, item.offset + (frame.target.size(item.type) or 0)))
    for offset, part in pieces:
        if not covered.issuperset(range(offset, offset + part)):
            address = bitvectors.binary("bvadd", place.address, frame.address(offset))
            frame.emit(Store(address, bitvectors.constant(0, 8 * part)), node)


def _write_automatic(frame: Frame, whole: MemoryPlace, item: Item, known: dict[int, Value], node: c_ast.Node) -> None:
    """Store one item; an expression with effects that a range of elements shares is evaluated once."""
    if item.contents is not None:
        _write_bytes(frame, whole, item, node)
        return
    offset, bits = (item.offset, None) if item.bits is None else bit_range(item.bits.first, item.bits.width)
    delta = frame.address(offset)
    address = bitvectors.binary("bvadd", whole.address, delta)
    target = MemoryPlace(item.type, address, node, shifted(whole.origin, delta), bits)
    given = known.get(id(item.node))
    if given is None:
        given = assigned_value(frame, item.node, target)
        if not effects(item.node).none:
            given = known[id(item.node)] = spill(frame, given)
    assign(frame, target, given, node)


def _write_bytes(frame: Frame, whole: MemoryPlace, item: Item, node: c_ast.Node) -> None:
    assert item.contents is not None and isinstance(item.type, Array)
    unit = frame.target.size(item.type.element) or 1
    size = frame.target.size(item.type) or len(item.contents)
    padded = item.contents.ljust(size, b"\0")
    few = len(leaves(whole.type, frame.target)) <= _MOST_STORES
    for at in range(0, len(padded), unit):
        code = int.from_bytes(padded[at : at + unit], "little")
        if code or few:
            address = bitvectors.binary("bvadd", whole.address, frame.address(item.offset + at))
            frame.emit(Store(address, bitvectors.constant(code, 8 * unit)), node)


@places(c_ast.CompoundLiteral)
def _compound_literal(frame: Frame, node: c_ast.CompoundLiteral) -> Place:
    """An object without a name: static at file level, otherwise one per procedure and literal."""
    type = completed(frame, type_name(frame, node.type), node.init)
    size = frame.target.size(type)
    if size is None:
        raise frame.unit.error("the size of this literal is not known", node)
    if frame.name == "$static":
        number = frame.unit.addresses.take(size)
        contents = contents_of(frame, type, node.init).rstrip(b"\0")
        frame.unit.objects.append(StaticObject("compound literal", number, size, contents))
        address = frame.address(number)
    else:
        address = frame.new_object(frame.unique("$literal"), size)
    place = MemoryPlace(type, address, node, named_origin(frame, address, size))
    if frame.name != "$static":
        initialise(frame, place, node.init, node)
    return place
