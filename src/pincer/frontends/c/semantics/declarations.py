"""From declarators and type names to types: specifiers, records, enumerations, arrays, functions, typeof."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace
from pycparser import c_ast

from pincer.errors import PincerError, UnsupportedError
from pincer.frontends.c.semantics import layout, tree
from pincer.frontends.c.semantics.basic_types import basic_type, holding, moded
from pincer.frontends.c.semantics.context import Context
from pincer.frontends.c.semantics.expressions import constant, converted, known_value, type_of, value
from pincer.frontends.c.semantics.layout import Field, Packing
from pincer.frontends.c.semantics.mistakes import is_ours
from pincer.frontends.c.semantics.symbols import Enumerator, TypeName
from pincer.frontends.c.semantics.types import (
    BOOL,
    INT,
    INT128,
    UNSIGNED_INT,
    UNSIGNED_INT128,
    VOID,
    Array,
    CType,
    Floating,
    Function,
    Integer,
    Length,
    Pointer,
    Record,
    Void,
    text,
)
from pincer.frontends.c.syntax import nodes


def type_name(context: Context, node: c_ast.Typename) -> CType:
    """The type of a cast, sizeof or compound literal."""
    return _attributed(context, declared(context, node.type), node)


def check_static_assertion(context: Context, node: c_ast.StaticAssert) -> None:
    """`_Static_assert`: what it claims must hold for the program to be one."""
    if constant(context, node.cond) == 0:
        said = getattr(node.message, "value", None)
        raise context.error(f"the static assertion fails{f': {said}' if said else ''}", node)


def declaration_type(context: Context, node: c_ast.Decl | c_ast.Typedef) -> CType:
    """The type that a declaration gives its name."""
    classes = {"typedef", "extern", "static", "auto", "register"} & set(node.storage or ())
    if len(classes) > 1:
        raise context.error(f"a declaration cannot be both {' and '.join(sorted(classes))}", node)
    return _attributed(context, declared(context, node.type), node)


def _attributed(context: Context, type: CType, node: Any) -> CType:
    """`mode` and vector attributes change a type; the others change layout or calls."""
    for attribute in node.attributes or ():
        if attribute.name == "mode" and isinstance(type, Integer) and attribute.arguments:
            type = moded(type, getattr(attribute.arguments[0], "name", "").strip("_"), context.target)
        elif attribute.name in ("vector_size", "ext_vector_type"):
            count = constant(context, attribute.arguments[0]) if attribute.arguments else 16
            unit = 1 if attribute.name == "vector_size" else context.target.size(type) or 1
            return Floating("vector", count * unit)
    return type


def declared(context: Context, node: c_ast.Node) -> CType:
    """The type of a declarator: pointers, arrays and functions around a specifier."""
    match node:
        case c_ast.TypeDecl():
            return _qualified(context, specified(context, node.type), node)
        case c_ast.PtrDecl():
            return _qualified(context, Pointer(declared(context, node.type)), node)
        case c_ast.ArrayDecl():
            return _array(context, node)
        case c_ast.FuncDecl():
            return _function(context, node)
        case c_ast.Typename():
            return type_name(context, node)
    return specified(context, node)


def _qualified(context: Context, type: CType, node: c_ast.TypeDecl | c_ast.PtrDecl) -> CType:
    """`_Atomic`: of other objects than integers and pointers it matters only where there are threads."""
    if "_Atomic" not in (node.quals or ()):
        return type
    if not isinstance(type, Integer | Pointer):
        if not context.program.usage.threaded:
            return type
        raise UnsupportedError("atomic objects other than integers and pointers", context.program.position(node))
    return replace(type, atomic=True)


def _array(context: Context, node: c_ast.ArrayDecl) -> CType:
    element = declared(context, node.type)
    if node.dim is None:
        return Array(element, None)
    if isinstance(node.dim, c_ast.ID) and node.dim.name == "*":
        return Array(element, None)
    try:
        found = value(context, node.dim)
        length = known_value(context, found)
    except PincerError:
        if context.prototype:
            return Array(element, None)
        raise
    if length is None and context.prototype:
        return Array(element, None)
    if length is None and context.static:
        raise context.error("the length of an array must be constant here", node.dim)
    if length is None:
        computed = Length(converted(context, found, context.target.size_type))
        context.lengths.append(computed)
        return Array(element, computed)
    if length < 0:
        raise context.error("an array cannot have a negative length", node)
    return Array(element, length)


def _function(context: Context, node: c_ast.FuncDecl) -> Function:
    result = declared(context, node.type)
    if node.args is None:
        return Function(result, (), False, False)
    parameters = node.args.params
    variadic = bool(parameters) and isinstance(parameters[-1], c_ast.EllipsisParam)
    named = parameters[:-1] if variadic else parameters
    if named and all(isinstance(parameter, c_ast.ID) for parameter in named):
        return Function(result, (INT,) * len(named), False, False)
    prototype = context.declaring()
    types = [parameter_type(prototype, parameter) for parameter in named]
    if types == [VOID]:
        types = []
    return Function(result, tuple(types), variadic)


def parameter_type(context: Context, node: Any) -> CType:
    """Arrays and functions as parameters are pointers; the length of the outermost array does not matter."""
    kind = node.type
    if isinstance(kind, c_ast.ArrayDecl):
        return Pointer(declared(context, kind.type))
    type = _attributed(context, declared(context, kind), node)
    if isinstance(type, Array):
        return Pointer(type.element)
    return Pointer(type) if isinstance(type, Function) else type


def specified(context: Context, node: c_ast.Node) -> CType:
    """The type that specifiers name."""
    match node:
        case c_ast.IdentifierType():
            return _named(context, node)
        case c_ast.Struct() | c_ast.Union():
            return _record(context, node)
        case c_ast.Enum():
            return _enumeration(context, node)
        case c_ast.TypeOf():
            if isinstance(node.expr, c_ast.Typename):
                return type_name(context, node.expr)
            return inferred(context, node.expr)
        case c_ast.TypeDecl() | c_ast.PtrDecl() | c_ast.ArrayDecl() | c_ast.FuncDecl():
            return declared(context, node)
        case c_ast.Typename():
            return type_name(context, node)
        case c_ast.BitIntType():
            raise UnsupportedError("integers of any width (_BitInt)", context.program.position(node))
        case c_ast.AttributedType():
            return specified(context, node.type)
    raise context.error(f"the type `{type(node).__name__}` is not known here", node)


def inferred(context: Context, node: c_ast.Node) -> CType:
    """The type of an expression as that of an object; a bit-field's own type has no whole number of bytes."""
    type = type_of(context, node)
    if isinstance(type, Integer) and type.bits not in (8, 16, 32, 64, 128):
        raise UnsupportedError("objects with the type of a bit-field", context.program.position(node))
    return type


