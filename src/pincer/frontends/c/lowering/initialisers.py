"""Initialisers: the contents of static objects, and the steps that set automatic ones."""

from __future__ import annotations

from collections.abc import Sequence

from pincer.frontends.c.lowering.expressions import note_order, value
from pincer.frontends.c.lowering.frame import Frame, static_frame
from pincer.frontends.c.lowering.memory import assign, bit_range, leaves, named_origin, shifted, spill
from pincer.frontends.c.lowering.unit import Unit
from pincer.frontends.c.lowering.values import MemoryPlace, Place, Value
from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.effects import touched
from pincer.frontends.c.semantics.globals import static_initialiser
from pincer.frontends.c.semantics.symbols import Variable
from pincer.frontends.c.semantics.tree import Initialiser, Item, Written, bare
from pincer.frontends.c.semantics.types import Array, CType, Record
from pincer.logic import bitvectors
from pincer.logic.terms import FALSE
from pincer.program.control_flow import Check, CheckKind, Fill, Label, StaticObject, Store, Unsupported

_MOST_STORES = 64
ACCEPTED: frozenset[CheckKind] = frozenset({"bounds", "overflow"})
"""What compilers warn of in a constant expression and compute all the same."""


def static_contents(unit: Unit, variable: Variable) -> bytes:
    """The bytes of a variable with static storage when the program starts."""
    return _contents(unit, variable.type, static_initialiser(unit.program, variable))


def _contents(unit: Unit, type: CType, init: Initialiser | None) -> bytes:
    if init is None:
        return bytes(unit.target.size(type) or 0)
    image = bytearray(init.extent or unit.target.size(type) or 0)
    if init.refused is not None:
        unit.unsupported.append((init.refused[0], unit.position(init.refused[1])))
    for item in init.items:
        _write_static(unit, image, item)
    return bytes(image)


def _write_static(unit: Unit, image: bytearray, item: Item) -> None:
    if item.contents is not None:
        image[item.offset : item.offset + len(item.contents)] = item.contents
        return
    if isinstance(item.type, Record):
        image[item.offset : item.offset + (item.type.size or 0)] = _static_record(unit, item)
        return
    known = _static_value(unit, item)
    if known is None:
        return
    size = unit.target.size(item.type) or 0
    if item.bits is None:
        image[item.offset : item.offset + size] = known.to_bytes(size, "little")
        return
    first, width = item.bits.first, item.bits.width
    mask = (1 << width) - 1
    whole = int.from_bytes(image, "little") & ~(mask << first) | (known & mask) << first
    image[:] = whole.to_bytes(len(image), "little")


def _static_value(unit: Unit, item: Item) -> int | None:
    """The bits of an item, which may be the address of an object; None where they are not known."""
    assert item.value is not None
    frame = static_frame(unit)
    known = bitvectors.constant_value(value(frame, item.value).term)
    for edge in frame.builder.edges:
        open_value = _open_value(edge.label)
        if open_value is not None:
            unit.unsupported.append((open_value, edge.position))
            return None
    for edge in frame.builder.edges:
        if isinstance(edge.label, Check) and edge.label.condition is FALSE and edge.label.kind not in ACCEPTED:
            raise unit.error(f"this constant expression has no value: {edge.label.message}", item.written)
    if known is None:
        raise unit.error("the initialiser of a static object must be constant", item.written)
    return known


def _open_value(label: Label) -> str | None:
    """Why a step of an initialiser leaves no value that is known; compilers accept shifts without a defined result."""
    match label:
        case Unsupported(what):
            return what
        case Check("shift" | "conversion", condition, message) if condition is FALSE:
            return f"an initial value that C does not define ({message})"
    return None


def _static_record(unit: Unit, item: Item) -> bytes:
    found = None if item.value is None else bare(item.value)
    if isinstance(found, tree.Read) and isinstance(found.place, tree.CompoundLiteral):
        return _contents(unit, item.type, found.place.initialiser)
    raise unit.error("the initialiser of a static object must be constant", item.written)


def initialise(frame: Frame, place: Place, init: Initialiser, node: Written) -> None:
    """Run the initialiser of an automatic object; what it does not mention becomes zero."""
    if init.whole is not None:
        assign(frame, place, value(frame, bare(init.whole)), node)
        return
    assert isinstance(place, MemoryPlace)
    if init.refused is not None:
        frame.unsupported(*init.refused)
    values = [item.value for item in init.items if item.value is not None]
    note_order(frame, frame.unit.orders.initialisers(values), node)
    _clear(frame, place, init.items, node)
    known: dict[tree.Expression, Value] = {}
    for item in init.items:
        _write_automatic(frame, place, item, known, node)


def _clear(frame: Frame, place: MemoryPlace, found: Sequence[Item], node: Written) -> None:
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


def _write_automatic(
    frame: Frame, whole: MemoryPlace, item: Item, known: dict[tree.Expression, Value], node: Written
) -> None:
    """Store one item; an expression with effects that a range of elements shares is evaluated once."""
    if item.value is None:
        _write_bytes(frame, whole, item, node)
        return
    offset, bits = (item.offset, None) if item.bits is None else bit_range(item.bits.first, item.bits.width)
    delta = frame.address(offset)
    address = bitvectors.binary("bvadd", whole.address, delta)
    target = MemoryPlace(item.type, address, node, shifted(whole.origin, delta), bits)
    written = bare(item.value)
    given = known.get(written)
    if given is None:
        given = value(frame, written)
        if touched(written).acts:
            given = known[written] = spill(frame, given)
    assign(frame, target, given, node)


def _write_bytes(frame: Frame, whole: MemoryPlace, item: Item, node: Written) -> None:
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


def compound_literal(frame: Frame, node: tree.CompoundLiteral) -> Place:
    """An object without a name: static at file level, otherwise one per procedure and literal."""
    unit, size = frame.unit, frame.target.size(node.type) or 0
    if node.constant:
        unit.literals.constant[node.written] = size
    if node.static:
        number = unit.addresses.take(size)
        contents = _contents(unit, node.type, node.initialiser).rstrip(b"\0")
        unit.objects.append(StaticObject("compound literal", number, size, contents))
        address = frame.address(number)
        return MemoryPlace(node.type, address, node.written, named_origin(frame, address, size))
    address = frame.new_object(frame.unique("$literal"), size)
    place = MemoryPlace(node.type, address, node.written, named_origin(frame, address, size))
    initialise(frame, place, node.initialiser, node.written)
    return place
