"""C types, with the sizes and alignments that gcc gives them on x86 and x86-64."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from pincer.program.property import DataModel

_PATTERNS = {"float": 32, "double": 64, "long double": 80}


class Void(Struct, frozen=True):
    """No value; also the type of what `void *` points to."""


class Integer(Struct, frozen=True):
    """An integer type. Enumerations are integers with their own name; `rank` orders types for conversions.

    A bit-field wider than int has a type of its own, with its width as rank: between int and the 64-bit types.
    Only objects have `atomic` types; values never do.
    """

    name: str
    bits: int
    signed: bool
    rank: int
    atomic: bool = False

    @property
    def is_enumeration(self) -> bool:
        return self.name.startswith("enum ")

    @property
    def boolean(self) -> bool:
        return self.rank == 0


class Floating(Struct, frozen=True):
    """A floating type; there is arithmetic on those with a pattern, the bits of others may be moved about."""

    name: str
    size: int

    @property
    def pattern_bits(self) -> int | None:
        """The bits of the IEEE pattern that a value is; those of a long double are x87's, without the padding."""
        return _PATTERNS.get(self.name)


class Pointer(Struct, frozen=True):
    """A pointer; `atomic` as for integers."""

    target: CType
    atomic: bool = False


class Length(Struct, frozen=True, eq=False):
    """The length of an array that is computed at run time: an expression of the typed tree, a `size_t`."""

    expression: Any


class Array(Struct, frozen=True):
    """An array; the length is None while it is unknown."""

    element: CType
    length: int | Length | None


class Function(Struct, frozen=True):
    """A function; `prototyped` is false for `f()`, whose calls take any arguments."""

    result: CType
    parameters: tuple[CType, ...]
    variadic: bool = False
    prototyped: bool = True


class Bits(Struct, frozen=True):
    """The place of a bit-field: its first bit, counted from the start of the record, and its width."""

    first: int
    width: int


class Member(Struct, frozen=True):
    """A member at a byte offset; the byte offset of a bit-field is that of the first byte it touches."""

    name: str | None
    type: CType
    offset: int
    bits: Bits | None = None
    alignment: int = 1


class Record(Struct, eq=False):
    """A structure or union. It is created incomplete and completed once, when its members are known."""

    kind: Literal["struct", "union"]
    tag: str | None
    members: tuple[Member, ...] = ()
    size: int | None = None
    alignment: int = 1
    index: Mapping[str, Member] = {}

    def complete(self, members: tuple[Member, ...], size: int, alignment: int) -> None:
        """Fix the layout. Members of unnamed members can be named directly, so the index lists them too."""
        index: dict[str, Member] = {}
        for member in members:
            if member.name is not None:
                index[member.name] = member
            elif isinstance(member.type, Record):
                for name, inner in member.type.index.items():
                    bits = inner.bits and Bits(inner.bits.first + 8 * member.offset, inner.bits.width)
                    index[name] = Member(name, inner.type, inner.offset + member.offset, bits, inner.alignment)
        self.members, self.size, self.alignment, self.index = members, size, alignment, index


CType: TypeAlias = Void | Integer | Floating | Pointer | Array | Function | Record

VOID = Void()
BOOL = Integer("_Bool", 8, False, 0)
CHAR = Integer("char", 8, True, 1)
SIGNED_CHAR = Integer("signed char", 8, True, 1)
UNSIGNED_CHAR = Integer("unsigned char", 8, False, 1)
SHORT = Integer("short", 16, True, 2)
UNSIGNED_SHORT = Integer("unsigned short", 16, False, 2)
INT = Integer("int", 32, True, 3)
UNSIGNED_INT = Integer("unsigned int", 32, False, 3)
LONG_LONG = Integer("long long", 64, True, 65)
UNSIGNED_LONG_LONG = Integer("unsigned long long", 64, False, 65)
INT128 = Integer("__int128", 128, True, 128)
UNSIGNED_INT128 = Integer("unsigned __int128", 128, False, 128)
FLOAT = Floating("float", 4)
DOUBLE = Floating("double", 8)


