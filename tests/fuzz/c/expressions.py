"""Random integer expressions without side effects and without undefined behaviour, and arguments made of them."""

from __future__ import annotations

from dataclasses import dataclass

from .places import POSTFIX, PRODUCT, SUM, UNARY, Place, address, find_place, function_address, is_integer, wrap
from .scope import Function, Scope
from .types import (
    INT,
    LONG_LONG,
    UCHAR,
    ULONG_LONG,
    UNSIGNED,
    USHORT,
    Array,
    FunctionPointer,
    Integer,
    Pointer,
    Record,
    Type,
    common,
    promoted,
)

PRIMARY, SHIFT, RELATION, EQUALITY, AND, XOR, OR, BOTH, EITHER, CONDITIONAL, ASSIGNMENT, COMMA = (
    16, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1,
)  # fmt: skip
BITWISE = {"&": AND, "^": XOR, "|": OR}
STRINGS = ('"pincer"', '"a\\tb"', '"\\x7f\\\\q"', '"ab" "cd"', '""', '"nul\\0inside"', '"0123456789"', '"\'\\"\\377"')


@dataclass(frozen=True)
class Expr:
    """An expression's text, its type, and how tightly its outermost operator binds."""

    text: str
    type: Integer
    level: int

    def at(self, level: int) -> str:
        return wrap(self.text, self.level, level)


def read(place: Place) -> Expr:
    """The value of an integer lvalue; narrow bit-fields become int."""
    assert isinstance(place.type, Integer)
    narrow = place.width is not None and place.width < INT.bits
    return Expr(place.text, INT if narrow else place.type, place.level)


def literal(scope: Scope) -> Expr:
    """A constant: small ones mostly, the limits of the types, all spellings."""
    rng = scope.rng
    kind = rng.random()
    if kind < 0.45:
        return Expr(str(rng.choice((0, 1, 1, 2, 3, 4, 5, 7, 8, 10, 13, 16, 31, 64, 100))), INT, PRIMARY)
    if kind < 0.55:
        return Expr(f"-{rng.choice((1, 1, 2, 3, 7, 128, 32768, 2147483647))}", INT, UNARY)
    if kind < 0.65:
        return Expr(rng.choice(("'a'", "'Z'", "'\\n'", "'\\0'", "'\\x7f'", "'\\377'", "'\\''", "'\\\\'")), INT, PRIMARY)
    if kind < 0.75:
        value = rng.choice((127, 128, 255, 256, 32767, 32768, 65535, 65536, 0x7FFFFFFF, rng.getrandbits(31)))
        return Expr(rng.choice((f"{value}", f"{value:#x}", f"0{value:o}")), INT, PRIMARY)
    if kind < 0.9:
        wide = rng.getrandbits(rng.choice((8, 16, 31, 32)))
        longs = (("L", scope.longs.long), ("UL", scope.longs.unsigned), ("LL", LONG_LONG), ("ull", ULONG_LONG))
        text, type_ = rng.choice((("u", UNSIGNED), *longs))
        return Expr(f"{wide:#x}{text}" if rng.random() < 0.5 else f"{wide}{text}", type_, PRIMARY)
    return rng.choice(
        (
            Expr("0x80000000", UNSIGNED, PRIMARY),
            Expr("2147483648", scope.longs.wide_literal(signed=True), PRIMARY),
            Expr("-2147483647 - 1", INT, SUM),
            Expr("-9223372036854775807L - 1", scope.longs.wide_literal(signed=True), SUM),
            Expr("0xffffffffffffffff", scope.longs.wide_literal(signed=False), PRIMARY),
            Expr("~0u", UNSIGNED, UNARY),
        )
    )


def leaf(scope: Scope) -> Expr:
    """A variable, a constant, or something of constant size."""
    kind = scope.rng.random()
    if kind < 0.66:
        place = find_place(scope, is_integer)
        if place is not None:
            return read(place)
    if kind < 0.70 and scope.constants:
        return Expr(scope.rng.choice(scope.constants), INT, PRIMARY)
    if kind < 0.73:
        return _size(scope)
    return literal(scope)


