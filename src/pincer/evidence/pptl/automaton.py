"""The automaton of a formula's infinite models, for checking that an engine's automaton accepts at least as much.

A node is a set of literals that hold together from here on, with those among its chops and untils that are owed: their
first part has not ended since nothing was owed for the last time. Then all are owed again. A model of the formula has
a path on which nothing is owed again and again. The converse fails where an iteration is negated only.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import NamedTuple, TypeAlias

from pincer.errors import PincerError
from pincer.evidence.pptl.formula import (
    FALSE,
    TRUE,
    Formula,
    and_,
    cases,
    chain,
    chop,
    length,
    not_,
    project,
    propositions,
)
from pincer.evidence.pptl.truth import Letter, TruthJudge

Cube: TypeAlias = frozenset[Formula]
Move: TypeAlias = tuple[Cube, Cube]
"""What must hold from the next letter on, and what of it goes on with an obligation."""

_NOTHING: Cube = frozenset()
_MOST_NODES = 2_000
_MOST_MOVES = 200_000


class CheckedNode(NamedTuple):
    literals: Cube
    owed: Cube


class CheckedAutomaton:
    """Nodes are numbered, the `initial` ones first; `moves[n]` are pairs of a letter and the next node, for the letters
    over the propositions that node n speaks of."""

    def __init__(self, formula: Formula) -> None:
        self._judge = TruthJudge()
        self._moves: dict[tuple[Formula, Letter], frozenset[Move]] = {}
        self._spoken: dict[Cube, tuple[str, ...]] = {}
        self.nodes: list[CheckedNode] = []
        self.moves: list[tuple[tuple[Letter, int], ...]] = []
        self._numbers: dict[CheckedNode, int] = {}
        self._count = 0
        for cube in cases(formula):
            self._number(CheckedNode(cube, _owing(cube)))
        self.initial = tuple(range(len(self.nodes)))
        while len(self.moves) < len(self.nodes):
            self.moves.append(tuple(self._leaving(self.nodes[len(self.moves)])))
        self.useful = self._useful()

    def accepting(self, node: int) -> bool:
        return not self.nodes[node].owed

    def spoken(self, node: int) -> tuple[str, ...]:
        """The propositions that a node speaks of."""
        literals = self.nodes[node].literals
        found = self._spoken.get(literals)
        if found is None:
            found = self._spoken[literals] = tuple(sorted({name for one in literals for name in propositions(one)}))
        return found

    def _number(self, node: CheckedNode) -> int:
        found = self._numbers.get(node)
        if found is None:
            found = self._numbers[node] = len(self.nodes)
            self.nodes.append(node)
            if len(self.nodes) > _MOST_NODES:
                raise PincerError("the automaton of the formula is too large to be checked")
        return found

    def _leaving(self, node: CheckedNode) -> Iterator[tuple[Letter, int]]:
        for letter in letters_over(self.spoken(self._numbers[node])):
            for literals, going_on in self._together(node.literals, node.owed, letter):
                after = CheckedNode(literals, going_on if node.owed else _owing(literals))
                self._count += 1
                if self._count > _MOST_MOVES:
                    raise PincerError("the automaton of the formula is too large to be checked")
                yield letter, self._number(after)

    def _together(self, literals: Cube, owed: Cube, letter: Letter) -> set[Move]:
        """One move of each literal; what goes on of the owed ones stays owed."""
        found: set[Move] = {(_NOTHING, _NOTHING)}
        for one in literals:
            found = {
                (chosen | more, going_on | stays if one in owed else going_on)
                for chosen, going_on in found
                for more, stays in self._of_literal(one, letter)
                if not any(not_(other) in chosen for other in more)
            }
        return found

    def _of_formula(self, formula: Formula, letter: Letter) -> set[Cube]:
        return {chosen for cube in cases(formula) for chosen, _ in self._together(cube, _NOTHING, letter)}

    def _of_literal(self, literal: Formula, letter: Letter) -> frozenset[Move]:
        key = literal, letter
        found = self._moves.get(key)
        if found is None:
            found = self._moves[key] = frozenset(self._literal_moves(literal, letter))
        return found

    def _literal_moves(self, literal: Formula, letter: Letter) -> Iterator[Move]:
        parts = literal.parts
        match literal.kind:
            case "proposition":
                yield from _plain(TRUE if literal.name in letter else FALSE)
            case "empty":
                return
            case "length":
                yield from _plain(length(literal.steps - 1))
            case "next":
                yield from _plain(parts[0])
            case "not":
                yield from _plain(not_(self._judge.rest(parts[0], letter)))
            case "chop":
                yield from self._chop_moves(parts[0], parts[1], letter)
            case "until":
                for cube in self._of_formula(parts[0], letter):
                    if not_(literal) not in cube:
                        yield cube | {literal}, frozenset((literal,))
                yield from ((cube, _NOTHING) for cube in self._of_formula(parts[1], letter))
            case "plus":
                for cube in self._of_formula(parts[0], letter):
                    yield cube, _NOTHING
                    yield from _plain(chop(and_(cube), literal))
            case "project":
                yield from self._projection_moves(parts, letter)
            case _:
                raise AssertionError(literal.kind)

    def _chop_moves(self, first: Formula, second: Formula, letter: Letter) -> Iterator[Move]:
        for cube in self._of_formula(first, letter):
            begun = chop(and_(cube), second)
            if begun.kind == "chop" and begun.parts[1] is second:
                yield frozenset((begun,)), frozenset((begun,))
            else:
                yield from _plain(begun)
        if self._judge.ends(first, letter):
            yield from ((cube, _NOTHING) for cube in self._of_formula(second, letter))

    def _projection_moves(self, parts: tuple[Formula, ...], letter: Letter) -> Iterator[Move]:
        first, others, whole = parts[0], parts[1:-1], parts[-1]
        for cube in self._of_formula(first, letter):
            begun = and_(cube)
            for then in self._of_formula(whole, letter):
                yield from _plain(chop(begun, project(others, and_(then))))
            if self._judge.ends(whole, letter):
                yield from _plain(chain((begun, *others)))
        if self._judge.ends(first, letter):
            yield from ((cube, _NOTHING) for cube in self._of_formula(project(others, whole), letter))

    def _useful(self) -> frozenset[int]:
        """The nodes from which something is accepted: those that lead to an accepting node on a cycle."""
        targets = [{target for _, target in moves} for moves in self.moves]
        good = {n for n in range(len(self.nodes)) if self.accepting(n) and n in _reached(targets[n], targets)}
        return frozenset(n for n in range(len(self.nodes)) if good & _reached({n}, targets))


def _reached(start: Iterable[int], targets: list[set[int]]) -> set[int]:
    found = set(start)
    pending = list(found)
    while pending:
        fresh = targets[pending.pop()] - found
        found |= fresh
        pending += fresh
    return found


def _plain(formula: Formula) -> Iterator[Move]:
    return ((cube, _NOTHING) for cube in cases(formula))


def _owing(literals: Cube) -> Cube:
    return frozenset(one for one in literals if one.kind in ("chop", "until"))


def unsatisfiable(formula: Formula) -> bool:
    """Whether no word at all satisfies the formula; False also where the automaton accepts more than it should."""
    judge = TruthJudge()
    letters = letters_over(propositions(formula))
    seen = {formula}
    pending = [formula]
    while pending:
        here = pending.pop()
        for letter in letters:
            if judge.ends(here, letter):
                return False
            rest = judge.rest(here, letter)
            if rest not in seen:
                seen.add(rest)
                pending.append(rest)
        if len(seen) > _MOST_NODES:
            return False
    automaton = CheckedAutomaton(formula)
    return not any(node in automaton.useful for node in automaton.initial)


def letters_over(names: Iterable[str]) -> list[Letter]:
    """All letters over some propositions."""
    known = sorted(names)
    return [frozenset(chosen) for size in range(len(known) + 1) for chosen in combinations(known, size)]


def negates_iteration(formula: Formula) -> bool:
    """Whether an iteration stands under an odd number of negations: then the automaton may accept too much."""
    seen: set[tuple[Formula, bool]] = set()
    pending = [(formula, True)]
    while pending:
        part, positive = pending.pop()
        if (part, positive) in seen:
            continue
        seen.add((part, positive))
        if part.kind == "plus" and not positive:
            return True
        pending += ((inner, positive is not (part.kind == "not")) for inner in part.parts)
    return False
