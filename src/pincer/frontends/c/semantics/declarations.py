"""From declarators and type names to types: specifiers, records, enumerations, arrays, functions, typeof."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from pycparser import c_ast

from pincer.errors import PincerError, UnsupportedError
from pincer.frontends.c.lowering.conversions import convert
from pincer.frontends.c.lowering.expressions import check_defined, constant, type_of, value
from pincer.frontends.c.lowering.frame import Frame
from pincer.frontends.c.semantics import layout
from pincer.frontends.c.semantics.layout import Field
from pincer.frontends.c.semantics.redeclarations import is_ours
from pincer.frontends.c.semantics.symbols import Enumerator, TypeName
from pincer.frontends.c.semantics.types import (
    BOOL,
    CHAR,
    DOUBLE,
    FLOAT,
    INT,
    INT128,
    LONG_LONG,
    SHORT,
    SIGNED_CHAR,
    UNSIGNED_CHAR,
    UNSIGNED_INT,
    UNSIGNED_INT128,
    UNSIGNED_LONG_LONG,
    UNSIGNED_SHORT,
    VOID,
    Array,
    CType,
    Floating,
    Function,
    Integer,
    Pointer,
    Record,
    Target,
    Void,
    text,
)
from pincer.frontends.c.syntax import nodes
from pincer.logic import bitvectors
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign

_OPAQUE = {"__builtin_va_list": 24, "__float128": 16, "_Float128": 16, "__float80": 16, "_Float16": 2}


def type_name(frame: Frame, node: c_ast.Typename) -> CType:
    """The type of a cast, sizeof or compound literal."""
    return _attributed(frame, declared(frame, node.type), node)


def check_static_assertion(frame: Frame, node: c_ast.StaticAssert) -> None:
    """`_Static_assert`: what it claims must hold for the program to be one."""
    if constant(frame, node.cond) == 0:
        said = getattr(node.message, "value", None)
        raise frame.unit.error(f"the static assertion fails{f': {said}' if said else ''}", node)


def declaration_type(frame: Frame, node: c_ast.Decl | c_ast.Typedef) -> CType:
    """The type that a declaration gives its name."""
    return _attributed(frame, declared(frame, node.type), node)


def _attributed(frame: Frame, type: CType, node: Any) -> CType:
    """`mode` and vector attributes change a type; the others change layout or calls."""
    for attribute in node.attributes or ():
        if attribute.name == "mode" and isinstance(type, Integer) and attribute.arguments:
            type = _moded(type, attribute.arguments[0], frame.target)
        elif attribute.name in ("vector_size", "ext_vector_type"):
            count = constant(frame, attribute.arguments[0]) if attribute.arguments else 16
            unit = 1 if attribute.name == "vector_size" else frame.target.size(type) or 1
            return Floating("vector", count * unit)
    return type


def _moded(type: Integer, argument: c_ast.Node, target: Target) -> Integer:
    mode = getattr(argument, "name", "").strip("_")
    choices = {
        "QI": 8,
        "byte": 8,
        "HI": 16,
        "SI": 32,
        "DI": 64,
        "word": target.pointer_bits,
        "pointer": target.pointer_bits,
    }
    bits = choices.get(mode, type.bits)
    for candidate in (SIGNED_CHAR, SHORT, INT, target.long, LONG_LONG):
        if candidate.bits == bits:
            return candidate if type.signed else _make_unsigned(candidate, target)
    return type


def _make_unsigned(type: Integer, target: Target) -> Integer:
    pairs = {
        CHAR: UNSIGNED_CHAR,
        SIGNED_CHAR: UNSIGNED_CHAR,
        SHORT: UNSIGNED_SHORT,
        INT: UNSIGNED_INT,
        target.long: target.unsigned_long,
        LONG_LONG: UNSIGNED_LONG_LONG,
        INT128: UNSIGNED_INT128,
    }
    return pairs.get(type, type)


def declared(frame: Frame, node: c_ast.Node) -> CType:
    """The type of a declarator: pointers, arrays and functions around a specifier."""
    match node:
        case c_ast.TypeDecl():
            return _qualified(frame, specified(frame, node.type), node)
        case c_ast.PtrDecl():
            return _qualified(frame, Pointer(declared(frame, node.type)), node)
        case c_ast.ArrayDecl():
            return _array(frame, node)
        case c_ast.FuncDecl():
            return _function(frame, node)
        case c_ast.Typename():
            return type_name(frame, node)
    return specified(frame, node)


def _qualified(frame: Frame, type: CType, node: c_ast.TypeDecl | c_ast.PtrDecl) -> CType:
    """`_Atomic` matters only where there are threads."""
    if "_Atomic" not in (node.quals or ()) or not frame.unit.usage.threaded:
        return type
    if not isinstance(type, Integer | Pointer):
        raise UnsupportedError("atomic objects other than integers and pointers", frame.unit.position(node))
    return replace(type, atomic=True)


def _array(frame: Frame, node: c_ast.ArrayDecl) -> CType:
    element = declared(frame, node.type)
    if node.dim is None:
        return Array(element, None)
    if isinstance(node.dim, c_ast.ID) and node.dim.name == "*":
        return Array(element, None)
    aside = frame.aside()
    try:
        found = value(aside, node.dim)
    except PincerError:
        if frame.prototype:
            return Array(element, None)
        raise
    length = bitvectors.constant_value(found.term)
    if length is None:
        return Array(element, None if frame.prototype else _computed_length(frame, node.dim))
    check_defined(aside, node.dim)
    if isinstance(found.type, Integer) and found.type.signed:
        length = bitvectors.signed(length, found.type.bits)
    if length < 0:
        raise frame.unit.error("an array cannot have a negative length", node)
    return Array(element, length)


def _computed_length(frame: Frame, node: c_ast.Node) -> Term:
    """A length known only at run time, kept in a temporary of its own."""
    if frame.name == "$static":
        raise frame.unit.error("the length of an array must be constant here", node)
    length = convert(frame, value(frame, node), frame.target.size_type)
    kept = frame.temporary(frame.target.pointer_bits)
    frame.emit(Assign(kept, length.term), node)
    return kept


def _function(frame: Frame, node: c_ast.FuncDecl) -> Function:
    result = declared(frame, node.type)
    if node.args is None:
        return Function(result, (), False, False)
    parameters = node.args.params
    variadic = bool(parameters) and isinstance(parameters[-1], c_ast.EllipsisParam)
    named = parameters[:-1] if variadic else parameters
    if named and all(isinstance(parameter, c_ast.ID) for parameter in named):
        return Function(result, (INT,) * len(named), False, False)
    prototype = frame.aside()
    prototype.prototype = True
    types = [parameter_type(prototype, parameter) for parameter in named]
    if types == [VOID]:
        types = []
    return Function(result, tuple(types), variadic)


def parameter_type(frame: Frame, node: Any) -> CType:
    """Arrays and functions as parameters are pointers; the length of the outermost array does not matter."""
    kind = node.type
    if isinstance(kind, c_ast.ArrayDecl):
        return Pointer(declared(frame, kind.type))
    type = _attributed(frame, declared(frame, kind), node)
    if isinstance(type, Array):
        return Pointer(type.element)
    return Pointer(type) if isinstance(type, Function) else type


def specified(frame: Frame, node: c_ast.Node) -> CType:
    """The type that specifiers name."""
    match node:
        case c_ast.IdentifierType():
            return _named(frame, node)
        case c_ast.Struct() | c_ast.Union():
            return _record(frame, node)
        case c_ast.Enum():
            return _enumeration(frame, node)
        case c_ast.TypeOf():
            if isinstance(node.expr, c_ast.Typename):
                return type_name(frame, node.expr)
            return inferred(frame, node.expr)
        case c_ast.TypeDecl() | c_ast.PtrDecl() | c_ast.ArrayDecl() | c_ast.FuncDecl():
            return declared(frame, node)
        case c_ast.Typename():
            return type_name(frame, node)
        case c_ast.AttributedType():
            return specified(frame, node.type)
    raise frame.unit.error(f"the type `{type(node).__name__}` is not known here", node)


def inferred(frame: Frame, node: c_ast.Node) -> CType:
    """The type of an expression as that of an object; a bit-field's own type has no whole number of bytes."""
    type = type_of(frame, node)
    if isinstance(type, Integer) and type.bits not in (8, 16, 32, 64, 128):
        raise UnsupportedError("objects with the type of a bit-field", frame.unit.position(node))
    return type


