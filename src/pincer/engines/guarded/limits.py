"""The numbers by which ASE and UR are steered; none of them decides a verdict."""

from __future__ import annotations

from msgspec import Struct


class GuardedLimits(Struct, frozen=True):
    """Found by measuring on the rows of `pincer bench ase`; each says what it trades."""

    representatives: int = 16
    """Concrete states per abstract state that are expanded, off the current path, before a cut there: interleavings
    explode with more, violations are found late with fewer."""
    symbolic_representatives: int = 4
    """The same for symbolic states, which stand for many concrete ones."""
    first_beyond: int = 1_000
    """Effort spent on matched states after all; it doubles for three iterations and again when refinement drags on."""
    most_beyond: int = 512_000
    """No exploration spends more on matched states than this: it would fill the memory."""
    symbolic_effort: int = 20
    """A symbolic state costs about as much as this many concrete ones, for each conjunct of its condition and one
    more."""
    few: int = 8
    """A symbolic state that stands for at most this many concrete ones is replaced by them: compiled code is faster."""
    may_states: int = 1_000
    """Abstract states, beyond twice the explored ones, that the over-approximation may have before it is too coarse."""
    strengthening_questions: int = 300
    """Solver questions of one attempt at guessed invariants; most that succeed take fewer than 100."""
    joint_iterations: int = 10
    """How long several properties are refined together before each is tried by itself: predicates of one slow down the
    others."""
    counted_steps: int = 1_000
    """Steps of the fragment that are tested for exactness, for the statistics of a proof."""
    last_words_s: float = 0.3
    """How long a stopped run may still work on the trace of a violation it knows of."""


LIMITS = GuardedLimits()
