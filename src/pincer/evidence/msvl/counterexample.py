"""A violated temporal property as data: the inputs, the states they lead through, and what goes wrong where."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, TypeVar, get_args

from pincer.errors import PincerError

FORMAT = "pincer-msvl-counterexample-1"

Kind: TypeAlias = Literal["terminated", "prefix", "lasso"]
"""The word ends with its last state; or no way to go on can mend it; or it goes on from its last state for ever."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Proposition:
    """`name` stands for the expression `text` over program variables."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class State:
    """The variables with their values as text, and the propositions that hold."""

    values: tuple[tuple[str, str], ...]
    holds: tuple[str, ...]

    @property
    def letter(self) -> frozenset[str]:
        return frozenset(self.holds)


@dataclass(frozen=True, slots=True)
class Interpretation:
    """How the program is run, where that matters for its states."""

    same_state: Literal["overwrite", "reject"]
    framing: Literal["implicit", "strict"]
    int32: bool
    max_states: int


@dataclass(frozen=True, slots=True)
class Counterexample:
    """A run that violates a property.

    `formula` is the property as written. `violating_state` is the state after which nothing can mend it, None when
    only the infinite word as a whole violates it; `lasso_start` is the state to which a lasso goes back. `tree_nodes`
    and `graph_nodes` are the way through the symbolic execution tree and the normal form graph of the negated property,
    for readers; -1 is the end of the graph.
    """

    file: str
    formula: str
    propositions: tuple[Proposition, ...]
    interpretation: Interpretation
    inputs: tuple[tuple[str, int], ...]
    kind: Kind
    states: tuple[State, ...]
    violating_state: int | None
    lasso_start: int | None
    tree_nodes: tuple[int, ...] = ()
    graph_nodes: tuple[int, ...] | None = None

    @property
    def word(self) -> tuple[frozenset[str], ...]:
        return tuple(state.letter for state in self.states)


def to_json(found: Counterexample) -> dict[str, Any]:
    """The counterexample as plain data; `from_json` is the inverse."""
    how = found.interpretation
    return {
        "format": FORMAT,
        "file": found.file,
        "formula": found.formula,
        "propositions": {one.name: one.text for one in found.propositions},
        "interpretation": {
            "same_state": how.same_state,
            "framing": how.framing,
            "int32": how.int32,
            "max_states": how.max_states,
        },
        "inputs": dict(found.inputs),
        "kind": found.kind,
        "states": [{"values": dict(state.values), "holds": list(state.holds)} for state in found.states],
        "violating_state": found.violating_state,
        "lasso_start": found.lasso_start,
        "tree_nodes": list(found.tree_nodes),
        "graph_nodes": None if found.graph_nodes is None else list(found.graph_nodes),
    }


def from_json(data: Any) -> Counterexample:
    """A counterexample from plain data; anything malformed is a `PincerError` that names the field."""
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        raise PincerError(f'not an MSVL counterexample: the field "format" must be "{FORMAT}"')
    found = Counterexample(
        file=_field(data, "file", str),
        formula=_field(data, "formula", str),
        propositions=tuple(Proposition(*pair) for pair in _pairs(data, "propositions", str)),
        interpretation=_interpretation(_field(data, "interpretation", dict)),
        inputs=_pairs(data, "inputs", int),
        kind=_choice(data, "kind", get_args(Kind)),
        states=tuple(_state(row) for row in _field(data, "states", list)),
        violating_state=_optional(data, "violating_state"),
        lasso_start=_optional(data, "lasso_start"),
        tree_nodes=_numbers(data, "tree_nodes"),
        graph_nodes=None if data.get("graph_nodes") is None else _numbers(data, "graph_nodes"),
    )
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
    names = {one.name for one in found.propositions}
    for state in found.states:
        if not state.letter <= names:
            raise _malformed(f"a state names the unknown proposition `{min(state.letter - names)}`")


def _malformed(what: str) -> PincerError:
    return PincerError(f"malformed MSVL counterexample: {what}")


_TYPE_NAMES: Mapping[type, str] = {
    str: "text", int: "whole number", dict: "object", list: "list", bool: "true or false"
}  # fmt: skip


def _is(value: Any, type_: type) -> bool:
    return isinstance(value, type_) and not (type_ is int and isinstance(value, bool))


def _field(data: Mapping[str, Any], name: str, type_: type[T]) -> T:
    value = data.get(name)
    if not _is(value, type_):
        raise _malformed(f'the field "{name}" is missing or is no {_TYPE_NAMES[type_]}')
    return value  # type: ignore[return-value]


def _choice(data: Mapping[str, Any], name: str, choices: tuple[str, ...]) -> Any:
    value = data.get(name)
    if value not in choices:
        raise _malformed(f'the field "{name}" must be one of {", ".join(choices)}')
    return value


def _optional(data: Mapping[str, Any], name: str) -> int | None:
    return None if data.get(name) is None else _field(data, name, int)


def _pairs(data: Mapping[str, Any], name: str, type_: type[T]) -> tuple[tuple[str, T], ...]:
    rows = _field(data, name, dict)
    if not all(_is(value, type_) for value in rows.values()):
        raise _malformed(f'every entry of "{name}" must be a {_TYPE_NAMES[type_]}')
    return tuple(rows.items())


def _every(data: Mapping[str, Any], name: str, fits: Callable[[Any], bool], what: str) -> tuple[Any, ...]:
    rows = _field(data, name, list)
    if not all(fits(row) for row in rows):
        raise _malformed(f'every entry of "{name}" must be {what}')
    return tuple(rows)


def _numbers(data: Mapping[str, Any], name: str) -> tuple[int, ...]:
    return _every(data, name, lambda row: _is(row, int), "a whole number")


def _state(row: Any) -> State:
    if not isinstance(row, dict):
        raise _malformed('every entry of "states" must be an object')
    return State(_pairs(row, "values", str), _every(row, "holds", lambda name: isinstance(name, str), "text"))


def _interpretation(data: Mapping[str, Any]) -> Interpretation:
    return Interpretation(
        _choice(data, "same_state", ("overwrite", "reject")),
        _choice(data, "framing", ("implicit", "strict")),
        _field(data, "int32", bool),
        _field(data, "max_states", int),
    )
