"""Registers whose values matter later."""

from __future__ import annotations

from random import Random

from pincer.engines.outlines.liveness import live_registers
from pincer.logic import bitvectors, terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, Assume, Input, Store
from pincer.program.registers import global_register, register_of
from pincer.program.threaded_system import Action, EndThread, Enter, Leave, Perform
from tests.engines.outlines.outlined_programs import form_of, place, thread_of
from tests.evidence.c_proof.proved_programs import procedure
from tests.evidence.thread_proof.threaded_programs import COUNTER

A, B, C = (register_of("worker", name, 32) for name in "abc")
PARAMETER, RESULT = register_of("twice", "n", 32), register_of("twice", "m", 32)
SHARED = global_register("x", 32)
TWICE = procedure("twice", [(10, 11, Assign(RESULT, PARAMETER))], 11, (PARAMETER,), RESULT)
REGISTERS = (A, B, C, PARAMETER, RESULT)

Effect = tuple[Action, set[Term], set[Term]]
"""An action with what it reads, and what it writes."""


def total(left: Term, right: Term) -> Term:
    return bitvectors.binary("bvadd", left, right)


def drawn(rng: Random) -> Effect:
    first, second, third = (rng.choice((A, B, C)) for _ in range(3))
    effects: list[Effect] = [
        (Perform(Assign(first, total(second, third))), {second, third}, {first}),
        (Perform(Assign(first, SHARED)), set(), {first}),
        (Perform(Assign(SHARED, second)), {second}, set()),
        (Perform(Assume(terms.equal(first, bitvectors.constant(3, 32)))), {first}, set()),
        (Perform(Input(first, "nondet")), set(), {first}),
        (Perform(Store(bitvectors.constant(1 << 34, 64), first)), {first}, set()),
        (Enter(TWICE, (total(second, third),)), {second, third}, {PARAMETER}),
        (Perform(Assign(RESULT, PARAMETER)), {PARAMETER}, {RESULT}),
        (Leave(TWICE, first), {RESULT}, {first}),
        (Leave(TWICE, None), set(), set()),
        (EndThread(), set(), set()),
    ]
    return rng.choice(effects)


def is_live(register: Term, start: int, moves: list[tuple[int, list[Effect], int | None]]) -> bool:
    """By the definition: follow the register along all moves until it is written."""
    seen, waiting = {start}, [start]
    while waiting:
        here = waiting.pop()
        for source, effects, target in moves:
            if source != here:
                continue
            for _, reads, writes in effects:
                if register in reads:
                    return True
                if register in writes:
                    break
            else:
                if target is not None and target not in seen:
                    seen.add(target)
                    waiting.append(target)
    return False


def test_random_threads_have_the_live_registers_of_the_definition() -> None:
    rng = Random(1)
    for _ in range(120):
        moves: list[tuple[int, list[Effect], int | None]] = [
            (rng.randrange(5), [drawn(rng) for _ in range(rng.randrange(1, 4))], rng.choice((None, *range(5))))
            for _ in range(rng.randrange(2, 10))
        ]
        thread = thread_of(*((source, [action for action, _, _ in effects], end) for source, effects, end in moves))
        live = live_registers(thread)
        for at in thread.places:
            expected = {register for register in REGISTERS if is_live(register, at.location, moves)}
            assert live[at] == expected, moves


def test_loops_carry_registers_around() -> None:
    """The register is read before the loop's end and written outside of it."""
    thread = thread_of(
        (0, [Perform(Assign(A, SHARED))], 1),
        (1, [Perform(Assume(terms.equal(B, SHARED)))], 2),
        (2, [Perform(Assign(SHARED, A))], 1),
    )
    live = live_registers(thread)
    assert [live[place(i)] for i in range(3)] == [{B}, {A, B}, {A, B}]


def test_registers_are_live_until_they_are_read_last() -> None:
    worker = form_of(COUNTER).system.threads[1]
    live = live_registers(worker)
    assert not live[worker.entry]
    assert any(live.values())
