"""Exact truth on infinite, ultimately periodic intervals `u v v v ...`, without any automaton."""

from __future__ import annotations

from dataclasses import dataclass, field

from msgspec import Struct

from pincer.temporal.derivative import Letter, derivative, ends
from pincer.temporal.formula import FALSE, TRUE, Atom, Formula, literal
from pincer.temporal.limits import DEFAULT_LIMITS, Meter, TemporalLimits, metered


class Lasso(Struct, frozen=True):
    """The infinite interval that begins with `prefix` and repeats `loop`, which is not empty."""

    prefix: tuple[Letter, ...]
    loop: tuple[Letter, ...]

    def __post_init__(self) -> None:
        if not self.loop:
            raise ValueError("the loop of a lasso has at least one state")


def holds_on_lasso(formula: Formula, lasso: Lasso, limits: TemporalLimits = DEFAULT_LIMITS) -> bool:
    """Whether the infinite interval satisfies the formula. Raises `TooLarge` when its derivatives are too many."""
    with metered(limits) as meter:
        return _Truth(lasso, meter).holds(formula, 0)


@dataclass
class _Truth:
    """Truth at each position of the lasso; the position after the last one is the first of the loop."""

    lasso: Lasso
    meter: Meter
    letters: tuple[Letter, ...] = ()
    known: dict[tuple[Atom, int], bool] = field(default_factory=dict)
    known_ends: dict[tuple[Formula, int], tuple[frozenset[int], frozenset[int]]] = field(default_factory=dict)
    steps: int = 0

    def __post_init__(self) -> None:
        self.letters = self.lasso.prefix + self.lasso.loop

    def after(self, position: int) -> int:
        return position + 1 if position + 1 < len(self.letters) else len(self.lasso.prefix)

    def holds(self, formula: Formula, position: int) -> bool:
        while formula.atom is not None:
            formula = formula.high if self._atom_holds(formula.atom, position) else formula.low
        return formula is TRUE

    def _atom_holds(self, atom: Atom, position: int) -> bool:
        asked = (atom, position)
        found = self.known.get(asked)
        if found is None:
            found = self.known[asked] = self._decide(atom, position)
        return found

    def _decide(self, atom: Atom, position: int) -> bool:
        match atom.kind:
            case "prop":
                return atom.name in self.letters[position]
            case "empty" | "len":
                return False
            case "next":
                return self.holds(atom.parts[0], self.after(position))
            case "chop":
                first, second = atom.parts
                return any(self.holds(second, end) for end in self._piece_ends(first, position)[0])
            case "plus":
                return self._iterates(atom.parts[0], position)
            case "until":
                return self._until(atom.parts[0], atom.parts[1], position)
            case "prj":
                return self.holds(derivative(literal(atom), self.letters[position]), self.after(position))

    def _piece_ends(self, formula: Formula, position: int) -> tuple[frozenset[int], frozenset[int]]:
        """Where a finite piece that satisfies the formula can end: pieces of any length, and of one step or more."""
        asked = (formula, position)
        found = self.known_ends.get(asked)
        if found is None:
            found = self.known_ends[asked] = self._search_ends(formula, position)
        return found

    def _search_ends(self, formula: Formula, position: int) -> tuple[frozenset[int], frozenset[int]]:
        longer: set[int] = set()
        seen: set[tuple[Formula, int]] = set()
        frontier = [(formula, position)]
        while frontier:
            rest, here = frontier.pop()
            step = (derivative(rest, self.letters[here]), self.after(here))
            if step[0] is FALSE or step in seen:
                continue
            seen.add(step)
            self.steps += 1
            self.meter.count(self.steps // len(self.letters))
            if ends(step[0], self.letters[step[1]]):
                longer.add(step[1])
            frontier.append(step)
        all_ends = longer | {position} if ends(formula, self.letters[position]) else longer
        return frozenset(all_ends), frozenset(longer)

    def _iterates(self, piece: Formula, position: int) -> bool:
        """An infinite last piece after finitely many finite ones, or finite pieces of one step or more for ever."""
        reached: dict[int, frozenset[int]] = {}
        frontier = [position]
        while frontier:
            here = frontier.pop()
            if here not in reached:
                reached[here] = self._piece_ends(piece, here)[1]
                frontier += reached[here]
        return any(self.holds(piece, here) for here in reached) or _has_infinite_path(reached)

    def _until(self, before: Formula, then: Formula, position: int) -> bool:
        for _ in self.letters:
            if self.holds(then, position):
                return True
            if not self.holds(before, position):
                return False
            position = self.after(position)
        return False


def _has_infinite_path(graph: dict[int, frozenset[int]]) -> bool:
    """All nodes are reachable from the start, so an infinite path exists iff nodes remain when dead ends are cut."""
    alive = dict(graph)
    while dead := [node for node, following in alive.items() if not any(end in alive for end in following)]:
        for node in dead:
            del alive[node]
    return bool(alive)
