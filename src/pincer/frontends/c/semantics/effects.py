"""What evaluating an expression may use and change, read off the typed tree."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from msgspec import Struct

from pincer.frontends.c.semantics import tree
from pincer.frontends.c.semantics.symbols import FunctionName, Variable
from pincer.frontends.c.semantics.types import Array

ANY = "*"
"""Any function: what a call through a pointer may reach."""

_INPUTS = "__VERIFIER_nondet_"


class Touched(Struct, frozen=True):
    """Variables that an expression uses and changes, whether it reads and writes memory, whom it calls."""

    uses: frozenset[Variable] = frozenset()
    changes: frozenset[Variable] = frozenset()
    loads: bool = False
    stores: bool = False
    calls: frozenset[str] = frozenset()

    def __or__(self, other: Touched) -> Touched:
        return Touched(
            self.uses | other.uses, self.changes | other.changes, self.loads or other.loads,
            self.stores or other.stores, self.calls | other.calls,
        )  # fmt: skip

    @property
    def writes(self) -> bool:
        """Whether something is assigned; what is not in a register is in memory."""
        return self.stores or bool(self.changes)

    @property
    def runs_code(self) -> bool:
        """Whether a function is called that may do more than give an input."""
        return any(not name.startswith(_INPUTS) for name in self.calls)

    @property
    def acts(self) -> bool:
        """Whether anything may be different afterwards."""
        return self.writes or self.runs_code

    def without_locals(self, function: str) -> Touched:
        """Apart from the variables of a function's own activations."""
        uses, changes = (
            frozenset(variable for variable in names if variable.owner != function)
            for names in (self.uses, self.changes)
        )
        return Touched(uses, changes, self.loads, self.stores, self.calls)

    def disturbs(self, other: Touched) -> bool:
        if self.changes & (other.uses | other.changes):
            return True
        return self.stores and (other.loads or other.stores)


NOTHING = Touched()
_LOADS, _STORES = Touched(loads=True), Touched(stores=True)
_known: WeakKeyDictionary[tree.Expression, Touched] = WeakKeyDictionary()


def touched(node: tree.Expression) -> Touched:
    """What evaluating an expression touches."""
    return within(node, None)


def within(node: tree.Node, function: str | None) -> Touched:
    """What evaluating an expression, or running a statement, touches, apart from the aggregates of the function.

    Without a function, the answer for each part is kept: every operator of a long sum asks for its operands again.
    """
    if function is not None or not isinstance(node, tree.Expression) or isinstance(node, tree.Number):
        return _gathered(node, function)
    found = _known.get(node)
    if found is None:
        found = _known[node] = _gathered(node, None)
    return found


def _gathered(node: tree.Node, function: str | None) -> Touched:
    match node:
        case tree.Number() | tree.Text() | tree.Size() | tree.Arguments():
            return NOTHING
        case tree.Read(place=tree.Object(variable=variable)):
            return Touched(uses=frozenset((variable,)))
        case tree.Read(place=place):
            reads = not isinstance(place, tree.Text | tree.Routine | tree.CompoundLiteral) and not _is_own(
                place, function
            )
            return of_place(place, function) | (_LOADS if reads else NOTHING)
        case tree.Address(place=place):
            return of_place(place, function)
        case tree.Step(target=target):
            return _read(target, function) | _changed(target, function)
        case tree.NextArgument(cursor=cursor):
            return _read(cursor, function) | _changed(cursor, function) | _LOADS
        case tree.CompoundAssignment(target=target, operand=operand):
            return _read(target, function) | within(operand, function) | _changed(target, function)
        case tree.Assignment(target=target, value=value):
            return of_place(target, function) | within(value, function) | _changed(target, function)
        case tree.Call(callee=callee, arguments=arguments):
            found = Touched(calls=frozenset((callee.name if isinstance(callee, FunctionName) else ANY,)))
            if isinstance(callee, tree.Expression):
                found |= within(callee, function)
            for argument in arguments:
                found |= within(argument, function)
            return found
    found = NOTHING
    for child in tree.children(node):
        found |= within(child, function)
    return found


def _read(place: tree.Expression, function: str | None) -> Touched:
    if isinstance(place, tree.Object):
        return Touched(uses=frozenset((place.variable,)))
    return of_place(place, function) | (NOTHING if _is_own(place, function) else _LOADS)


def of_place(node: tree.Expression, function: str | None = None) -> Touched:
    """What finding a place touches, without reading it."""
    match node:
        case tree.Object() | tree.Routine() | tree.Text():
            return NOTHING
        case tree.Dereference(pointer=pointer):
            return within(pointer, function)
        case tree.Element(pointer=pointer, index=index):
            return within(pointer, function) | within(index, function)
        case tree.MemberPlace(whole=whole):
            return of_place(whole, function)
    return within(node, function)


def _changed(place: tree.Expression, function: str | None) -> Touched:
    """The change of a place: a variable by name, anything else somewhere in memory."""
    if isinstance(place, tree.Object):
        return Touched(changes=frozenset((place.variable,)))
    return NOTHING if _is_own(place, function) else _STORES


def _is_own(node: tree.Expression, function: str | None) -> bool:
    """Whether a place is a part of one of the function's own aggregates."""
    if function is None:
        return False
    while True:
        match node:
            case tree.MemberPlace(whole=whole):
                node = whole
            case tree.Element(pointer=tree.Read(place=place)) if isinstance(place.type, Array):
                node = place
            case tree.Object(variable=variable):
                return variable.owner == function
            case _:
                return False