def _named(context: Context, node: c_ast.IdentifierType) -> CType:
    if len(node.names) == 1:
        symbol = context.scope.find(node.names[0])
        if isinstance(symbol, TypeName):
            return symbol.type
    found = basic_type(node.names, context.target)
    if found in (INT128, UNSIGNED_INT128) and context.target.data_model == "ILP32":
        raise context.error("there are no integers of 128 bits on a machine of 32", node)
    if found is None:
        raise context.error(f"`{' '.join(node.names)}` is not a type", node)
    return found


def _record(context: Context, node: c_ast.Struct | c_ast.Union) -> Record:
    if node.decls is None:
        known = context.scope.find_tag(node.name)
        if isinstance(known, Record):
            return known
    elif id(node) in context.program.records:
        known = context.program.records[id(node)]
        if node.name:
            context.scope.tags[node.name] = known
        return known
    found = context.scope.tags.get(node.name) if node.name else None
    _check_record_is_new(context, found, node)
    if not isinstance(found, Record) or found.size is not None:
        found = Record("struct" if isinstance(node, c_ast.Struct) else "union", node.name)
        if node.name:
            context.scope.tags[node.name] = found
    if node.decls is not None:
        context.program.records[id(node)] = found
        if not context.prototype:
            context.program.record_nodes[id(found)] = node
        _complete(context, found, node)
    return found


