"""Formulas as text that the parser reads back."""

from __future__ import annotations

from collections.abc import Callable

from msgspec import Struct

from pincer.temporal.cubes import Cube, cubes
from pincer.temporal.formula import EMPTY, FALSE, TRUE, Atom, Formula, is_state_formula, not_
from pincer.temporal.limits import deep_recursion

_CHOP, _OR, _AND, _UNTIL, _PREFIX, _POSTFIX = range(6)


class _Piece(Struct, frozen=True):
    """A text and how tightly its outermost operator binds."""

    text: str
    level: int

    def at(self, level: int) -> str:
        return self.text if self.level >= level else f"({self.text})"


@deep_recursion()
def formula_text(formula: Formula) -> str:
    """The formula in the spelling `[] <> () && || ! ; empty`."""
    return _formula(formula, {}).text


def _formula(formula: Formula, known: dict[Formula, _Piece]) -> _Piece:
    found = known.get(formula)
    if found is None:
        found = known[formula] = _disjunction(formula, lambda part: _formula(part, known))
    return found


_Inner = Callable[[Formula], _Piece]


def _disjunction(formula: Formula, inner: _Inner) -> _Piece:
    if formula is TRUE or formula is FALSE:
        return _Piece("true" if formula is TRUE else "false", _POSTFIX)
    cover = cubes(formula)
    if len(cover) > 1 and is_state_formula(formula):
        negated = cubes(not_(formula))
        if len(negated) == 1:
            return _joined(" || ", _OR, [_literal(atom, not positive, inner) for atom, positive in _sorted(negated[0])])
    pieces = [_conjunction(cube, inner) for cube in cover]
    if len(pieces) == 1:
        return pieces[0]
    pieces.sort(key=lambda piece: (len(piece.text), piece.text))
    return _joined(" || ", _OR, pieces)


def _sorted(cube: Cube) -> list[tuple[Atom, bool]]:
    return sorted(cube, key=lambda one: one[0].key)


def _joined(operator: str, level: int, pieces: list[_Piece]) -> _Piece:
    return _Piece(operator.join(piece.at(level + 1) for piece in pieces), level) if len(pieces) > 1 else pieces[0]


def _conjunction(cube: Cube, inner: _Inner) -> _Piece:
    """`!empty && !()A` is written `()!A`; a next or a length says by itself that there is a next state."""
    literals = _sorted(cube)
    more = any(atom.kind == "empty" and not positive for atom, positive in literals)
    implied = any(atom.kind in ("next", "len") and (positive or atom.kind == "next") for atom, positive in literals)
    pieces = []
    for atom, positive in literals:
        if atom.kind == "empty" and not positive:
            if not implied:
                pieces.append(_Piece("more", _POSTFIX))
        elif atom.kind == "next" and not positive:
            operator = "()" if more else "(.)"
            pieces.append(_Piece(operator + inner(not_(atom.parts[0])).at(_PREFIX), _PREFIX))
        else:
            pieces.append(_literal(atom, positive, inner))
    pieces.sort(key=lambda piece: (len(piece.text), piece.text))
    return _joined(" && ", _AND, pieces) if pieces else _Piece("true", _POSTFIX)


def _literal(atom: Atom, positive: bool, inner: _Inner) -> _Piece:
    if positive:
        return _atom(atom, inner)
    if atom.kind == "empty":
        return _Piece("more", _POSTFIX)
    if atom.kind == "chop" and atom.parts[0] is TRUE:
        return _always(not_(atom.parts[1]), inner)
    return _Piece("!" + _atom(atom, inner).at(_PREFIX), _PREFIX)


def _always(body: Formula, inner: _Inner) -> _Piece:
    """`[]body`, or the shorter name when the body speaks about the last state only, or about all others."""
    if body.atom is EMPTY.atom and body.low is TRUE:
        return _Piece(f"fin({inner(body.high).text})", _PREFIX)
    if body.atom is EMPTY.atom and body.high is TRUE:
        return _Piece(f"keep({inner(body.low).text})", _PREFIX)
    return _Piece("[]" + inner(body).at(_PREFIX), _PREFIX)


def _atom(atom: Atom, inner: _Inner) -> _Piece:
    match atom.kind:
        case "prop":
            return _Piece(atom.name, _POSTFIX)
        case "empty":
            return _Piece("empty", _POSTFIX)
        case "len":
            return _Piece("skip" if atom.length == 1 else f"len({atom.length})", _POSTFIX)
        case "next":
            return _Piece("()" + inner(atom.parts[0]).at(_PREFIX), _PREFIX)
        case "chop":
            left, right = atom.parts
            if left is TRUE:
                return _Piece("<>" + inner(right).at(_PREFIX), _PREFIX)
            return _Piece(f"{inner(left).at(_OR)} ; {inner(right).at(_OR)}", _CHOP)
        case "plus":
            return _Piece(inner(atom.parts[0]).at(_POSTFIX) + "+", _POSTFIX)
        case "until":
            return _Piece(" U ".join(inner(part).at(_PREFIX) for part in atom.parts), _UNTIL)
        case "prj":
            *parts, projected = atom.parts
            return _Piece(f"({', '.join(inner(part).text for part in parts)}) prj ({inner(projected).text})", _CHOP)


@deep_recursion()
def cube_text(cube: Cube) -> str:
    """The conjunction of the literals."""
    known: dict[Formula, _Piece] = {}
    return _conjunction(cube, lambda part: _formula(part, known)).text
