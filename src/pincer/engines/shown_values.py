"""Values of an execution as people read them: pointers as what they point to, stores by the names of their places."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePath

from msgspec import Struct

from pincer.errors import Position
from pincer.execution.machine import State
from pincer.logic.bitvectors import signed, state_reads, width
from pincer.program.control_flow import Allocate, Check, ControlFlowProgram, Edge, Label, SourceVariable, Store
from pincer.program.parts import (
    FieldPart,
    FloatingPart,
    Number,
    PointerPart,
    fields_in,
    name_behind,
    name_in,
    number_at,
    part_name,
)
from pincer.program.source_names import value_text

_USES = {"dereference": "use after free", "free": "freed a second time"}
_TO_A_NUMBER = re.compile(r"(?:(?:const|volatile|signed|unsigned|char|short|int|long|float|double|_Bool)\s*)+\*")


def shown(state: State, variable: SourceVariable, value: int) -> str:
    """The value of a variable that a register holds."""
    if not variable.type.endswith("*") and "(*" not in variable.type:
        return value_text(variable, value)
    return pointer_text(state, value, whole=points_to_whole(variable))


def points_to_whole(variable: SourceVariable) -> bool:
    """Whether a pointer to the beginning of a structure is one to the structure, and not to its first member."""
    return _TO_A_NUMBER.fullmatch(variable.type) is None


def pointer_text(state: State, value: int, whole: bool = True) -> str:
    """An address as what lies there; one that lies nowhere stays a number, but before an object it is told from it."""
    program, slot = state.world.program, state.world.offset_mask + 1
    if value == 0:
        return "NULL"
    following = value - value % slot + slot
    if following - value < slot // 2 and following in state.objects:
        return f"{pointer_text(state, following)} - {following - value}"
    named = program.name_at(value, whole)
    if named is not None:
        return f"&{named}"
    offset = value & state.world.offset_mask
    base = value - offset
    behind = f" + {offset}" if offset else ""
    name = next((name for name, address in program.functions.items() if address == value), None)
    name = name or next((item.name for item in program.objects if item.address == base and item.size), None)
    if name is not None:
        return name + behind
    if base in program.given:
        return program.given[base].place(offset)
    found = state.objects.get(base)
    if found is None:
        return hex(value)
    ended = "" if found.live else ", gone"
    if not isinstance(found.shape, Edge) or not isinstance(found.shape.label, Allocate):
        return f"object of {found.size} bytes{behind}{ended}"
    what = "malloc'd" if found.shape.label.storage == "heap" else "local object"
    return f"{what} at {_line_text(program, found.shape.position)}{behind}{ended}"


def _line_text(program: ControlFlowProgram, position: Position) -> str:
    """A line of the program's first file by its number, one of others with their name."""
    if position.file == program.file:
        return f"line {position.line}"
    return f"{PurePath(position.file).name}:{position.line}"


_LARGEST = 16
"""Bytes of the largest number."""


class Written(Struct, frozen=True):
    """What a store writes: so many bits at an address, with what they hold before and after it."""

    address: int
    bits: int
    before: int
    after: int