def _check_record_is_new(context: Context, known: Record | Integer | None, node: c_ast.Struct | c_ast.Union) -> None:
    """A record has one list of members in a scope; parameter lists are scopes of their own."""
    if node.decls is None or not isinstance(known, Record) or known.size is None or context.prototype:
        return
    first = context.program.record_nodes.get(id(known))
    if first is not None and not is_ours(first) and not is_ours(node):
        at = context.program.position(first)
        raise context.error(f"`{text(known)}` has members already, at {at}; rename or remove one of the two", node)


def _check_members_differ(context: Context, fields: Iterable[Field], node: c_ast.Struct | c_ast.Union) -> None:
    seen: set[str] = set()
    for field in fields:
        inner = field.type.index if field.name is None and isinstance(field.type, Record) else ()
        for name in [field.name] if field.name is not None else inner:
            if name in seen:
                raise context.error(f"the member `{name}` is declared twice; rename one of the two", node)
            seen.add(name)


def _complete(context: Context, record: Record, node: Any) -> None:
    fields = [_field(context, member) for member in node.decls if isinstance(member, c_ast.Decl)]
    for field in fields[:-1] if record.kind == "struct" else ():
        if isinstance(field.type, Array) and field.type.length is None:
            raise context.error(f"the array `{field.name}` without a length must be the last member", node)
    _check_members_differ(context, fields, node)
    for item in node.decls:
        if isinstance(item, c_ast.StaticAssert):
            check_static_assertion(context, item)
    for attribute in node.attributes or ():
        if attribute.name in ("ms_struct", "scalar_storage_order"):
            context.program.unsupported.append((f"the attribute {attribute.name}", context.program.position(node)))
    layout.complete(record, fields, context.target, _packing(context, node.attributes))


def _field(context: Context, node: c_ast.Decl) -> Field:
    type = declaration_type(context, node)
    if isinstance(type, Array) and isinstance(type.length, Length):
        what = tree.Unmodelled(context.target.size_type, node, "an array of variable length in a structure")
        context.lengths.append(Length(what))
        type = Array(type.element, 1)
    innermost = type
    while isinstance(innermost, Array):
        innermost = innermost.element
    if (isinstance(innermost, Record) and innermost.size is None) or isinstance(innermost, Void | Function):
        raise context.error(f"the type of the member `{node.name or ''}` is incomplete", node)
    width = None if node.bitsize is None else constant(context, node.bitsize)
    if width is not None and (width < 0 or not isinstance(type, Integer) or width > (1 if type == BOOL else type.bits)):
        raise context.error(f"{width} is no width for the bit-field `{node.name or ''}` of this type", node)
    packing = _packing(context, node.attributes)
    alignment = packing.alignment
    if node.align and isinstance(node.align[0], c_ast.Alignas):
        alignment = max(alignment, _alignas(context, node.align[0].alignment))
    return Field(node.name, type, width, alignment, packing.packed, named_alignment(context, node))


def _alignas(context: Context, node: c_ast.Node) -> int:
    if isinstance(node, c_ast.Typename):
        return context.target.alignment(type_name(context, node))
    return constant(context, node)


def type_definition(context: Context, node: c_ast.Typedef) -> TypeName:
    """What a typedef makes of its name."""
    type = declaration_type(context, node)
    return TypeName(type, is_constant(node, context), given_alignment(context, node) or named_alignment(context, node))


def given_alignment(context: Context, node: Any) -> int:
    """The alignment that a declaration's own attributes give, 0 where they give none."""
    return _packing(context, node.attributes).alignment


def named_alignment(context: Context, node: Any) -> int:
    """The alignment of the typedef name that a declaration of an object or an array of such uses, 0 for its own."""
    kind = node.type
    while isinstance(kind, c_ast.ArrayDecl):
        kind = kind.type
    base = kind.type if isinstance(kind, c_ast.TypeDecl) else None
    if not isinstance(base, c_ast.IdentifierType) or len(base.names) != 1:
        return 0
    symbol = context.scope.find(base.names[0])
    return symbol.alignment if isinstance(symbol, TypeName) else 0


