"""Random syntax trees of MSVL: everything the parser can produce, nothing that means anything."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from pincer.frontends.msvl import syntax
from pincer.frontends.msvl.syntax import Expression, Statement

NAMES = ("x", "y", "len$", "a_1", "return")
OPERATORS = ("+", "-", "*", "/", "%", "<", "<=", ">", ">=", "=", "!=", "&", "|", "^", "<<", ">>", "AND", "OR")


class RandomTrees:
    def __init__(self, seed: int) -> None:
        self._random = Random(seed)

    def _name(self) -> str:
        return self._random.choice(NAMES)

    def _type(self) -> syntax.TypeName:
        words = self._random.choice((("int",), ("unsigned", "char"), ("float",), ("T",), ("string",)))
        return syntax.TypeName(words)

    def expression(self, depth: int) -> Expression:
        leaves: list[Callable[[], Expression]] = [
            lambda: syntax.Name(self._name()),
            lambda: syntax.Number(self._random.choice((0, 7, 4096, 2.5))),
            lambda: syntax.Truth(self._random.random() < 0.5),
            lambda: syntax.Text(self._random.choice(("", "a b", 'say "hi"\n\t', "</ x /> // \\"))),
            lambda: syntax.Character(self._random.choice((0, 39, 65, 92, 10))),
            lambda: syntax.SizeOfType(syntax.TypeName(("T",), self._random.randrange(3))),
        ]
        if depth == 0:
            return self._random.choice(leaves)()

        def inner() -> Expression:
            return self.expression(depth - 1)

        compounds: list[Callable[[], Expression]] = [
            *[lambda: syntax.Binary(self._random.choice(OPERATORS), inner(), inner())] * 4,
            lambda: syntax.Unary(self._random.choice("!-+~&*"), inner()),
            lambda: syntax.Choice(inner(), inner(), inner()),
            lambda: syntax.Index(self._postfix(depth), tuple(inner() for _ in range(self._random.randint(1, 2)))),
            lambda: syntax.MemberAccess(self._postfix(depth), "next$", self._random.random() < 0.5),
            lambda: syntax.Call("f", tuple(inner() for _ in range(self._random.randrange(3)))),
            lambda: syntax.Call("f", (inner(),), True),
            lambda: syntax.Cast(syntax.TypeName(("int",), self._random.randrange(2)), inner()),
            lambda: syntax.SizeOf(inner()),
        ]
        return self._random.choice(leaves + compounds)()

    def _postfix(self, depth: int) -> Expression:
        return syntax.Name("a") if self._random.random() < 0.5 else self.expression(depth - 1)

    def _target(self) -> Expression:
        name = syntax.Name(self._name())
        return self._random.choice((name, syntax.Unary("*", name), syntax.Index(name, (self.expression(1),))))

    def _value(self, depth: int) -> Expression:
        if self._random.random() < 0.1:
            return syntax.ListValue(tuple(self.expression(depth) for _ in range(self._random.randint(1, 3))))
        return self.expression(depth)

    def _declaration(self, plain: bool = False) -> syntax.Declaration:
        declarators = []
        for _ in range(self._random.randint(1, 2)):
            dimensions = tuple(self.expression(0) for _ in range(self._random.randrange(3)))
            initial = None if plain or self._random.random() < 0.5 else self._value(1)
            unit = initial is not None and self._random.random() < 0.3
            declarators.append(syntax.Declarator(self._name(), self._random.randrange(3), dimensions, initial, unit))
        return syntax.Declaration(self._type(), tuple(declarators))

    def _parameters(self) -> tuple[syntax.Parameter, ...]:
        declared = syntax.Declarator("p", self._random.randrange(2))
        signature = (syntax.Parameter(syntax.TypeName(("int",)), None), syntax.Parameter(self._type(), declared))
        pointer = syntax.Parameter(None, syntax.Declarator("g", signature=signature))
        listed = syntax.Parameter(self._type(), syntax.Declarator("q", 0, (None, syntax.Number(3))))
        return (syntax.Parameter(self._type(), declared), listed, pointer)[: self._random.randrange(4)]

    def statement(self, depth: int) -> Statement:
        leaves: list[Callable[[], Statement]] = [
            syntax.Empty,
            syntax.Skip,
            syntax.More,
            lambda: syntax.LengthStatement(self.expression(1)),
            lambda: syntax.Immediate(self._target(), self._value(2)),
            lambda: syntax.Unit(self._target(), self._value(2)),
            self._declaration,
            lambda: syntax.InputStatement((syntax.Name("x"), syntax.Name("y"))),
            lambda: syntax.OutputStatement(tuple(self.expression(1) for _ in range(self._random.randrange(3)))),
            lambda: syntax.Evaluate(syntax.Binary("=", self.expression(1), self.expression(1))),
            lambda: syntax.FrameStatement(("x", "y")),
            lambda: syntax.HaltStatement(self.expression(1), self._random.random() < 0.5),
            lambda: syntax.Return(self.expression(1)),
        ]
        if depth == 0:
            return self._random.choice(leaves)()

        def inner() -> Statement:
            return self.statement(depth - 1)

        def several() -> tuple[Statement, ...]:
            return tuple(inner() for _ in range(self._random.randint(2, 3)))

        compounds: list[Callable[[], Statement]] = [
            lambda: syntax.Chop(several()),
            lambda: syntax.And(several()),
            lambda: syntax.Or(several()),
            lambda: syntax.Parallel(several()),
            lambda: syntax.Next(inner()),
            lambda: syntax.Always(inner()),
            lambda: syntax.Keep(inner()),
            lambda: syntax.Fin(inner()),
            lambda: syntax.If(self.expression(1), inner(), inner() if self._random.random() < 0.5 else None),
            lambda: syntax.While(self.expression(1), inner()),
            lambda: syntax.Repeat(inner(), self.expression(1)),
            lambda: syntax.Projection(several(), inner()),
            lambda: syntax.Local(("x", "y"), inner()),
            lambda: syntax.FunctionDefinition("f", None, self._parameters(), inner()),
            lambda: syntax.FunctionDefinition("f", syntax.TypeName(("int",), 1), self._parameters(), inner()),
            lambda: syntax.StructDefinition("T", (self._declaration(True), self._declaration(True))),
        ]
        return self._random.choice(compounds)()
