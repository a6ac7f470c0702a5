"""What a place in a generated program may mention: variables, functions, and how much work is still allowed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from .types import Integer, Longs, Record, Type

Choice = TypeVar("Choice")


@dataclass(frozen=True)
class Variable:
    """A visible variable. `depth` is its block's, 0 for static storage: an address lives as long as its block.

    A `frozen` variable steers a loop or a recursion: it is read, never written, and its address is not taken. `limit`
    says that its value is in 0..limit-1. `text` marks a string with a terminator.
    """

    name: str
    type: Type
    depth: int
    const: bool = False
    frozen: bool = False
    volatile: bool = False
    limit: int | None = None
    text: bool = False


@dataclass(frozen=True)
class Function:
    """A function that may be called. `cost` estimates the statements a call executes, `pure` ones have no effect."""

    name: str
    result: Type | None
    parameters: tuple[Type, ...]
    cost: int
    pure: bool = False
    recursive: bool = False


@dataclass
class Scope:
    """The state of a generation. Blocks push and pop variables, loops multiply the work of what is in them."""

    rng: Random
    budget: int
    longs: Longs
    records: list[Record] = field(default_factory=list)
    integers: list[Integer] = field(default_factory=list)
    constants: list[str] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    variables: list[Variable] = field(default_factory=list)
    depth: int = 0
    multiplier: int = 1
    cost: int = 0
    in_loop: bool = False
    in_switch: bool = False
    result: Type | None = None
    may_return: bool = False
    names: int = 0
    exits: tuple[str, ...] = ()

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def pick(self, weighted: dict[Choice, int]) -> Choice:
        return self.rng.choices(list(weighted), list(weighted.values()))[0]

    def fresh(self, prefix: str) -> str:
        self.names += 1
        return f"{prefix}{self.names}"

    def spend(self, cost: int) -> None:
        self.cost += cost * self.multiplier

    def affords(self, cost: int) -> bool:
        return self.cost + cost * self.multiplier <= self.budget

    @contextmanager
    def block(self, times: int = 1, loop: bool = False, switch: bool = False) -> Iterator[None]:
        """A nested block, executed up to `times` times."""
        saved = (list(self.variables), self.multiplier, self.in_loop, self.in_switch)
        self.depth += 1
        self.multiplier *= times
        self.in_loop, self.in_switch = self.in_loop or loop, (self.in_switch or switch) and not loop
        yield
        self.depth -= 1
        self.variables, self.multiplier, self.in_loop, self.in_switch = saved
