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
    small_abstraction: int = 32
    """With no more explored abstract states than this an attempt may ask twice as much."""
    joint_iterations: int = 10
    """How long several properties are refined together before each is tried by itself: predicates of one slow down the
    others."""
    copies_apart: int = 250
    """Abstract states that the first iteration may look at one by one although some are permutations of others."""
    look_above_copies: int = 4
    """The first iteration that looks above states explored up to permutation: proofs from there are large."""
    local_values: int = 64
    """Finite variables with more values are counters rather than places of a process: none of them is local."""
    counted_steps: int = 1_000
    """Steps of the fragment that are tested for exactness, for the statistics of a proof."""
    spacer_after: int = 30_000
    """States explored and solver calls, together, before Spacer is asked: about a second. Each further turn comes after
    `spacer_growth` times as many."""
    spacer_work: int = 2_000_000
    """Z3's own count of its work in Spacer's first turn, about a second; it grows like the distance of turns."""
    spacer_growth: int = 4
    """Turns begin anew, so that with this factor a quarter of their work is repeated."""
    spacer_turns: int = 7
    """Turns that follow each other at once when refinement has nothing left to try; the last takes about an hour."""
    spacer_seconds: float = 600.0
    """When the process is given up in any case; only a very slow machine comes to that."""
    spacer_controls: int = 20_000
    """Valuations of the finite variables that an invariant of Spacer may be written down for."""
    clause_after: int = 2_000
    """States explored and solver calls, together, before clauses are learned; the next turn comes after
    `spacer_growth` times as many."""
    clause_questions: int = 1_500
    """Solver questions of a turn, half a second, if half of what was tried otherwise is not more. With copies explored
    up to permutation clauses are learned only when nothing else is left: they would need one for each image."""
    states_per_question: int = 20
    """Explored states that cost about as much as a question."""
    clause_levels: int = 40
    """Steps up to which clauses are learned: what needs more is found value by value."""
    clause_states: int = 2_000
    """Explored states that are looked at for atoms."""
    clause_places: int = 30
    """Valuations of the finite variables that are looked at one by one for atoms."""
    clause_atoms: int = 120
    """Atoms besides the predicates: each makes every cube longer."""
    ordered_variables: int = 6
    """Up to so many integer variables, the order of every two is an atom."""
    pause_after: int = 100_000
    """Effort of one exploration before others have a turn, a second or two; the next turn comes after twice as much.
    Every second time Spacer is asked, too."""
    regions: int = 100
    """Regions before a violation that the first turn looks at, about a second; the next turn looks at twice as many."""
    region_cases: int = 64
    """Cases that a guard, a violation or what leads to one may be distributed into."""
    last_words_s: float = 0.3
    """How long a stopped run may still work on the trace of a violation it knows of."""


LIMITS = GuardedLimits()
