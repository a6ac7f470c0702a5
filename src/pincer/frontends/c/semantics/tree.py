"""The typed tree: every expression with its type, every conversion a node of its own, every name resolved.

An expression denotes either a value or the place of an object (`PLACES`); a place is used as a value through `Read`,
where arrays and functions become pointers, bit-fields get the type of their values, and `_Atomic` falls away. Nodes are
compared by identity. `written` is the syntax that a node came from, for positions and messages only.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from msgspec import Struct
from pycparser import c_ast

from pincer.frontends.c.semantics.symbols import FunctionName, Variable
from pincer.frontends.c.semantics.types import Bits, CType, Length, Member

Written: TypeAlias = c_ast.Node


class Expression(Struct, frozen=True, eq=False, weakref=True):
    """A value or a place of a type."""

    type: CType
    written: Written


class Number(Expression, frozen=True, eq=False):
    """A constant: the number itself for integers, the bits for floating types."""

    number: int


class Text(Expression, frozen=True, eq=False):
    """The place of a string literal, with its terminating zero."""

    contents: bytes


class Object(Expression, frozen=True, eq=False):
    """The place of a variable."""

    variable: Variable


class Routine(Expression, frozen=True, eq=False):
    """The place of a function."""

    function: FunctionName


class MemberPlace(Expression, frozen=True, eq=False):
    """The place of a member of a structure or union: `whole` is a place, or a value of such a type."""

    whole: Expression
    member: Member


class Element(Expression, frozen=True, eq=False):
    """`pointer[index]`; `reversed` where it is written `index[pointer]`."""

    pointer: Expression
    index: Expression
    reversed: bool


class Dereference(Expression, frozen=True, eq=False):
    """`*pointer`."""

    pointer: Expression


class CompoundLiteral(Expression, frozen=True, eq=False):
    """`(type){ ... }`; `static` outside of functions, `constant` where its type is declared so."""

    initialiser: Initialiser
    static: bool
    constant: bool


class Read(Expression, frozen=True, eq=False):
    """The value of a place; `indexed` where it is an array that becomes a pointer only to be indexed at once."""

    place: Expression
    indexed: bool = False


class Address(Expression, frozen=True, eq=False):
    """`&place`."""

    place: Expression


class Convert(Expression, frozen=True, eq=False):
    """The operand as another type; a cast where it is `explicit`."""

    operand: Expression
    explicit: bool = False


class ToUnion(Expression, frozen=True, eq=False):
    """A cast to a union that has a member of the operand's type (a GNU extension)."""

    operand: Expression


class Unary(Expression, frozen=True, eq=False):
    """`-` and `~`, whose operand has the type of the result, and `!`."""

    op: str
    operand: Expression


class Binary(Expression, frozen=True, eq=False):
    """Arithmetic and comparison, on operands of one type; shifts; and `+` and `-` with pointers."""

    op: str
    left: Expression
    right: Expression


class Logical(Expression, frozen=True, eq=False):
    """`&&` and `||`."""

    op: str
    left: Expression
    right: Expression


class Conditional(Expression, frozen=True, eq=False):
    """`condition ? yes : no`."""

    condition: Expression
    yes: Expression
    no: Expression


class OrElse(Expression, frozen=True, eq=False):
    """`first ?: otherwise`: the first, evaluated once and converted, unless it is zero."""

    first: Expression
    otherwise: Expression


class Assignment(Expression, frozen=True, eq=False):
    """`target = value`."""

    target: Expression
    value: Expression


class CompoundAssignment(Expression, frozen=True, eq=False):
    """`target op= operand`, computed in the type `computed`."""

    op: str
    target: Expression
    operand: Expression
    computed: CType


class Step(Expression, frozen=True, eq=False):
    """`++` and `--`: `op` is `+` or `-`; the value is the old one where `postfix`."""

    op: str
    target: Expression
    postfix: bool
    one: Expression
    computed: CType


class Call(Expression, frozen=True, eq=False):
    """A call of a function by name, or of what a pointer points to."""

    callee: FunctionName | Expression
    arguments: tuple[Expression, ...]


class Sequence(Expression, frozen=True, eq=False):
    """`first, ..., last`: the value of the last."""

    parts: tuple[Expression, ...]


class StatementExpression(Expression, frozen=True, eq=False):
    """`({ ... })`: after the statements, the labels before the last expression and its value, if there is one."""

    block: Block
    labels: tuple[Label, ...]
    value: Expression | None


class Size(Expression, frozen=True, eq=False):
    """The size of a type that is known only at run time."""

    measured: CType


class Measured(Expression, frozen=True, eq=False):
    """An expression that mentions types of variable length, which are computed first."""

    lengths: tuple[Length, ...]
    value: Expression


