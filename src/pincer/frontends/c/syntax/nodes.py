"""Tree nodes for the GNU constructs that pycparser has no node for.

They follow pycparser's conventions (`children`, iteration, `attr_names`, `coord`), so its visitors and `show` work.
Constructs with a node of pycparser keep it: `typeof` is `c_ast.TypeOf`, `_Generic` `c_ast.GenericSelection`,
`_Static_assert` `c_ast.StaticAssert`, `_Alignof`, `__alignof__` and `__real__` are a `c_ast.UnaryOp`, `__auto_type` is
a `c_ast.InferredType`, a compound literal `c_ast.CompoundLiteral`, and `__int128`, `__float128` or `_Complex` are names
in a `c_ast.IdentifierType`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import ClassVar

from pycparser import c_ast
from pycparser.c_parser import Coord

_SEPARATORS = re.compile(r"\s+|;|\\[nt]")
_WITHOUT_EFFECT = frozenset(("nop", "rep", "pause", "mfence", "lfence", "sfence", "endbr64"))
"""Instructions that change nothing but time, where memory is sequentially consistent."""


class GnuNode(c_ast.Node):  # type: ignore[misc]
    """What the nodes below share: their child nodes are listed in `parts`, each a node, a list of nodes or None."""

    __slots__ = ("__weakref__", "coord")
    parts: ClassVar[tuple[str, ...]] = ()
    attr_names: ClassVar[tuple[str, ...]] = ()

    def children(self) -> tuple[tuple[str, c_ast.Node], ...]:
        pairs: list[tuple[str, c_ast.Node]] = []
        for name in self.parts:
            value = getattr(self, name)
            if isinstance(value, list):
                pairs.extend((f"{name}[{number}]", child) for number, child in enumerate(value))
            elif value is not None:
                pairs.append((name, value))
        return tuple(pairs)

    def __iter__(self) -> Iterator[c_ast.Node]:
        return (child for _, child in self.children())


class Attribute(GnuNode):
    """One attribute that changes meaning (see `gnu.MEANINGFUL`); its name is spelled without underscores.

    Found in the `attributes` of `Decl`, `Typedef`, `Typename`, `Struct`, `Union` and `Enum`. Two are not written as
    attributes in the source: `pragma_pack` (argument: the alignment in force where a structure ends) and `asm` (the
    assembler name of a declaration).
    """

    __slots__ = ("arguments", "name")
    parts = ("arguments",)
    attr_names = ("name",)

    def __init__(self, name: str, arguments: Sequence[c_ast.Node], coord: Coord) -> None:
        self.name = name
        self.arguments = list(arguments)
        self.coord = coord


class StatementExpression(GnuNode):
    """`({ ... })`: the value is that of the last statement, when that is an expression."""

    __slots__ = ("body",)
    parts = ("body",)

    def __init__(self, body: c_ast.Compound, coord: Coord) -> None:
        self.body = body
        self.coord = coord


class OrElse(GnuNode):
    """`value ?: otherwise`: the value, evaluated once, unless it is zero."""

    __slots__ = ("otherwise", "value")
    parts = ("value", "otherwise")

    def __init__(self, value: c_ast.Node, otherwise: c_ast.Node, coord: Coord) -> None:
        self.value = value
        self.otherwise = otherwise
        self.coord = coord


class OffsetOf(GnuNode):
    """`offsetof(type, member)`; the member is an `ID`, or `StructRef` and `ArrayRef` around one."""

    __slots__ = ("member", "type")
    parts = ("type", "member")

    def __init__(self, type: c_ast.Typename, member: c_ast.Node, coord: Coord) -> None:
        self.type = type
        self.member = member
        self.coord = coord


class TypesCompatible(GnuNode):
    """`__builtin_types_compatible_p(left, right)`."""

    __slots__ = ("left", "right")
    parts = ("left", "right")

    def __init__(self, left: c_ast.Typename, right: c_ast.Typename, coord: Coord) -> None:
        self.left = left
        self.right = right
        self.coord = coord


class VaArg(GnuNode):
    """`__builtin_va_arg(list, type)`."""

    __slots__ = ("list", "type")
    parts = ("list", "type")

    def __init__(self, list: c_ast.Node, type: c_ast.Typename, coord: Coord) -> None:
        self.list = list
        self.type = type
        self.coord = coord


class ValueRange(GnuNode):
    """`low ... high`: the `expr` of a `Case`, or the `subscript` expression of an `ArrayDesignator`."""

    __slots__ = ("high", "low")
    parts = ("low", "high")

    def __init__(self, low: c_ast.Node, high: c_ast.Node, coord: Coord) -> None:
        self.low = low
        self.high = high
        self.coord = coord


class NestedFunction(GnuNode):
    """A function that is defined inside another one."""

    __slots__ = ("body", "declaration")
    parts = ("declaration", "body")

    def __init__(self, declaration: c_ast.Decl, body: c_ast.Compound, coord: Coord) -> None:
        self.declaration = declaration
        self.body = body
        self.coord = coord


class AsmOperand(GnuNode):
    """`[symbol] "constraint" (expression)` in inline assembly."""

    __slots__ = ("constraint", "expression")
    parts = ("expression",)
    attr_names = ("constraint",)

    def __init__(self, constraint: str, expression: c_ast.Node, coord: Coord) -> None:
        self.constraint = constraint
        self.expression = expression
        self.coord = coord


def _is_plain(node: c_ast.Node) -> bool:
    """Whether evaluating an operand can neither do anything nor go wrong: a variable, its address, a constant."""
    while isinstance(node, c_ast.Cast):
        node = node.expr
    if isinstance(node, c_ast.UnaryOp) and node.op == "&":
        node = node.expr
    return isinstance(node, c_ast.ID | c_ast.Constant)


class Asm(GnuNode):
    """Inline assembly, as a statement or at file level. The template and clobbers are string literals as written.

    An empty template computes nothing: it only stops the compiler from moving code.
    """

    __slots__ = ("clobbers", "inputs", "labels", "outputs", "template")
    parts = ("outputs", "inputs")
    attr_names = ("template", "clobbers", "labels")

    def __init__(
        self,
        template: str,
        outputs: list[AsmOperand],
        inputs: list[AsmOperand],
        clobbers: list[str],
        labels: list[str],
        coord: Coord,
    ) -> None:
        self.template = template
        self.outputs = outputs
        self.inputs = inputs
        self.clobbers = clobbers
        self.labels = labels
        self.coord = coord

    @property
    def is_barrier(self) -> bool:
        """Whether it changes nothing that the program computes with: operands that are read and written stay."""
        words = set(_SEPARATORS.split(self.template.replace('"', " "))) - {""}
        kept = all("+" in output.constraint or self._is_itself(number) for number, output in enumerate(self.outputs))
        quiet = all(_is_plain(operand.expression) for operand in (*self.outputs, *self.inputs))
        return words <= _WITHOUT_EFFECT and not self.labels and quiet and (kept if not words else not self.outputs)

    def _is_itself(self, number: int) -> bool:
        """Whether an output is the variable that is the input in the same place: `"=r"(x) : "0"(x)`."""
        output = self.outputs[number].expression
        same = [operand.expression for operand in self.inputs if operand.constraint.strip('"') == str(number)]
        return isinstance(output, c_ast.ID) and any(
            isinstance(node, c_ast.ID) and node.name == output.name for node in same
        )


class LabelAddress(GnuNode):
    """`&&label`."""

    __slots__ = ("name",)
    attr_names = ("name",)

    def __init__(self, name: str, coord: Coord) -> None:
        self.name = name
        self.coord = coord


class ComputedGoto(GnuNode):
    """`goto *expression;`."""

    __slots__ = ("target",)
    parts = ("target",)

    def __init__(self, target: c_ast.Node, coord: Coord) -> None:
        self.target = target
        self.coord = coord


class LocalLabels(GnuNode):
    """`__label__ a, b;`: these labels belong to the enclosing block, so other blocks may have their own."""

    __slots__ = ("names",)
    attr_names = ("names",)

    def __init__(self, names: list[str], coord: Coord) -> None:
        self.names = names
        self.coord = coord
