"""Expressions: the dispatch by kind of node, constants, places and their addresses.

`value` and `place` emit the steps that an expression needs and give its result as a term over the state after them.
"""

from __future__ import annotations

from pincer.frontends.c.lowering.arithmetic_marks import mark
from pincer.frontends.c.lowering.builder import Held, NotQuiet
from pincer.frontends.c.lowering.conversions import convert, zero
from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.lowering.memory import bit_range, named_origin, read, shifted, spill, stays_near
from pincer.frontends.c.lowering.storage import locate, object_size
from pincer.frontends.c.lowering.values import MemoryPlace, Origin, Place, RegisterPlace, Value, reads_memory
from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.bounds import indexed_array
from pincer.frontends.c.semantics.effects import Touched, touched
from pincer.frontends.c.semantics.evaluation_order import Order
from pincer.frontends.c.semantics.tree import Expression, Written, bare
from pincer.frontends.c.semantics.types import Array, CType, Length, Pointer, Record, is_scalar
from pincer.frontends.c.syntax.wording import source_text
from pincer.logic import bitvectors
from pincer.logic.machine_arithmetic import signed
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, Check
from pincer.program.property import Assumption
from pincer.program.registers import is_local

ORDER = Assumption(
    "where the order of evaluation matters and C leaves it open, operands go left to right (a variable is read after "
    "what is added to it or compared with it), arguments right to left, initialisers in the order of what they "
    "initialise"
)


def value(frame: Frame, node: Expression) -> Value:
    """Evaluate an expression."""
    result: Value = frame.unit.means.values[type(node)](frame, node)
    return result


def place(frame: Frame, node: Expression) -> Place:
    """Evaluate an expression to the object it denotes; a record that is no object stays where it was computed."""
    handler = frame.unit.means.places.get(type(node))
    if handler is not None:
        found: Place = handler(frame, node)
        return found
    result = value(frame, node)
    return MemoryPlace(result.type, result.term, node.written, result.origin)


def quiet_value(frame: Frame, node: Expression) -> Value | None:
    """The value when evaluating takes no step, None (and no step) otherwise. What is noted of it counts here."""
    found = _looked_at(frame, node)
    if found is None:
        return None
    for held in found[1]:
        frame.builder.put(held)
    return found[0]


def foreseen_value(frame: Frame, node: Expression) -> Value | None:
    """As `quiet_value`, for an expression that is only looked at: it is not evaluated here."""
    found = _looked_at(frame, node)
    return None if found is None else found[0]


def _looked_at(frame: Frame, node: Expression) -> tuple[Value, list[Held]] | None:
    """The value when evaluating takes no step, and the marks it leaves."""
    if node in frame.noisy:
        return None
    builder = frame.builder
    temporaries, objects, outer = frame.temporaries, len(frame.objects), (builder.held, builder.noted)
    builder.held, builder.noted = None, []
    builder.quiet += 1
    try:
        return value(frame, node), builder.noted
    except NotQuiet:
        frame.noisy.add(node)
        frame.temporaries = temporaries
        del frame.objects[objects:]
        return None
    finally:
        builder.quiet -= 1
        builder.held, builder.noted = outer


def checked_value(frame: Frame, node: Expression) -> tuple[Value, list[Held]] | None:
    """The value when evaluating takes no steps but checks, with those checks; None (and no step) otherwise."""
    builder = frame.builder
    temporaries, objects, outer = frame.temporaries, len(frame.objects), builder.held
    builder.held = []
    builder.quiet += 1
    try:
        return value(frame, node), builder.held
    except NotQuiet:
        frame.temporaries = temporaries
        del frame.objects[objects:]
        return None
    finally:
        builder.quiet -= 1
        builder.held = outer


def note_order(frame: Frame, order: Order, node: Written) -> None:
    """Say what C leaves open: compilers do differ about variables that are changed and used without an order."""
    if order.changed is not None:
        what = f"`{order.changed}` is changed and used in an expression without an order between the two"
        frame.unsupported(what, node)
    elif order.choice:
        frame.unit.assume(ORDER)


def disturbs(frame: Frame, change: Touched, term: Term) -> bool:
    """Whether the value of a term read before may differ after a change."""
    if change.acts and reads_memory(term):
        return True
    found = (frame.unit.storage.get(variable) for variable in change.changes)
    registers = {where.register for where in found if where is not None}
    return any(
        register in registers or (change.runs_code and not is_local(register)) for register in term.variables
    )  # fmt: skip


