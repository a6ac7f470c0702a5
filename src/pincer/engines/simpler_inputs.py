"""Shorter command lines for a test that goes wrong: whoever reads the test should see nothing that does not matter."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from pincer.engines.board import Inputs
from pincer.execution.machine import InputRecord, chronological
from pincer.execution.testing import Node
from pincer.logic.terms import Term

_MOST_STEPS = 20_000
_MOST_TRIES = 100


def simpler(last: Node, steps: int, fails: Callable[[Inputs], bool]) -> Inputs | None:
    """The inputs with fewer arguments and characters, with which a test `fails` as it did; None if there are none.

    Only short executions are tried again: each try is one more of them.
    """
    records = [record for record in chronological(last.state.inputs) if record.kind == "command"]
    if not records or steps > _MOST_STEPS:
        return None
    found = dict(last.state.values)
    simplified = False
    tries = 0
    for record in (records[0], *reversed(records[1:])):
        for number in _smaller(record, found):
            tries += 1
            candidate: Mapping[Term, int] = {**found, record.symbol: number}
            if tries <= _MOST_TRIES and fails(candidate):
                found, simplified = dict(candidate), True
                break
    return found if simplified else None


def _smaller(record: InputRecord, values: Mapping[Term, int]) -> Iterator[int]:
    """Numbers to try in the place of one: fewer arguments, no character, one that can be printed."""
    value = values.get(record.symbol, 0)
    if record.source == "argc":
        yield from range(1, value)
    elif value:
        yield from (0, *(ord(character) for character in "0a" if value < 32 or value > 126))
