"""The exact graph for iterations under a negation, used when the plain one leaves a formula undecided.

`!(P+)` fails on an infinite interval not only if some last piece satisfies P for ever, but also if finite pieces
follow each other without end. To exclude that, every *run* through the pieces (its state is a derivative of P) gets a
rank that never grows and, when odd, falls whenever a piece ends. Even ranks are owed: they must fall or their run must
die before the next reset. So no run of a path that resets again and again goes from piece to piece for ever; and if
none does, ranks up to twice the number of derivatives of P suffice (Kupferman and Vardi's argument for universal
co-Buchi automata; falling by one at a time is enough, since a rank may stay above the least possible one).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import TypeAlias

from msgspec import Struct

from pincer.temporal.cubes import Cube, Literal, cube_formula, cubes
from pincer.temporal.derivative import cases
from pincer.temporal.formula import FALSE, TRUE, Formula, and_, at_end, not_, single_atom
from pincer.temporal.graph import Graph, start
from pincer.temporal.limits import Meter
from pincer.temporal.moves import NOTHING, literal_moves, owing
from pincer.temporal.operators import chop

Run: TypeAlias = tuple[Formula, Formula]
"""What is left of the current piece, and the iterated formula."""
Ranks: TypeAlias = frozenset[tuple[Run, int]]


class RankedNode(Struct, frozen=True):
    """A set of literals and ranked runs, and which of both are owed."""

    literals: Cube
    runs: Ranks
    owed: Cube
    owed_runs: Ranks

    @property
    def owes(self) -> bool:
        return bool(self.owed or self.owed_runs)


class _Choice(Struct, frozen=True):
    """One way to take a step: what must hold next, and for each run the highest rank it may have.

    `owed_runs` are the successors of owed runs.
    """

    guard: Formula
    literals: Cube
    owed: Cube
    bounds: tuple[tuple[Run, int], ...]
    owed_runs: frozenset[Run]


def iteration_graph(formula: Formula, meter: Meter) -> Graph[RankedNode]:
    """The graph of the formula's disjuncts, not yet expanded."""
    steps = _Steps(meter, {})
    initial = (
        RankedNode(cube, frozenset(), owing(cube), frozenset())
        for cube in cubes(formula)
        if cube_formula(cube) is not FALSE
    )
    return start(initial, steps.successors)


