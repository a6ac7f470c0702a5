"""Random types, variables and initialisers."""

from __future__ import annotations

from .expressions import STRINGS, compound, literal, pure
from .places import address, find_place, function_address
from .scope import Scope, Variable
from .types import (
    BOOL,
    CHAR,
    INT,
    UCHAR,
    UNSIGNED,
    USHORT,
    Array,
    FunctionPointer,
    Integer,
    Member,
    Pointer,
    Record,
    Type,
    declare,
)

FIELD_BASES = (INT, UNSIGNED, UNSIGNED, BOOL, UCHAR, USHORT, Integer("signed char", 8, True, 1))
LONG_STRINGS = ('"nul\\0inside"', '"0123456789"', '"eight" " more"')
HANDLER = FunctionPointer(INT, (INT, UNSIGNED))


def declare_enumeration(scope: Scope) -> list[str]:
    """An enumeration, its constants, and its type: int if a constant is negative, unsigned otherwise."""
    tag = scope.fresh("E")
    negative = scope.chance(0.4)
    items = []
    for position in range(scope.rng.randint(2, 4)):
        name = f"{tag}_{position}"
        if position == 0 and negative:
            items.append(f"{name} = -{scope.rng.randint(1, 50)}")
        else:
            items.append(name if scope.chance(0.5) else f"{name} = {scope.rng.randint(0, 300)}")
        scope.constants.append(name)
    scope.integers.append(Integer(f"enum {tag}", 32, negative, INT.rank))
    return [f"enum {tag} {{ {', '.join(items)} }};"]


def declare_typedef(scope: Scope) -> list[str]:
    base = scope.rng.choice(scope.longs.integers[1:])
    alias = Integer(scope.fresh("t_"), base.bits, base.signed, base.rank)
    scope.integers.append(alias)
    return [f"typedef {base.name} {alias.name};"]


def declare_record(scope: Scope) -> list[str]:
    record = _union(scope) if scope.chance(0.3) else _structure(scope)
    scope.records.append(record)
    lines = [f"{record.name} {{"]
    for member in record.members:
        width = "" if member.width is None else f" : {member.width}"
        lines.append(f"    {declare(member.type, member.name)}{width};")
        if member.width is not None and scope.chance(0.1):
            lines.append(f"    {scope.rng.choice(('unsigned : 3', 'int : 0'))};")
    return [*lines, "};"]


def _structure(scope: Scope) -> Record:
    rng = scope.rng
    members: list[Member] = []
    for position in range(rng.randint(2, 5)):
        name = f"m{position}"
        kind = rng.random()
        if kind < 0.25:
            base = rng.choice(FIELD_BASES)
            widest = 1 if base == BOOL else base.bits
            members.append(Member(name, base, rng.randint(1, widest)))
        elif kind < 0.40:
            members.append(Member(name, Array(rng.choice(scope.longs.integers[1:]), rng.randint(1, 4))))
        elif kind < 0.52 and scope.records:
            members.append(Member(name, rng.choice(scope.records)))
        elif kind < 0.60:
            targets: list[Type] = [*scope.records, INT, UNSIGNED]
            members.append(Member(name, Pointer(rng.choice(targets), room=0)))
        else:
            members.append(Member(name, rng.choice(scope.integers)))
    if not any(isinstance(member.type, Integer) for member in members):
        members.append(Member("last", rng.choice(scope.longs.integers)))
    return Record(scope.fresh("S"), tuple(members))