def pair(frame: Frame, left: Expression, right: Expression) -> tuple[Value, Value]:
    """Two operands, left before right; the left one is kept if the right one might disturb it."""
    first = value(frame, left)
    change = touched(right)
    if change.acts and (
        disturbs(frame, change, first.term) or (first.origin is not None and disturbs(frame, change, first.origin.base))
    ):
        first = spill(frame, first)
    return first, value(frame, right)


def constant(frame: Frame, node: tree.Number) -> Value:
    return Value(node.type, bitvectors.constant(node.number, frame.target.bits(node.type)))


def read_place(frame: Frame, node: tree.Read) -> Value:
    """The value of a place; a variable that never changes is its value."""
    found = node.place
    if isinstance(found, tree.Object) and found.variable.const and found.variable.owner is None:
        known = locate(frame.unit, found.variable).constant
        if known is not None:
            return Value(node.type, known)
    if isinstance(found, tree.Element) and isinstance(found.type, Array) and not node.indexed:
        return read(frame, element(frame, found, past_end=True))
    return read(frame, place(frame, found))


def literal(frame: Frame, node: tree.Text) -> Place:
    unit = frame.unit
    if frame.scratch:
        unit.literals.static.setdefault(node.contents, set()).add(node.written)
        address = unit.string_address(node.contents)
    else:
        address = unit.literal_address(node.written, node.contents)
    origin = named_origin(frame, address, len(node.contents)) if address.op == "bvconst" else None
    return MemoryPlace(node.type, address, node.written, origin)


def named_object(frame: Frame, node: tree.Object) -> Place:
    variable, unit = node.variable, frame.unit
    if not variable.defined and unit.program.may_be_missing(variable.name):
        frame.unsupported(f"the weak variable {variable.name}, which need not exist", node.written)
    found = locate(unit, variable)
    if found.register is not None:
        return RegisterPlace(variable.type, found.register)
    assert found.address is not None
    if isinstance(variable.type, Array) and variable.type.length is None:
        frame.unsupported(f"the array {variable.name} of another file, whose length is not known", node.written)
    size = object_size(unit, variable)
    origin = None if size is None else named_origin(frame, found.address, size)
    return MemoryPlace(variable.type, found.address, node.written, origin)


def routine(frame: Frame, node: tree.Routine) -> Place:
    name = node.function.name
    if frame.unit.program.may_be_missing(name):
        frame.unsupported(f"the weak function {name}, which need not exist", node.written)
    return MemoryPlace(node.type, frame.unit.function_address(name), node.written)


def part(frame: Frame, node: tree.MemberPlace) -> Place:
    """The member of a record in memory."""
    whole, member = place(frame, node.whole), node.member
    assert isinstance(whole, MemoryPlace)
    offset, bits = (member.offset, None) if member.bits is None else bit_range(member.bits.first, member.bits.width)
    delta = frame.address(offset)
    address = bitvectors.binary("bvadd", whole.address, delta)
    shared = whole.shared or (isinstance(whole.type, Record) and whole.type.kind == "union")
    return MemoryPlace(member.type, address, node.written, shifted(whole.origin, delta), bits, shared)


def element(frame: Frame, node: tree.Element, past_end: bool = False) -> MemoryPlace:
    """An element; only where it is not accessed, its index may be the one past the end of the array."""
    pointer, index = node.pointer, bare(node.index)
    sides = (index, pointer) if node.reversed else (pointer, index)
    note_order(frame, frame.unit.orders.operands(sides), node.written)
    left, right = pair(frame, *sides)
    base, steps = (right, left) if node.reversed else (left, right)
    converted = convert(frame, steps, node.index.type)
    named = indexed_array(node)
    if named is not None and not _is_covered(frame, named, base, steps, past_end):
        _check_index(frame, node, named, converted.term, past_end)
    moved = advance(frame, base, converted, kept=node.written if past_end else None)
    return MemoryPlace(node.type, moved.term, node.written, moved.origin)


def _is_covered(frame: Frame, array: Array, base: Value, index: Value, past_end: bool) -> bool:
    """Whether an index beyond the bound leads to an access beyond the object, which is checked anyway."""
    origin, size = base.origin, frame.target.size(array)
    if (
        past_end
        or not is_scalar(array.element)
        or origin is None
        or origin.size != size
        or bitvectors.constant_value(origin.delta) != 0
    ):
        return False
    element_bits = (frame.target.size(array.element) or 1).bit_length()
    return bitvectors.width(index.term) + element_bits < frame.target.pointer_bits or index.term.op == "bvconst"


