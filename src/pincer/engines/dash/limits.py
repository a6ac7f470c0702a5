"""How much DASH does at once."""

from __future__ import annotations

from msgspec import Struct


class DashLimits(Struct, frozen=True):
    """Heuristic numbers; none of them decides what a verdict means."""

    steps_per_test: int = 4_000
    """A test that goes on for ever has to end somewhere; frontiers are near where it began."""
    steps_of_first_tests: int = 30_000
    """The first tests start at the entry, and may have to pass loops with large fixed bounds."""
    inputs_of_long_tests: int = 100
    """Values that are computed from more inputs make the steps of a test slow: it does not go far then."""
    steps_per_iteration: int = 40
    """What an iteration costs beside its test and its question, where budgets are kept."""
    nodes_kept: int = 400
    """Forest nodes remembered per region; more would only cost time."""
    nodes_looked_at: int = 8
    """The latest states of a region on which suitable predicates are compared."""
    nodes_tried: int = 20
    """States from which a test is driven into a check that a proof relies on."""
    frontiers_per_pass: int = 32
    """Frontiers found by one pass over the abstraction: passes are dear, and most frontiers stay such for a while."""
    long_path: int = 150
    """Conditions of a path at which questions about it become slow: a shorter path is tried then."""
    nesting: int = 40
    """Nested searches; each calls the next one."""
    groups: int = 64
    """Errors that are looked for one by one; where there are more, those of a procedure together."""
    splits_of_loops: int = 4
    """Splits of a loop head before invariants are looked for, and again whenever their number has doubled."""


LIMITS = DashLimits()
