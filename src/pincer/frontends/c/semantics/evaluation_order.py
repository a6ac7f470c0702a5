"""Operands whose order C leaves open although it matters.

Where one operand changes a variable that another uses, the program is undefined, and the analysis says so at that
place. Where a function that one operand calls may change what another uses, or a pointer may lead to it, C allows
several results; one of them is modelled, and the verdict says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, permutations
from operator import or_

from msgspec import Struct

from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.context import TypedProgram
from pincer.frontends.c.semantics.effects import ANY, NOTHING, Touched, of_place, touched, within
from pincer.frontends.c.semantics.symbols import Variable
from pincer.frontends.c.semantics.types import Array, Record, is_scalar


class Order(Struct, frozen=True):
    """What is left open: a variable that is `changed` and used without an order between the two, or only a `choice`."""

    changed: str | None = None
    choice: bool = False


SETTLED = Order()
_NO_VARIABLES = frozenset[Variable]()


class Orders(Struct):
    """Answers for one program. `body` gives the typed body of a function."""

    program: TypedProgram
    body: Callable[[TypedProgram, str], tree.Body]
    _functions: dict[str, Touched] = {}

    def operands(self, operands: Sequence[tree.Expression], op: str | None = None) -> Order:
        """Operands that C does not order: of the binary operator `op`, of a subscript, or the arguments of a call."""
        parts = [touched(operand) for operand in operands]
        if not any(part.acts for part in parts):
            return SETTLED
        for one, other in permutations(parts, 2):
            if one.changes & (other.uses | other.changes):
                return _changed(one.changes & (other.uses | other.changes))
        for (part, acting), (other, operand) in permutations(zip(parts, operands, strict=True), 2):
            if op is not None and not (_is_name(operand) and _is_usual(op, acting)):
                names = self._with_calls(part).changes & other.uses
                if names:
                    return _changed(names)
        return self._choice(parts)

    def assignment(self, node: tree.Assignment | tree.CompoundAssignment) -> Order:
        """The place and the value of an assignment; its own change comes last."""
        given = node.value if isinstance(node, tree.Assignment) else node.operand
        place, value = of_place(node.target), touched(given)
        if not value.acts and not touched(node.target).acts:
            return SETTLED
        target = frozenset((node.target.variable,)) if isinstance(node.target, tree.Object) else _NO_VARIABLES
        names = value.changes & place.uses | place.changes & (value.uses | value.changes)
        stepped = tuple(_stepped(given))
        if isinstance(node, tree.CompoundAssignment):
            names |= value.changes & target
        if any(_alike(node.target, one) for one in stepped):
            names |= frozenset(_variables(node.target))
        if not names and place.calls:
            names = self._with_calls(place).changes & self._with_calls(value).changes
        if not names and any(self._may_be_one(node.target, one) for one in stepped):
            return Order(choice=True)
        return _changed(names) if names else self._choice([place, value])

    def initialisers(self, values: Sequence[tree.Expression]) -> Order:
        """The initialisers of one list: each is complete before the next one begins, in some order."""
        if not any(touched(value).acts for value in values):
            return SETTLED
        parts = [self._with_calls(touched(value)) for value in values]
        following = [*accumulate(reversed(parts), or_, initial=NOTHING)][::-1][1:]
        earlier = NOTHING
        for part, later in zip(parts, following, strict=True):
            if self._disturbs(part, earlier | later):
                return Order(choice=True)
            earlier |= part
        return SETTLED

    def _choice(self, parts: Sequence[Touched]) -> Order:
        """Where calls are ordered as compilers usually do it, that is an assumption."""
        whole = [self._with_calls(part) for part in parts]
        return Order(choice=any(self._disturbs(one, other) for one, other in permutations(whole, 2)))

    def _disturbs(self, one: Touched, other: Touched) -> bool:
        """Whether one part changes what another one uses or changes, by its name or through a pointer."""
        if one.disturbs(other):
            return True
        if one.stores and self._some_pointed_to(other.uses | other.changes):
            return True
        return (other.loads or other.stores) and self._some_pointed_to(one.changes)

    def _some_pointed_to(self, variables: frozenset[Variable]) -> bool:
        return any(is_scalar(one.type) and self.program.is_pointed_to(one) for one in variables)

    def _may_be_one(self, place: tree.Expression, other: tree.Expression) -> bool:
        """Whether two places that are written differently may be the same, or parts of the same."""
        if _are_other_parts(place, other):
            return False
        one, two = _variable_around(place), _variable_around(other)
        if one is not None and two is not None:
            return one == two
        known = one or two
        return known is None or not is_scalar(known.type) or self.program.is_pointed_to(known)

    def _with_calls(self, part: Touched) -> Touched:
        """What an expression touches together with the functions it calls."""
        found = part
        for name in part.calls:
            found |= self._of_function(name)
        return found

    def _of_function(self, name: str) -> Touched:
        """What a function and those it calls touch that others know; through pointers, what any function does."""
        if name not in self._functions:
            program = self.program
            found, seen, pending = NOTHING, set[str](), [name]
            while pending:
                current = pending.pop()
                if current in seen:
                    continue
                seen.add(current)
                if current == ANY or (current not in program.usage.arity and current not in program.library):
                    pending.extend(program.usage.addressed)
                elif current in program.definitions:
                    own = within(self.body(program, current).block, current).without_locals(current)
                    pending.extend(own.calls)
                    found |= own
            self._functions[name] = Touched(found.uses, found.changes, found.loads, found.stores)
        return self._functions[name]


def _changed(names: frozenset[Variable]) -> Order:
    return Order(changed=min(variable.name for variable in names))


def _is_usual(op: str, operand: tree.Expression) -> bool:
    """Whether compilers agree on when a variable beside an operand that acts is read, as far as one may rely on it:
    some turn a difference into a sum, and change its order by that."""
    operand = tree.bare(operand)
    return op != "-" or not isinstance(operand, tree.Binary | tree.Unary)


def _is_name(operand: tree.Expression) -> bool:
    operand = tree.bare(operand)
    return isinstance(operand, tree.Read) and isinstance(operand.place, tree.Object)


def _stepped(node: tree.Expression) -> Iterator[tree.Expression]:
    """The places with `++` and `--` whose effect comes at any time before the end of an expression."""
    match node:
        case tree.Step(target=inner):
            yield inner
            yield from _stepped(inner)
        case (
            tree.Binary(left=one, right=other)
            | tree.Element(pointer=one, index=other)
            | tree.Conditional(yes=one, no=other)
            | tree.Assignment(target=one, value=other)
            | tree.CompoundAssignment(target=one, operand=other)
        ):
            yield from _stepped(one)
            yield from _stepped(other)
        case (
            tree.Unary(operand=inner)
            | tree.Convert(operand=inner)
            | tree.Read(place=inner)
            | tree.Address(place=inner)
            | tree.Dereference(pointer=inner)
            | tree.MemberPlace(whole=inner)
            | tree.Logical(right=inner)
            | tree.OrElse(otherwise=inner)
            | tree.Sequence(parts=(*_, inner))
        ):
            yield from _stepped(inner)


def _variables(node: tree.Node) -> Iterator[Variable]:
    if isinstance(node, tree.Object):
        yield node.variable
    for child in tree.children(node):
        yield from _variables(child)


def _alike(one: object, other: object) -> bool:
    """Whether two expressions are written alike, as two names of one place."""
    if not isinstance(one, tree.Expression):
        return one == other
    names = (name for name in type(one).__match_args__ if name != "written")
    return type(one) is type(other) and all(_alike(getattr(one, name), getattr(other, name)) for name in names)


def _around(node: tree.Expression) -> tree.Expression | None:
    """The place of the structure or array that a place is a part of by what is written; none behind a pointer."""
    match node:
        case tree.MemberPlace(whole=whole):
            return whole
        case tree.Element(pointer=tree.Read(place=place)) if isinstance(place.type, Array):
            return place
    return None


def _variable_around(node: tree.Expression) -> Variable | None:
    while (whole := _around(node)) is not None:
        node = whole
    return node.variable if isinstance(node, tree.Object) else None


def _are_other_parts(one: tree.Expression, other: tree.Expression) -> bool:
    """Whether two places are known to be apart: other members of structures, or elements at other constant indices."""
    if isinstance(one, tree.Element) and isinstance(other, tree.Element) and _alike(one.pointer, other.pointer):
        first, second = tree.bare(one.index), tree.bare(other.index)
        return isinstance(first, tree.Number) and isinstance(second, tree.Number) and first.number != second.number
    part, beside = _member(one), _member(other)
    if part is None or beside is None or _is_in_union(part) or _is_in_union(beside):
        return False
    return (
        part.whole.type != beside.whole.type
        or part.member.offset != beside.member.offset
        or (part.member.bits != beside.member.bits)
    )


def _member(node: tree.Expression) -> tree.MemberPlace | None:
    """The innermost member that a place is, or an element of."""
    while not isinstance(node, tree.MemberPlace):
        whole = _around(node)
        if whole is None:
            return None
        node = whole
    return node


def _is_in_union(place: tree.Expression) -> bool:
    """Whether a place is part of a union as written, or of a structure with a union that has no name."""
    whole = _around(place)
    while whole is not None:
        if isinstance(whole.type, Record) and _has_union(whole.type):
            return True
        whole = _around(whole)
    return False


def _has_union(record: Record) -> bool:
    unnamed = (member.type for member in record.members if member.name is None)
    return record.kind == "union" or any(isinstance(inner, Record) and _has_union(inner) for inner in unnamed)
