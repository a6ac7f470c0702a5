"""In which order merged states are followed: a weak topological order of each procedure (Bourdoncle 1993).

Every step leads forward, or back to the head of a loop around it. A state's place in the order is made of the loops
around it, each with the number of its round, and so on through the calls that are under way: whoever may still arrive
at a place comes before it in the order of these tuples, so that the least state in waiting is complete.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import TypeAlias

from msgspec import Struct

from pincer.analysis.live_registers import Registers, live
from pincer.program.control_flow import Procedure
from pincer.program.graphs import components

Key: TypeAlias = tuple[int, ...]


class Place(Struct, frozen=True):
    """A location in the order: the heads of the loops around it, the outermost first, and the numbers before, between
    and after their rounds. A head belongs to its own loop."""

    loops: tuple[int, ...]
    numbers: tuple[int, ...]

    def key(self, rounds: tuple[int, ...]) -> Key:
        """Where a state comes that is in these rounds of the loops."""
        found: list[int] = []
        for number, round_ in zip(self.numbers, rounds, strict=False):
            found += (number, round_)
        return (*found, self.numbers[-1])


class Order(Struct, frozen=True, eq=False, dict=True):
    """The order of one procedure."""

    procedure: Procedure

    @cached_property
    def places(self) -> Mapping[int, Place]:
        found: dict[int, Place] = {}
        self._arrange(self.procedure.locations, (), (), 0, found)
        return found

    @cached_property
    def live(self) -> Mapping[int, Registers]:
        """The registers that are read again, from each location on."""
        return live(self.procedure)

    @cached_property
    def meeting(self) -> frozenset[int]:
        """Where several ways meet, or a loop begins: states wait there for others."""
        heads = {place.loops[-1] for place in self.places.values() if place.loops}
        incoming = self.procedure.incoming
        return frozenset(place for place in self.places if place in heads or len(incoming.get(place, ())) > 1)

    def _arrange(
        self, locations: Iterable[int], loops: tuple[int, ...], numbers: Key, first: int, found: dict[int, Place]
    ) -> None:
        inside = set(locations)

        def following(location: int) -> list[int]:
            return [target for target in self.procedure.following(location) if target in inside]

        for number, members in enumerate(reversed(list(components(sorted(inside), following))), first):
            if len(members) == 1 and members[0] not in following(members[0]):
                found[members[0]] = Place(loops, (*numbers, number))
                continue
            head = self._head(members)
            around = (*loops, head)
            found[head] = Place(around, (*numbers, number, 0))
            self._arrange([place for place in members if place != head], around, (*numbers, number), 1, found)

    def _head(self, members: tuple[int, ...]) -> int:
        """Where a loop is entered; one that is a loop of the source if there are several such places."""
        inside = set(members)
        entered = [
            place
            for place in members
            if place == self.procedure.entry or any(before not in inside for before in self.procedure.preceding(place))
        ]
        heads = [place for place in entered if place in self.procedure.loop_heads]
        return min(heads or entered or members)

    def rounds_after(self, source: int, rounds: tuple[int, ...], target: int) -> tuple[int, ...]:
        """The rounds of the loops around the target of an edge, for a state in some rounds at its source."""
        before, after = self.places[source].loops, self.places[target].loops
        shared = 0
        while shared < min(len(before), len(after)) and before[shared] == after[shared]:
            shared += 1
        if shared == len(after) and after and after[-1] == target:
            return (*rounds[: shared - 1], rounds[shared - 1] + 1)
        return rounds[:shared] + (0,) * (len(after) - shared)
