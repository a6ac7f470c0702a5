"""Reading and writing places: registers, memory with its validity checks, bit-fields, whole records."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import reduce

from msgspec.structs import replace

from pincer.frontends.c.lowering.conversions import convert, truth_value, zero
from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.lowering.library_words import accessed
from pincer.frontends.c.lowering.values import (
    BitRange,
    MemoryPlace,
    Origin,
    Place,
    RegisterPlace,
    Value,
    reads_memory,
    resized,
)
from pincer.frontends.c.semantics.conversions import bit_type
from pincer.frontends.c.semantics.tree import Written
from pincer.frontends.c.semantics.types import (
    BOOL,
    Array,
    CType,
    Floating,
    Function,
    Integer,
    Pointer,
    Record,
    Target,
    Void,
    is_atomic,
    is_scalar,
    plain,
    text,
)
from pincer.frontends.c.syntax.wording import source_text
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, Assume, Check, Copy, Layout, Store
from pincer.program.property import Assumption
from pincer.program.registers import Role, has_role, is_local, is_temporary
from pincer.program.thread_labels import AtomicBegin, AtomicEnd

FIELDS_ARE_APART = Assumption(
    "writing a bit-field leaves alone the bytes of its neighbours in which it has no part", concerns=frozenset({"race"})
)
_MOST_LEAVES = 64
_MOST_BOOLEANS = 256
TRUTH_VALUES = Assumption("nothing but 0 and 1 is stored where a `_Bool` is read")


def shifted(origin: Origin | None, delta: Term) -> Origin | None:
    return origin and Origin(origin.base, origin.size, bitvectors.binary("bvadd", origin.delta, delta))


def named_origin(frame: Frame, address: Term, size: int) -> Origin:
    """The origin of the address of a named object."""
    return Origin(address, size, frame.address(0))


def check_access(frame: Frame, place: MemoryPlace, size: int, write: bool = False) -> None:
    """Emit the conditions under which `size` bytes may be read or written; none for named objects in range."""
    condition = _valid(frame, place.address, place.origin, size)
    if condition is not terms.TRUE:
        message = f"invalid access to {accessed(frame, place.node)}"
        frame.emit(Check("dereference", condition, message), place.node)
    if write:
        check_writable(frame, place)


def check_writable(frame: Frame, place: MemoryPlace) -> None:
    limit = frame.address(frame.unit.addresses.first_writable)
    origin = place.origin
    start = origin.base if origin is not None and origin.size is not None else place.address
    condition = bitvectors.compare("bvule", limit, start)
    if not _is_local_address(start) and start not in frame.defining:
        message = f"write to {accessed(frame, place.node)}, which is constant"
        frame.emit(Check("read-only", condition, message), place.node)


def _is_local_address(term: Term) -> bool:
    """Registers that hold the address of a local object."""
    return has_role(term, Role.ADDRESS, Role.THREAD_ADDRESS)


def _valid(frame: Frame, address: Term, origin: Origin | None, size: int) -> Term:
    layout = frame.unit.layout
    if origin is None:
        return layout.valid(address, size)
    if origin.size is None:
        return terms.conjunction(layout.valid(address, size), same_slot(layout, address, origin.base))
    if size > origin.size:
        return terms.FALSE
    last = bitvectors.constant(origin.size - size, layout.pointer_bits)
    return bitvectors.compare("bvule", origin.delta, last)


def same_slot(layout: Layout, left: Term, right: Term) -> Term:
    """Two addresses lie in the same slot."""
    difference = bitvectors.binary("bvxor", left, right)
    high = bitvectors.extract(layout.pointer_bits - 1, layout.slot_bits, difference)
    return terms.equal(high, bitvectors.constant(0, bitvectors.width(high)))


def stays_near(layout: Layout, pointer: Term, moved: Term) -> Term:
    """A pointer that is moved comes into no slot but that of its object. A bit before the object is as good as in it:
    pointers to there are made, though C does not allow it, and lead back."""
    before = bitvectors.constant(layout.slot >> 4, layout.pointer_bits)
    return same_slot(layout, *(bitvectors.binary("bvadd", before, address) for address in (pointer, moved)))


def read(frame: Frame, place: Place) -> Value:
    """The value of a place. Arrays and functions become pointers, records stay where they are."""
    if frame.unit.threaded:
        return _read_at_once(frame, place)
    return _read(frame, place)


def _read_at_once(frame: Frame, place: Place) -> Value:
    """In programs with threads every read of what they may share is a step of its own, taken here and now."""
    if isinstance(place, RegisterPlace) and is_local(place.register):
        return _read(frame, place)
    type = plain(place.type)
    if not is_scalar(type):
        return _read(frame, place)
    with atomically(frame, place):
        return spill(frame, _read(frame, replace(place, type=type)))


@contextmanager
def atomically(frame: Frame, place: Place) -> Iterator[None]:
    """Accesses inside are one step for other threads if the place has an atomic type."""
    atomic = frame.unit.threaded and is_atomic(place.type)
    if atomic:
        frame.emit(AtomicBegin())
    yield
    if atomic:
        frame.emit(AtomicEnd())


def _read(frame: Frame, place: Place) -> Value:
    if isinstance(place, RegisterPlace):
        return Value(place.type, place.register)
    match place.type:
        case Array(element=element):
            return Value(Pointer(element), place.address, place.origin)
        case Function():
            return Value(Pointer(place.type), place.address)
        case Record():
            return Value(place.type, place.address, place.origin)
        case Void():
            return zero(frame, place.type)
    if place.bits is not None:
        return _read_bits(frame, place, place.bits)
    size = frame.target.size(place.type) or 1
    used = _used_bytes(place.type, size)
    if not used:
        frame.unsupported(text(place.type), place.node)
        return zero(frame, place.type)
    check_access(frame, place, size)
    if place.type == BOOL:
        _check_truth(frame, place)
    found = loaded(frame, place.address, used)
    if _may_be_address(frame, place, used):
        frame.unit.numbers[found] = None
    return Value(place.type, resized(found, frame.target.bits(place.type), False))


def _may_be_address(frame: Frame, place: MemoryPlace, size: int) -> bool:
    """Whether a number that is read may have been stored as a pointer: in a union, or by `memcpy` in a variable."""
    if not isinstance(place.type, Integer) or size != frame.target.pointer_bytes:
        return False
    is_variable = place.origin is not None and place.origin.size == size
    return (place.shared or is_variable) and frame.unit.position(place.node).file != "<library>"


def _check_truth(frame: Frame, place: MemoryPlace) -> None:
    """A `_Bool` holds 0 or 1. Variables and members of unions are looked at; elsewhere it would be one more thing to
    know of every cell and every node, and is assumed."""
    if frame.unit.threaded or not (place.shared or (place.origin is not None and place.origin.size == 1)):
        frame.unit.assume(TRUTH_VALUES)
        return
    held = loaded(frame, place.address, 1)
    right = bitvectors.compare("bvule", held, bitvectors.constant(1, 8))
    message = f"{source_text(place.node)}, a _Bool, is neither 0 nor 1"
    frame.emit(Check("truth", right, message), place.node)


def _used_bytes(type: CType, size: int) -> int:
    """How many bytes of a scalar hold its value: there is padding in a long double. Zero where that is not modelled."""
    if size <= 8 or not isinstance(type, Floating):
        return size
    return (type.pattern_bits or 0) // 8


def loaded(frame: Frame, address: Term, size: int) -> Term:
    """So many bytes of memory as one number; a step reads at most eight at a time."""
    pieces: dict[int, int] = {}
    chunks(0, size, pieces)
    words = [bitvectors.load(_moved(frame, address, offset), piece) for offset, piece in pieces.items()]
    return reduce(lambda low, high: bitvectors.concat(high, low), words)


def store(frame: Frame, address: Term, value: Term, node: Written | None) -> None:
    """Put a number into memory, at most eight bytes in a step."""
    size = bitvectors.width(value) // 8
    if size in (1, 2, 4, 8):
        frame.emit(Store(address, value), node)
        return
    if reads_memory(value):
        kept = frame.temporary(bitvectors.width(value))
        frame.emit(Assign(kept, value), node)
        value = kept
    address = kept_address(frame, address)
    pieces: dict[int, int] = {}
    chunks(0, size, pieces)
    for offset, piece in pieces.items():
        word = bitvectors.extract(8 * (offset + piece) - 1, 8 * offset, value)
        frame.emit(Store(_moved(frame, address, offset), word), node)


def _moved(frame: Frame, address: Term, offset: int) -> Term:
    return bitvectors.binary("bvadd", address, frame.address(offset))


def write(frame: Frame, place: Place, value: Value, node: Written | None = None) -> None:
    """place := value, which has the type of the place already."""
    if isinstance(place, RegisterPlace):
        if not frame.builder.retarget(value.term, place.register):
            frame.emit(Assign(place.register, value.term), node)
        return
    if isinstance(place.type, Record):
        copy_record(frame, place, MemoryPlace(place.type, value.term, node or place.node, value.origin), node)
        return
    if place.bits is not None:
        _write_bits(frame, place, place.bits, value, node)
        return
    size = frame.target.size(place.type) or 1
    used = _used_bytes(place.type, size)
    if not used:
        frame.unsupported(text(place.type), place.node)
        return
    check_access(frame, place, size, write=True)
    store(frame, place.address, value.term if used == size else resized(value.term, 8 * used, False), node)


def bit_range(first: int, width: int) -> tuple[int, BitRange]:
    """The byte offset and the bits within those bytes of a bit-field that begins at bit `first`."""
    offset = first // 8
    return offset, BitRange(first % 8, width, (first % 8 + width + 7) // 8)


def _read_bits(frame: Frame, place: MemoryPlace, bits: BitRange) -> Value:
    check_access(frame, place, bits.bytes)
    whole = loaded(frame, place.address, bits.bytes)
    field = bitvectors.extract(bits.shift + bits.width - 1, bits.shift, whole)
    type = bit_type(place.type, bits.width)
    assert isinstance(type, Integer) and isinstance(place.type, Integer)
    if place.type == BOOL:
        return truth_value(terms.equal(field, bitvectors.constant(1, bits.width)))
    return Value(type, resized(field, type.bits, place.type.signed))


def _write_bits(frame: Frame, place: MemoryPlace, bits: BitRange, value: Value, node: Written | None) -> None:
    if frame.unit.threaded:
        frame.unit.assume(FIELDS_ARE_APART)
    check_access(frame, place, bits.bytes, write=True)
    total = 8 * bits.bytes
    field = resized(value.term, bits.width, False)
    whole = settled(frame, loaded(frame, place.address, bits.bytes))
    above = total - bits.shift - bits.width
    merged = field
    if bits.shift:
        merged = bitvectors.concat(merged, bitvectors.extract(bits.shift - 1, 0, whole))
    if above:
        merged = bitvectors.concat(bitvectors.extract(total - 1, total - above, whole), merged)
    store(frame, place.address, merged, node)


def leaves(type: CType, target: Target) -> list[tuple[int, int]]:
    """Offsets and sizes of the pieces in which an object is copied: scalars; unions in chunks of powers of two."""
    found: dict[int, int] = {}
    _collect_leaves(type, 0, target, found)
    return sorted(found.items())


def _collect_leaves(type: CType, offset: int, target: Target, found: dict[int, int]) -> None:
    size = target.size(type) or 0
    if isinstance(type, Record) and type.kind == "struct" and not any(m.bits for m in type.members):
        for member in type.members:
            _collect_leaves(member.type, offset + member.offset, target, found)
    elif isinstance(type, Record) and type.kind == "struct":
        _collect_with_bits(type, offset, target, found)
    elif isinstance(type, Array) and isinstance(type.length, int):
        part = target.size(type.element) or 0
        for i in range(min(type.length, _MOST_LEAVES + 1)):
            _collect_leaves(type.element, offset + i * part, target, found)
    elif isinstance(type, Integer | Pointer | Floating) and size <= 8:
        found[offset] = size
    else:
        chunks(offset, size, found)


def _collect_with_bits(type: Record, offset: int, target: Target, found: dict[int, int]) -> None:
    """Bytes that bit-fields touch are copied one by one; all other members by themselves."""
    for member in type.members:
        if member.bits is None:
            _collect_leaves(member.type, offset + member.offset, target, found)
            continue
        first = member.bits.first // 8
        last = (member.bits.first + member.bits.width - 1) // 8
        for byte in range(first, last + 1):
            found[offset + byte] = 1


def chunks(offset: int, size: int, found: dict[int, int]) -> None:
    """Bytes without a type, in pieces of 8, 4, 2 and 1, up to more pieces than anyone copies one by one."""
    end = offset + min(size, 8 * (_MOST_LEAVES + 1))
    while offset < end:
        chunk = next(c for c in (8, 4, 2, 1) if c <= end - offset)
        found[offset] = chunk
        offset += chunk


def copy_record(frame: Frame, target: MemoryPlace, source: MemoryPlace, node: Written | None) -> None:
    """target := source, piece by piece, or at once when there are many pieces."""
    size = frame.target.size(target.type)
    if not size:
        return
    check_access(frame, source, size)
    check_access(frame, target, size, write=True)
    copy_bytes(frame, target.address, source.address, target.type, node)


def copy_bytes(frame: Frame, target: Term, source: Term, type: CType, node: Written | None) -> None:
    """Copy an object of a type whose accesses have been checked."""
    if target is source:
        return
    pieces = leaves(type, frame.target)
    if len(pieces) > _MOST_LEAVES:
        frame.emit(Copy(target, source, frame.address(frame.target.size(type) or 0)), node)
        return
    source, target = kept_address(frame, source), kept_address(frame, target)
    for offset, size in pieces:
        step = frame.address(offset)
        value = settled(frame, bitvectors.load(bitvectors.binary("bvadd", source, step), size))
        frame.emit(Store(bitvectors.binary("bvadd", target, step), value), node)


def settled(frame: Frame, term: Term) -> Term:
    """A term that reads memory; where threads run, the value it has now, in a temporary."""
    if not frame.unit.threaded:
        return term
    kept = frame.temporary(bitvectors.width(term))
    frame.emit(Assign(kept, term))
    return kept


def kept_address(frame: Frame, address: Term) -> Term:
    """An address that is read from memory must not change while the object there is overwritten."""
    if not reads_memory(address):
        return address
    kept = frame.temporary(bitvectors.width(address))
    frame.emit(Assign(kept, address))
    return kept


def spill(frame: Frame, value: Value) -> Value:
    """The value kept in a temporary, so that later steps do not change it."""
    if value.term.op == "bvconst" or is_temporary(value.term) or isinstance(value.type, Void):
        return value
    kept = frame.temporary(bitvectors.width(value.term))
    frame.emit(Assign(kept, value.term))
    return Value(value.type, kept, _kept_origin(frame, value.origin, kept))


def _kept_origin(frame: Frame, origin: Origin | None, kept: Term) -> Origin | None:
    if origin is None:
        return None
    base = origin.base
    if base.op != "bvconst" and not _is_local_address(base) and not is_temporary(base):
        base = frame.temporary(bitvectors.width(origin.base))
        frame.emit(Assign(base, origin.base))
    return Origin(base, origin.size, bitvectors.binary("bvsub", kept, base))


def spill_place(frame: Frame, place: Place) -> Place:
    """The place with its address kept in a temporary."""
    if isinstance(place, RegisterPlace) or place.address.op == "bvconst":
        return place
    kept = spill(frame, Value(Pointer(place.type), place.address, place.origin))
    return MemoryPlace(place.type, kept.term, place.node, kept.origin, place.bits, place.shared)


def assign(frame: Frame, place: Place, value: Value, node: Written | None = None) -> Value:
    """Convert the value to the type of the place, and write it."""
    type = plain(place.type)
    converted = convert(frame, value, type)
    with atomically(frame, place):
        write(frame, replace(place, type=type), converted, node)
    return converted


def assume_boolean(frame: Frame, type: CType, term: Term, node: Written | None) -> None:
    """An unknown scalar is a truth value if its type says so."""
    if isinstance(type, Integer) and type.boolean:
        frame.emit(Assume(bitvectors.compare("bvule", term, bitvectors.constant(1, bitvectors.width(term)))), node)


def assume_booleans(frame: Frame, type: CType, address: Term, node: Written | None) -> None:
    """So are the members and elements of an unknown object; what unions hold may be anything."""
    for number, (offset, part) in enumerate(_booleans(type, 0, frame.target)):
        if number == _MOST_BOOLEANS:
            frame.unsupported(f"an unknown object with more than {_MOST_BOOLEANS} truth values", node)
            return
        where = bitvectors.binary("bvadd", address, frame.address(offset))
        assume_boolean(frame, part, bitvectors.load(where, 1), node)


def _booleans(type: CType, offset: int, target: Target) -> Iterator[tuple[int, Integer]]:
    match type:
        case Integer() if type.boolean:
            yield offset, type
        case Record(kind="struct"):
            for member in type.members:
                if member.bits is None:
                    yield from _booleans(member.type, offset + member.offset, target)
        case Array(element=element, length=int(length)) if any(True for _ in _booleans(element, 0, target)):
            for index in range(length):
                yield from _booleans(element, offset + index * (target.size(element) or 0), target)