def _size(scope: Scope) -> Expr:
    choices = (
        [record.name for record in scope.records] + [type_.name for type_ in scope.integers] + ["void *", "int[3]"]
    )
    choices += [v.name for v in scope.variables if not v.volatile]
    return Expr(f"sizeof({scope.rng.choice(choices)})", scope.longs.size, UNARY)


def pure(scope: Scope, depth: int) -> Expr:
    """An expression that changes nothing."""
    if depth <= 0 or scope.chance(0.12):
        return leaf(scope)
    makers = {
        _arithmetic: 26,
        _bitwise: 12,
        _shift: 8,
        _division: 8,
        _comparison: 12,
        _logical: 6,
        _unary: 10,
        _cast: 10,
        _conditional: 6,
        _pointer_value: 5,
        _bytes_of: 4,
        _string: 3,
        _pure_call: 4,
        _ignored: 1,
    }
    return scope.pick(makers)(scope, depth - 1)


def _arithmetic(scope: Scope, depth: int) -> Expr:
    operator = scope.rng.choice("++--*")
    left, right = pure(scope, depth), pure(scope, depth)
    level = PRODUCT if operator == "*" else SUM
    right_text = right.at(level + 1)
    return Expr(f"{left.at(level)} {operator} {right_text}", common(left.type, right.type), level)


def _bitwise(scope: Scope, depth: int) -> Expr:
    operator = scope.rng.choice("&&|^")
    level = BITWISE[operator]
    left, right = pure(scope, depth), pure(scope, depth)
    return Expr(f"{left.at(level)} {operator} {right.at(level + 1)}", common(left.type, right.type), level)


def shift_count(scope: Scope, type_: Integer, depth: int) -> str:
    """A number of places that is defined for the promoted type, ready for the right of a shift operator."""
    bits = promoted(type_).bits
    if scope.chance(0.5):
        return str(scope.rng.randrange(bits))
    return f"({pure(scope, depth).at(AND)} & {bits - 1})"


def _shift(scope: Scope, depth: int) -> Expr:
    left = pure(scope, depth)
    text = f"{left.at(SHIFT)} {scope.rng.choice(('<<', '>>', '>>'))} {shift_count(scope, left.type, depth)}"
    return Expr(text, promoted(left.type), SHIFT)


def divisor(scope: Scope, depth: int) -> Expr:
    """A value that is neither 0 nor -1 in any type it may be converted to."""
    kind = scope.rng.random()
    if kind < 0.4:
        return Expr(f"{scope.rng.choice((2, 3, 5, 7, 10, 16, 127, 1000))}", INT, PRIMARY)
    if kind < 0.5:
        return Expr(f"-{scope.rng.choice((2, 3, 10))}", INT, UNARY)
    inner = pure(scope, depth)
    mask = scope.rng.choice((3, 7, 15, 63))
    return Expr(f"({inner.at(AND)} & {mask}) + {scope.rng.randint(1, 9)}", common(inner.type, INT), SUM)


def _division(scope: Scope, depth: int) -> Expr:
    left = pure(scope, depth)
    operator = scope.rng.choice("//%%")
    if scope.chance(0.15):
        place = find_place(scope, is_integer)
        if place is not None and not place.root.volatile:
            right = read(place)
            guard = f"{right.at(EQUALITY + 1)} == 0 || {right.at(EQUALITY + 1)} == -1"
            quotient = f"{left.at(PRODUCT)} {operator} {right.at(PRODUCT + 1)}"
            other = literal(scope)
            type_ = common(common(left.type, right.type), other.type)
            return Expr(f"{guard} ? {other.at(CONDITIONAL)} : {quotient}", type_, CONDITIONAL)
    right = divisor(scope, depth)
    return Expr(f"{left.at(PRODUCT)} {operator} {right.at(PRODUCT + 1)}", common(left.type, right.type), PRODUCT)


