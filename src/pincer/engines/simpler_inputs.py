"""Shorter command lines for a test that goes wrong: whoever reads the test should see nothing that does not matter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

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
    tries = 0
    for candidates in (_with_smaller_numbers, _with_shorter_texts):
        for record in (records[0], *reversed(records[1:])):
            for change in candidates(record, records, found):
                tries += 1
                candidate: Mapping[Term, int] = {**found, **change}
                if tries <= _MOST_TRIES and fails(candidate):
                    found = dict(candidate)
                    break
    return found if found != last.state.values else None


def _with_smaller_numbers(
    record: InputRecord, _: Iterable[InputRecord], values: Mapping[Term, int]
) -> Iterator[Inputs]:
    return ({record.symbol: number} for number in _smaller(record, values))


def _with_shorter_texts(
    record: InputRecord, records: Sequence[InputRecord], values: Mapping[Term, int]
) -> Iterator[Inputs]:
    """The text that this is a character of, without that character."""
    if values.get(record.symbol, 0) and "[" in record.source:
        argument = record.source.rpartition("[")[0] + "["
        rest = [other.symbol for other in records if other.source.startswith(argument)]
        rest = rest[rest.index(record.symbol) :]
        following = [values.get(symbol, 0) for symbol in rest[1:]]
        yield dict(zip(rest, (*following, 0), strict=True))


def _smaller(record: InputRecord, values: Mapping[Term, int]) -> Iterator[int]:
    """Numbers to try in the place of one: fewer arguments, no character, one that can be printed."""
    value = values.get(record.symbol, 0)
    if record.source == "argc":
        yield from range(1, value)
    elif value:
        yield from (0, *(ord(character) for character in "0a" if value < 32 or value > 126))
