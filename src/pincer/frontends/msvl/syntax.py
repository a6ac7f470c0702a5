"""The syntax tree of an MSVL program: frozen nodes, equal when they mean the same wherever they stand.

Every `at` is an offset into the source text and takes no part in comparisons. Hashes are computed once per node:
what is left of a program serves as a key at every state of a run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from operator import is_
from typing import Any, TypeAlias, TypeVar, cast, dataclass_transform

from pincer.errors import PincerError

_Node = TypeVar("_Node", bound="type[Node]")
_Built = TypeVar("_Built", bound="Node")


class MsvlSyntaxError(PincerError):
    """The text is not MSVL: a token, a statement or an expression stands where it cannot."""


class StaticError(PincerError):
    """The text reads well but breaks a rule that needs no execution: names, calls, types, places of `return`."""


class Node:
    """The base of all statements and expressions; the slot holds the hash once it has been asked for."""

    __slots__ = ("_hash",)
    _hash: int


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def node(cls: _Node) -> _Node:
    """A frozen dataclass with slots whose hash is remembered."""
    made = dataclass(frozen=True, slots=True)(cls)
    structural = cast(Callable[[Node], int], made.__hash__)

    def remembered(self: Node) -> int:
        try:
            return self._hash
        except AttributeError:
            value = structural(self)
            object.__setattr__(self, "_hash", value)
            return value

    made.__hash__ = remembered  # type: ignore[method-assign, assignment]
    return cast(_Node, made)


@node
class TypeName(Node):
    """Type words as written (a struct is named by its tag alone) and the stars after them."""

    words: tuple[str, ...]
    stars: int = 0
    at: int = field(default=0, compare=False, repr=False)


@node
class Number(Node):
    value: int | float
    at: int = field(default=0, compare=False, repr=False)


@node
class Text(Node):
    value: str
    at: int = field(default=0, compare=False, repr=False)


@node
class Character(Node):
    """A character literal; its value is the code of the character."""

    value: int
    at: int = field(default=0, compare=False, repr=False)


@node
class Truth(Node):
    value: bool
    at: int = field(default=0, compare=False, repr=False)


@node
class Name(Node):
    text: str
    at: int = field(default=0, compare=False, repr=False)


@node
class Unary(Node):
    """`operator` is one of ! - + ~ & *."""

    operator: str
    operand: Expression
    at: int = field(default=0, compare=False, repr=False)


@node
class Binary(Node):
    """Any operator between two operands, `AND` and `OR` among them; equality is always `=`.

    `at` is the place of the operator, so that no two conditions of a program share one.
    """

    operator: str
    left: Expression
    right: Expression
    at: int = field(default=0, compare=False, repr=False)


@node
class Choice(Node):
    """`if condition then a else b` as a value."""

    condition: Expression
    then: Expression
    otherwise: Expression
    at: int = field(default=0, compare=False, repr=False)


@node
class Index(Node):
    """`a[i, j]`; `a[i][j]` is an index of an index and means the same."""

    base: Expression
    indices: tuple[Expression, ...]
    at: int = field(default=0, compare=False, repr=False)


@node
class MemberAccess(Node):
    """`base.name`, or `base->name` when `arrow` is set."""

    base: Expression
    name: str
    arrow: bool
    at: int = field(default=0, compare=False, repr=False)


@node
class Call(Node):
    """A call as an expression; `external` ones run on time of their own."""

    function: str
    arguments: tuple[Expression, ...]
    external: bool = False
    at: int = field(default=0, compare=False, repr=False)


@node
class Cast(Node):
    type: TypeName
    operand: Expression
    at: int = field(default=0, compare=False, repr=False)


@node
class SizeOfType(Node):
    type: TypeName
    at: int = field(default=0, compare=False, repr=False)


@node
class SizeOf(Node):
    operand: Expression
    at: int = field(default=0, compare=False, repr=False)


@node
class ListValue(Node):
    """`[1, 2, 3]` or `{1, 2, 3}`: the elements of an array or the fields of a struct."""

    items: tuple[Expression, ...]
    at: int = field(default=0, compare=False, repr=False)


Expression: TypeAlias = (
    Number
    | Text
    | Character
    | Truth
    | Name
    | Unary
    | Binary
    | Choice
    | Index
    | MemberAccess
    | Call
    | Cast
    | SizeOfType
    | SizeOf
    | ListValue
)


@node
class Empty(Node):
    at: int = field(default=0, compare=False, repr=False)


@node
class Skip(Node):
    at: int = field(default=0, compare=False, repr=False)


@node
class More(Node):
    at: int = field(default=0, compare=False, repr=False)


@node
class LengthStatement(Node):
    """`len(count)`."""

    count: Expression
    at: int = field(default=0, compare=False, repr=False)


@node
class Immediate(Node):
    """`target <== value`."""

    target: Expression
    value: Expression
    at: int = field(default=0, compare=False, repr=False)


@node
class Unit(Node):
    """`target := value`."""

    target: Expression
    value: Expression
    at: int = field(default=0, compare=False, repr=False)


@node
class Declarator(Node):
    """One name of a declaration. A dimension is None where the brackets are empty; `unit` marks `:=`.

    `signature` holds the parameters of a pointer to a function and is None for everything else.
    """

    name: str
    stars: int = 0
    dimensions: tuple[Expression | None, ...] = ()
    initial: Expression | None = None
    unit: bool = False
    signature: tuple[Parameter, ...] | None = None
    at: int = field(default=0, compare=False, repr=False)


@node
class Declaration(Node):
    type: TypeName
    declarators: tuple[Declarator, ...]
    at: int = field(default=0, compare=False, repr=False)


@node
class Parameter(Node):
    """A formal parameter; `declarator` is None where a signature leaves the name out."""

    type: TypeName | None
    declarator: Declarator | None
    at: int = field(default=0, compare=False, repr=False)


@node
class InputStatement(Node):
    targets: tuple[Expression, ...]
    at: int = field(default=0, compare=False, repr=False)


@node
class OutputStatement(Node):
    values: tuple[Expression, ...]
    at: int = field(default=0, compare=False, repr=False)


@node
class Evaluate(Node):
    """An expression as a statement: a call, or a condition that has to hold here."""

    expression: Expression
    at: int = field(default=0, compare=False, repr=False)


@node
class FrameStatement(Node):
    names: tuple[str, ...]
    at: int = field(default=0, compare=False, repr=False)


@node
class Next(Node):
    body: Statement
    at: int = field(default=0, compare=False, repr=False)


@node
class Always(Node):
    body: Statement
    at: int = field(default=0, compare=False, repr=False)


@node
class Keep(Node):
    body: Statement
    at: int = field(default=0, compare=False, repr=False)


@node
class Fin(Node):
    body: Statement
    at: int = field(default=0, compare=False, repr=False)


@node
class HaltStatement(Node):
    """`halt(condition)`, or `await(condition)` when `frames` is set: it also frames what the condition reads."""

    condition: Expression
    frames: bool
    at: int = field(default=0, compare=False, repr=False)


@node
class And(Node):
    parts: tuple[Statement, ...]
    at: int = field(default=0, compare=False, repr=False)


@node
class Or(Node):
    parts: tuple[Statement, ...]
    at: int = field(default=0, compare=False, repr=False)


@node
class Chop(Node):
    """`p ; q ; r`."""

    parts: tuple[Statement, ...]
    at: int = field(default=0, compare=False, repr=False)


@node
class Parallel(Node):
    """`p || q`."""

    parts: tuple[Statement, ...]
    at: int = field(default=0, compare=False, repr=False)


@node
class If(Node):
    condition: Expression
    then: Statement
    otherwise: Statement | None
    at: int = field(default=0, compare=False, repr=False)


@node
class While(Node):
    condition: Expression
    body: Statement
    at: int = field(default=0, compare=False, repr=False)


@node
class Repeat(Node):
    body: Statement
    until: Expression
    at: int = field(default=0, compare=False, repr=False)


@node
class Projection(Node):
    """`(p1, ..., pm) prj whole`."""

    parts: tuple[Statement, ...]
    whole: Statement
    at: int = field(default=0, compare=False, repr=False)


@node
class Local(Node):
    names: tuple[str, ...]
    body: Statement
    at: int = field(default=0, compare=False, repr=False)


@node
class FunctionDefinition(Node):
    """`result` is the type written before the name in the older dialect, which uses `return`."""

    name: str
    result: TypeName | None
    parameters: tuple[Parameter, ...]
    body: Statement
    at: int = field(default=0, compare=False, repr=False)


@node
class StructDefinition(Node):
    tag: str
    fields: tuple[Declaration, ...]
    union: bool = False
    at: int = field(default=0, compare=False, repr=False)


@node
class Return(Node):
    value: Expression
    at: int = field(default=0, compare=False, repr=False)


@node
class Bind(Node):
    """Run an internal call to its end and keep the result in `name`; only lowering makes these."""

    name: str
    call: Call
    at: int = field(default=0, compare=False, repr=False)


Statement: TypeAlias = (
    Empty
    | Skip
    | More
    | LengthStatement
    | Immediate
    | Unit
    | Declaration
    | InputStatement
    | OutputStatement
    | Evaluate
    | FrameStatement
    | Next
    | Always
    | Keep
    | Fin
    | HaltStatement
    | And
    | Or
    | Chop
    | Parallel
    | If
    | While
    | Repeat
    | Projection
    | Local
    | FunctionDefinition
    | StructDefinition
    | Return
    | Bind
)


def children(parent: Node) -> Iterator[Node]:
    """The nodes directly below, in the order of the text."""
    for name in parent.__match_args__:  # type: ignore[attr-defined]
        value = getattr(parent, name)
        if isinstance(value, Node):
            yield value
        elif isinstance(value, tuple):
            yield from (item for item in value if isinstance(item, Node))


def rebuilt(parent: _Built, visit: Callable[[Any], Any]) -> _Built:
    """The node with the nodes directly below visited, the same object where nothing changed."""
    old = [getattr(parent, name) for name in parent.__match_args__]  # type: ignore[attr-defined]
    new = [_visited(value, visit) for value in old]
    return parent if all(map(is_, old, new)) else type(parent)(*new)


def _visited(value: object, visit: Callable[[Any], Any]) -> object:
    if isinstance(value, Node):
        return visit(value)
    if not isinstance(value, tuple):
        return value
    items = tuple(visit(item) if isinstance(item, Node) else item for item in value)
    return value if all(map(is_, value, items)) else items


def descendants(root: Node, inside_definitions: bool = False) -> Iterator[Node]:
    """`root` and everything below it; function and struct definitions are entered only on demand."""
    pending = [root]
    while pending:
        current = pending.pop()
        yield current
        if inside_definitions or not isinstance(current, FunctionDefinition | StructDefinition):
            pending.extend(reversed(list(children(current))))
