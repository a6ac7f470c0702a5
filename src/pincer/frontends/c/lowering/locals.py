"""The registers and objects of variables inside functions."""

from __future__ import annotations

from pincer.frontends.c.lowering.expressions import size_term
from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.lowering.initialisers import initialise
from pincer.frontends.c.lowering.lifetimes import begin_again
from pincer.frontends.c.lowering.marks import allocate_stack
from pincer.frontends.c.lowering.memory import named_origin
from pincer.frontends.c.lowering.storage import described, fits_register, locate
from pincer.frontends.c.lowering.unit import Storage
from pincer.frontends.c.lowering.values import MemoryPlace, Place, RegisterPlace
from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.symbols import Variable
from pincer.frontends.c.semantics.types import Array
from pincer.logic.terms import Term
from pincer.program.control_flow import End, Input
from pincer.program.registers import Role, register_of


def declare(frame: Frame, node: tree.Declare) -> None:
    """An object of a block comes into being; a static one is there already."""
    variable = node.variable
    if variable.owner is None:
        locate(frame.unit, variable)
        return
    if isinstance(variable.type, Array) and frame.target.size(variable.type) is None:
        _declare_variable_length(frame, node, variable)
        return
    place = make_local(frame, variable)
    if node.initialiser is not None:
        initialise(frame, place, node.initialiser, node.written)
    elif isinstance(place, RegisterPlace):
        frame.emit(Input(place.register, f"uninitialised variable {variable.name}", "undefined"), node.written)
    else:
        begin_again(frame, place.type, place.address, frame.target.size(place.type) or 0, node.written)


def make_local(frame: Frame, variable: Variable) -> Place:
    """The register or object of a local variable."""
    unit, name = frame.unit, frame.unique(variable.name)
    if fits_register(variable, unit):
        register = register_of(frame.name, name, frame.target.bits(variable.type))
        unit.storage[variable] = Storage(register=register)
        frame.note(described(unit, variable))
        if id(variable.node) in unit.program.usage.bypassed:
            frame.bypassed.append((register, variable.name))
        return RegisterPlace(variable.type, register)
    size = frame.target.size(variable.type) or 0
    address = frame.new_object(name, size)
    unit.storage[variable] = Storage(address=address)
    frame.note(described(unit, variable))
    return MemoryPlace(variable.type, address, variable.node, named_origin(frame, address, size))


def _declare_variable_length(frame: Frame, node: tree.Declare, variable: Variable) -> None:
    """A new object each time the declaration is reached; the one of the last time ends then."""
    address = register_of(frame.name, frame.unique(variable.name), frame.target.pointer_bits, Role.ADDRESS)
    frame.unit.storage[variable] = Storage(address=address)
    frame.note(described(frame.unit, variable))
    frame.arrays.append(address)
    frame.emit(End(address), node.written)
    allocate_stack(frame, address, size_term(frame, variable.type), node.written)


def declared_parameter(frame: Frame, variable: Variable, passed: Term) -> Place:
    """The place of a parameter that arrives in the register `passed`."""
    if fits_register(variable, frame.unit):
        frame.unit.storage[variable] = Storage(register=passed)
        frame.note(described(frame.unit, variable))
        return RegisterPlace(variable.type, passed)
    return make_local(frame, variable)