@dataclass
class _Steps:
    meter: Meter
    highest: dict[Formula, int]

    def successors(self, node: RankedNode) -> Iterator[tuple[Formula, RankedNode]]:
        choices = [_Choice(TRUE, NOTHING, NOTHING, (), frozenset())]
        for one in sorted(node.literals, key=lambda one: one[0].key):
            choices = self._combined(choices, list(self._literal_choices(one, one in node.owed)))
        for run, rank in sorted(node.runs, key=lambda ranked: (ranked[0][0].key, ranked[0][1].key)):
            choices = self._combined(choices, list(self._run_choices(run, rank, (run, rank) in node.owed_runs)))
        for choice in choices:
            if cube_formula(choice.literals) is not FALSE:
                yield from self._ranked(choice, node.owes)

    def _combined(self, choices: list[_Choice], more: list[_Choice]) -> list[_Choice]:
        found = []
        for one, other in product(choices, more):
            guard = and_(one.guard, other.guard)
            if guard is FALSE or any((atom, not positive) in one.literals for atom, positive in other.literals):
                continue
            found.append(
                _Choice(
                    guard,
                    one.literals | other.literals,
                    one.owed | other.owed,
                    one.bounds + other.bounds,
                    one.owed_runs | other.owed_runs,
                )
            )
            self.meter.watch()
        return found

    def _literal_choices(self, one: Literal, owed: bool) -> Iterator[_Choice]:
        atom, positive = one
        iterated = None if positive else _iterated(one)
        if iterated is None:
            for move in literal_moves(one):
                yield _Choice(move.guard, move.literals, move.owed if owed else NOTHING, (), frozenset())
        elif atom.kind == "plus":
            yield from self._new_piece(TRUE, TRUE, iterated, self._highest(iterated), False)
        else:
            before, repeated = atom.parts
            for guard, rest in cases(before):
                going_on = not_(chop(rest, repeated))
                ended = at_end(before)
                yield from self._plain(and_(guard, not_(ended)), going_on)
                yield from self._new_piece(and_(guard, ended), going_on, iterated, self._highest(iterated), False)

    def _run_choices(self, run: Run, rank: int, owed: bool) -> Iterator[_Choice]:
        rest, iterated = run
        after_piece = rank - 1 if rank % 2 else rank
        for guard, following in cases(rest):
            stay = () if following is FALSE else (((following, iterated), rank),)
            kept = frozenset(run for run, _ in stay) if owed else frozenset()
            going_on = and_(guard, not_(at_end(rest)))
            if going_on is not FALSE:
                yield _Choice(going_on, NOTHING, NOTHING, stay, kept)
            for choice in self._new_piece(and_(guard, at_end(rest)), TRUE, iterated, after_piece, owed):
                yield _Choice(choice.guard, choice.literals, choice.owed, stay + choice.bounds, kept | choice.owed_runs)

    def _new_piece(self, guard: Formula, also: Formula, iterated: Formula, rank: int, owed: bool) -> Iterator[_Choice]:
        """A piece begins here: it must not satisfy the iterated formula for ever, and its run is watched."""
        for here, rest in cases(iterated):
            both = and_(guard, here)
            runs = () if rest is FALSE else (((rest, iterated), rank),)
            for choice in self._plain(both, and_(also, not_(rest))):
                yield _Choice(choice.guard, choice.literals, NOTHING, runs, frozenset(run for run, _ in runs if owed))

    def _plain(self, guard: Formula, formula: Formula) -> Iterator[_Choice]:
        if guard is not FALSE:
            for cube in cubes(formula):
                yield _Choice(guard, cube, NOTHING, (), frozenset())

    def _ranked(self, choice: _Choice, owes: bool) -> Iterator[tuple[Formula, RankedNode]]:
        """All rankings worth trying: an even rank may stay or fall by one."""
        bounds: dict[Run, int] = {}
        for run, bound in choice.bounds:
            bounds[run] = min(bound, bounds.get(run, bound))
        options = [
            [(run, bound), (run, bound - 1)] if bound % 2 == 0 and bound > 0 else [(run, bound)]
            for run, bound in bounds.items()
        ]
        for ranking in product(*options):
            even = frozenset((run, rank) for run, rank in ranking if rank % 2 == 0)
            if owes:
                owed, owed_runs = choice.owed, frozenset(ranked for ranked in even if ranked[0] in choice.owed_runs)
            else:
                owed, owed_runs = owing(choice.literals), even
            self.meter.watch()
            yield choice.guard, RankedNode(choice.literals, frozenset(ranking), owed, owed_runs)

    def _highest(self, iterated: Formula) -> int:
        """Twice the number of derivatives, the false one aside."""
        found = self.highest.get(iterated)
        if found is None:
            seen: set[Formula] = set()
            frontier = [iterated]
            while frontier:
                for _, rest in cases(frontier.pop()):
                    if rest is not FALSE and rest not in seen:
                        seen.add(rest)
                        frontier.append(rest)
                        self.meter.count(len(seen))
            found = self.highest[iterated] = 2 * len(seen)
        return found


def _iterated(one: Literal) -> Formula | None:
    """P, for a literal `!(P+)` or `!(A;P+)`."""
    atom, positive = one
    if positive:
        return None
    if atom.kind == "plus":
        return atom.parts[0]
    repeated = single_atom(atom.parts[1]) if atom.kind == "chop" else None
    return repeated.parts[0] if repeated is not None and repeated.kind == "plus" else None


def negates_iteration(literals: Cube) -> bool:
    return any(_iterated(one) is not None for one in literals)