def _comparison(scope: Scope, depth: int) -> Expr:
    left, right = pure(scope, depth), pure(scope, depth)
    if scope.chance(0.4):
        operator = scope.rng.choice(("==", "!="))
        return Expr(f"{left.at(EQUALITY)} {operator} {right.at(EQUALITY + 1)}", INT, EQUALITY)
    operator = scope.rng.choice(("<", "<=", ">", ">="))
    return Expr(f"{left.at(RELATION)} {operator} {right.at(RELATION + 1)}", INT, RELATION)


def _logical(scope: Scope, depth: int) -> Expr:
    left, right = pure(scope, depth), pure(scope, depth)
    operator, level = scope.rng.choice((("&&", BOTH), ("||", EITHER)))
    return Expr(f"{left.at(level)} {operator} {right.at(level + 1)}", INT, level)


def _unary(scope: Scope, depth: int) -> Expr:
    inner = pure(scope, depth)
    operator = scope.rng.choice("--~~!!+")
    text = inner.at(UNARY)
    separator = " " if text[0] == operator else ""
    return Expr(operator + separator + text, INT if operator == "!" else promoted(inner.type), UNARY)


def _cast(scope: Scope, depth: int) -> Expr:
    inner = pure(scope, depth)
    type_ = scope.rng.choice(scope.integers)
    return Expr(f"({type_.name}){inner.at(UNARY)}", type_, UNARY)


def _conditional(scope: Scope, depth: int) -> Expr:
    condition, yes, no = pure(scope, depth), pure(scope, depth), pure(scope, depth)
    text = f"{condition.at(EITHER)} ? {yes.text} : {no.at(CONDITIONAL)}"
    return Expr(text, common(yes.type, no.type), CONDITIONAL)


def _pointer_value(scope: Scope, depth: int) -> Expr:
    """What pointers tell: equality, presence, the target of one that may be null, a distance, a round trip."""
    place = find_place(scope, lambda type_: isinstance(type_, Pointer))
    if place is None or not isinstance(place.type, Pointer):
        return pure(scope, depth)
    pointer = place.type
    text = wrap(place.text, place.level, EQUALITY + 1)
    if pointer.room == 0 and isinstance(pointer.target, Integer) and not place.root.volatile:
        other = pure(scope, depth)
        target = f"*{wrap(place.text, place.level, UNARY)}"
        return Expr(f"{text} ? {target} : {other.at(CONDITIONAL)}", common(pointer.target, other.type), CONDITIONAL)
    kind = scope.rng.random()
    if kind < 0.4 and (other_address := address(scope, pointer, scope.depth)):
        return Expr(f"{text} {scope.rng.choice(('==', '!='))} {other_address}", INT, EQUALITY)
    if kind < 0.6:
        return Expr(f"!{wrap(place.text, place.level, UNARY)}", INT, UNARY)
    if kind < 0.8 and pointer.room > 1:
        step = scope.rng.randint(1, pointer.room)
        return Expr(f"({text} + {step}) - {text}", scope.longs.difference, SUM)
    if isinstance(pointer.target, Integer) and pointer.room > 0:
        star = "const " if pointer.const else ""
        trip = f"*({star}{pointer.target.name} *)(unsigned long){wrap(place.text, place.level, UNARY)}"
        return Expr(trip, pointer.target, UNARY)
    return Expr(f"{text} != 0", INT, EQUALITY)


