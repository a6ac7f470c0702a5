"""What a proof by cut points says: facts at places of the program, each with the calls that are open there."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct

from pincer.logic.terms import Term
from pincer.program.automaton import Automaton
from pincer.runtime.codec import Natural

OpenCall: TypeAlias = tuple[str, Natural]
"""A procedure and the index of the edge on which it calls."""


EARLIER = "~earlier"
"""How the variables begin, with a number behind, that stand for the words of an earlier visit."""


class Since(Struct, frozen=True):
    """How the state at a point has to do with any earlier visit of `point`, which is counted as in the proof: a formula
    over the state and the words there then."""

    point: Natural
    relation: Term


class CutPoint(Struct, frozen=True):
    """What holds at a location, whenever the open calls are these.

    In a proof of termination, the words in `ranks` get smaller from each point that a run passes to the next: the first
    of them that changes, as an unsigned number. Where an automaton reads the states of runs, the point is one in its
    `node`, and ranks only have to get smaller on ways that pass accepting nodes; they never get larger.

    Between points with `words` ranks may stay what they are. Of any two visits of such a point without a smaller rank
    between them the later one has a smaller word, one or another; `since` says what makes this inductive."""

    calls: tuple[OpenCall, ...]
    location: Natural
    facts: tuple[Term, ...]
    ranks: tuple[Term, ...] = ()
    node: Natural = 0
    words: tuple[Term, ...] = ()
    since: tuple[Since, ...] = ()


class Contract(Struct, frozen=True):
    """What the result of a recursive procedure has to do with its parameters, over registers of the procedure."""

    procedure: str
    formula: Term


class CutPointProof(Struct, frozen=True):
    """The facts hold whenever a run comes to one of the points, and exclude all errors up to the next ones.

    An `automaton` reads the states of runs where the proof is one of a temporal formula. `contracts` are assumed of
    calls that are passed, and shown of those that are entered, where recursion is made into loops."""

    points: tuple[CutPoint, ...]
    automaton: Automaton | None = None
    contracts: tuple[Contract, ...] = ()
