"""How much is guessed about threads, and how long guesses are tried."""

from __future__ import annotations

from msgspec import Struct


class OutlineLimits(Struct, frozen=True):
    """Heuristic numbers: guesses are only kept when they are proved, so none of them decides what a verdict means."""

    places: int = 600
    """Places of all threads together: every move is held against every place."""
    apart: int = 4
    """Threads started by loops that are told apart before they are taken for any number."""
    shared_atoms: int = 40
    """Conditions about shared data alone that are tried everywhere."""
    own_atoms: int = 60
    """Conditions with registers of a thread that are tried at one place."""
    carried: int = 14
    """Moves over which a condition is carried back."""
    carried_width: int = 24
    """Conditions that are carried back from one branch at a time."""
    carried_to_wait: int = 5
    """Moves before a wait in which its reason is looked for."""
    repeated: int = 4
    """Conditions of a thread's own, branched on more than once, on which it may depend what is held."""
    cases: int = 6
    """Conditions about shared data that are carried back over branches."""
    carried_cases: int = 4
    """Moves over which they are."""
    constants: int = 5
    """Values of a shared variable that are guessed: those it is compared with, set to, and begins with."""
    flags: int = 6
    """Values of flags while which something may hold of other data."""
    after_flag: int = 16
    """Conditions that are tried for each of them."""
    tickets: int = 2
    """Pairs of cells that are taken for the next ticket and the one that is served."""
    blocks: int = 16
    """Cut points of a thread that has a ghost for where it is: with more, guesses about them are too many."""
    depth: int = 200
    """The largest condition, in operations, that is guessed."""
    effort: int = 4_000_000
    """Work of the solver at one question, in its own units (about a second); what it does not decide is dropped."""


LIMITS = OutlineLimits()
