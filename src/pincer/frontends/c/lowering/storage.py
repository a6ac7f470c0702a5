"""Where variables live: scalars whose address is never used in registers, all others in memory."""

from __future__ import annotations

from pincer.frontends.c.lowering.unit import Storage, Unit
from pincer.frontends.c.semantics.symbols import Variable
from pincer.frontends.c.semantics.types import (
    Array,
    CType,
    Floating,
    Function,
    Integer,
    Member,
    Pointer,
    Record,
    is_signed,
    text,
)
from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program import control_flow, registers
from pincer.program.control_flow import StaticObject
from pincer.program.parts import (
    CHARACTERS,
    Elements,
    Enumerators,
    FieldPart,
    FloatingPart,
    IntegerPart,
    Members,
    Parts,
    PointerPart,
)
from pincer.program.property import Assumption


def fits_register(variable: Variable, unit: Unit) -> bool:
    """Whether a variable is a scalar whose address is never used."""
    if not isinstance(variable.type, Integer | Pointer | Floating) or unit.target.bits(variable.type) > 128:
        return False
    return not unit.program.is_pointed_to(variable)


def is_thread_local(unit: Unit, variable: Variable) -> bool:
    """Whether every thread has its own copy of a variable; without threads it is a variable like any other."""
    return unit.threaded and "_Thread_local" in getattr(variable.node, "storage", ())


def thread_object(unit: Unit, name: str, address: int) -> Term:
    """The register that holds the address of a thread's copy of an object; the first thread's is the object itself."""
    register = registers.register_of(registers.THREAD, name, unit.layout.pointer_bits, registers.Role.THREAD_ADDRESS)
    unit.initial[register] = address
    return register


def object_size(unit: Unit, variable: Variable) -> int | None:
    """The size of a variable's object, None while it is not known."""
    return unit.target.size(variable.type) if variable.extent is None else variable.extent


def locate(unit: Unit, variable: Variable) -> Storage:
    """Where a variable lives; one with static storage gets its register or object, with its contents, on first use."""
    variable = variable.object
    known = unit.storage.get(variable)
    if known is not None:
        return known
    if isinstance(variable.type, Array) and variable.type.length is None and variable.defined:
        variable.type = Array(variable.type.element, 1)
    found = unit.storage[variable] = Storage()
    if fits_register(variable, unit):
        _locate_register(unit, variable, found)
    else:
        _locate_object(unit, variable, found)
    unit.variables.append(described(unit, variable))
    return found


def _locate_register(unit: Unit, variable: Variable, found: Storage) -> None:
    made = registers.thread_register if is_thread_local(unit, variable) else registers.global_register
    found.register = made(variable.name, unit.target.bits(variable.type))
    if variable.defined:
        value = int.from_bytes(unit.means.contents(unit, variable), "little")
        unit.initial[found.register] = value
        if variable.const:
            found.constant = bitvectors.constant(value, unit.target.bits(variable.type))
    else:
        _note_undefined(unit, variable)


def _locate_object(unit: Unit, variable: Variable, found: Storage) -> None:
    size = object_size(unit, variable)
    if size is None and isinstance(variable.type, Array) and variable.type.length is None:
        size = 0
    if size is None:
        raise unit.error(f"the size of `{variable.name}` is not known", variable.node)
    fixed = variable.const and variable.defined
    address = unit.take(size, read_only=fixed)
    found.address = unit.address(address)
    if is_thread_local(unit, variable):
        found.address = thread_object(unit, variable.name, address)
        if not variable.defined:
            unit.unsupported.append((f"the thread-local {variable.name} of another file", unit.position(variable.node)))
            return
    if variable.defined:
        contents = unit.means.contents(unit, variable)
        unit.objects.append(StaticObject(variable.name, address, size, contents.rstrip(b"\0"), fixed))
    else:
        _note_undefined(unit, variable)


def _note_undefined(unit: Unit, variable: Variable) -> None:
    if variable.name in unit.program.unknown:
        unit.unsupported.append((f"the second name {variable.name} of another variable", unit.position(variable.node)))
    unit.undefined.append(variable)
    unit.assume(Assumption(f"`{variable.name}` is defined in another file; it may have any value at first"))


def described(unit: Unit, variable: Variable) -> control_flow.SourceVariable:
    """What reports say about a variable."""
    found = unit.storage[variable]
    return control_flow.SourceVariable(
        variable.name,
        text(variable.type),
        is_signed(variable.type),
        variable.owner,
        unit.position(variable.node),
        found.register,
        found.address,
        _parts(variable.type, unit) if found.address is not None or _names(variable.type, unit) else None,
        _pointed(variable.type, unit),
    )


def enumerators(type: CType, unit: Unit) -> Enumerators:
    """What the program calls the values of an enumeration; nothing for other types."""
    if not isinstance(type, Integer) or not type.is_enumeration:
        return ()
    names = unit.program.enumerators.get(type.name, {})
    return tuple((value, unit.program.spellings.get(name, name)) for value, name in names.items() if name)


def _pointed(type: CType, unit: Unit) -> Elements | None:
    size = unit.target.size(type.target) if isinstance(type, Pointer) and not isinstance(type.target, Function) else 0
    return Elements(size, _parts(type.target, unit)) if isinstance(type, Pointer) and size else None


def _parts(type: CType, unit: Unit) -> Parts | None:
    """What people call the parts of an object; the library's own names inside its types mean nothing to them."""
    if isinstance(type, Array):
        return Elements(unit.target.size(type.element) or 0, _parts(type.element, unit))
    if isinstance(type, Record) and not any((member.name or "").startswith("__") for member in type.members):
        named = sorted(type.index.items(), key=lambda item: item[1].offset)
        return Members(tuple((member.offset, name, _member(member, unit)) for name, member in named))
    if isinstance(type, Floating) and type.pattern_bits is not None:
        return FloatingPart(type.pattern_bits)
    if isinstance(type, Integer):
        return IntegerPart(type.bits, type.signed, _names(type, unit))
    if isinstance(type, Pointer):
        return PointerPart(unit.target.pointer_bits)
    return None


def _names(type: CType, unit: Unit) -> Enumerators:
    """What people call the values of a type."""
    return CHARACTERS if isinstance(type, Integer) and type.name == "char" else enumerators(type, unit)


def _member(member: Member, unit: Unit) -> Parts | None:
    if member.bits is None or not isinstance(member.type, Integer):
        return _parts(member.type, unit)
    number = IntegerPart(member.bits.width, member.type.signed, enumerators(member.type, unit))
    return FieldPart(member.bits.first - 8 * member.offset, number)
