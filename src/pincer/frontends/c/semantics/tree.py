"""The typed tree: every expression with its type, every conversion a node of its own, every name resolved.

An expression denotes either a value or the place of an object (`PLACES`); a place is used as a value through `Read`,
where arrays and functions become pointers, bit-fields get the type of their values, and `_Atomic` falls away. Nodes are
compared by identity. `written` is the syntax that a node came from, for positions and messages only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import TypeAlias

from pycparser import c_ast

from pincer.frontends.c.semantics.symbols import FunctionName, Variable
from pincer.frontends.c.semantics.types import Bits, CType, Length, Member

Written: TypeAlias = c_ast.Node


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Expression:
    """A value or a place of a type."""

    type: CType
    written: Written


@dataclass(frozen=True, slots=True, eq=False)
class Number(Expression):
    """A constant: the number itself for integers, the bits for floating types."""

    number: int


@dataclass(frozen=True, slots=True, eq=False)
class Text(Expression):
    """The place of a string literal, with its terminating zero."""

    contents: bytes


@dataclass(frozen=True, slots=True, eq=False)
class Object(Expression):
    """The place of a variable."""

    variable: Variable


@dataclass(frozen=True, slots=True, eq=False)
class Routine(Expression):
    """The place of a function."""

    function: FunctionName


@dataclass(frozen=True, slots=True, eq=False)
class Part(Expression):
    """The place of a member of a structure or union: `whole` is a place, or a value of such a type."""

    whole: Expression
    member: Member


@dataclass(frozen=True, slots=True, eq=False)
class Element(Expression):
    """`pointer[index]`; `reversed` where it is written `index[pointer]`."""

    pointer: Expression
    index: Expression
    reversed: bool


@dataclass(frozen=True, slots=True, eq=False)
class Dereference(Expression):
    """`*pointer`."""

    pointer: Expression


@dataclass(frozen=True, slots=True, eq=False)
class CompoundLiteral(Expression):
    """`(type){ ... }`; `static` outside of functions."""

    initialiser: Initialiser
    static: bool


@dataclass(frozen=True, slots=True, eq=False)
class Read(Expression):
    """The value of a place."""

    place: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Address(Expression):
    """`&place`."""

    place: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Convert(Expression):
    """The operand as another type; a cast where it is `explicit`."""

    operand: Expression
    explicit: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class ToUnion(Expression):
    """A cast to a union that has a member of the operand's type (a GNU extension)."""

    operand: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Unary(Expression):
    """`-` and `~`, whose operand has the type of the result, and `!`."""

    op: str
    operand: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Binary(Expression):
    """Arithmetic and comparison, on operands of one type; shifts; and `+` and `-` with pointers."""

    op: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Logical(Expression):
    """`&&` and `||`."""

    op: str
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Conditional(Expression):
    """`condition ? yes : no`."""

    condition: Expression
    yes: Expression
    no: Expression


@dataclass(frozen=True, slots=True, eq=False)
class OrElse(Expression):
    """`first ?: otherwise`: the first, evaluated once and converted, unless it is zero."""

    first: Expression
    otherwise: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Assignment(Expression):
    """`target = value`."""

    target: Expression
    value: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Update(Expression):
    """`target op= operand`, computed in the type `computed`."""

    op: str
    target: Expression
    operand: Expression
    computed: CType


@dataclass(frozen=True, slots=True, eq=False)
class Step(Expression):
    """`++` and `--`: `op` is `+` or `-`; the value is the old one where `postfix`."""

    op: str
    target: Expression
    postfix: bool
    one: Expression
    computed: CType


@dataclass(frozen=True, slots=True, eq=False)
class Call(Expression):
    """A call of a function by name, or of what a pointer points to."""

    callee: FunctionName | Expression
    arguments: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Sequence(Expression):
    """`first, ..., last`: the value of the last."""

    parts: tuple[Expression, ...]


@dataclass(frozen=True, slots=True, eq=False)
class StatementExpression(Expression):
    """`({ ... })`: after the statements, the labels before the last expression and its value, if there is one."""

    block: Block
    labels: tuple[Label, ...]
    value: Expression | None


@dataclass(frozen=True, slots=True, eq=False)
class Size(Expression):
    """The size of a type that is known only at run time."""

    measured: CType


@dataclass(frozen=True, slots=True, eq=False)
class Measured(Expression):
    """An expression that mentions types of variable length, which are computed first."""

    lengths: tuple[Length, ...]
    value: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Unmodelled(Expression):
    """What is valid C and has no meaning here yet, by name."""

    what: str


