"""A violated temporal property as data: the inputs, the states they lead through, and what goes wrong where."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeAlias

from msgspec import Struct

from pincer.errors import PincerError
from pincer.runtime.codec import Format

Kind: TypeAlias = Literal["terminated", "prefix", "lasso"]
"""The word ends with its last state; or no way to go on can mend it; or it goes on from its last state for ever."""


class State(Struct, frozen=True):
    """The variables with their values as text, and the propositions that hold."""

    values: Mapping[str, str]
    holds: tuple[str, ...]

    @property
    def letter(self) -> frozenset[str]:
        return frozenset(self.holds)


class Interpretation(Struct, frozen=True):
    """How the program is run, where that matters for its states."""

    same_state: Literal["overwrite", "reject"]
    framing: Literal["implicit", "strict"]
    int32: bool
    max_states: int


class Counterexample(Struct, frozen=True):
    """A run that violates a property.

    `formula` is the property as written; each of its `propositions` stands for an expression over program variables.
    `violating_state` is the state after which nothing can mend it, None when only the infinite word as a whole violates
    it; `lasso_start` is the state to which a lasso goes back. `tree_nodes` and `graph_nodes` are the way through the
    symbolic execution tree and the normal form graph of the negated property, for readers; -1 is the end of the graph.
    """

    file: str
    formula: str
    propositions: Mapping[str, str]
    interpretation: Interpretation
    inputs: Mapping[str, int]
    kind: Kind
    states: tuple[State, ...]
    violating_state: int | None
    lasso_start: int | None
    tree_nodes: tuple[int, ...] = ()
    graph_nodes: tuple[int, ...] | None = None

    @property
    def word(self) -> tuple[frozenset[str], ...]:
        return tuple(state.letter for state in self.states)


FORMAT = Format("pincer-msvl-counterexample-1", "MSVL counterexample", Counterexample)


def to_json(found: Counterexample) -> dict[str, Any]:
    """The counterexample as plain data; `from_json` is the inverse."""
    return FORMAT.data(found)


def from_json(data: Any) -> Counterexample:
    """A counterexample from plain data; anything malformed is a `PincerError` that names the field."""
    found = FORMAT.value(data)
    _check(found)
    return found


def _check(found: Counterexample) -> None:
    """Numbers of states must be those of states that are there."""
    if not found.states:
        raise _malformed("a word has at least one state")
    if (found.kind == "lasso") != (found.lasso_start is not None):
        raise _malformed('exactly a lasso has a "lasso_start"')
    for number in (found.violating_state, found.lasso_start):
        if number is not None and not 0 <= number < len(found.states):
            raise _malformed(f"there is no state {number}")
    for state in found.states:
        unknown = state.letter - found.propositions.keys()
        if unknown:
            raise _malformed(f"a state names the unknown proposition `{min(unknown)}`")


def _malformed(what: str) -> PincerError:
    return PincerError(f"malformed MSVL counterexample: {what}")
