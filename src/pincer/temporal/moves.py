"""The choices a conjunction of literals has in one step: the edges of normal form graphs.

A *move* of a literal is one disjunct of its derivative, with the guard under which it is available. Moves keep the
disjuncts apart that a derivative would absorb (`<>p` may go on waiting although p holds now), and they remember
obligations: a chop or until literal that goes on is *owed*, one that is discharged is not.

The graph in which infinite models are found: sets of literals, and which of them still owe something.

A node is (S, O): S a consistent set of literals, O the chop and until literals of S whose left part has not ended
since the last reset. When O is empty, the next node owes all chops and untils it has; otherwise it owes what goes on
of O. An infinite path is a model of its first node if it passes infinitely many nodes with O empty.

That is exact but for chop-plus under an odd number of negations, where a path may be no model: whoever finds a path
must confirm it (`holds_on_lasso`). Where no such path exists, there is no infinite model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TypeAlias

from msgspec import Struct

from pincer.temporal.cubes import Cube, Literal, cube_formula, cubes
from pincer.temporal.derivative import cases
from pincer.temporal.formula import EMPTY, FALSE, TRUE, Atom, Formula, and_, at_end, literal, or_
from pincer.temporal.graph import Graph, start
from pincer.temporal.operators import chop, chop_chain, projection

NOTHING: Cube = frozenset()


class Move(Struct, frozen=True):
    """Under the guard, the literals must hold from the next state; the `owed` ones go on with an obligation."""

    guard: Formula
    literals: Cube
    owed: Cube = NOTHING


Moves: TypeAlias = tuple[Move, ...]

_of_literals: dict[Literal, Moves] = {}
_of_formulas: dict[Formula, Moves] = {}


def owing(literals: Iterable[Literal]) -> Cube:
    """The literals that promise something: positive chops and untils."""
    return frozenset(one for one in literals if one[1] and one[0].kind in ("chop", "until"))


def formula_moves(formula: Formula) -> Moves:
    """The moves of all disjuncts together."""
    found = _of_formulas.get(formula)
    if found is None:
        found = _merged(move for cube in cubes(formula) for move in cube_moves(cube, NOTHING))
        _of_formulas[formula] = found
    return found


def cube_moves(literals: Cube, owed: Cube) -> Moves:
    """One move of each literal at once. The obligations of the result are those that continue one in `owed`."""
    rows: dict[tuple[Cube, Cube], Formula] = {(NOTHING, NOTHING): TRUE}
    for one in sorted(literals, key=lambda one: (len(literal_moves(one)), one[0].key)):
        grown: dict[tuple[Cube, Cube], Formula] = {}
        for (chosen, going_on), guard in rows.items():
            for move in literal_moves(one):
                both = and_(guard, move.guard)
                if both is FALSE or not _consistent(chosen, move.literals):
                    continue
                key = (chosen | move.literals, going_on | move.owed if one in owed else going_on)
                grown[key] = or_(grown.get(key, FALSE), both)
        rows = grown
    return tuple(Move(guard, chosen, going_on) for (chosen, going_on), guard in rows.items())


def _consistent(chosen: Cube, more: Cube) -> bool:
    return not any((atom, not positive) in chosen for atom, positive in more)


def literal_moves(one: Literal) -> Moves:
    found = _of_literals.get(one)
    if found is None:
        atom, positive = one
        found = _merged(_atom_moves(atom) if positive else _case_moves(literal(atom, False)))
        _of_literals[one] = found
    return found


def _case_moves(formula: Formula) -> Iterator[Move]:
    for guard, rest in cases(formula):
        yield from _start(guard, rest)


def _start(guard: Formula, formula: Formula) -> Iterator[Move]:
    if guard is not FALSE:
        for cube in cubes(formula):
            yield Move(guard, cube)


def _restricted(guard: Formula, moves: Moves) -> Iterator[Move]:
    for move in moves:
        both = and_(guard, move.guard)
        if both is not FALSE:
            yield Move(both, move.literals)


def _atom_moves(atom: Atom) -> Iterator[Move]:
    match atom.kind:
        case "prop" | "empty" | "len" | "next":
            yield from _case_moves(literal(atom))
        case "chop":
            first, second = atom.parts
            for move in formula_moves(first):
                yield from _go_on(move, second)
            yield from _restricted(at_end(first), formula_moves(second))
        case "plus":
            for move in formula_moves(atom.parts[0]):
                yield Move(move.guard, move.literals)
                yield from _start(move.guard, chop(cube_formula(move.literals), literal(atom)))
        case "until":
            first, second = atom.parts
            waiting = (atom, True)
            for move in formula_moves(first):
                if (atom, False) not in move.literals:
                    yield Move(move.guard, move.literals | {waiting}, frozenset((waiting,)))
            yield from _restricted(TRUE, formula_moves(second))
        case "prj":
            yield from _projection_moves(atom)


def _go_on(move: Move, second: Formula) -> Iterator[Move]:
    """The left side of a chop takes a move; the chop is discharged when its left side ends in the next state."""
    rest = cube_formula(move.literals)
    if and_(rest, EMPTY) is rest:
        yield from _start(move.guard, and_(at_end(rest), second))
    else:
        for cube in cubes(chop(rest, second)):
            yield Move(move.guard, cube, owing(cube))


def _projection_moves(atom: Atom) -> Iterator[Move]:
    first, *others, projected = atom.parts
    for move in formula_moves(first):
        rest = cube_formula(move.literals)
        for then in formula_moves(projected):
            both = and_(move.guard, then.guard)
            yield from _start(both, chop(rest, projection(others, cube_formula(then.literals))))
        yield from _start(and_(move.guard, at_end(projected)), chop_chain((rest, *others)))
    yield from _restricted(at_end(first), formula_moves(projection(others, projected)))


def _merged(moves: Iterable[Move]) -> Moves:
    guards: dict[tuple[Cube, Cube], Formula] = {}
    for move in moves:
        key = (move.literals, move.owed)
        guards[key] = or_(guards.get(key, FALSE), move.guard)
    return tuple(Move(guard, literals, owed) for (literals, owed), guard in guards.items())


class Node(Struct, frozen=True):
    """`literals` hold together from here; `owed` is the part of them that must be discharged before the next reset."""

    literals: Cube
    owed: Cube

    @property
    def formula(self) -> Formula:
        return cube_formula(self.literals)

    @property
    def owes(self) -> bool:
        return bool(self.owed)


def obligation_graph(formula: Formula) -> Graph[Node]:
    """The graph of the formula's disjuncts, not yet expanded."""
    return start((Node(cube, owing(cube)) for cube in cubes(formula) if cube_formula(cube) is not FALSE), _successors)


def _successors(node: Node) -> Iterator[tuple[Formula, Node]]:
    """Nodes that ask for little come first: models are often found among them."""
    for move in sorted(cube_moves(node.literals, node.owed), key=lambda move: len(move.literals)):
        if cube_formula(move.literals) is not FALSE:
            yield move.guard, Node(move.literals, move.owed if node.owed else owing(move.literals))
