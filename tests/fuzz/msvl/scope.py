"""What a program under construction has to offer: variables by kind, functions, and a source of chance."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

SIGNED = ("int", "int", "int", "short", "signed char")
WIDE = (*SIGNED, "unsigned", "unsigned", "long", "unsigned long", "unsigned char", "unsigned short", "_Bool")
UNSIGNED = frozenset(("unsigned", "unsigned long"))
BOUND = 1000
"""Values of `int` and `long` variables stay below this in absolute value, so that no signed sum can overflow."""


@dataclass(frozen=True)
class Place:
    """Something that can be read and assigned. `private` ones no call and no pointer can change."""

    text: str
    type: str
    private: bool = False

    @property
    def bound(self) -> int:
        """The largest absolute value that an expression may rely on."""
        return {"short": 1 << 15, "unsigned short": 1 << 16, "_Bool": 1}.get(
            self.type, 256 if "char" in self.type else BOUND
        )


@dataclass(frozen=True)
class Function:
    """`parameters` are kinds: int, pointer, array, struct, struct pointer."""

    name: str
    result: str
    parameters: tuple[str, ...]


@dataclass
class Scope:
    """`counters` are loop variables: they are read but never assigned."""

    rng: Random
    wide: bool
    places: list[Place] = field(default_factory=list)
    counters: list[str] = field(default_factory=list)
    arrays: list[tuple[str, int]] = field(default_factory=list)
    pointers: list[str] = field(default_factory=list)
    structs: list[str] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    result: str = "void"
    loops: int = 0
    breakable: int = 0
    budget: int = 40
    made: int = 0

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def fresh(self, stem: str) -> str:
        self.made += 1
        return f"{stem}{self.made}"

    def kind(self) -> str:
        return self.rng.choice(WIDE if self.wide else SIGNED)

    def inner(self) -> Scope:
        """A block: what it declares is forgotten with it."""
        return Scope(
            self.rng,
            self.wide,
            list(self.places),
            list(self.counters),
            list(self.arrays),
            list(self.pointers),
            list(self.structs),
            self.functions,
            self.result,
            self.loops,
            self.breakable,
            self.budget,
            self.made,
        )

    def leave(self, block: Scope) -> None:
        self.budget, self.made = block.budget, block.made