def _named(frame: Frame, node: c_ast.IdentifierType) -> CType:
    if len(node.names) == 1:
        symbol = frame.scope.find(node.names[0])
        if isinstance(symbol, TypeName):
            return symbol.type
    found = basic_type(node.names, frame.target)
    if found is None:
        raise frame.unit.error(f"`{' '.join(node.names)}` is not a type", node)
    return found


def basic_type(names: Iterable[str], target: Target) -> CType | None:
    """The type of a list of specifiers in any order."""
    words = sorted(name.strip("_") if name in ("__signed__", "__signed") else name for name in names)
    count = {word: words.count(word) for word in words}
    if "_Complex" in count:
        return Floating("_Complex", 16)
    for name, size in _OPAQUE.items():
        if name in count:
            return _va_list(target) if name == "__builtin_va_list" else Floating(name, size)
    if "void" in count:
        return VOID
    if "_Bool" in count:
        return BOOL
    if "float" in count or "_Float32" in count:
        return FLOAT
    if "double" in count or "_Float64" in count or "_Float32x" in count:
        return target.long_double if "long" in count else DOUBLE
    return _basic_integer(count, target)


def _va_list(target: Target) -> CType:
    """Enough room for the list of arguments; nothing inside it is modelled."""
    return Array(Floating("va_list", 24), 1) if target.data_model == "LP64" else Pointer(VOID)


