"""Judging a counterexample anew: a fresh execution must give its states, and these must violate the property."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from msgspec import Struct

from pincer.evidence.msvl.counterexample import Counterexample, State
from pincer.evidence.msvl.states import FreshWord, fresh_word
from pincer.evidence.pptl.formula import TooManyCases
from pincer.evidence.pptl.reading import read_formula
from pincer.evidence.pptl.truth import TruthJudge
from pincer.frontends.msvl.program import Program
from pincer.runtime.run import Run

_RECURSION_LIMIT = 20_000


class Judgement(Struct, frozen=True):
    """`reason` says what is wrong with a counterexample that is not `confirmed`."""

    confirmed: bool
    reason: str = ""


def replay(program: Program, claimed: Counterexample, run: Run | None = None) -> Judgement:
    """Run the program on the recorded inputs, and judge the states that come out."""
    try:
        with _room():
            fresh = fresh_word(program, claimed, run)
    except RecursionError:
        return Judgement(False, "the program is nested too deeply to be run again")
    return judge(claimed, fresh)


def judge(claimed: Counterexample, fresh: FreshWord) -> Judgement:
    """Whether the execution is the one that is claimed, and violates the property."""
    for number, state in enumerate(claimed.states):
        again = _state_of(fresh, number)
        if again is None:
            reason = f": {fresh.reason}" if fresh.reason else ""
            return Judgement(False, f"the program ends before state {number}{reason}")
        if again != state:
            return Judgement(
                False, f"state {number} is different when the program is run again: {_change(state, again)}"
            )
    match claimed.kind:
        case "terminated" if not fresh.terminated or len(fresh.states) != len(claimed.states):
            return Judgement(False, "the program does not end with the last recorded state")
        case "lasso" if not _goes_back(claimed, fresh):
            return Judgement(False, "the program does not go back to the recorded state")
    try:
        return _judged(claimed)
    except (TooManyCases, RecursionError):
        return Judgement(False, "the formula is too large to be judged again")


def _state_of(fresh: FreshWord, number: int) -> State | None:
    if number >= len(fresh.states) and fresh.lasso_start is not None:
        number = fresh.lasso_start + (number - fresh.lasso_start) % (len(fresh.states) - fresh.lasso_start)
    return fresh.states[number] if number < len(fresh.states) else None


def _goes_back(claimed: Counterexample, fresh: FreshWord) -> bool:
    """Whether both lassos are the same infinite word: behind both prefixes, two periods decide (Fine and Wilf)."""
    if fresh.lasso_start is None or claimed.lasso_start is None:
        return False
    own = FreshWord(claimed.states, False, claimed.lasso_start)
    compared = len(claimed.states) + len(fresh.states) + max(claimed.lasso_start, fresh.lasso_start)
    return all(_state_of(own, number) == _state_of(fresh, number) for number in range(compared))


def _change(before: State, now: State) -> str:
    for name, value in now.values.items():
        if before.values.get(name) != value:
            return f"{name} is {value}, not {before.values.get(name, 'absent')}"
    return "other propositions hold"


def _judged(claimed: Counterexample) -> Judgement:
    teller, word = TruthJudge(), claimed.word
    with _room():
        formula = read_formula(claimed.formula)
        match claimed.kind:
            case "terminated":
                violated = not teller.on_finite(formula, word)
            case "prefix":
                violated = teller.excluded(teller.after(formula, word))
            case "lasso":
                assert claimed.lasso_start is not None
                violated = not teller.on_lasso(formula, word, claimed.lasso_start)
    if violated:
        return Judgement(True)
    if claimed.kind == "prefix":
        return Judgement(False, "it could not be confirmed that every way to go on violates the property")
    return Judgement(False, "the states satisfy the property")


@contextmanager
def _room() -> Iterator[None]:
    """Formulas and programs may be nested deeply, and numbers long; recursion goes through Python functions only."""
    before, digits = sys.getrecursionlimit(), sys.get_int_max_str_digits()
    sys.setrecursionlimit(max(before, _RECURSION_LIMIT))
    sys.set_int_max_str_digits(0)
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
        sys.set_int_max_str_digits(digits)
