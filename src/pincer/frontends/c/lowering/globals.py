"""Declarations at file level: types, functions, and variables that get their storage on first use."""

from __future__ import annotations

from pycparser import c_ast

from pincer.frontends.c.lowering.frame import Frame, static_frame
from pincer.frontends.c.lowering.initialisers import completed, extent
from pincer.frontends.c.lowering.unit import Definition, Unit
from pincer.frontends.c.semantics.declarations import (
    check_static_assertion,
    declaration_type,
    is_constant,
    parameter_type,
    specified,
    type_definition,
)
from pincer.frontends.c.semantics.redeclarations import check_file_level
from pincer.frontends.c.semantics.symbols import FunctionName, Variable
from pincer.frontends.c.semantics.types import VOID, Array, CType, Function
from pincer.frontends.c.syntax import nodes


def declare_all(unit: Unit, tree: c_ast.FileAST) -> None:
    """Enter all declarations of the file, in order."""
    frame = static_frame(unit)
    for item in tree.ext:
        if isinstance(item, c_ast.Typedef):
            unit.scope.names[item.name] = type_definition(frame, item)
        elif isinstance(item, c_ast.FuncDef):
            _define(frame, item)
            note_attributes(unit, item.decl)
        elif isinstance(item, c_ast.Decl):
            _declare(frame, item)
            note_attributes(unit, item)
        elif isinstance(item, c_ast.StaticAssert):
            check_static_assertion(frame, item)
        elif isinstance(item, nodes.Asm):
            unit.unsupported.append(("assembly at file level", unit.position(item)))


def note_attributes(unit: Unit, node: c_ast.Decl) -> None:
    """Code that runs without being called, and second names of variables, are not modelled; those of functions are."""
    for attribute in node.attributes or ():
        if attribute.name in ("constructor", "destructor", "ifunc"):
            unit.unsupported.append((f"the attribute {attribute.name}", unit.position(node)))
        elif attribute.name in ("alias", "weakref") and node.name not in unit.usage.aliases:
            unit.unknown.add(node.name)
        if attribute.name in ("weak", "weakref") and node.name not in unit.usage.aliases:
            unit.weak.add(node.name)


def _declare(frame: Frame, node: c_ast.Decl) -> None:
    if node.name is None:
        specified(frame, node.type)
        return
    type = declaration_type(frame, node)
    check_file_level(frame.unit, node, type)
    if isinstance(type, Function):
        known = frame.unit.scope.names.get(node.name)
        if not isinstance(known, FunctionName) or not known.type.prototyped:
            name = frame.unit.usage.aliases.get(node.name, node.name)
            frame.unit.scope.names[node.name] = FunctionName(name, type)
            frame.unit.usage.arity.setdefault(node.name, (len(type.parameters), type.variadic))
        return
    declare_global(frame, node, type)


def declare_global(frame: Frame, node: c_ast.Decl, type: CType) -> Variable:
    """A variable with linkage: all its declarations are about one object."""
    unit = frame.unit
    known = unit.scope.names.get(node.name)
    defines = "extern" not in node.storage or node.init is not None
    if not isinstance(known, Variable):
        known = Variable(node.name, type, node, None, is_constant(node, frame), defined=False)
        unit.scope.names[node.name] = known
    elif isinstance(known.type, Array) and known.type.length is None:
        known.type = type
    if defines and not known.defined:
        known.defined, known.node = True, node
    if node.init is not None:
        if known.init is not None and known.init is not node.init:
            first = unit.position(known.node)
            raise unit.error(f"`{node.name}` has an initial value already, at {first}; remove one of the two", node)
        known.init, known.node = node.init, node
        known.type = completed(frame, type, node.init)
        known.extent = extent(frame, known.type, node.init)
    return known


def _define(frame: Frame, node: c_ast.FuncDef) -> None:
    unit = frame.unit
    name = node.decl.name
    type = declaration_type(frame, node.decl)
    if not isinstance(type, Function):
        raise unit.error(f"`{name}` is no function", node)
    parameters = _parameters(frame, node)
    if node.param_decls or not type.prototyped:
        types = tuple(parameter_type(frame, parameter) for parameter in parameters)
        type = Function(type.result, types, False, False)
    check_file_level(unit, node.decl, type)
    known = unit.definitions.get(name)
    if known is not None and not (_is_replaceable(node) or _is_replaceable(known.node)):
        first = unit.position(known.node)
        raise unit.error(f"`{name}` has a body already, at {first}; rename or remove one of the two", node)
    if known is not None and _is_replaceable(node):
        return
    unit.scope.names[name] = FunctionName(name, type)
    unit.definitions[name] = Definition(name, type, node, parameters)


def _is_replaceable(node: c_ast.FuncDef) -> bool:
    """A body that GNU C uses for inlining only, so that there may be another one."""
    return any(attribute.name == "gnu_inline" for attribute in node.decl.attributes or ())


def _parameters(frame: Frame, node: c_ast.FuncDef) -> tuple[c_ast.Decl, ...]:
    """The declarations of the parameters in order; an old-style one without a declaration is an int."""
    arguments = node.decl.type.args
    if arguments is None:
        return ()
    old = {declaration.name: declaration for declaration in node.param_decls or ()}
    found = []
    for parameter in arguments.params:
        if isinstance(parameter, c_ast.ID):
            found.append(old.get(parameter.name) or _implicit(parameter))
        elif isinstance(parameter, c_ast.Decl | c_ast.Typename):
            found.append(parameter)
    return tuple(found[: 0 if _only_void(frame, found) else len(found)])


def _only_void(frame: Frame, parameters: list[c_ast.Node]) -> bool:
    if len(parameters) != 1 or getattr(parameters[0], "name", None) is not None:
        return False
    return parameter_type(frame, parameters[0]) == VOID


def _implicit(parameter: c_ast.ID) -> c_ast.Decl:
    kind = c_ast.TypeDecl(parameter.name, [], None, c_ast.IdentifierType(["int"], parameter.coord), parameter.coord)
    return c_ast.Decl(parameter.name, [], [], [], [], kind, None, None, parameter.coord)
