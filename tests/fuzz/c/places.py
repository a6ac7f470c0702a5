"""Lvalues and addresses: paths from a variable through members, elements and pointers, always within bounds."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from .scope import Scope, Variable
from .types import Array, FunctionPointer, Integer, Pointer, Record, Type

POSTFIX, UNARY, PRODUCT, SUM = 15, 14, 13, 12
Goal = Callable[[Type], bool]


@dataclass(frozen=True)
class Place:
    """An lvalue as text. `pointer` is the text of a pointer it is the target of, for the arrow operator.

    `fixed` places have no pointer and no computed index in their path: evaluating them does not depend on the state.
    """

    text: str
    level: int
    type: Type
    root: Variable
    writable: bool
    fixed: bool = True
    width: int | None = None
    pointer: str | None = None
    through: bool = False

    @property
    def depth(self) -> int:
        """The block depth up to which the object is certain to live."""
        return self.root.depth


def wrap(text: str, level: int, needed: int) -> str:
    return text if level >= needed else f"({text})"


def is_integer(type_: Type) -> bool:
    return isinstance(type_, Integer)


def exactly(type_: Type) -> Goal:
    return lambda candidate: candidate == type_


def reaches(type_: Type, goal: Goal, fixed: bool) -> bool:
    """Whether a path from an object of this type leads to a goal."""
    if goal(type_):
        return True
    match type_:
        case Record(_, members):
            return any(reaches(member.type, goal, fixed) for member in members)
        case Array(element, _):
            return reaches(element, goal, fixed)
        case Pointer(target, room, _):
            return room > 0 and not fixed and reaches(target, goal, fixed)
        case _:
            return False


def find_place(
    scope: Scope,
    goal: Goal,
    writable: bool = False,
    fixed: bool = False,
    address: bool = False,
    depth: int | None = None,
) -> Place | None:
    """A random lvalue with a type that meets the goal; with `address`, one whose address may be kept up to `depth`."""
    roots = [variable for variable in scope.variables if _suits(variable, goal, writable, fixed, address, depth)]
    while roots:
        root = scope.rng.choice(roots)
        place = Place(root.name, POSTFIX, root.type, root, not (root.const or root.frozen))
        found = _descend(scope, place, goal, fixed)
        if (found.writable or not writable) and not (address and found.width is not None):
            return found
        roots.remove(root)
    return None


def _suits(variable: Variable, goal: Goal, writable: bool, fixed: bool, address: bool, depth: int | None) -> bool:
    if not reaches(variable.type, goal, fixed):
        return False
    if writable and (variable.frozen or variable.const) and not isinstance(variable.type, Pointer):
        return False
    if address and (variable.frozen or variable.volatile):
        return False
    return depth is None or variable.depth <= depth


def _descend(scope: Scope, place: Place, goal: Goal, fixed: bool) -> Place:
    while not (goal(place.type) and (scope.chance(0.7) or not _continues(place.type, goal, fixed))):
        place = _step(scope, place, goal, fixed)
    return place


def _continues(type_: Type, goal: Goal, fixed: bool) -> bool:
    match type_:
        case Record(_, members):
            return any(reaches(member.type, goal, fixed) for member in members)
        case Array(element, _):
            return reaches(element, goal, fixed)
        case Pointer(target, room, _):
            return room > 0 and not fixed and reaches(target, goal, fixed)
        case _:
            return False


def _step(scope: Scope, place: Place, goal: Goal, fixed: bool) -> Place:
    match place.type:
        case Record(_, members):
            member = scope.rng.choice([m for m in members if reaches(m.type, goal, fixed)])
            return _member(scope, place, member.name, member.type, member.width)
        case Array(_, length):
            return element_of(scope, place, length, fixed)
        case Pointer():
            return target_of(scope, place)
        case _:
            raise AssertionError("a path has gone astray")


def _member(scope: Scope, place: Place, name: str, type_: Type, width: int | None) -> Place:
    if place.pointer is not None and scope.chance(0.85):
        text = f"{place.pointer}->{name}"
    else:
        text = f"{wrap(place.text, place.level, POSTFIX)}.{name}"
    return replace(place, text=text, level=POSTFIX, type=type_, width=width, pointer=None)


def element_of(scope: Scope, place: Place, length: int, fixed: bool) -> Place:
    """An element of an array, by index or by pointer arithmetic."""
    assert isinstance(place.type, Array)
    index, constant = (str(scope.rng.randrange(length)), True) if fixed else index_below(scope, length)
    base = wrap(place.text, place.level, POSTFIX)
    result = replace(place, type=place.type.element, fixed=place.fixed and constant, pointer=None, width=None)
    style = scope.rng.random()
    if style < 0.85:
        return replace(result, text=f"{base}[{index}]", level=POSTFIX)
    if style < 0.97:
        pointer = f"({base} + {_addend(index)})"
        return replace(result, text=f"*{pointer}", level=UNARY, pointer=pointer)
    return replace(result, text=f"({index})[{base}]", level=POSTFIX)


def target_of(scope: Scope, place: Place) -> Place:
    """What a pointer with room points to, or a later element."""
    assert isinstance(place.type, Pointer)
    pointer = place.type
    result = replace(
        place,
        type=pointer.target,
        writable=not pointer.const,
        fixed=False,
        through=True,
        width=None,
    )
    base = wrap(place.text, place.level, POSTFIX)
    if pointer.room == 1 and scope.chance(0.9):
        return replace(result, text=f"*{wrap(place.text, place.level, UNARY)}", level=UNARY, pointer=base)
    index, _ = index_below(scope, pointer.room)
    if scope.chance(0.7):
        return replace(result, text=f"{base}[{index}]", level=POSTFIX, pointer=None)
    moved = f"({base} + {_addend(index)})"
    return replace(result, text=f"*{moved}", level=UNARY, pointer=moved)


def _addend(index: str) -> str:
    return index if index.isalnum() else f"({index})"


def index_below(scope: Scope, length: int) -> tuple[str, bool]:
    """An expression with a value in 0..length-1, and whether it is a constant."""
    rng = scope.rng
    counters = [v.name for v in scope.variables if v.limit is not None and v.limit <= length]
    if counters and scope.chance(0.6):
        return rng.choice(counters), False
    simple = [v.name for v in scope.variables if isinstance(v.type, Integer) and not v.volatile]
    if not simple or length == 1 or scope.chance(0.4):
        return str(rng.randrange(length)), True
    name = rng.choice(simple)
    if length & (length - 1) == 0 and scope.chance(0.7):
        return f"{name} & {length - 1}", False
    return f"(unsigned){name} % {length}u", False


def address(scope: Scope, wanted: Pointer, depth: int, fixed: bool = False) -> str | None:
    """An address for a pointer of this type: of an object that lives at least as long as blocks of this depth."""
    room = max(wanted.room, 1)
    if wanted.room == 0 and scope.chance(0.2):
        return scope.rng.choice(("0", "NULL"))
    makers = [_of_array, _of_object, _of_pointer]
    scope.rng.shuffle(makers)
    for make in makers:
        text = make(scope, wanted, room, depth, fixed)
        if text is not None:
            return text
    return "0" if wanted.room == 0 else None


def _of_object(scope: Scope, wanted: Pointer, room: int, depth: int, fixed: bool) -> str | None:
    if room > 1:
        return None
    place = find_place(scope, exactly(wanted.target), not wanted.const, fixed, address=True, depth=depth)
    return f"&{wrap(place.text, place.level, UNARY)}" if place else None


def _of_array(scope: Scope, wanted: Pointer, room: int, depth: int, fixed: bool) -> str | None:
    def long_enough(type_: Type) -> bool:
        return isinstance(type_, Array) and type_.element == wanted.target and type_.length >= room

    place = find_place(scope, long_enough, not wanted.const, fixed, address=True, depth=depth)
    if place is None or not isinstance(place.type, Array):
        return None
    starts = place.type.length - room + 1
    index = str(scope.rng.randrange(starts)) if fixed else index_below(scope, starts)[0]
    if index == "0" and scope.chance(0.8):
        return place.text if place.level >= SUM else f"({place.text})"
    if scope.chance(0.5):
        return f"&{wrap(place.text, place.level, POSTFIX)}[{index}]"
    return f"({wrap(place.text, place.level, SUM)} + {_addend(index)})"


def _of_pointer(scope: Scope, wanted: Pointer, room: int, depth: int, fixed: bool) -> str | None:
    def compatible(type_: Type) -> bool:
        return (
            isinstance(type_, Pointer)
            and type_.target == wanted.target
            and (type_.room >= room or (wanted.room == 0 and type_.room == 0))
            and (wanted.const or not type_.const)
        )

    if fixed:
        return None
    place = find_place(scope, compatible, depth=depth)
    if place is None or not isinstance(place.type, Pointer):
        return None
    text = wrap(place.text, place.level, SUM)
    extra = place.type.room - room
    return f"({text} + {scope.rng.randint(1, extra)})" if extra > 0 and scope.chance(0.5) else text


def function_address(scope: Scope, wanted: FunctionPointer) -> str | None:
    """The name of a function of the type, with or without the address operator."""
    names = [f.name for f in scope.functions if f.result == wanted.result and f.parameters == wanted.parameters]
    return scope.rng.choice(("", "&")) + scope.rng.choice(names) if names else None
