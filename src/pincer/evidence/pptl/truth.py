"""The truth of PPTL formulas on words: finite ones, beginnings of unknown ones, and those that repeat for ever."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from msgspec import Struct

from pincer.evidence.pptl.formula import (
    EMPTY,
    FALSE,
    TRUE,
    Formula,
    TooManyCases,
    and_,
    chain,
    chop,
    length,
    not_,
    or_,
    project,
    propositions,
)

Letter = frozenset[str]


class TruthLimits(Struct, frozen=True):
    """How far truth in a word is followed."""

    most_rests: int = 2_000
    """Formulas that may be left over at one state."""
    most_steps: int = 100_000
    """Steps of one question."""
    most_propositions: int = 8
    """All their values are tried."""


LIMITS = TruthLimits()


class TruthJudge:
    """Judges words; remembers what it has worked out. Raises `TooManyCases` when a formula gets out of hand."""

    def __init__(self) -> None:
        self._rests: dict[tuple[Formula, Letter], Formula] = {}
        self._ends: dict[tuple[Formula, Letter], bool] = {}

    def on_finite(self, formula: Formula, word: Sequence[Letter]) -> bool:
        """Whether the formula holds on the word, which ends with its last letter."""
        return self.ends(self.after(formula, word[:-1]), word[-1])

    def after(self, formula: Formula, letters: Sequence[Letter]) -> Formula:
        """What must hold of the rest when a word begins with the letters and goes on."""
        for letter in letters:
            formula = self.rest(formula, letter)
        return formula

    def on_lasso(self, formula: Formula, word: Sequence[Letter], start: int) -> bool:
        """Whether the formula holds on the infinite word that goes back from its last letter to number `start`."""
        return _Lasso(self, word, start).holds(formula, 0)

    def excluded(self, formula: Formula) -> bool:
        """Whether no word at all satisfies the formula, as far as following it for a bounded time can show.

        Shown when no reachable rest lets a word end, and none leads back to itself.
        """
        names = propositions(formula)
        if len(names) > LIMITS.most_propositions:
            return False
        letters = [frozenset(chosen) for size in range(len(names) + 1) for chosen in combinations(names, size)]
        finished: set[Formula] = {FALSE}
        open_: set[Formula] = set()
        pending = [(formula, False)]
        while pending:
            here, left = pending.pop()
            if left:
                open_.discard(here)
                finished.add(here)
            elif here not in finished:
                if (
                    here in open_
                    or len(finished) > LIMITS.most_rests
                    or any(self.ends(here, letter) for letter in letters)
                ):
                    return False
                open_.add(here)
                pending.append((here, True))
                pending += ((rest, False) for rest in {self.rest(here, letter) for letter in letters})
        return True

    def ends(self, formula: Formula, letter: Letter) -> bool:
        """Whether the formula holds on the word of this one letter."""
        key = formula, letter
        found = self._ends.get(key)
        if found is None:
            found = self._ends[key] = self._decide_end(formula, letter)
        return found

    def _decide_end(self, formula: Formula, letter: Letter) -> bool:
        parts = formula.parts
        match formula.kind:
            case "true" | "empty":
                return True
            case "false" | "length" | "next":
                return False
            case "proposition":
                return formula.name in letter
            case "not":
                return not self.ends(parts[0], letter)
            case "and" | "chop" | "project":
                return all(self.ends(part, letter) for part in parts)
            case "or":
                return any(self.ends(part, letter) for part in parts)
            case "plus":
                return self.ends(parts[0], letter)
            case "until":
                return self.ends(parts[1], letter)

    def rest(self, formula: Formula, letter: Letter) -> Formula:
        """What must hold from the next letter on, when this one is the first and not the last."""
        key = formula, letter
        found = self._rests.get(key)
        if found is None:
            if len(self._rests) > LIMITS.most_steps:
                raise TooManyCases
            found = self._rests[key] = self._rest(formula, letter)
        return found

    def _rest(self, formula: Formula, letter: Letter) -> Formula:
        parts = formula.parts
        match formula.kind:
            case "true" | "false":
                return formula
            case "empty":
                return FALSE
            case "length":
                return length(formula.steps - 1)
            case "proposition":
                return TRUE if formula.name in letter else FALSE
            case "not":
                return not_(self.rest(parts[0], letter))
            case "and":
                return and_(self.rest(part, letter) for part in parts)
            case "or":
                return or_(self.rest(part, letter) for part in parts)
            case "next":
                return parts[0]
            case "chop":
                begun = chop(self.rest(parts[0], letter), parts[1])
                return or_((begun, self.rest(parts[1], letter))) if self.ends(parts[0], letter) else begun
            case "plus":
                once = self.rest(parts[0], letter)
                return or_((once, chop(once, formula)))
            case "until":
                return or_((self.rest(parts[1], letter), and_((self.rest(parts[0], letter), formula))))
            case "project":
                return self._projected(parts, letter)

    def _projected(self, parts: tuple[Formula, ...], letter: Letter) -> Formula:
        first, others, whole = parts[0], parts[1:-1], parts[-1]
        begun = self.rest(first, letter)
        ways = [chop(begun, project(others, self.rest(whole, letter)))]
        if self.ends(whole, letter):
            ways.append(chain((begun, *others)))
        if self.ends(first, letter):
            ways.append(self.rest(project(others, whole), letter))
        return or_(ways)


class _Lasso:
    """Truth at the positions of one infinite word."""

    def __init__(self, judge: TruthJudge, word: Sequence[Letter], start: int) -> None:
        self._judge = judge
        self._word = word
        self._start = start
        self._known: dict[tuple[Formula, int], bool] = {}

    def _following(self, at: int) -> int:
        return at + 1 if at + 1 < len(self._word) else self._start

    def holds(self, formula: Formula, at: int) -> bool:
        key = formula, at
        found = self._known.get(key)
        if found is None:
            found = self._known[key] = self._decide(formula, at)
        return found

    def _decide(self, formula: Formula, at: int) -> bool:
        parts = formula.parts
        match formula.kind:
            case "true" | "false":
                return formula is TRUE
            case "empty" | "length":
                return False
            case "proposition":
                return formula.name in self._word[at]
            case "not":
                return not self.holds(parts[0], at)
            case "and":
                return all(self.holds(part, at) for part in parts)
            case "or":
                return any(self.holds(part, at) for part in parts)
            case "next":
                return self.holds(parts[0], self._following(at))
            case "chop":
                at_once = self._judge.ends(parts[0], self._word[at]) and self.holds(parts[1], at)
                return at_once or any(self.holds(parts[1], end) for end in self._ends(parts[0], at))
            case "plus":
                return self._iterates(parts[0], at)
            case "until":
                return self._until(parts[0], parts[1], at)
            case "project":
                return self.holds(self._judge.rest(formula, self._word[at]), self._following(at))

    def _ends(self, piece: Formula, at: int) -> set[int]:
        """Where a finite piece from here that takes time can end."""
        found: set[int] = set()
        seen: set[tuple[Formula, int]] = set()
        pending = [(self._judge.rest(piece, self._word[at]), self._following(at))]
        while pending:
            rest, here = pending.pop()
            if rest is FALSE or rest is EMPTY or (rest, here) in seen:
                if rest is EMPTY:
                    found.add(here)
                continue
            seen.add((rest, here))
            if self._judge.ends(rest, self._word[here]):
                found.add(here)
            pending.append((self._judge.rest(rest, self._word[here]), self._following(here)))
        return found

    def _iterates(self, piece: Formula, at: int) -> bool:
        """Finitely many pieces, the last for ever; or infinitely many finite ones: a cycle among their ends."""
        reached: dict[int, set[int]] = {}
        pending = [at]
        while pending:
            here = pending.pop()
            if here not in reached:
                reached[here] = self._ends(piece, here)
                pending += reached[here]
        if any(self.holds(piece, here) for here in reached):
            return True
        while dead := [here for here, ends in reached.items() if not ends & reached.keys()]:
            for here in dead:
                del reached[here]
        return bool(reached)

    def _until(self, before: Formula, then: Formula, at: int) -> bool:
        for _ in range(len(self._word)):
            if self.holds(then, at):
                return True
            if not self.holds(before, at):
                return False
            at = self._following(at)
        return False
