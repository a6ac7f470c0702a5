"""How much is guessed about loops and recursion, and how long the guesses are tried."""

from __future__ import annotations

from msgspec import Struct


class InvariantLimits(Struct, frozen=True):
    """Heuristic numbers: guesses are only kept when they are proved, so none of them decides what a verdict means."""

    nodes: int = 60
    """States of tests at a location that guesses are tried on, early and late ones."""
    facts: int = 100
    """Guesses at one location at a time: each is one more formula in every question."""
    ticks: int = 2_000
    """Work of the solver at one question about guesses (about half a second); the guess is dropped then."""
    body_rounds: int = 4
    """How far guesses are carried back through the body of a loop."""
    credit: int = 1_200
    """Calls that may be saved up while nothing is asked for, so that a first search for facts comes to its end."""
    horn_rlimit: int = 12_000_000
    """Z3's own count of its work in one search for Horn clauses, about four seconds: it answers soon or never."""
    horn_seconds: float = 60.0
    """When the process is given up in any case; only a crash or a very slow machine comes to that."""
    horn_calls: int = 150
    """What such a search counts beside the calls of our solver."""
    horn_registers: int = 14
    """Arguments of its relations; it does not cope with more."""
    values: int = 10
    """Registers and reads of one width that are related with each other: relations grow with their square."""
    factors: int = 6
    """Numbers of the program that are tried as slopes."""
    reading: int = 2
    """Literals about memory that are explained."""
    literals: int = 12
    """Literals that are explained otherwise."""
    nearest: int = 6
    """Numbers of the program on each side of a value's samples that are tried as bounds: tests may not come far."""
    stores: int = 12
    """Stores of a procedure whose effects are guessed to stay."""
    accesses: int = 4
    """Addresses that a loop may have come by."""
    memory_literals: int = 6
    """Literals about memory that are tried with them."""
    targets: int = 4
    """Objects that a pointer may point to."""
    random_tests: tuple[int, ...] = (1, 4, 7, 9, 12, 20)
    """The largest inputs of the tests that precede all guesses: relations show only where values vary."""
    candidates: int = 80
    """Claims about a recursive procedure that are tried together."""
    attempts: int = 6
    """To find a summary of a recursive procedure."""
    bounds: int = 3
    """Numbers that callers compare with, as bounds of a parameter."""
    runs: int = 32
    """Ways through a procedure without loops."""


LIMITS = InvariantLimits()
