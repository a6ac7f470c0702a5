"""Random programs and random invariants: the checker says yes exactly when enumeration does.

All values stay within 0..2, and every invariant is a finite set of states, so that enumeration with the
interpreter decides whether the invariant is a proof.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product

import pytest

from pincer.evidence.gcl.certificate import Certificate, Region
from pincer.evidence.gcl.checker import check_certificate
from pincer.evidence.gcl.interpreter import is_initial, successors, violates
from pincer.frontends.gcl import parse_program
from pincer.program.guarded import GuardedProgram

NAMES = ("x", "y", "pc", "k", "on")
VALUES = (range(3), range(3), range(2), range(3), range(2))
PREDICATES = (
    "x = 0",
    "x <= 1",
    "y = k",
    "y mod 2 = 0",
    "x = y",
    "on && x = 2",
    "0 <= x && x <= 2 && 0 <= y && y <= 2",
)
State = tuple[int, ...]


def random_program(source: random.Random) -> GuardedProgram:
    """A few transitions over two integers and three finite variables; some may leave the range of k."""
    guards = [
        "x < y",
        "on",
        "!on",
        "pc = run",
        "pc = stop",
        "k = 1",
        "x + k <= 2",
        "y div 2 = 1",
        "true",
        "x = y => on",
    ]
    updates = {
        "x": ["(x + 1) mod 3", "y", "nondet(0..2)", "if on then x else 0", "k", "2 - x"],
        "y": ["x", "(y + x) mod 3", "nondet(1..2)", "if x < y then 0 else y", "(y + k) div 2"],
        "pc": ["stop", "run", "if x = 1 then run else pc", "nondet"],
        "k": ["x", "y", "k + 1", "nondet", "nondet(0..1)", "x + y", "0", "if on then k else x - 1"],
        "on": ["!on", "nondet", "x < y", "true"],
    }

    def transition(number: int) -> str:
        guard = " && ".join(f"({text})" for text in source.sample(guards, source.randint(1, 2)))
        assigned = source.sample(sorted(updates), source.randint(1, 3))
        effect = ", ".join(f"{name} := {source.choice(updates[name])}" for name in assigned)
        return f"trans t{number}: {guard} -> {effect};"

    init = source.choice(["x = 0 && y = 1 && k = 0", "x = 0 && 0 <= y && y <= 1 && !on", "x = k && y = 2 && k <= 1"])
    safety = source.choice(["!(x = 2 && k = 0)", "pc = stop => y > 0", "x + y + k < 6", "!deadlock", "on || x != 1"])
    lines = [transition(number) for number in range(source.randint(1, 4))]
    return parse_program(
        "var x, y : int; control pc : {run, stop} = run; control k : 0..2; var on : bool;"
        f"init {init}; {' '.join(lines)} safety s: {safety};",
        "random.gcl",
    )


def named(state: State) -> dict[str, int]:
    return dict(zip(NAMES, state, strict=True))


def steps(program: GuardedProgram, state: State) -> Iterator[State]:
    for _, target in successors(program, named(state)):
        yield tuple(target[name] for name in NAMES)


def initial_states(program: GuardedProgram) -> set[State]:
    return {state for state in product(*VALUES) if is_initial(program, named(state))}


def reachable(program: GuardedProgram) -> set[State]:
    found = initial_states(program)
    pending = list(found)
    while pending:
        for target in steps(program, pending.pop()):
            if target not in found:
                found.add(target)
                pending.append(target)
    return found


def is_proof(program: GuardedProgram, states: set[State], properties: tuple[str, ...]) -> bool:
    return (
        initial_states(program) <= states
        and all(target in states for state in states for target in steps(program, state))
        and not any(violates(program, name, named(state)) for state in states for name in properties)
    )


def predicate_values(state: State) -> str:
    x, y, _, k, on = state
    truths = (x == 0, x <= 1, y == k, y % 2 == 0, x == y, on == 1 and x == 2, True)
    return "".join("1" if truth else "0" for truth in truths)


def stated_exactly(states: set[State], source: random.Random) -> list[Region]:
    """One region per valuation; states as points or as intervals."""
    by_control: dict[State, set[State]] = {}
    for state in states:
        by_control.setdefault(state[2:], set()).add(state[:2])
    forms = [
        lambda x, y: f"x = {x} && y = {y}",
        lambda x, y: f"{x} <= x && x < {x + 1} && y = {y}",
        lambda x, y: f"(x = {x} && y = {y} || x = {x} && y = {y} && k > 0)",
    ]
    return [
        Region((control,), (), tuple(source.choice(forms)(x, y) for x, y in sorted(points)))
        for control, points in by_control.items()
    ]


def stated_by_cubes(states: set[State]) -> tuple[list[Region], set[State]]:
    """The states' cubes over the predicates, and all the states that these cover."""
    cubes: dict[State, set[str]] = {}
    for state in states:
        cubes.setdefault(state[2:], set()).add(predicate_values(state))
    covered: set[State] = {state for state in product(*VALUES) if predicate_values(state) in cubes.get(state[2:], ())}
    return [Region((control,), tuple(sorted(found))) for control, found in cubes.items()], covered


@pytest.mark.parametrize("block", range(6))
def test_the_checker_agrees_with_enumeration(block: int) -> None:
    answers = []
    for seed in range(block * 20, block * 20 + 20):
        source = random.Random(seed)
        program = random_program(source)
        states = reachable(program)
        change = source.choice(["none", "none", "remove", "add"])
        if change == "remove":
            states.remove(source.choice(sorted(states)))
        elif change == "add":
            states.add(tuple(source.choice(values) for values in VALUES))
        if source.random() < 0.5:
            regions, states = stated_by_cubes(states)
        else:
            regions = stated_exactly(states, source)
        properties = source.choice([("s",), ("range",), ("s", "range")])
        proof = Certificate(
            program.file,
            program.sha256,
            {},
            properties,
            "test",
            "enumeration",
            ("pc", "k", "on"),
            PREDICATES,
            tuple(regions),
        )
        expected = is_proof(program, states, properties)
        report = check_certificate(program, proof, source.choice(["cvc5", "z3"]))
        assert report.ok == expected, (seed, report.reason)
        answers.append(expected)
    assert {True, False} <= set(answers)
