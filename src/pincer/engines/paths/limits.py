"""How far paths are followed."""

from __future__ import annotations

from msgspec import Struct


class PathLimits(Struct, frozen=True):
    """Heuristic numbers; none of them decides what a verdict means."""

    paths: int = 20_000
    """A proof by more paths would take the checker too long; the exploration only hunts for errors then."""
    turns: int = 200_000
    """Ways not taken yet that are remembered, for the sake of memory."""
    steps_per_path: int = 60_000
    """The longest execution of a proof by paths: loops with fixed bounds are long, endless ones are cut off."""
    steps_per_hunted_path: int = 3_000
    """Where no proof is to be had, other ways are worth more than long ones."""
    turns_per_path: int = 1_000
    """Decisions that depend on inputs: with more of them there are too many paths anyway."""
    inputs_per_path: int = 1_000
    """Values that are computed from more inputs make every step slow."""
    inputs_of_easy_steps: int = 16
    """A step costs one more for each so many inputs that were read: values become sums of all of them."""
    ticks: int = 7_000
    """Work of the solver at one turn (about two seconds): there are others to take."""
    steps_per_edge: int = 120
    """How long a guide is followed at first: the larger a program, the longer its regions say nothing."""
    calls_per_edge: float = 0.5
    """The same, counted in calls of the solver."""
    again: int = 20
    """Steps by which an error seems farther away after each turn at an edge."""
    opening: float = 0.01
    """How much nearer an error seems where inputs decide about what has kept executions away from it."""
    farthest: int = 1_000_000
    """What a turn counts from which no error is reached."""
    hunting: float = 0.5
    """The part of its turn that an exploration takes which is neither guided nor on the way to a proof."""
    variables: int = 16
    """Behind closed gates: states are told apart by these, and combinations multiply."""
    values: int = 8
    """Of one such variable that are told apart."""
    steps_back: int = 2_000
    """Steps of an execution that are looked at to find where values come from."""
    attempts: int = 4
    """To find the variables behind the same decision."""
    steps_per_test: int = 20_000
    """Of tests that cover branches: these are run to their end where that is possible."""
    tries_per_side: int = 24
    """To reach one side of a decision from different states."""
    tries_further: int = 64
    """Sides taken before from which one more round of a loop is tried, in all."""
    steps_at_once: int = 256
    """Between two looks at the budget and at what the guide has learned."""


LIMITS = PathLimits()
