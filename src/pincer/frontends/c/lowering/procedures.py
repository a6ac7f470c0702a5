"""One function's body to the automaton of a procedure."""

from __future__ import annotations

from msgspec import Struct

from pincer.frontends.c.lowering.builder import Builder
from pincer.frontends.c.lowering.calls import run_handler
from pincer.frontends.c.lowering.dynamic_objects import allocate_stack, begin_stack, end_stack
from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.lowering.long_jumps import land
from pincer.frontends.c.lowering.memory import copy_bytes, read, store
from pincer.frontends.c.lowering.statements import declared_parameter, function_body, undefined_result
from pincer.frontends.c.lowering.unit import Unit
from pincer.frontends.c.lowering.values import MemoryPlace, Place, Value
from pincer.frontends.c.lowering.variable_arguments import takes_variable_arguments
from pincer.frontends.c.semantics.analysis import body
from pincer.frontends.c.semantics.context import Definition
from pincer.frontends.c.semantics.locals import unnamed_parameter
from pincer.frontends.c.semantics.symbols import Variable
from pincer.frontends.c.semantics.types import VOID, CType, Record
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, Begin, Check, End, Input
from pincer.program.property import Assumption
from pincer.program.registers import Role, register_of

RESTRICTED_APART = Assumption(
    "what a function writes through a parameter that is declared `restrict`, it uses through no other pointer",
    compiled=True,
)


class Lowered(Struct, frozen=True):
    """A procedure whose edges are still in its builder. `parameters` includes the address for a returned record."""

    definition: Definition
    frame: Frame
    parameters: tuple[Term, ...]
    entry: int
    exit: int


def _is_restricted(parameter: object) -> bool:
    """Whether a pointer is declared to lead where no other one does, be it as an array."""
    type = getattr(parameter, "type", None)
    return "restrict" in (*(getattr(type, "quals", None) or ()), *(getattr(type, "dim_quals", None) or ()))


def lower(unit: Unit, definition: Definition, handlers: frozenset[str]) -> Lowered:
    """Lower the body, then put the beginning and end of local objects around it."""
    builder = Builder(unit.threaded)
    frame = Frame(unit, definition.name, definition.type, builder, unit.position(definition.node))
    frame.several = definition.name in unit.program.usage.several
    typed = body(unit.program, definition.name)
    if any(map(_is_restricted, definition.parameters)):
        unit.assume(RESTRICTED_APART)
    frame.hooked = definition.name not in handlers
    entry, exit, frame.epilogue = builder.here, builder.location(), builder.location()
    start = builder.location()
    builder.at(start)
    registers, places = _parameters(frame, definition.type.result, typed.parameters)
    if takes_variable_arguments(unit.program, definition):
        frame.arguments = register_of(frame.name, "", frame.target.pointer_bits, Role.ARGUMENTS)
        registers = (*registers, frame.arguments)
    _run_hook(frame, "on_entry", places)
    frame.observe(f"call {frame.name}")
    function_body(frame, typed)
    frame.position = unit.position(definition.node)
    if definition.type.result != VOID:
        undefined_result(frame, definition.node)
    builder.jump(frame.epilogue, frame.position)
    builder.at(frame.epilogue)
    if definition.name in unit.program.noreturn:
        message = f"{definition.name}, which is declared not to return, returns"
        frame.emit(Check("unreachable", terms.FALSE, message), definition.node)
    _run_hook(frame, "on_return", places)
    frame.observe(f"return {frame.name}")
    _end_objects(frame)
    builder.jump(exit, frame.position)
    if frame.way_out is not None:
        builder.at(frame.way_out)
        land(frame)
        _end_objects(frame)
        builder.jump(exit, frame.position)
    builder.at(entry)
    _begin_objects(frame)
    builder.jump(start, frame.position)
    return Lowered(definition, frame, registers, entry, exit)


def _parameters(frame: Frame, result: CType, parameters: tuple[Variable, ...]) -> tuple[tuple[Term, ...], list[Place]]:
    """Registers of the parameters, and where they live: those that need memory are copied there."""
    registers: list[Term] = []
    places: list[Place] = []
    if isinstance(result, Record):
        frame.result = register_of(frame.name, "", frame.target.pointer_bits, Role.INTO)
        registers.append(frame.result)
    elif result != VOID:
        frame.result = register_of(frame.name, "", frame.target.bits(result), Role.RESULT)
    for number, variable in enumerate(parameters, 1):
        bits = _passed_bits(frame, variable.type)
        if variable.name == unnamed_parameter(number):
            passed = register_of(frame.name, str(number), bits, Role.UNNAMED)
        else:
            passed = register_of(frame.name, frame.unique(variable.name), bits, Role.PARAMETER)
        registers.append(passed)
        places.append(_place_parameter(frame, variable, passed))
    return tuple(registers), places


def _passed_bits(frame: Frame, type: CType) -> int:
    return frame.target.pointer_bits if isinstance(type, Record) else frame.target.bits(type)


def _place_parameter(frame: Frame, variable: Variable, passed: Term) -> Place:
    place = declared_parameter(frame, variable, passed)
    if isinstance(place, MemoryPlace):
        if isinstance(variable.type, Record):
            copy_bytes(frame, place.address, passed, variable.type, variable.node)
        else:
            store(frame, place.address, passed, variable.node)
    return place


def _run_hook(frame: Frame, moment: str, places: list[Place]) -> None:
    """A rule's handler for the entry of the function or its return, which also gets the result."""
    hook = frame.unit.hooks.get(frame.name) if frame.hooked else None
    handler = getattr(hook, moment) if hook is not None else None
    if handler is None:
        return
    values = [read(frame, place) for place in places]
    if moment == "on_return" and frame.result is not None and not isinstance(frame.type.result, Record):
        values.append(Value(frame.type.result, frame.result))
    run_handler(frame, handler, values, frame.unit.program.definitions[frame.name].node)


def _begin_objects(frame: Frame) -> None:
    for local in frame.objects:
        address = bitvectors.constant_value(local.address)
        if address is None:
            size = frame.address(local.size)
            allocate_stack(frame, local.address, size)
        else:
            frame.emit(Begin(address, local.size))
    for array in frame.arrays:
        frame.emit(Assign(array, frame.address(0)))
    begin_stack(frame)
    for register, name in frame.bypassed:
        frame.emit(Input(register, f"uninitialised variable {name}", "undefined"))


def _end_objects(frame: Frame) -> None:
    for local in frame.objects:
        frame.emit(End(local.address))
    for array in frame.arrays:
        frame.emit(End(array))
    end_stack(frame)
