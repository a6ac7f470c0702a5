"""The filter for guesses at cut points: what is inductive along the blocks, and which of it a proof needs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec import Struct

from pincer.engines.cutpoints.blocks import Blocks
from pincer.engines.cutpoints.limits import LIMITS
from pincer.engines.cutpoints.plain import PlainForm
from pincer.engines.invariants.houdini import Asking
from pincer.engines.questions import Questions
from pincer.execution.machine import World
from pincer.logic import ranges
from pincer.logic.solver import SolverUnknown
from pincer.logic.terms import FALSE, TRUE, Term, conjunction, conjuncts, negate

Facts = dict[int, dict[Term, None]]
"""What holds at each cut point."""
Goal = tuple[int, Term]
"""A formula at a cut point."""


Core = dict[Term, None]
"""Formulas that another one follows from."""


class Induction(Struct):
    """Questions about the blocks of one procedure; `initial` holds at its entry, where formulas say what `at_entry`
    makes of them."""

    blocks: Blocks
    plain: PlainForm
    questions: Questions
    initial: tuple[Term, ...]
    at_entry: Callable[[Term], Term] = lambda formula: formula
    _needed: dict[Goal, dict[int, Term]] = {}
    _shown: dict[Term, list[frozenset[Term]]] = {}
    """What has been shown, and from what it follows: whoever knows more need not ask again."""
    _cores: dict[Term, list[Core]] = {}
    """The same where it was asked about alone, so that it is known which facts it takes."""

    def keep_inductive(self, facts: Facts, from_entry: bool = True) -> Asking[None]:
        """Drop all facts that do not follow, until the rest is inductive; `from_entry` on, or once they all hold."""
        entry = (self.blocks.procedure.entry,) if from_entry else ()
        waiting = dict.fromkeys((*entry, *sorted(facts)))
        while waiting:
            cut = next(iter(waiting))
            del waiting[cut]
            goals = yield from self._goals(cut, facts)
            for target, formula in (yield from self._refuted(self._known(cut, facts), goals)):
                if formula in facts[target]:
                    del facts[target][formula]
                    waiting[target] = None

    def _known(self, cut: int, facts: Facts) -> list[Term]:
        given = self.initial if cut == self.blocks.procedure.entry else ()
        return [*given, *facts.get(cut, ())]

    def _goals(self, cut: int, facts: Facts) -> Asking[dict[Goal, Term]]:
        """What must hold at a cut point for the facts at the next ones."""
        found: dict[Goal, Term] = {}
        for target in sorted(facts):
            for formula in facts[target] if cut in self.blocks.sources[target] else ():
                before = yield from self._before((target, formula))
                found[target, formula] = before.get(cut, TRUE)
        return found

    def _before(self, goal: Goal) -> Asking[dict[int, Term]]:
        known = self._needed.get(goal)
        if known is None:
            yield len(self.blocks.between[goal[0]]) // LIMITS.places_per_call
            known = self._needed[goal] = self.blocks.before(*goal)
            if self.blocks.procedure.entry in known:
                known[self.blocks.procedure.entry] = self.at_entry(known[self.blocks.procedure.entry])
        return known

    def _refuted(self, known: Sequence[Term], goals: Mapping[Goal, Term]) -> Asking[list[Goal]]:
        """The goals that do not follow from what is known, or are not shown to."""
        already = frozenset(known)
        open_ = {goal: formula for goal, formula in goals.items() if not self._is_shown(formula, already)}
        dropped = [goal for goal, formula in open_.items() if formula is FALSE]
        for goal in dropped:
            del open_[goal]
        about_ranges = {goal: formula for goal, formula in open_.items() if ranges.ranges_in([goal[1]])}
        # Most range facts carry themselves; with all others beside them questions become large.
        plain_ones = [fact for fact in known if not ranges.ranges_in([fact])]
        for goal in list(about_ranges):
            alone = [*plain_ones, goal[1]] if goal[1] in already else plain_ones
            if not (yield from self._one_by_one(alone, {goal: about_ranges[goal]})):
                del about_ranges[goal], open_[goal]
        dropped += yield from self._one_by_one(known, about_ranges)
        open_ = {goal: formula for goal, formula in open_.items() if goal not in about_ranges}
        while open_:
            plain = self.plain.of([*known, *open_.values()])
            given, wanted = plain.formulas[: len(known)], plain.formulas[len(known) :]
            yield 0
            if len(plain.axioms) > LIMITS.axioms:
                return [*dropped, *(yield from self._one_by_one(known, open_))]
            try:
                self.questions.ticks = LIMITS.ticks_together
                model = self.questions.satisfiable([*given, *plain.axioms, negate(conjunction(*wanted))])
            except SolverUnknown:
                return [*dropped, *(yield from self._one_by_one(known, open_))]
            finally:
                self.questions.ticks = LIMITS.ticks
            if model is None:
                break
            wrong = [
                goal for goal, formula in zip(open_, wanted, strict=True) if not World.evaluate_symbols(formula, model)
            ]
            for goal in wrong or list(open_):
                dropped.append(goal)
                del open_[goal]
        self._note_shown(open_.values(), already)
        return dropped

    def _is_shown(self, formula: Term, known: frozenset[Term]) -> bool:
        return formula is TRUE or formula in known or any(given <= known for given in self._shown.get(formula, ()))

    def _note_shown(self, formulas: Iterable[Term], given: frozenset[Term]) -> None:
        for formula in formulas:
            self._shown.setdefault(formula, []).append(given)

    def _one_by_one(self, known: Sequence[Term], goals: Mapping[Goal, Term]) -> Asking[list[Goal]]:
        """The goals that are not shown to follow, each asked by itself: all at once were too much."""
        dropped = []
        for goal, formula in goals.items():
            if self._is_shown(formula, frozenset(known)):
                continue
            yield 0
            if self._core(known, formula) is None:
                dropped.append(goal)
        return dropped

    def _core(self, known: Sequence[Term], formula: Term, given: Sequence[Term] = ()) -> Core | None:
        """Which of the known formulas a formula follows from, beside the given ones; None when that is not shown."""
        if formula is TRUE:
            return {}
        everything = frozenset((*known, *given))
        before = [core for core in self._cores.get(formula, ()) if core.keys() <= everything]
        if before:
            return min(before, key=len)
        # Few questions are about ranges, whose instances make large ones.
        plain_ones = [fact for fact in known if not ranges.ranges_in([fact])]
        for facts in dict.fromkeys((tuple(plain_ones), tuple(known))):
            found = self._found_core(facts, formula, given, len(facts) > len(plain_ones))
            if found is not None:
                core = dict.fromkeys((*given, *found))
                self._cores.setdefault(formula, []).append(core)
                self._note_shown((formula,), frozenset(core))
                return core
        return None

    def _found_core(
        self, known: Sequence[Term], formula: Term, given: Sequence[Term], patient: bool
    ) -> list[Term] | None:
        plain = self.plain.of([*known, *given, negate(formula)])
        try:
            self.questions.ticks = LIMITS.ticks_with_ranges if patient else LIMITS.ticks
            fixed = [*plain.formulas[len(known) :], *plain.axioms]
            found = self.questions.core(fixed, plain.formulas[: len(known)])
        except SolverUnknown:
            return None
        finally:
            self.questions.ticks = LIMITS.ticks
        return None if found is None else [known[i] for i in found]

    def supporting(self, facts: Facts, wanted: Iterable[Goal] | None = None) -> Asking[Facts | None]:
        """A part of the facts that excludes all errors and is inductive by itself; None when something is missing.

        Other formulas may be `wanted` at cut points instead."""
        kept: Facts = {cut: {} for cut in facts}
        waiting: list[tuple[int, Term]] = []

        def keep(cut: int, formulas: Iterable[Term]) -> None:
            for formula in formulas:
                if formula in facts.get(cut, ()) and formula not in kept[cut]:
                    kept[cut][formula] = None
                    waiting.append((cut, formula))

        for cut, formula in self.blocks.harmless() if wanted is None else wanted:
            known = self._known(cut, facts)
            for part in conjuncts(self.at_entry(formula) if cut == self.blocks.procedure.entry else formula):
                yield 0
                core = self._core(known, part)
                if core is None:
                    return None
                keep(cut, core)
        while waiting:
            target, formula = waiting.pop()
            before = yield from self._before((target, formula))
            for cut, needed in before.items():
                known = self._known(cut, facts)
                if needed in known:
                    keep(cut, (needed,))
                    continue
                yield 0
                here = [fact for fact in known if fact in kept.get(cut, ())]
                others = [fact for fact in known if fact not in kept.get(cut, ())]
                core = self._core(others, needed, here)
                # It is inductive all the same: the question which facts it takes was too hard.
                keep(cut, others if core is None else core)
        return kept