def _bytes_of(scope: Scope, depth: int) -> Expr:
    """Part of an integer object's representation."""
    place = find_place(scope, is_integer, address=True)
    if place is None or not isinstance(place.type, Integer):
        return pure(scope, depth)
    parts = [type_ for type_ in (UCHAR, USHORT, UNSIGNED) if type_.bits <= place.type.bits]
    part = scope.rng.choice(parts)
    index = scope.rng.randrange(place.type.bits // part.bits)
    view = f"(({'const ' if scope.chance(0.3) else ''}{part.name} *)&{wrap(place.text, place.level, UNARY)})"
    return Expr(f"{view}[{index}]", part, POSTFIX)


def _string(scope: Scope, depth: int) -> Expr:
    texts = [v for v in scope.variables if v.text]
    if texts and scope.chance(0.6):
        return Expr(f"strlen({scope.rng.choice(texts).name})", scope.longs.size, POSTFIX)
    content = scope.rng.choice(STRINGS)
    if scope.chance(0.4):
        return Expr(f"sizeof {content}", scope.longs.size, UNARY)
    if scope.chance(0.5):
        return Expr(f"strlen({content})", scope.longs.size, POSTFIX)
    return Expr(f"{scope.rng.choice(STRINGS[:3])}[{scope.rng.randrange(4)}]", Integer("char", 8, True, 1), POSTFIX)


def _pure_call(scope: Scope, depth: int) -> Expr:
    candidates = [f for f in scope.functions if f.pure and scope.affords(4 * f.cost)]
    if not candidates:
        return pure(scope, depth)
    function = scope.rng.choice(candidates)
    assert isinstance(function.result, Integer)
    scope.spend(function.cost)
    return Expr(call_text(scope, function, depth - 1), function.result, POSTFIX)


def _ignored(scope: Scope, depth: int) -> Expr:
    """A comma operator, or a statement expression as GNU C has it."""
    first, second = pure(scope, depth), pure(scope, depth)
    if scope.chance(0.3):
        name = scope.fresh("t")
        text = f"({{ {first.type.name} {name} = {first.at(ASSIGNMENT)}; {name} ^ {second.at(XOR + 1)}; }})"
        return Expr(text, common(first.type, second.type), PRIMARY)
    return Expr(f"({first.at(ASSIGNMENT)}, {second.at(ASSIGNMENT)})", second.type, PRIMARY)


def call_text(scope: Scope, function: Function, depth: int) -> str:
    """A call with arguments for every parameter."""
    arguments = [argument(scope, type_, depth) for type_ in function.parameters]
    if function.recursive:
        arguments[0] = str(scope.rng.randint(0, 4))
    return f"{function.name}({', '.join(arguments)})"


def callable_with(scope: Scope, function: Function) -> bool:
    """Whether every parameter can be given something here."""
    return all(
        not isinstance(type_, Pointer) or address(scope, type_, scope.depth) is not None
        for type_ in function.parameters
    )


def argument(scope: Scope, type_: Type, depth: int, static: bool = False) -> str:
    """A value of a type without effects: for arguments, returns and assignments; `static`: of one that lives on."""
    match type_:
        case Integer():
            return pure(scope, depth).at(ASSIGNMENT)
        case Record():
            place = find_place(scope, lambda candidate: candidate == type_)
            return place.text if place is not None and scope.chance(0.8) else compound(scope, type_)
        case Pointer():
            for _ in range(20):
                if text := address(scope, type_, 0 if static else scope.depth):
                    return text
            raise AssertionError("no object for a pointer argument")
        case FunctionPointer() | Array():
            raise AssertionError("not a parameter type")


def compound(scope: Scope, record: Record) -> str:
    """A compound literal of a structure; members that are not named are zero."""
    parts = [f".{m.name} = {literal(scope).text}" for m in record.members if isinstance(m.type, Integer)]
    scope.rng.shuffle(parts)
    kept = parts[: scope.rng.randint(1, len(parts))] if parts and not record.union else parts[:1]
    kept += [
        f".{m.name} = {function_address(scope, m.type)}" for m in record.members if isinstance(m.type, FunctionPointer)
    ]
    return f"({record.name}){{{', '.join(kept) or '0'}}}"
