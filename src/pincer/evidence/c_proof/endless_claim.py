"""What a violation of termination says: an execution that comes to a region, and goes round in it for ever.

The beginning is a test. The region is given by facts at places: from each state that satisfies the facts of one, the
execution comes to the next with its facts, however long it goes on. Inputs inside of the rounds may have any values but
for those that are chosen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, TypeAlias

from msgspec import Meta, Struct

from pincer.errors import PincerError
from pincer.evidence.c.rounds import WatchedRounds
from pincer.evidence.c.trace import CTest
from pincer.evidence.c_proof.cut_point_claim import CutPoint, OpenCall
from pincer.evidence.c_proof.formulas import Reader, Writer
from pincer.logic.terms import Term
from pincer.program.automaton import Automaton
from pincer.runtime.codec import Format, Natural

_Width: TypeAlias = Annotated[int, Meta(ge=0, le=1 << 16)]


class Choice(Struct, frozen=True):
    """The value of an input on the ways from a point, by the point's number: the calls that are open where it is read,
    the index of its edge, and the value as a word about the state at the point, or about that in which it is read."""

    point: Natural
    calls: tuple[OpenCall, ...]
    edge: Natural
    value: Term
    when_read: bool = False


class EndlessRun(Struct, frozen=True):
    """An execution without an end. The first of the `points` is where the beginning leads, after so many `stem`
    steps; `test` has the inputs for some `rounds`, and steps for readers, the last ones those of a round from
    `loop_from` on. The first loop of the rounds is that of the first point; `again` says the region for readers, and
    `given` what inputs are in it where they follow the state.

    Where a temporal formula is violated, an `automaton` reads the states of the run, and makes no other `moves` between
    its nodes in the rounds than these. Without points the formula is false after the beginning: whatever follows, or
    since the run has `ended` then."""

    test: CTest
    points: tuple[CutPoint, ...]
    choices: tuple[Choice, ...]
    stem: Natural
    rounds: WatchedRounds
    loop_from: Natural
    again: str
    automaton: Automaton | None = None
    moves: tuple[tuple[Natural, Natural], ...] = ()
    ended: bool = False
    given: str = ""


class _WrittenPoint(Struct, frozen=True):
    calls: tuple[OpenCall, ...]
    location: Natural
    facts: tuple[str, ...]
    node: Natural = 0


class _WrittenChoice(Struct, frozen=True):
    point: Natural
    calls: tuple[OpenCall, ...]
    edge: Natural
    value: str
    when_read: bool = False


class _Written(Struct, frozen=True):
    """The same with facts as text over `registers`, in which `definitions` name what they share."""

    test: CTest
    points: tuple[_WrittenPoint, ...]
    registers: Mapping[str, _Width]
    definitions: tuple[str, ...]
    choices: tuple[_WrittenChoice, ...]
    stem: Natural
    rounds: WatchedRounds
    loop_from: Natural
    again: str
    automaton: Automaton | None = None
    moves: tuple[tuple[Natural, Natural], ...] = ()
    ended: bool = False
    given: str = ""


FORMAT = Format("pincer-c-endless-1", "endless run", _Written)


def to_json(found: EndlessRun) -> dict[str, Any]:
    """The run as plain data; `from_json` is the inverse."""
    facts = [fact for point in found.points for fact in point.facts]
    writer = Writer([*facts, *(choice.value for choice in found.choices)])
    points = tuple(_WrittenPoint(p.calls, p.location, tuple(map(writer.text, p.facts)), p.node) for p in found.points)
    choices = tuple(_WrittenChoice(c.point, c.calls, c.edge, writer.text(c.value), c.when_read) for c in found.choices)
    rest = choices, found.stem, found.rounds, found.loop_from, found.again, found.automaton, found.moves, found.ended
    written = _Written(found.test, points, dict(writer.registers), tuple(writer.definitions), *rest, found.given)
    return FORMAT.data(written)


def from_json(data: Any) -> EndlessRun:
    """A run from plain data; anything malformed is a `PincerError`."""
    read = FORMAT.value(data)
    try:
        reader = Reader(read.registers, read.definitions)
        points = tuple(
            CutPoint(p.calls, p.location, tuple(map(reader.predicate, p.facts)), node=p.node) for p in read.points
        )
        choices = tuple(Choice(c.point, c.calls, c.edge, reader.value(c.value), c.when_read) for c in read.choices)
    except RecursionError as error:
        raise PincerError("malformed endless run: a formula is nested too deeply") from error
    return EndlessRun(
        read.test, points, choices, read.stem, read.rounds, read.loop_from, read.again, read.automaton, read.moves,
        read.ended, read.given,
    )  # fmt: skip
