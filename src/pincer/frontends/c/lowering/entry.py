"""What happens before the entry function runs: its arguments, and objects of other files, take any value."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from pincer.frontends.c.lowering.command_line import give_command_line, give_environment
from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.lowering.memory import assume_boolean, assume_booleans
from pincer.frontends.c.lowering.storage import enumerators
from pincer.frontends.c.lowering.unit import Unit
from pincer.frontends.c.lowering.variable_arguments import takes_variable_arguments
from pincer.frontends.c.semantics.context import Definition
from pincer.frontends.c.semantics.types import Array, CType, Floating, Function, Pointer, Record, Void, is_signed
from pincer.frontends.c.semantics.usage import EXIT_HANDLERS
from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.control_flow import LITERALS_ARE_APART, Assign, Begin, Call, Input, Store, Unsupported
from pincer.program.property import EVERY_KIND, Assumption

HARNESS = "__pincer_entry_"
"""How the names of functions begin that give another one its arguments."""


def prepare(frame: Frame) -> None:
    """Undefined objects and what could not be initialised."""
    unit = frame.unit
    for variable in unit.undefined:
        found = unit.storage[variable]
        if found.register is not None:
            signed, floating = is_signed(variable.type), isinstance(variable.type, Floating)
            names = enumerators(variable.type, frame.unit)
            given = Input(found.register, variable.name, "external", signed, floating=floating, names=names)
            frame.emit(given, variable.node)
            assume_boolean(frame, variable.type, found.register, variable.node)
        elif found.address is not None:
            address = bitvectors.constant_value(found.address)
            assert address is not None
            frame.emit(Begin(address, unit.target.size(variable.type) or 0, given=True), variable.node)
            assume_booleans(frame, variable.type, found.address, variable.node)
    for name in unit.program.usage.around_entry():
        if name not in unit.program.definitions:
            frame.end(Unsupported(f"{name}, which runs without being called and has no body"))
    for choice in unit.literals.choices.values():
        frame.emit(Input(choice.register, LITERALS_ARE_APART, "library"))
    for what, position in (*unit.program.unsupported, *unit.unsupported):
        frame.builder.end(Unsupported(what), position)


def give_arguments(frame: Frame, definition: Definition, registers: Sequence[Term], used: Collection[Term]) -> None:
    """Put any values into the registers of the entry's parameters; main gets only those it uses."""
    types = definition.type.parameters
    if takes_variable_arguments(frame.unit.program, definition):
        _no_further_arguments(frame, definition.name, registers[-1])
        registers = registers[:-1]
    extra = len(registers) - len(types)
    for register in registers[:extra]:
        _fresh_object(frame, definition.type.result, register)
    named = [getattr(node, "name", None) or f"parameter {i + 1}" for i, node in enumerate(definition.parameters)]
    given = list(zip(named, types, registers[extra:], strict=True))
    if definition.name == "main" and len(given) >= 2:
        give_command_line(frame, given[0][0], given[0][2], given[1][2], used)
        if len(given) > 2:
            give_environment(frame, given[2][2], used)
        given = given[3:]
    for name, type, register in given:
        _argument(frame, definition.name.removeprefix(HARNESS), name, type, register)


def runs_around(unit: Unit) -> list[str]:
    """The functions that run before the entry and at the end without being called, and what they need."""
    needed = (
        *unit.program.usage.around_entry(),
        *(["atexit"] if unit.program.usage.destructors else ()),
        EXIT_HANDLERS,
    )
    return [name for name in needed if name in unit.program.definitions]


def before_entry(frame: Frame) -> None:
    """Destructors wait for the end as if they were given to `atexit` first; then the constructors run."""
    usage, definitions = frame.unit.program.usage, frame.unit.program.definitions
    for name in usage.around_entry():
        if name in usage.destructors and name in definitions:
            frame.emit(Call("atexit", (frame.unit.function_address(name),), None))
    for name in usage.around_entry():
        if name in usage.constructors and name in definitions:
            definition = definitions[name]
            if definition.type.parameters:
                frame.unsupported(f"the parameters of the constructor {name}", definition.node)
            frame.emit(Call(name, (), None), definition.node)


def after_entry(frame: Frame) -> None:
    """What waits for the end of the program runs."""
    if EXIT_HANDLERS in frame.unit.program.definitions:
        frame.emit(Call(EXIT_HANDLERS, (), None))


def _no_further_arguments(frame: Frame, function: str, register: Term) -> None:
    """An entry function with variable arguments gets none of them: all that may be given cannot be listed."""
    address = frame.unit.addresses.take(8)
    frame.emit(Begin(address, 8))
    frame.emit(Store(frame.address(address), bitvectors.constant(0, 64)))
    frame.emit(Assign(register, frame.address(address)))
    frame.unit.assume(Assumption(f"`{function}` gets no arguments beyond those it names", leaves_open=EVERY_KIND))


def _argument(frame: Frame, function: str, name: str, type: CType, register: Term) -> None:
    unit = frame.unit
    if isinstance(type, Record):
        _fresh_object(frame, type, register, name)
        return
    target = type.target if isinstance(type, Pointer) else None
    if target is None or isinstance(target, Void | Function) or not unit.target.size(target):
        names = enumerators(type, unit)
        frame.emit(Input(register, name, "argument", is_signed(type), floating=isinstance(type, Floating), names=names))
        assume_boolean(frame, type, register, None)
        return
    _fresh_object(frame, target, register, f"*{name}")
    unit.assume(
        Assumption(f"pointer parameters of `{function}` point to distinct objects of their type with any contents")
    )


def _fresh_object(frame: Frame, type: CType, register: Term, argument: str = "") -> None:
    size = frame.unit.target.size(type) or 0
    address = frame.unit.addresses.take(size)
    frame.emit(Begin(address, size, given=True, argument="" if _holds_pointers(type) else argument))
    assume_booleans(frame, type, frame.address(address), None)
    frame.emit(Assign(register, frame.address(address)))


def _holds_pointers(type: CType) -> bool:
    """Whether there are pointers in an object: no caller puts just any number there, so that no test does."""
    match type:
        case Pointer():
            return True
        case Array(element=element):
            return _holds_pointers(element)
        case Record(members=members):
            return any(_holds_pointers(member.type) for member in members)
    return False