def _packing(context: Context, attributes: Iterable[nodes.Attribute] | None) -> Packing:
    packed, alignment, cap = False, 0, 0
    for attribute in attributes or ():
        if attribute.name == "packed":
            packed = True
        elif attribute.name == "aligned":
            alignment = constant(context, attribute.arguments[0]) if attribute.arguments else 16
        elif attribute.name == "pragma_pack":
            cap = constant(context, attribute.arguments[0])
    return Packing(packed, alignment, cap)


def _enumeration(context: Context, node: c_ast.Enum) -> Integer:
    """As gcc has it: constants are int where they fit, the type itself is unsigned unless a constant is negative."""
    if node.values is None:
        known = context.scope.find_tag(node.name)
        return known if isinstance(known, Integer) else _underlying(context, node) or UNSIGNED_INT
    if id(node) not in context.program.enumerations:
        context.program.enumerations[id(node)] = _new_enumeration(context, node)
    type, constants = context.program.enumerations[id(node)]
    context.scope.names.update(constants)
    if node.name:
        context.scope.tags[node.name] = type
    return type


def _underlying(context: Context, node: c_ast.Enum) -> Integer | None:
    """The type that an enumeration is declared to have (C23)."""
    if node.underlying_type is None:
        return None
    found = type_name(context, node.underlying_type)
    if not isinstance(found, Integer):
        raise context.error("an enumeration needs an integer type", node)
    return found


def _new_enumeration(context: Context, node: c_ast.Enum) -> tuple[Integer, dict[str, Enumerator]]:
    following, found, fixed = 0, {}, _underlying(context, node)
    for item in node.values.enumerators:
        if not isinstance(item, c_ast.Enumerator):
            continue
        if item.name in found or isinstance(context.scope.names.get(item.name), Enumerator):
            raise context.error(f"the enumerator `{item.name}` is defined twice", item)
        if item.value is not None:
            following = constant(context, item.value)
        kind = fixed or (INT if -(1 << 31) <= following < 1 << 31 else holding([following], context.target))
        found[item.name] = context.scope.names[item.name] = Enumerator(following, kind)
        following += 1
    packed = any(attribute.name == "packed" for attribute in node.attributes or ())
    base = fixed or holding([item.value for item in found.values()], context.target, smallest=packed)
    named = f"enum {node.name or f'<unnamed at {context.program.position(node)}>'}"
    _note_names(context, named, found)
    return Integer(named, base.bits, base.signed, base.rank), found


def _note_names(context: Context, type: str, found: dict[str, Enumerator]) -> None:
    """Note what the values of an enumeration are called: by the first name of each."""
    own: dict[int, str] = {}
    for name, item in found.items():
        own.setdefault(item.value, name)
    known = context.program.enumerators.setdefault(type, {})
    for number, name in own.items():
        known[number] = name if known.get(number, name) == name else ""


def is_volatile(node: Any) -> bool:
    """Whether the declared object itself is `volatile`, or the elements of an array are."""
    kind = node.type
    while isinstance(kind, c_ast.ArrayDecl):
        kind = kind.type
    return "volatile" in (getattr(kind, "quals", None) or ())


def is_constant(node: Any, context: Context) -> bool:
    """Whether the declared object itself is `const`: the qualifier next to its name, or that of an array's elements."""
    kind = node.type
    if "constexpr" in (getattr(node, "storage", None) or ()):
        return True
    while isinstance(kind, c_ast.ArrayDecl):
        kind = kind.type
    if isinstance(kind, c_ast.PtrDecl):
        return "const" in (kind.quals or ())
    if isinstance(kind, c_ast.TypeDecl):
        if "const" in (kind.quals or ()):
            return True
        if isinstance(kind.type, c_ast.IdentifierType) and len(kind.type.names) == 1:
            symbol = context.scope.find(kind.type.names[0])
            return isinstance(symbol, TypeName) and symbol.const
    return False
