"""What is asked about a program: the automaton of the runs that violate a formula, and what is owed to processes."""

from __future__ import annotations

from msgspec import Struct

from pincer.errors import PincerError
from pincer.program.automaton import Automaton
from pincer.program.guarded import FairGroup, GuardedProgram, TemporalProperty
from pincer.temporal.buchi import buchi
from pincer.temporal.formula import Formula, not_
from pincer.temporal.parser import Parsed, parse_formula, parse_ltl

LTL = "ltl:"


class Question(Struct, frozen=True):
    """`automaton` accepts every run on which the formula does not hold; more only if it is not exact."""

    program: GuardedProgram
    wanted: TemporalProperty
    negated: Formula
    automaton: Automaton
    warnings: tuple[str, ...] = ()

    @property
    def fairness(self) -> tuple[FairGroup, ...]:
        return self.program.fairness


def read(wanted: TemporalProperty) -> Parsed:
    """The formula of a property, in which every name means something."""
    position = wanted.position
    is_ltl = wanted.text.startswith(LTL)
    text = wanted.text.removeprefix(LTL)
    origin = (position.line, position.column + (len(LTL) if is_ltl else 0))
    parsed = (parse_ltl if is_ltl else parse_formula)(text, position.file, origin)
    known = dict(wanted.propositions)
    for name, where in parsed.propositions.items():
        if name not in known:
            raise PincerError(
                f"`{name}` is not a Boolean variable; write a predicate over the state in braces, as in `{{x = 1}}`",
                where,
            )
    return parsed


def question(program: GuardedProgram, wanted: TemporalProperty) -> Question:
    """Raises `UnsupportedError` when the automaton is out of reach."""
    parsed = read(wanted)
    negated = not_(parsed.formula)
    return Question(program, wanted, negated, buchi(negated), parsed.warnings)