def _check_index(frame: Frame, node: tree.Element, array: Array, index: Term, past_end: bool) -> None:
    assert array.length is not None
    bound = frame.address(array.length) if isinstance(array.length, int) else length_term(frame, array.length)
    within = bitvectors.compare("bvule" if past_end else "bvult", index, bound)
    text = source_text(node.written)
    frame.emit(Check("bounds", within, f"index beyond the bound of the array in {text}"), node.written)


def _moves_far(frame: Frame, size: Term, steps: Term) -> bool:
    """Whether a few moves by so many steps can lead from an object into the slot of another one."""
    match steps.op, steps.args:
        case "bvconst", (number,):
            most = abs(signed(number, bitvectors.width(steps)))
        case "sign_extend" | "zero_extend", (_, narrow):
            most = 1 << bitvectors.width(narrow)
        case _:
            return True
    return size.op != "bvconst" or size.args[0] * most >= frame.unit.layout.slot >> 8


def advance(frame: Frame, pointer: Value, steps: Value, backwards: bool = False, kept: Written | None = None) -> Value:
    """pointer + steps (or - steps), in elements of the type pointed to; the steps are as wide as a pointer. Where it is
    not accessed at once, it may be `kept`: it must not come into the slot of another object then."""
    assert isinstance(pointer.type, Pointer)
    size = size_term(frame, pointer.type.target)
    delta = bitvectors.binary("bvmul", size, steps.term)
    if backwards:
        delta = bitvectors.negative(delta)
    term = bitvectors.binary("bvadd", delta, pointer.term)
    if kept is not None and _moves_far(frame, size, steps.term):
        near = stays_near(frame.unit.layout, pointer.term, term)
        mark(frame, "pointer", near, f"a pointer that is moved far from its object by {source_text(kept)}", kept)
    origin = pointer.origin
    if origin is not None:
        origin = Origin(origin.base, origin.size, bitvectors.binary("bvadd", delta, origin.delta))
    elif delta.op != "bvconst":
        origin = Origin(pointer.term, None, delta)
    return Value(pointer.type, term, origin)


def size_term(frame: Frame, type: CType) -> Term:
    """The size of a type in bytes as a term; arrays of variable length have a computed one."""
    if isinstance(type, Array) and isinstance(type.length, Length):
        return bitvectors.binary("bvmul", size_term(frame, type.element), length_term(frame, type.length))
    if isinstance(type, Array) and isinstance(type.length, int) and frame.target.size(type) is None:
        return bitvectors.binary("bvmul", frame.address(type.length), size_term(frame, type.element))
    return frame.address(frame.target.size(type) or 0)


def length_term(frame: Frame, length: Length) -> Term:
    """The register that holds a computed length."""
    if length not in frame.lengths:
        measure(frame, length)
    return frame.lengths[length]


def measure(frame: Frame, length: Length) -> None:
    """Compute a length here, for the declaration that asks for it; it is kept in a temporary of its own."""
    found = value(frame, length.expression)
    kept = frame.temporary(frame.target.pointer_bits)
    frame.emit(Assign(kept, found.term), length.expression.written)
    frame.lengths[length] = kept


def dereference(frame: Frame, node: tree.Dereference) -> Place:
    pointer = value(frame, node.pointer)
    return MemoryPlace(node.type, pointer.term, node.written, pointer.origin)


def address(frame: Frame, node: tree.Address) -> Value:
    wanted = node.place
    found = element(frame, wanted, past_end=True) if isinstance(wanted, tree.Element) else place(frame, wanted)
    assert isinstance(found, MemoryPlace)
    return Value(node.type, found.address, found.origin)


def size(frame: Frame, node: tree.Size) -> Value:
    return Value(node.type, size_term(frame, node.measured))


def measured(frame: Frame, node: tree.Measured) -> Value:
    for length in node.lengths:
        measure(frame, length)
    return value(frame, node.value)


def label_address(frame: Frame, node: tree.LabelAddress) -> Value:
    return Value(node.type, frame.unit.label_address(node.function, node.name))


def unmodelled(frame: Frame, node: tree.Unmodelled) -> Value:
    frame.unsupported(node.what, node.written)
    return zero(frame, node.type)