def _union(scope: Scope) -> Record:
    """Views of the same four or eight bytes."""
    size = scope.rng.choice((4, 8))
    wide = tuple(type_ for type_ in scope.longs.integers[:-4:-1] if type_.bits == 64)
    whole = (INT, UNSIGNED) if size == 4 else wide
    views = [Array(UCHAR, size), Array(USHORT, size // 2), Array(CHAR, size), Array(UNSIGNED, size // 4)]
    chosen: list[Type] = [scope.rng.choice(whole), *scope.rng.sample(views, scope.rng.randint(1, 3))]
    scope.rng.shuffle(chosen)
    return Record(scope.fresh("U"), tuple(Member(f"v{k}", type_) for k, type_ in enumerate(chosen)), union=True)


def holds_pointers(type_: Type) -> bool:
    match type_:
        case Record(_, members):
            return any(holds_pointers(member.type) for member in members)
        case Array(element, _):
            return holds_pointers(element)
        case _:
            return not isinstance(type_, Integer)


def holds_booleans(type_: Type) -> bool:
    """Whether not every pattern of bytes is a value of this type."""
    match type_:
        case Record(_, members):
            return any(holds_booleans(member.type) for member in members)
        case Array(element, _):
            return holds_booleans(element)
        case _:
            return type_ == BOOL


def some_type(scope: Scope) -> Type:
    """The type of a new variable."""
    rng = scope.rng
    kind = rng.random()
    if kind < 0.40:
        return rng.choice(scope.integers)
    if kind < 0.52 and scope.records:
        return rng.choice(scope.records)
    if kind < 0.64:
        return Array(rng.choice(scope.integers), rng.choice((2, 3, 4, 4, 5, 8)))
    if kind < 0.70:
        return Array(Array(rng.choice(scope.longs.integers), rng.randint(2, 4)), rng.randint(2, 3))
    if kind < 0.75 and scope.records:
        return Array(rng.choice(scope.records), rng.randint(2, 4))
    if kind < 0.95:
        return _some_pointer(scope)
    return rng.choice((HANDLER, Array(HANDLER, 2)))


def _some_pointer(scope: Scope) -> Type:
    """A pointer to something visible, or an array of such."""
    goals: list[Type] = [v.type for v in scope.variables if not (v.volatile or v.frozen)]
    goals += [t.element for t in goals if isinstance(t, Array)]
    goals += [m.type for t in goals if isinstance(t, Record) for m in t.members if m.width is None]
    usable = [t for t in goals if not isinstance(t, FunctionPointer)]
    if not usable:
        return INT
    target = scope.rng.choice(usable)
    pointer = Pointer(target, scope.rng.choice((0, 1, 1, 1, 1, 2, 3)), const=scope.chance(0.15))
    if isinstance(target, Array | Pointer):
        pointer = Pointer(target, scope.rng.choice((1, 1, 2)))
    return Array(pointer, 2) if scope.chance(0.12) and not isinstance(target, Array) else pointer


def declare_variable(scope: Scope, static: bool = False) -> list[str]:
    """The declaration of a new variable with an initialiser that leaves no pointer astray; it becomes visible."""
    name = _name(scope, static)
    type_ = some_type(scope)
    depth = 0 if static else scope.depth
    value = initialiser(scope, type_, static, depth)
    if value is None:
        type_ = scope.rng.choice(scope.integers)
        value = initialiser(scope, type_, static, depth)
    simple = isinstance(type_, Integer)
    const = scope.chance(0.06) and not isinstance(type_, FunctionPointer)
    volatile = simple and not const and scope.chance(0.05)
    prefix = "static " if static and (scope.depth > 0 or scope.chance(0.4)) else ""
    qualifier = "volatile " if volatile else ""
    if const and isinstance(type_, Pointer):
        declaration = declare(type_, f"const {name}")
    else:
        declaration = qualifier + ("const " if const else "") + declare(type_, name)
    scope.variables.append(Variable(name, type_, depth, const=const, volatile=volatile))
    return [f"{prefix}{declaration} = {value};"]


def _name(scope: Scope, static: bool) -> str:
    """A new name; in a block now and then that of an outer variable, which is hidden from now on."""
    outer = [v for v in scope.variables if v.name[0] == "g" and v.depth < scope.depth]
    if scope.depth > 1 and outer and not static and not isinstance(scope.result, Pointer) and scope.chance(0.06):
        hidden = scope.rng.choice(outer)
        scope.variables.remove(hidden)
        return hidden.name
    return scope.fresh("g" if scope.depth == 0 else "v")


def declare_text(scope: Scope, static: bool = False) -> list[str]:
    """A string: a pointer to a literal, or an array that a literal initialises."""
    name = scope.fresh("s")
    content = scope.rng.choice(STRINGS)
    depth = 0 if static else scope.depth
    if scope.chance(0.5):
        scope.variables.append(Variable(name, Pointer(CHAR, 1, const=True), depth, frozen=True, text=True))
        return [f"const char *{name} = {content};"]
    scope.variables.append(Variable(name, Array(CHAR, 8), depth, const=True, text=True))
    if scope.chance(0.5):
        return [f"char {name}[16] = {content};"]
    return [f"const char {name}[] = {scope.rng.choice(LONG_STRINGS)};"]


def initialiser(scope: Scope, type_: Type, static: bool, depth: int) -> str | None:
    """What an object of the type starts with; None if a pointer in it has nothing to point to."""
    match type_:
        case Integer():
            return _constant(scope) if static else pure(scope, scope.rng.randint(0, 2)).at(2)
        case Pointer():
            return address(scope, type_, depth, fixed=static)
        case FunctionPointer():
            return function_address(scope, type_)
        case Record():
            if not static and scope.chance(0.3):
                place = find_place(scope, lambda candidate: candidate == type_)
                return place.text if place else compound(scope, type_)
            return _record_initialiser(scope, type_, static)
        case Array(element, length):
            if element == CHAR and scope.chance(0.5):
                return '"' + "".join(scope.rng.choice("abz09 ") for _ in range(scope.rng.randint(0, length))) + '"'
            return _array_initialiser(scope, element, length, static, depth)


def _constant(scope: Scope) -> str:
    first = literal(scope)
    if scope.chance(0.7):
        return first.at(2)
    second = literal(scope)
    operator = scope.rng.choice(("+", "-", "*", "&", "|", "^", "<", "==", "&&", "||"))
    return f"{first.at(14)} {operator} {second.at(14)}"


def _record_initialiser(scope: Scope, record: Record, static: bool) -> str:
    members = list(record.members)
    if record.union:
        members = [scope.rng.choice(members)]
    named = record.union or scope.chance(0.4)
    if named:
        scope.rng.shuffle(members)
    members = members[: scope.rng.randint(1, len(members))]
    parts = []
    for member in members:
        value = initialiser(scope, member.type, static, 0) or "0"
        parts.append(f".{member.name} = {value}" if named else value)
    return f"{{{', '.join(parts)}}}"


def _array_initialiser(scope: Scope, element: Type, length: int, static: bool, depth: int) -> str | None:
    whole = isinstance(element, Pointer | FunctionPointer) or (isinstance(element, Array) and holds_pointers(element))
    count = length if whole else scope.rng.randint(1, length)
    values = [initialiser(scope, element, static, depth) for _ in range(count)]
    if any(value is None for value in values):
        return None
    if whole or scope.chance(0.7):
        return f"{{{', '.join(str(value) for value in values)}}}"
    order = scope.rng.sample(range(length), count)
    return f"{{{', '.join(f'[{index}] = {value}' for index, value in zip(order, values, strict=True))}}}"


def hash_lines(scope: Scope, name: str, type_: Type, indent: str = "") -> list[str]:
    """Statements that mix every value of an object into the checksum; pointers count by being null or not."""
    match type_:
        case Integer():
            return [f"{indent}mix({name});"]
        case Pointer(_, room, _) if room == 0:
            return [f"{indent}mix({name} != 0);"]
        case Pointer() | FunctionPointer():
            return []
        case Record(_, members, union):
            chosen = members[:1] if union else members
            return [line for m in chosen for line in hash_lines(scope, f"{name}.{m.name}", m.type, indent)]
        case Array(element, length):
            index = scope.fresh("i")
            body = hash_lines(scope, f"{name}[{index}]", element, indent + "    ")
            head = f"{indent}for (int {index} = 0; {index} < {length}; {index}++) {{"
            return [head, *body, f"{indent}}}"] if body else []
