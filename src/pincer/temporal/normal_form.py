"""Classical normal forms, for people to read: `Pe && empty || P1 && ()F1 || P2 && ()F2 ...`."""

from __future__ import annotations

from msgspec import Struct

from pincer.temporal.cubes import Cube, cube_formula
from pincer.temporal.formula import FALSE, TRUE, Formula, at_end, or_
from pincer.temporal.limits import deep_recursion
from pincer.temporal.moves import formula_moves
from pincer.temporal.text import cube_text, formula_text


class Step(Struct, frozen=True):
    """Where the guard holds in this state, the literals of `future` must hold from the next one."""

    guard: Formula
    future: Cube

    @property
    def formula(self) -> Formula:
        return cube_formula(self.future)


class NormalForm(Struct, frozen=True):
    """`end` says when the interval may end here; the steps are what happens if it does not."""

    end: Formula
    steps: tuple[Step, ...]

    def __str__(self) -> str:
        parts = [] if self.end is FALSE else [_guarded(self.end, "empty")]
        for step in self.steps:
            future = cube_text(step.future)
            parts.append(_guarded(step.guard, f"()({future})" if " " in future else f"(){future}"))
        return " || ".join(parts) if parts else "false"


@deep_recursion()
def normal_form(formula: Formula) -> NormalForm:
    """The formula's normal form with one step for each disjunct, nothing absorbed, guards as short as possible."""
    guards: dict[Cube, Formula] = {}
    for move in formula_moves(formula):
        guards[move.literals] = or_(guards.get(move.literals, FALSE), move.guard)
    steps = [Step(guard, future) for future, guard in guards.items() if cube_formula(future) is not FALSE]
    steps.sort(key=lambda step: (len(cube_text(step.future)), cube_text(step.future)))
    return NormalForm(at_end(formula), tuple(steps))


def _guarded(guard: Formula, then: str) -> str:
    if guard is TRUE:
        return then
    shown = formula_text(guard)
    return f"({shown}) && {then}" if "||" in shown else f"{shown} && {then}"
