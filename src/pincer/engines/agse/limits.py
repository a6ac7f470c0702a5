"""How far guided searches go."""

from __future__ import annotations

from msgspec import Struct, field

from pincer.execution.threads.limits import ExecutionLimits


class TrialRound(Struct, frozen=True):
    """How many trace sets of each target set are tried, how many states each trial may generate, and how often it may
    refine its traces."""

    trace_sets: int
    max_states: int
    max_refinements: int


class AgseLimits(Struct, frozen=True):
    """A search that ends at one of them has found nothing: it never means that there is nothing."""

    execution: ExecutionLimits = field(default_factory=ExecutionLimits)
    """How far each execution goes."""

    rounds: tuple[TrialRound, ...] = (TrialRound(1, 300, 12), TrialRound(3, 3_000, 64), TrialRound(6, 30_000, 250))
    """One after the other, each about ten times as far: most errors show along the first traces, or need many states;
    the paper bounds searches by time instead."""

    max_depth: int = 2_000
    """Transitions of one execution (the paper's depth bound): counters that have to get over a bound need hundreds."""

    open_ended_threads: int = 16
    """How many threads are led to a lock that each of any number of threads may want while it holds the one before:
    more than any program of the paper has."""

    trace_choices: int = 4
    """Among how many abstract traces to a definition refinement chooses; the paper leaves open among how many."""

    next_choice: float = 0.4
    """The chance to pass over what looks best, where the paper picks at random."""

    blame_the_cause: float = 0.3
    """The chance to refine the branch that made a trace impossible, not the last one that went wrong on it."""

    most_copies: int = 16
    """How often refinement repeats a definition at once. The paper adds one at a time, and begins again each time."""
