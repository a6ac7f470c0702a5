"""Declarations at file level: types, functions, and variables."""

from __future__ import annotations

from pycparser import c_ast

from pincer.frontends.c.semantics.constants import NoValue, evaluate
from pincer.frontends.c.semantics.context import Context, Definition, TypedProgram, file_context
from pincer.frontends.c.semantics.declarations import (
    check_static_assertion,
    declaration_type,
    is_constant,
    parameter_type,
    specified,
    type_definition,
)
from pincer.frontends.c.semantics.initialisers import initialiser
from pincer.frontends.c.semantics.linking import check_same_inline, has_attribute, is_inline
from pincer.frontends.c.semantics.mistakes import check_file_level
from pincer.frontends.c.semantics.symbols import FileScope, FunctionName, Variable
from pincer.frontends.c.semantics.tree import Initialiser
from pincer.frontends.c.semantics.types import VOID, Array, CType, Function, Integer, Record
from pincer.frontends.c.syntax import nodes


def declare_all(program: TypedProgram, tree: c_ast.FileAST, scope: FileScope | None = None) -> None:
    """Enter all declarations of a tree into the scope of its file, the first one unless another is given, in order."""
    context = file_context(program, scope)
    for item in tree.ext:
        if isinstance(item, c_ast.Typedef):
            context.file.names[item.name] = type_definition(context, item)
        elif isinstance(item, c_ast.FuncDef):
            _define(context, item)
            note_attributes(program, item.decl)
        elif isinstance(item, c_ast.Decl):
            _declare(context, item)
            note_attributes(program, item)
        elif isinstance(item, c_ast.StaticAssert):
            check_static_assertion(context, item)
        elif isinstance(item, nodes.Asm):
            program.unsupported.append(("assembly at file level", program.position(item)))


def note_attributes(program: TypedProgram, node: c_ast.Decl) -> None:
    """Functions that others choose, and second names of variables, are not modelled; those of functions are."""
    for attribute in node.attributes or ():
        if attribute.name == "ifunc":
            program.unsupported.append((f"the attribute {attribute.name}", program.position(node)))
        elif attribute.name in ("alias", "weakref") and node.name not in program.usage.aliases:
            program.unknown.add(node.name)
        if attribute.name in ("weak", "weakref") and node.name not in program.usage.aliases:
            program.weak.add(node.name)


def _declare(context: Context, node: c_ast.Decl) -> None:
    if node.name is None:
        specified(context, node.type)
        return
    type = declaration_type(context, node)
    check_file_level(context, node, type)
    if isinstance(type, Function):
        known = context.file.names.get(node.name)
        if not isinstance(known, FunctionName) or not known.type.prototyped:
            name = context.program.usage.aliases.get(node.name, node.name)
            context.file.names[node.name] = found = FunctionName(name, type)
            if node.name not in context.program.definitions:
                context.program.functions[node.name] = found
            context.program.usage.arity.setdefault(node.name, (len(type.parameters), type.variadic))
        return
    declare_global(context, node, type)


def declare_global(context: Context, node: c_ast.Decl, type: CType) -> Variable:
    """A variable with linkage: all its declarations are about one object."""
    program, file = context.program, context.file
    known = file.names.get(node.name)
    defines = "extern" not in node.storage or node.init is not None
    if not isinstance(known, Variable):
        known = Variable(node.name, type, node, None, is_constant(node, context), defined=False)
        known.scope = file
        file.names[node.name] = known
    elif isinstance(known.type, Array) and known.type.length is None:
        known.type = type
    if defines and not known.defined:
        known.defined, known.node = True, node
    if node.init is not None:
        if known.init is not None and known.init is not node.init:
            first = program.position(known.node)
            raise program.error(f"`{node.name}` has an initial value already, at {first}; remove one of the two", node)
        known.init, known.node = node.init, node
        known.type, known.extent = _completed(context, type, node.init)
    _note_constant(program, known)
    return known


def _completed(context: Context, type: CType, init: c_ast.Node) -> tuple[CType, int | None]:
    """The type and the size of an object that get these from its initialiser; others are not looked at here."""
    last = type.members[-1].type if isinstance(type, Record) and type.members else type
    if not isinstance(last, Array) or last.length is not None:
        return type, None
    type, found = initialiser(context, type, init)
    return type, found.extent


def _note_constant(program: TypedProgram, variable: Variable) -> None:
    """The value of a constant scalar whose address is not used counts as a constant expression, as with gcc."""
    if not variable.const or not variable.defined or variable.name in program.usage.taken:
        return
    if not isinstance(variable.type, Integer):
        return
    found = None if variable.init is None else static_initialiser(program, variable)
    try:
        known = 0 if found is None or found.whole is None else evaluate(program, found.whole)
    except NoValue:
        known = None
    if isinstance(known, int):
        program.constants[variable] = known


def static_initialiser(program: TypedProgram, variable: Variable) -> Initialiser | None:
    """The initialiser of a variable with static storage."""
    if variable not in program.initialisers and variable.init is not None:
        _, found = initialiser(file_context(program, variable.scope), variable.type, variable.init)
        program.initialisers[variable] = found
    return program.initialisers.get(variable)


def _define(context: Context, node: c_ast.FuncDef) -> None:
    program = context.program
    name = node.decl.name
    type = declaration_type(context, node.decl)
    if not isinstance(type, Function):
        raise program.error(f"`{name}` is no function", node)
    parameters = _parameters(context, node)
    if node.param_decls or not type.prototyped:
        types = tuple(parameter_type(context, parameter) for parameter in parameters)
        type = Function(type.result, types, False, False)
    check_file_level(context, node.decl, type)
    file, known = context.file, program.definitions.get(name)
    found = Definition(name, type, node, parameters, file)
    if known is not None and not (is_replaceable(found, known) or is_replaceable(known, found)):
        first = program.position(known.node)
        raise program.error(f"`{name}` has a body already, at {first}; rename or remove one of the two", node)
    if known is not None and known.scope is file and is_replaceable(found, known):
        return
    if known is not None and known.scope is not file:
        check_same_inline(program, known, found)
    file.names[name] = FunctionName(name, type)
    if known is None or not is_replaceable(found, known):
        program.functions[name] = FunctionName(name, type)
        program.definitions[name] = found


def is_replaceable(definition: Definition, other: Definition) -> bool:
    """Whether a body gives way to another one: it is there for inlining only, or weak and the other in another file."""
    if has_attribute(definition.node.decl, "gnu_inline"):
        return True
    apart = other.scope is not definition.scope
    return apart and (is_inline(definition.node) or has_attribute(definition.node.decl, "weak"))


def _parameters(context: Context, node: c_ast.FuncDef) -> tuple[c_ast.Decl, ...]:
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
    return tuple(found[: 0 if _only_void(context, found) else len(found)])


def _only_void(context: Context, parameters: list[c_ast.Node]) -> bool:
    if len(parameters) != 1 or getattr(parameters[0], "name", None) is not None:
        return False
    return parameter_type(context, parameters[0]) == VOID


def _implicit(parameter: c_ast.ID) -> c_ast.Decl:
    kind = c_ast.TypeDecl(parameter.name, [], None, c_ast.IdentifierType(["int"], parameter.coord), parameter.coord)
    return c_ast.Decl(parameter.name, [], [], [], [], kind, None, None, parameter.coord)