class LabelAddress(Expression, frozen=True, eq=False):
    """`&&label`, of a label of a function."""

    function: str
    name: str


class Arguments(Expression, frozen=True, eq=False):
    """Where the variable arguments of the function begin that is running."""


class NextArgument(Expression, frozen=True, eq=False):
    """`va_arg`: the argument that `cursor`, the place of a pointer, points to; the pointer moves on."""

    cursor: Expression


class Unmodelled(Expression, frozen=True, eq=False):
    """What is valid C and has no meaning here yet, by name."""

    what: str


PLACES = (Text, Object, Routine, MemberPlace, Element, Dereference, CompoundLiteral)


class Item(Struct, frozen=True):
    """One scalar or whole record of an initialiser, or the bytes of a string literal, at an offset of the object.

    `value` has the type of the item; items of a range of elements share it.
    """

    offset: int
    type: CType
    value: Expression | None
    written: Written
    bits: Bits | None = None
    contents: bytes | None = None


class Initialiser(Struct, frozen=True, eq=False):
    """Items in the order of the object; a scalar, or a record that is initialised by another, has its value in `whole`.

    `refused` is an item with no clear meaning; `extent` the size of an object with a flexible array member.
    """

    items: tuple[Item, ...]
    whole: Expression | None = None
    refused: tuple[str, Written] | None = None
    extent: int | None = None


class Statement(Struct, frozen=True, eq=False):
    """A statement or a declaration."""

    written: Written


class Block(Statement, frozen=True, eq=False):
    """Statements with names and objects of their own; `entered` where a jump may lead into it."""

    statements: tuple[Statement, ...]
    entered: bool


class Group(Statement, frozen=True, eq=False):
    """Statements one after the other, without a block around them."""

    statements: tuple[Statement, ...]


class Evaluate(Statement, frozen=True, eq=False):
    """An expression for its effects."""

    expression: Expression


class Declare(Statement, frozen=True, eq=False):
    """An object of a block comes into being."""

    variable: Variable
    initialiser: Initialiser | None


class Measure(Statement, frozen=True, eq=False):
    """Lengths that a declaration computes."""

    lengths: tuple[Length, ...]


class If(Statement, frozen=True, eq=False):
    condition: Expression
    yes: Statement | None
    no: Statement | None


class While(Statement, frozen=True, eq=False):
    condition: Expression
    body: Statement | None


class DoWhile(Statement, frozen=True, eq=False):
    body: Statement | None
    condition: Expression


class For(Statement, frozen=True, eq=False):
    """A block of its own; `entered` as for blocks."""

    first: Statement | None
    condition: Expression | None
    step: Statement | None
    body: Statement | None
    entered: bool


class Case(Statement, frozen=True, eq=False):
    """A label of a switch: the values from `low` to `high`, the default where they are None."""

    low: int | None
    high: int | None
    statements: tuple[Statement, ...]


class Switch(Statement, frozen=True, eq=False):
    """`subject` is promoted; `cases` are the labels of this switch in order of the text."""

    subject: Expression
    cases: tuple[Case, ...]
    body: Statement | None


class Label(Statement, frozen=True, eq=False):
    """`name` is unique in the function; the programmer wrote `spelling`."""

    name: str
    spelling: str
    statement: Statement | None


class Goto(Statement, frozen=True, eq=False):
    name: str


class ComputedGoto(Statement, frozen=True, eq=False):
    """`goto *target`: to a label of the function whose address the target, a pointer, is."""

    target: Expression


class Break(Statement, frozen=True, eq=False):
    pass


class Continue(Statement, frozen=True, eq=False):
    pass


class Return(Statement, frozen=True, eq=False):
    """The value has the type of the function's result, unless that has none."""

    value: Expression | None


class Cleanup(Statement, frozen=True, eq=False):
    """The attribute `cleanup`: the call is made when the block around it is left, in whatever way."""

    call: Expression


class UnmodelledStatement(Statement, frozen=True, eq=False):
    """What is valid C and has no meaning here yet, by name."""

    what: str


class Body(Struct, frozen=True, eq=False):
    """A function's body: its parameters and the lengths they compute, its block, whether it has labels, and those whose
    address is used."""

    parameters: tuple[Variable, ...]
    lengths: tuple[Length, ...]
    block: Block
    labelled: bool
    addressed: tuple[str, ...] = ()


Node: TypeAlias = Expression | Statement | Initialiser | Item | Length
_NODES = (Expression, Statement, Initialiser, Item, Length)
_FIELDS: dict[type, tuple[str, ...]] = {}


def children(node: Node) -> Iterator[Node]:
    """The parts of a node that are nodes, in order."""
    kind = type(node)
    names = _FIELDS.get(kind)
    if names is None:
        names = _FIELDS[kind] = tuple(name for name in kind.__match_args__ if name not in ("type", "written", "cases"))
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
