"""The numbers by which the search for fair cycles is steered; none of them decides a verdict."""

from __future__ import annotations

from msgspec import Struct


class LiveLimits(Struct, frozen=True):
    """Each says what it trades."""

    states: int = 20_000
    """States of a product that are visited one by one: some seconds of work, and as many as a certificate may have."""
    initial_states: int = 4_096
    """Initial states that are written down one by one."""
    samples: tuple[int, ...] = (0, 1, -1, 2)
    """Values that are tried for a choice among all integers: runs with them are real, but not all there are."""
    first_states: int = 2_000
    """States that are visited before an abstraction is tried, where variables are unbounded: violations are mostly
    near, and invariants are guessed from these states. What the abstraction leaves open is searched further."""
    iterations: int = 12
    """Refinements of the safety part before it is given up."""
    questions: int = 25_000
    """Solver questions for closing abstractions, all together: a ticket algorithm of four takes some ten thousand."""
    rounds: int = 8
    """Abstractions that are tried, each with more predicates than the last."""
    predicates: int = 60
    """Predicates of an abstraction: the abstract states of more are too many."""
    paired: int = 6
    """Up to so many integer variables, the differences of all pairs are tried as ranks."""
    farkas_edges: int = 80
    """Edges of a component for which ranks are worked out from all its steps at once."""
    farkas_effort: int = 4_000_000
    """Resources of the solver for that: about a second."""
    visits_after: int = 2
    """Abstractions on which ranks are looked for before visits are compared, on the first of them, the coarsest."""
    compared: int = 4
    """Words that are compared between visits of a component."""
    compared_edges: int = 24
    """Edges of a component that is looked at so: what is asked grows with their number and that of cubes."""
    cubes: int = 160
    """Outcomes that are looked at before words are given up."""
    invariant_edges: int = 100_000
    """Edges of a proof that is an invariant, where all are listed that assignments and the automaton allow."""
    chosen: int = 64
    """Values of a bounded choice that are all tried."""


LIMITS = LiveLimits()
