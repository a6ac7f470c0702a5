"""Values of an execution as people read them: pointers as what they point to, stores by the names of their places."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePath

from pincer.errors import Position
from pincer.execution.machine import State
from pincer.logic.bitvectors import signed, state_reads, width
from pincer.logic.machine_floats import decimal_text
from pincer.program.control_flow import Allocate, Check, ControlFlowProgram, Edge, Label, SourceVariable, Store
from pincer.program.parts import floating_bits, name_behind
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


def stored(state: State, label: Store) -> tuple[tuple[str, str], ...]:
    """What a store changes, if its place has a name: `state` is the one before it."""
    address, value, bits = state.value(label.address), state.value(label.value), width(label.value)
    name = state.world.program.name_at(address)
    if name is None or "+" in name:
        return ()
    number = state.world.program.floating_bits_at(address)
    if number is not None:
        return ((name, decimal_text(value, bits)),) if number == bits else ()
    return ((name, _stored_text(state, value, bits)),)


def _stored_text(state: State, value: int, bits: int) -> str:
    slot = state.world.offset_mask + 1
    is_address = (
        bits == state.world.program.layout.pointer_bits and value - value % slot in state.objects and value >= slot
    )
    return pointer_text(state, value) if is_address else str(signed(value, bits))


def stored_behind(state: State, label: Store, pointers: Iterable[SourceVariable]) -> tuple[tuple[str, str], ...]:
    """What a store changes in an object without a name, by the pointer that is nearest to the place."""
    address, value, bits = state.value(label.address), state.value(label.value), width(label.value)
    found: list[tuple[int, str, str]] = []
    for variable in pointers:
        assert variable.register is not None and variable.pointed is not None
        start = state.registers.get(variable.register)
        if start is None or (start ^ address) & state.world.slot_mask or start > address:
            continue
        name = name_behind(variable.name, variable.pointed, address - start)
        number = floating_bits(variable.pointed, address - start)
        if name is not None and number in (None, bits):
            text = _stored_text(state, value, bits) if number is None else decimal_text(value, bits)
            found.append((address - start, name, text))
    return (min(found)[1:],) if found else ()


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