def _basic_integer(count: Mapping[str, int], target: Target) -> Integer | None:
    unsigned = "unsigned" in count or "__uint128_t" in count
    rest = set(count) - {"unsigned", "signed", "int"}
    if rest <= {"char"}:
        if "char" in rest:
            return UNSIGNED_CHAR if unsigned else SIGNED_CHAR if "signed" in count else CHAR
        base: Integer = INT
    elif rest == {"short"}:
        base = SHORT
    elif rest == {"long"}:
        base = LONG_LONG if count["long"] > 1 else target.long
    elif rest <= {"__int128", "__int128_t", "__uint128_t"}:
        base = INT128
    else:
        return None
    return _make_unsigned(base, target) if unsigned else base


def _record(frame: Frame, node: c_ast.Struct | c_ast.Union) -> Record:
    if node.decls is None:
        known = frame.scope.find_tag(node.name)
        if isinstance(known, Record):
            return known
    elif id(node) in frame.unit.records:
        known = frame.unit.records[id(node)]
        if node.name:
            frame.scope.tags[node.name] = known
        return known
    found = frame.scope.tags.get(node.name) if node.name else None
    _check_record_is_new(frame, found, node)
    if not isinstance(found, Record) or found.size is not None:
        found = Record("struct" if isinstance(node, c_ast.Struct) else "union", node.name)
        if node.name:
            frame.scope.tags[node.name] = found
    if node.decls is not None:
        frame.unit.records[id(node)] = found
        if not frame.prototype:
            frame.unit.record_nodes[id(found)] = node
        _complete(frame, found, node)
    return found


def _check_record_is_new(frame: Frame, known: Record | Integer | None, node: c_ast.Struct | c_ast.Union) -> None:
    """A record has one list of members in a scope; parameter lists are scopes of their own."""
    if node.decls is None or not isinstance(known, Record) or known.size is None or frame.prototype:
        return
    first = frame.unit.record_nodes.get(id(known))
    if first is not None and not is_ours(first) and not is_ours(node):
        at = frame.unit.position(first)
        raise frame.unit.error(f"`{text(known)}` has members already, at {at}; rename or remove one of the two", node)


def _check_members_differ(frame: Frame, fields: Iterable[Field], node: c_ast.Struct | c_ast.Union) -> None:
    seen: set[str] = set()
    for field in fields:
        inner = field.type.index if field.name is None and isinstance(field.type, Record) else ()
        for name in [field.name] if field.name is not None else inner:
            if name in seen:
                raise frame.unit.error(f"the member `{name}` is declared twice; rename one of the two", node)
            seen.add(name)


def _complete(frame: Frame, record: Record, node: Any) -> None:
    fields = [_field(frame, member) for member in node.decls if isinstance(member, c_ast.Decl)]
    _check_members_differ(frame, fields, node)
    for item in node.decls:
        if isinstance(item, c_ast.StaticAssert):
            check_static_assertion(frame, item)
    for attribute in node.attributes or ():
        if attribute.name in ("ms_struct", "scalar_storage_order"):
            frame.unit.unsupported.append((f"the attribute {attribute.name}", frame.unit.position(node)))
    packed, alignment, cap = _packing(frame, node.attributes)
    layout.complete(record, fields, frame.target, packed, alignment, cap)


def _field(frame: Frame, node: c_ast.Decl) -> Field:
    type = declaration_type(frame, node)
    if isinstance(type, Array) and isinstance(type.length, Term):
        frame.unsupported("an array of variable length in a structure", node)
        type = Array(type.element, 1)
    innermost = type
    while isinstance(innermost, Array):
        innermost = innermost.element
    if (isinstance(innermost, Record) and innermost.size is None) or isinstance(innermost, Void | Function):
        raise frame.unit.error(f"the type of the member `{node.name or ''}` is incomplete", node)
    width = None if node.bitsize is None else constant(frame, node.bitsize)
    packed, alignment, _ = _packing(frame, node.attributes)
    if node.align and isinstance(node.align[0], c_ast.Alignas):
        alignment = max(alignment, _alignas(frame, node.align[0].alignment))
    return Field(node.name, type, width, alignment, packed, named_alignment(frame, node))