PLACES = (Text, Object, Routine, Part, Element, Dereference, CompoundLiteral)


@dataclass(frozen=True, slots=True)
class Item:
    """One scalar or whole record of an initialiser, or the bytes of a string literal, at an offset of the object.

    `value` has the type of the item; items of a range of elements share it.
    """

    offset: int
    type: CType
    value: Expression | None
    written: Written
    bits: Bits | None = None
    contents: bytes | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Initialiser:
    """Items in the order of the object; a scalar, or a record that is initialised by another, has its value in `whole`.

    `refused` is an item with no clear meaning; `extent` the size of an object with a flexible array member.
    """

    items: tuple[Item, ...]
    whole: Expression | None = None
    refused: tuple[str, Written] | None = None
    extent: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Statement:
    """A statement or a declaration."""

    written: Written


@dataclass(frozen=True, slots=True, eq=False)
class Block(Statement):
    """Statements with names and objects of their own; `entered` where a jump may lead into it."""

    statements: tuple[Statement, ...]
    entered: bool


@dataclass(frozen=True, slots=True, eq=False)
class Group(Statement):
    """Statements one after the other, without a block around them."""

    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Evaluate(Statement):
    """An expression for its effects."""

    expression: Expression


@dataclass(frozen=True, slots=True, eq=False)
class Declare(Statement):
    """An object of a block comes into being."""

    variable: Variable
    initialiser: Initialiser | None


@dataclass(frozen=True, slots=True, eq=False)
class Measure(Statement):
    """Lengths that a declaration computes."""

    lengths: tuple[Length, ...]


@dataclass(frozen=True, slots=True, eq=False)
class If(Statement):
    condition: Expression
    yes: Statement | None
    no: Statement | None


@dataclass(frozen=True, slots=True, eq=False)
class While(Statement):
    condition: Expression
    body: Statement | None


@dataclass(frozen=True, slots=True, eq=False)
class DoWhile(Statement):
    body: Statement | None
    condition: Expression


@dataclass(frozen=True, slots=True, eq=False)
class For(Statement):
    """A block of its own; `entered` as for blocks."""

    first: Statement | None
    condition: Expression | None
    step: Statement | None
    body: Statement | None
    entered: bool


@dataclass(frozen=True, slots=True, eq=False)
class Case(Statement):
    """A label of a switch: the values from `low` to `high`, the default where they are None."""

    low: int | None
    high: int | None
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Switch(Statement):
    """`subject` is promoted; `cases` are the labels of this switch in order of the text."""

    subject: Expression
    cases: tuple[Case, ...]
    body: Statement | None


@dataclass(frozen=True, slots=True, eq=False)
class Label(Statement):
    """`name` is unique in the function; the programmer wrote `spelling`."""

    name: str
    spelling: str
    statement: Statement | None


@dataclass(frozen=True, slots=True, eq=False)
class Goto(Statement):
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Break(Statement):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Continue(Statement):
    pass


@dataclass(frozen=True, slots=True, eq=False)
class Return(Statement):
    """The value has the type of the function's result, unless that has none."""

    value: Expression | None


@dataclass(frozen=True, slots=True, eq=False)
class UnmodelledStatement(Statement):
    """What is valid C and has no meaning here yet, by name."""

    what: str


@dataclass(frozen=True, slots=True, eq=False)
class Body:
    """A function's body: its parameters and the lengths they compute, its block, and whether it has labels."""

    parameters: tuple[Variable, ...]
    lengths: tuple[Length, ...]
    block: Block
    labelled: bool


Node: TypeAlias = Expression | Statement | Initialiser | Item | Length
_NODES = (Expression, Statement, Initialiser, Item, Length)
_FIELDS: dict[type, tuple[str, ...]] = {}


def children(node: Node) -> Iterator[Node]:
    """The parts of a node that are nodes, in order."""
    kind = type(node)
    names = _FIELDS.get(kind)
    if names is None:
        names = _FIELDS[kind] = tuple(one.name for one in fields(node) if one.name not in ("type", "written", "cases"))
    for name in names:
        value = getattr(node, name)
        if isinstance(value, _NODES):
            yield value
        elif isinstance(value, tuple):
            yield from (part for part in value if isinstance(part, _NODES))


def bare(expression: Expression) -> Expression:
    """The expression without the conversions that C makes by itself."""
    while isinstance(expression, Convert) and not expression.explicit:
        expression = expression.operand
    return expression
