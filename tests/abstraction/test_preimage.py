"""Pre-images against execution: what they exclude must never happen."""

from __future__ import annotations

import random

import pytest

from pincer.abstraction.preimage import StraddlingRead, preimage
from pincer.execution.machine import State
from pincer.execution.stepping import step
from pincer.program.control_flow import Allocate, Begin, Edge, Input
from tests.abstraction.memory_steps import HERE, formula, label, random_state


@pytest.mark.parametrize("seed", range(8))
def test_states_outside_a_preimage_have_no_successor_in_the_formula(seed: int) -> None:
    rng = random.Random(seed)
    excluded = 0
    for _ in range(250):
        wanted, edge = formula(rng), Edge(0, 1, label(rng), HERE)
        try:
            before = preimage(edge.label, wanted, random_state(rng))
        except StraddlingRead:
            continue
        for state in (random_state(rng) for _ in range(6)):
            after = step(state, edge, [])
            if isinstance(after, State) and not state.value(before.refinement):
                excluded += 1
                assert not after.value(wanted), (edge.label, wanted, before)
    assert excluded > 100


def test_the_state_that_gave_the_aliasing_is_described_exactly() -> None:
    rng = random.Random(99)
    compared = 0
    for _ in range(800):
        wanted, edge, state = formula(rng), Edge(0, 1, label(rng), HERE), random_state(rng)
        after = step(state, edge, [])
        if isinstance(edge.label, Input | Allocate | Begin) or not isinstance(after, State):
            continue
        try:
            before = preimage(edge.label, wanted, state)
        except StraddlingRead:
            continue
        compared += 1
        assert state.value(before.refinement) == after.value(wanted), (edge.label, wanted, before)
    assert compared > 200