def _list_of_arguments() -> Record:
    """What `va_list` is an array of on x86-64; only the pointer to the next argument is used."""
    record = Record("struct", "__va_list_tag")
    rest = Member("__rest", Array(UNSIGNED_LONG_LONG, 2), 8, alignment=8)
    record.complete((Member("__next", Pointer(VOID), 0, alignment=8), rest), 24, 8)
    return record


class Target:
    """The sizes that depend on the data model."""

    def __init__(self, data_model: DataModel) -> None:
        self.data_model: DataModel = data_model
        wide = data_model == "LP64"
        self.pointer_bytes = 8 if wide else 4
        self.pointer_bits = 8 * self.pointer_bytes
        rank = 64 if wide else 4
        self.long = Integer("long", self.pointer_bits, True, rank)
        self.unsigned_long = Integer("unsigned long", self.pointer_bits, False, rank)
        self.long_double = Floating("long double", 16 if wide else 12)
        self.argument_list: CType = Array(_list_of_arguments(), 1) if wide else Pointer(VOID)
        self.size_type = self.unsigned_long if wide else UNSIGNED_INT
        self.difference_type = self.long if wide else INT
        self.widest_alignment = 8 if wide else 4

    def size(self, type: CType) -> int | None:
        """The size in bytes; None for incomplete types and lengths known only at run time."""
        match type:
            case Integer(bits=bits):
                return 1 << ((bits - 1) // 8).bit_length()
            case Floating(size=size):
                return size
            case Pointer():
                return self.pointer_bytes
            case Array(element=element, length=length):
                part = self.size(element)
                return part * length if part is not None and isinstance(length, int) else None
            case Record():
                return type.size
        return 1

    def alignment(self, type: CType) -> int:
        """The alignment of a member of this type; as members, eight-byte scalars need four on 32-bit x86."""
        match type:
            case Array(element=element):
                return self.alignment(element)
            case Record():
                return type.alignment
            case Floating(name="long double"):
                return 16 if self.data_model == "LP64" else 4
            case Integer() | Floating() | Pointer():
                size = self.size(type) or 1
                return size if size == 16 else min(size, self.widest_alignment)
        return 1

    def preferred_alignment(self, type: CType) -> int:
        """The alignment of a variable of this type, which eight-byte scalars keep on 32-bit x86."""
        if isinstance(type, Array):
            return self.preferred_alignment(type.element)
        eight = isinstance(type, Integer | Floating) and self.size(type) == 8
        return 8 if eight else self.alignment(type)

    def bits(self, type: CType) -> int:
        """The width of a scalar's bit-vector; that of a bit-field's own type is no multiple of eight."""
        return type.bits if isinstance(type, Integer) else 8 * (self.size(type) or 1)


def is_scalar(type: CType) -> bool:
    return isinstance(type, Integer | Pointer | Floating)


def is_atomic(type: CType) -> bool:
    return isinstance(type, Integer | Pointer) and type.atomic


def plain(type: CType) -> CType:
    """The type that values of an object of this type have: the same, not atomic."""
    return replace(type, atomic=False) if isinstance(type, Integer | Pointer) and type.atomic else type


def is_signed(type: CType) -> bool:
    return isinstance(type, Integer) and type.signed


def text(type: CType, name: str = "") -> str:
    """The type in C syntax, declaring `name` when one is given."""
    match type:
        case Void():
            base = "void"
        case Integer(name=spelling) | Floating(name=spelling):
            base = spelling
        case Record():
            base = f"{type.kind} {type.tag or '<unnamed>'}"
        case Pointer(target=target):
            inner = f"*{name}"
            return text(target, f"({inner})" if isinstance(target, Array | Function) else inner)
        case Array(element=element, length=length):
            return text(element, f"{name}[{length if isinstance(length, int) else ''}]")
        case Function(result=result, parameters=parameters, variadic=variadic):
            listed = [text(parameter) for parameter in parameters] + ["..."] * variadic
            return text(result, f"{name}({', '.join(listed) or ('void' if type.prototyped else '')})")
    return f"{base} {name}" if name and name[0] not in "*[" else f"{base} {name}".rstrip()
