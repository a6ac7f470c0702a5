"""In which order the locations of a procedure are looked at, so that paths meet: a weak topological order.

Every loop is a component with a head; inside of it, without the head, further loops are components again (Bourdoncle:
Efficient chaotic iteration strategies with widenings, 1993). Locations behind a loop come after all of its rounds. The
order decides how much is merged, never what is proved.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TypeAlias

from pincer.evidence.c_proof.program_facts import assigned_register, label_terms
from pincer.evidence.c_proof.term_data import Reader
from pincer.logic.terms import Term
from pincer.program.control_flow import Procedure

Rounds: TypeAlias = tuple[int, ...]
"""How often the head of each loop around a location was entered again, the outermost first."""


class LoopOrder:
    """The places of locations in the order, and the heads of the loops around them."""

    def __init__(self, procedure: Procedure) -> None:
        self._following = {place: tuple(procedure.following(place)) for place in procedure.locations}
        self._place: dict[int, int] = {}
        self.heads: dict[int, tuple[int, ...]] = {}
        self._arrange(procedure.entry, tuple(procedure.locations), ())

    def _arrange(self, entry: int, locations: Collection[int], around: tuple[int, ...]) -> None:
        for head, *others in _components(entry, locations, self._following):
            following = self._following.get(head, ())
            if not others and head not in following:
                self._put(head, around)
                continue
            inside = (*around, head)
            self._put(head, inside)
            if others:
                self._arrange(next((t for t in following if t in others), others[0]), others, inside)

    def _put(self, location: int, around: tuple[int, ...]) -> None:
        self._place[location] = len(self._place)
        self.heads[location] = around

    def moved(self, source: int, rounds: Rounds, target: int) -> Rounds:
        """The rounds of a path that goes on from a source to a target."""
        before, after = self.heads[source], self.heads[target]
        common = 0
        while common < min(len(before), len(after)) and before[common] == after[common]:
            common += 1
        kept = rounds[:common]
        if common == len(after) and after and after[-1] == target:
            return (*kept[:-1], kept[-1] + 1)
        return (*kept, *(0,) * (len(after) - common))

    def key(self, location: int, rounds: Rounds) -> tuple[int, ...]:
        """What is least is looked at first."""
        found: list[int] = []
        for head, turns in zip(self.heads[location], rounds, strict=True):
            found += (self._place[head], turns)
        return (*found, self._place[location])


def _components(entry: int, locations: Collection[int], following: Mapping[int, tuple[int, ...]]) -> list[list[int]]:
    """The strongly connected parts among some locations, in topological order, each with the location that a search
    from the entry meets first in front (Tarjan's algorithm)."""
    inside = set(locations)
    index: dict[int, int] = {}
    lowest: dict[int, int] = {}
    path: list[int] = []
    on_path: set[int] = set()
    found: list[list[int]] = []
    for root in (entry, *locations):
        if root in index:
            continue
        work = [(root, iter(following.get(root, ())))]
        index[root] = lowest[root] = len(index)
        path.append(root)
        on_path.add(root)
        while work:
            place, rest = work[-1]
            new = next((t for t in rest if t in inside and (t not in index or t in on_path)), None)
            if new is not None and new not in index:
                index[new] = lowest[new] = len(index)
                path.append(new)
                on_path.add(new)
                work.append((new, iter(following.get(new, ()))))
            elif new is not None:
                lowest[place] = min(lowest[place], index[new])
            else:
                work.pop()
                if work:
                    lowest[work[-1][0]] = min(lowest[work[-1][0]], lowest[place])
                if lowest[place] == index[place]:
                    found.append(_taken_from(path, on_path, place))
    return found[::-1]


def _taken_from(path: list[int], on_path: set[int], place: int) -> list[int]:
    part: list[int] = []
    while not part or part[-1] != place:
        part.append(path.pop())
        on_path.discard(part[-1])
    return part[::-1]


def live_registers(procedure: Procedure, reader: Reader) -> Mapping[int, frozenset[str]]:
    """By location, the registers that may still be read: merging has to look at no others.

    A register that is dropped has any value when it is read after all, so a mistake here could prove nothing wrong."""
    used: dict[int, list[tuple[int, frozenset[str], str | None]]] = {}
    for edge in procedure.edges:
        reads = _reads(reader, label_terms(edge.label))
        written = assigned_register(edge.label)
        name = None if written is None else str(written.args[0])
        used.setdefault(edge.source, []).append((edge.target, reads, name))
    live: dict[int, frozenset[str]] = {}
    if procedure.result is not None:
        live[procedure.exit] = frozenset((str(procedure.result.args[0]),))
    pending = list(dict.fromkeys((procedure.exit, *reversed(procedure.locations))))
    waiting = set(pending)
    while pending:
        place = pending.pop(0)
        waiting.discard(place)
        found = live.get(place, frozenset())
        for target, reads, name in used.get(place, ()):
            found |= (live.get(target, frozenset()) - {name}) | reads
        if found != live.get(place, frozenset()):
            live[place] = found
            new = [source for source in procedure.preceding(place) if source not in waiting]
            pending.extend(new)
            waiting.update(new)
    return live


def _reads(reader: Reader, terms: Iterable[Term]) -> frozenset[str]:
    found: frozenset[str] = frozenset()
    for term in terms:
        found |= reader.reads(term).registers
    return found