def _alignas(frame: Frame, node: c_ast.Node) -> int:
    if isinstance(node, c_ast.Typename):
        return frame.target.alignment(type_name(frame, node))
    return constant(frame, node)


def type_definition(frame: Frame, node: c_ast.Typedef) -> TypeName:
    """What a typedef makes of its name."""
    type = declaration_type(frame, node)
    return TypeName(type, is_constant(node, frame), given_alignment(frame, node) or named_alignment(frame, node))


def given_alignment(frame: Frame, node: Any) -> int:
    """The alignment that a declaration's own attributes give, 0 where they give none."""
    return _packing(frame, node.attributes)[1]


def named_alignment(frame: Frame, node: Any) -> int:
    """The alignment of the typedef name that a declaration of an object or an array of such uses, 0 for its own."""
    kind = node.type
    while isinstance(kind, c_ast.ArrayDecl):
        kind = kind.type
    base = kind.type if isinstance(kind, c_ast.TypeDecl) else None
    if not isinstance(base, c_ast.IdentifierType) or len(base.names) != 1:
        return 0
    symbol = frame.scope.find(base.names[0])
    return symbol.alignment if isinstance(symbol, TypeName) else 0


def _packing(frame: Frame, attributes: Iterable[nodes.Attribute] | None) -> tuple[bool, int, int]:
    packed, alignment, cap = False, 0, 0
    for attribute in attributes or ():
        if attribute.name == "packed":
            packed = True
        elif attribute.name == "aligned":
            alignment = constant(frame, attribute.arguments[0]) if attribute.arguments else 16
        elif attribute.name == "pragma_pack":
            cap = constant(frame, attribute.arguments[0])
    return packed, alignment, cap


def _enumeration(frame: Frame, node: c_ast.Enum) -> Integer:
    """As gcc has it: constants are int where they fit, the type itself is unsigned unless a constant is negative."""
    if node.values is None:
        known = frame.scope.find_tag(node.name)
        return known if isinstance(known, Integer) else UNSIGNED_INT
    if id(node) not in frame.unit.enumerations:
        frame.unit.enumerations[id(node)] = _new_enumeration(frame, node)
    type, constants = frame.unit.enumerations[id(node)]
    frame.scope.names.update(constants)
    if node.name:
        frame.scope.tags[node.name] = type
    return type


def _new_enumeration(frame: Frame, node: c_ast.Enum) -> tuple[Integer, dict[str, Enumerator]]:
    following, found = 0, {}
    for item in node.values.enumerators:
        if not isinstance(item, c_ast.Enumerator):
            continue
        if item.name in found or isinstance(frame.scope.names.get(item.name), Enumerator):
            raise frame.unit.error(f"the enumerator `{item.name}` is defined twice", item)
        if item.value is not None:
            following = constant(frame, item.value)
        kind = INT if -(1 << 31) <= following < 1 << 31 else _holding([following], frame.target)
        found[item.name] = frame.scope.names[item.name] = Enumerator(following, kind)
        following += 1
    packed = any(attribute.name == "packed" for attribute in node.attributes or ())
    base = _holding([item.value for item in found.values()], frame.target, smallest=packed)
    return Integer(f"enum {node.name or '<unnamed>'}", base.bits, base.signed, base.rank), found


def _holding(numbers: list[int], target: Target, smallest: bool = False) -> Integer:
    low, high = min(numbers, default=0), max(numbers, default=0)
    sizes = [(UNSIGNED_CHAR, SIGNED_CHAR), (UNSIGNED_SHORT, SHORT)] if smallest else []
    sizes += [(UNSIGNED_INT, INT), (target.unsigned_long, target.long), (UNSIGNED_LONG_LONG, LONG_LONG)]
    for without, with_sign in sizes:
        if low >= 0 and high < 1 << without.bits:
            return without
        if -(1 << with_sign.bits - 1) <= low and high < 1 << with_sign.bits - 1:
            return with_sign
    return LONG_LONG


def is_constant(node: Any, frame: Frame) -> bool:
    """Whether the declared object itself is `const`: the qualifier next to its name, or that of an array's elements."""
    kind = node.type
    while isinstance(kind, c_ast.ArrayDecl):
        kind = kind.type
    if isinstance(kind, c_ast.PtrDecl):
        return "const" in (kind.quals or ())
    if isinstance(kind, c_ast.TypeDecl):
        if "const" in (kind.quals or ()):
            return True
        if isinstance(kind.type, c_ast.IdentifierType) and len(kind.type.names) == 1:
            symbol = frame.scope.find(kind.type.names[0])
            return isinstance(symbol, TypeName) and symbol.const
    return False