def written(state: State, label: Store) -> Written:
    """What a store writes in a state."""
    address, bits = state.value(label.address), width(label.value)
    return Written(address, bits, state.load(address, bits // 8), state.value(label.value))


def stored(state: State, done: Written, whole: bool = False) -> tuple[tuple[str, str], ...]:
    """What a store changes, if its place has a name; `state` is one beside it, with the same objects.

    Numbers that are written byte by byte are told as a `whole`."""
    place = state.world.program.variable_at(done.address)
    if place is None:
        return ()
    variable, offset = place
    fields = tuple(fields_in(variable.parts, offset, done.bits // 8))
    if fields:
        return tuple((variable.name + name, text) for name, text in _fields_changed(done, fields))
    if whole:
        done, offset = _completed(state, done, variable, offset)
    name, number = variable.name + part_name(variable.parts, offset), number_at(variable.parts, offset)
    text = None if "+" in name else _stored_text(state, done, number)
    return () if text is None else ((name, text),)


def _completed(state: State, done: Written, variable: SourceVariable, offset: int) -> tuple[Written, int]:
    """What a store does to the number around its place, and where in the variable that begins."""
    for back in range(min(offset, _LARGEST - 1) + 1):
        number = number_at(variable.parts, offset - back)
        if number is None:
            continue
        shift = 8 * back
        if number.bits < shift + done.bits:
            break
        around = state.load(done.address - back, number.bits // 8) & ~(((1 << done.bits) - 1) << shift)
        before, after = (around | part << shift for part in (done.before, done.after))
        return Written(done.address - back, number.bits, before, after), offset - back
    return done, offset


def _fields_changed(done: Written, fields: Iterable[tuple[str, FieldPart]]) -> Iterator[tuple[str, str]]:
    """The bit-fields to which a store gives other values: it writes the bytes around one, the others as they were."""
    for name, field in fields:
        old, new = ((whole >> field.shift) & ((1 << field.number.bits) - 1) for whole in (done.before, done.after))
        if old != new:
            yield name, field.number.text(new)


def _stored_text(state: State, done: Written, number: Number | None) -> str | None:
    """What people call the value of a store into a number, or into what is not known to be one."""
    value, bits, slot = done.after, done.bits, state.world.offset_mask + 1
    if isinstance(number, FloatingPart):
        return number.text(value) if number.bits == bits else None
    if isinstance(number, PointerPart):
        return pointer_text(state, value) if number.bits == bits else None
    is_address = (
        bits == state.world.program.layout.pointer_bits and value - value % slot in state.objects and value >= slot
    )
    if is_address and not (number and number.names):
        return pointer_text(state, value)
    if number is None:
        return str(signed(value, bits))
    kept = state.load(done.address, number.bits // 8) >> bits << bits if bits < number.bits else 0
    return number.text((kept | value) & ((1 << number.bits) - 1))


def stored_behind(state: State, done: Written, pointers: Iterable[SourceVariable]) -> tuple[tuple[str, str], ...]:
    """What a store changes in an object without a name, by the pointer that is nearest to the place."""
    found: list[tuple[int, tuple[tuple[str, str], ...]]] = []
    for variable in pointers:
        assert variable.register is not None
        start = state.registers.get(variable.register)
        if start is None or (start ^ done.address) & state.world.slot_mask or start > done.address:
            continue
        distance = done.address - start
        found.append((distance, _behind(state, done, variable, distance)))
    told = [item for item in found if item[1]]
    return min(told)[1] if told else ()


def _behind(state: State, done: Written, pointer: SourceVariable, distance: int) -> tuple[tuple[str, str], ...]:
    """What a store changes so many bytes behind a pointer."""
    pointed = pointer.pointed
    assert pointed is not None
    fields = tuple(fields_in(pointed.element, distance % pointed.stride, done.bits // 8))
    if fields:
        named = [(name_in(pointer.name, pointed, distance, name), field) for name, field in fields]
        return tuple(_fields_changed(done, named))
    name = name_behind(pointer.name, pointed, distance)
    text = None if name is None else _stored_text(state, done, number_at(pointed, distance))
    return () if name is None or text is None else ((name, text),)


def ended_text(state: State, label: Label) -> str:
    """What to say where an access goes wrong because its object has ended before; nothing otherwise."""
    if not isinstance(label, Check) or label.kind not in _USES:
        return ""
    for read in state_reads(label.condition):
        found = state.objects.get(state.value(read.args[0]) & state.world.slot_mask) if read.op == "room" else None
        if found is None or found.live:
            continue
        made = found.shape.label if isinstance(found.shape, Edge) else None
        if isinstance(made, Allocate) and made.storage == "heap" and isinstance(found.shape, Edge):
            position = found.shape.position
            where = "" if position.is_added else f": malloc'd at {_line_text(state.world.program, position)}"
            return f" ({_USES[label.kind]}{where})"
        return " (use of an object after its end)"
    return ""
