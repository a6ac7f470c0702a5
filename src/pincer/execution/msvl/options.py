"""How a program is run: the two readings of one state, machine integers, and bounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Options:
    """The defaults do what the MSVL tools do; `reject` with `strict` is the logic of the papers.

    `same_state`: what happens when a variable that a condition has read, or an earlier part of a sequence has
    written, gets another value in the same state. `framing`: whether variables without a frame keep their value.
    `int32` wraps integers as a 32-bit machine does. Inputs that nobody gives are drawn from `input_range`.
    """

    same_state: Literal["overwrite", "reject"] = "overwrite"
    framing: Literal["implicit", "strict"] = "implicit"
    int32: bool = False
    max_states: int = 10_000
    max_private_states: int = 100_000
    max_call_depth: int = 1_000
    max_rounds: int = 10_000
    input_range: tuple[int, int] = (-100, 100)
    seed: int = 0


DEFAULTS = Options()
