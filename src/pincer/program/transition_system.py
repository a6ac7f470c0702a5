"""The (V, I, T) that the engines run on: flat guarded commands over terms.

Variables of finite type come first and form the *control* part of a state, tracked exactly; the rest are unbounded
integers, the *data* part. A state is the tuple of all values in that order.
"""

from __future__ import annotations

from functools import cached_property
from typing import TypeAlias

from msgspec import Struct

from pincer.logic.terms import Term
from pincer.program.guarded import GuardedProgram

State: TypeAlias = tuple[int, ...]


class Nondet(Struct, frozen=True):
    """Any integer between the bounds; None is no bound."""

    low: int | None = None
    high: int | None = None


class TransitionCase(Struct, frozen=True, eq=False):
    """One deterministic-in-control case of a program's transition.

    Control updates mention finite variables only and keep within their types whenever the guard holds. Several
    transitions may carry the same `name`: the cases a conditional or a finite choice was split into.
    """

    index: int
    name: str
    guard: Term
    control_updates: tuple[tuple[int, Term], ...]
    data_updates: tuple[tuple[int, Term | Nondet], ...]

    @property
    def deterministic(self) -> bool:
        return not any(isinstance(update, Nondet) for _, update in self.data_updates)


class SafetyProperty(Struct, frozen=True):
    name: str
    formula: Term


class TransitionSystem(Struct, frozen=True, eq=False, dict=True):
    """`domains[i]` are the bounds of control variable i; `initial` is a formula over the variables."""

    program: GuardedProgram
    variables: tuple[Term, ...]
    domains: tuple[tuple[int, int], ...]
    initial: Term
    transitions: tuple[TransitionCase, ...]
    properties: tuple[SafetyProperty, ...]

    @cached_property
    def control_variables(self) -> tuple[Term, ...]:
        return self.variables[: len(self.domains)]

    @cached_property
    def data_variables(self) -> tuple[Term, ...]:
        return self.variables[len(self.domains) :]

    @cached_property
    def control_set(self) -> frozenset[Term]:
        return frozenset(self.control_variables)

    def over_control_only(self, term: Term) -> bool:
        return term.variables <= self.control_set
