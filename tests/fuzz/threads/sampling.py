"""Which programs are compared: those whose states brute force can count, mostly small, with a tail of bigger ones."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count

from .generator import generate
from .interpreter import Interpreter, Outcomes, TooLarge
from .syntax import Program

SIZES = ((50, 1_000), (10, 300), (1, 120))
"""Every 50th program may have 1,000 states, every tenth 300, the others 120."""


@dataclass(frozen=True)
class Sample:
    """A program with all that can happen in it; `passed_over` counts the larger ones that were drawn before it."""

    seed: int
    program: Program
    outcomes: Outcomes
    passed_over: int


def draw(seed: int) -> Sample:
    """The sample of a seed: the first of its programs that is small enough."""
    most = next(states for every, states in SIZES if seed % every == 0)
    for attempt in count():
        program = generate(f"{seed}.{attempt}" if attempt else seed)
        try:
            return Sample(seed, program, Interpreter(program, most).run(), attempt)
        except TooLarge:
            continue
    raise AssertionError("there is always a smaller program")
