"""Declarations inside functions, and the registers or objects they give their names."""

from __future__ import annotations

from pycparser import c_ast

from pincer.frontends.c.lowering.expressions import size_term
from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.lowering.globals import declare_global, note_attributes
from pincer.frontends.c.lowering.initialisers import completed, contents_of, extent, initialise
from pincer.frontends.c.lowering.lifetimes import begin_again
from pincer.frontends.c.lowering.marks import allocate_stack
from pincer.frontends.c.lowering.memory import named_origin
from pincer.frontends.c.lowering.storage import (
    described,
    fits_register,
    is_thread_local,
    object_size,
    thread_object,
)
from pincer.frontends.c.lowering.values import MemoryPlace, Place, RegisterPlace
from pincer.frontends.c.semantics.declarations import (
    declaration_type,
    inferred,
    is_constant,
    specified,
    type_definition,
)
from pincer.frontends.c.semantics.redeclarations import check_block_level, check_file_level
from pincer.frontends.c.semantics.symbols import FunctionName, Variable
from pincer.frontends.c.semantics.types import Array, Function, text
from pincer.logic.terms import Term
from pincer.program.control_flow import End, Input, StaticObject
from pincer.program.registers import Role, global_register, register_of, thread_register


def declare_type(frame: Frame, node: c_ast.Typedef) -> None:
    frame.scope.names[node.name] = type_definition(frame, node)


def declare(frame: Frame, node: c_ast.Decl) -> None:
    """A declaration in a block; its initialiser runs here."""
    if node.name is None:
        specified(frame, node.type)
        return
    if isinstance(node.type, c_ast.TypeDecl) and isinstance(node.type.type, c_ast.InferredType):
        type = inferred(frame, node.init)
    else:
        type = declaration_type(frame, node)
    linked = isinstance(type, Function) or "extern" in node.storage
    check_block_level(frame, node, linked)
    if linked:
        check_file_level(frame.unit, node, type)
        note_attributes(frame.unit, node)
    if isinstance(type, Function):
        frame.scope.names[node.name] = FunctionName(node.name, type)
        return
    if "extern" in node.storage:
        frame.scope.names[node.name] = declare_global(frame, node, type)
        return
    type = completed(frame, type, node.init)
    if any(attribute.name == "cleanup" for attribute in node.attributes or ()):
        frame.unsupported("the attribute cleanup", node)
    if "static" in node.storage:
        _declare_static(frame, node, Variable(node.name, type, node, None, is_constant(node, frame)))
    else:
        _declare_automatic(frame, node, Variable(node.name, type, node, frame.name, is_constant(node, frame)))


def _declare_static(frame: Frame, node: c_ast.Decl, variable: Variable) -> None:
    """One object for all activations, set before the program starts. Its initialiser may name what is in scope."""
    unit = frame.unit
    known = unit.statics.get(id(node))
    frame.scope.names[node.name] = known or variable
    if known is not None:
        return
    unit.statics[id(node)] = variable
    variable.extent = extent(frame, variable.type, node.init)
    size = object_size(unit, variable)
    if size is None:
        raise unit.error(f"the size of `{node.name}` is not known", node)
    variable.name = _static_name(frame, node.name)
    inside = frame.aside()
    inside.name = "$static"
    own = is_thread_local(unit, variable)
    if fits_register(variable, unit):
        made = thread_register if own else global_register
        variable.register = made(variable.name, unit.target.bits(variable.type))
        contents = contents_of(inside, variable.type, node.init)
        unit.initial[variable.register] = int.from_bytes(contents, "little")
    else:
        address = unit.addresses.take(size, read_only=variable.const)
        variable.address = thread_object(unit, variable.name, address) if own else unit.address(address)
        contents = contents_of(inside, variable.type, node.init).rstrip(b"\0")
        unit.objects.append(StaticObject(variable.name, address, size, contents, variable.const))
    unit.variables.append(described(unit, variable))


def _static_name(frame: Frame, name: str) -> str:
    """Unlike the name of a local variable it must be another one in each procedure."""
    taken = {known.name for known in frame.unit.statics.values()}
    candidate, number = f"{frame.name}.{name}", 1
    while candidate in taken:
        number += 1
        candidate = f"{frame.name}.{name}.{number}"
    return candidate


def _declare_automatic(frame: Frame, node: c_ast.Decl, variable: Variable) -> None:
    frame.scope.names[node.name] = variable
    if isinstance(variable.type, Array) and frame.target.size(variable.type) is None:
        _declare_variable_length(frame, node, variable)
        return
    place = make_local(frame, variable)
    if node.init is not None:
        initialise(frame, place, node.init, node)
    elif isinstance(place, RegisterPlace):
        frame.emit(Input(place.register, f"uninitialised variable {node.name}", "undefined"), node)
    else:
        begin_again(frame, place.type, place.address, frame.target.size(place.type) or 0, node)


def make_local(frame: Frame, variable: Variable) -> Place:
    """The register or object of a local variable."""
    name = frame.unique(variable.name)
    if fits_register(variable, frame.unit):
        bits = frame.target.bits(variable.type)
        variable.register = register_of(frame.name, name, bits)
        frame.note(described(frame.unit, variable))
        if id(variable.node) in frame.unit.usage.bypassed:
            frame.bypassed.append((variable.register, variable.name))
        return RegisterPlace(variable.type, variable.register)
    size = frame.target.size(variable.type)
    if size is None:
        raise frame.unit.error(f"the type `{text(variable.type)}` is incomplete", variable.node)
    variable.address = frame.new_object(name, size)
    frame.note(described(frame.unit, variable))
    return MemoryPlace(variable.type, variable.address, variable.node, named_origin(frame, variable.address, size))


def _declare_variable_length(frame: Frame, node: c_ast.Decl, variable: Variable) -> None:
    """A new object each time the declaration is reached; the one of the last time ends then."""
    if isinstance(variable.type, Array) and variable.type.length is None:
        raise frame.unit.error(f"the length of `{node.name}` is missing", node)
    address = register_of(frame.name, frame.unique(node.name), frame.target.pointer_bits, Role.ADDRESS)
    variable.address = address
    frame.note(described(frame.unit, variable))
    frame.arrays.append(address)
    frame.emit(End(address), node)
    allocate_stack(frame, address, size_term(frame, variable.type, node), node)


def declared_parameter(frame: Frame, variable: Variable, passed: Term) -> Place:
    """The place of a parameter that arrives in the register `passed`."""
    frame.scope.names[variable.name] = variable
    if fits_register(variable, frame.unit):
        variable.register = passed
        frame.note(described(frame.unit, variable))
        return RegisterPlace(variable.type, passed)
    return make_local(frame, variable)
