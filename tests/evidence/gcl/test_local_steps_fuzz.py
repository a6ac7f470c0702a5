"""Forged reductions of random programs: what leaves out a violation is never accepted.

Places are drawn at random, the reduced program is run by the letter of its definition, and the states that it reaches
are the invariant. Whether the whole program violates its property is found by enumeration.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

from pincer.evidence.gcl.certificate import Certificate, Region
from pincer.evidence.gcl.checker import check_certificate
from pincer.evidence.gcl.interpreter import compile_formula, is_initial, successors
from pincer.frontends.gcl import parse_program
from pincer.program.guarded import GuardedProgram, GuardedTransition

State = dict[str, int]
Groups = tuple[tuple[tuple[str, int], ...], ...]
NAMES = ("g", "x", "y", "p", "q", "f")
OWN = {"p": "x", "q": "y"}
PROPERTIES = (
    "!(p = c && q = c)",
    "!deadlock",
    "!(p = b && q = c)",
    "g <= 1",
    "p = c => g = 0",
    "!(p = a && g = 2)",
    "x <= 1",
    "f => q = c",
    "deadlock => p = c",
    "p = b => q != b || y > 0",
)


def random_program(rng: Random) -> GuardedProgram:
    """Two processes of three locations, with a number and a location each; they share a number and a switch."""
    lines = ["var g : int = 0; var x, y : int = 0; control p, q : {a, b, c} = a; var f : bool = false;"]
    sharing = rng.choice((0.1, 0.1, 0.4))
    for number in range(rng.randint(3, 6)):
        place = rng.choice("pq")
        mine, other = OWN[place], "q" if place == "p" else "p"
        guards = [f"{place} = {rng.choice('aabbc')}"] if rng.random() < 0.95 else []
        if rng.random() < sharing:
            choices = [f"{mine} = 0", f"{mine} != 0", "g = 0", "g >= 1", "f", f"{other} = b", f"{other} != c"]
            guards.append(rng.choice(choices))
        updates = {place: rng.choice(["a", "b", "b", "c", "c", "nondet"])} if rng.random() < 0.9 else {}
        if rng.random() < 0.6:
            updates[mine] = rng.choice((f"({mine} + 1) mod 3", "0", "nondet(0..2)", f"2 - {mine}"))
        if rng.random() < sharing / 2:
            updates[mine] = "g"
        if rng.random() < sharing:
            updates["g"] = rng.choice(("(g + 1) mod 3", "0", mine))
        if rng.random() < sharing / 2 or not updates:
            updates["f"] = rng.choice(("true", "false", "!f"))
        assigned = ", ".join(f"{name} := {value}" for name, value in updates.items())
        lines.append(f"trans t{number}: {' && '.join(guards) or 'true'} -> {assigned};")
    return parse_program("\n".join([*lines, f"safety s: {rng.choice(PROPERTIES)};"]), "forged.gcl")


def random_groups(rng: Random) -> Groups:
    places = [(name, value) for name in "pq" for value in range(3)] + [("f", 0), ("f", 1)]
    chosen = rng.sample(places, rng.choice((1, 1, 1, 2, 2, 3)))
    if rng.random() < 0.3:
        return (tuple(chosen),)
    return tuple((place,) for place in chosen)


def reachable(program: GuardedProgram, allowed: Callable[[State, GuardedTransition], bool]) -> Iterator[State]:
    start = dict.fromkeys(NAMES, 0)
    assert is_initial(program, start)
    seen, pending = {tuple(start.values())}, [start]
    while pending:
        state = pending.pop()
        yield state
        for transition, target in successors(program, state, ()):
            key = tuple(target[variable] for variable in NAMES)
            if key not in seen and allowed(state, transition):
                seen.add(key)
                pending.append({variable: target[variable] for variable in NAMES})


def allowed_by(groups: Groups) -> Callable[[State, GuardedTransition], bool]:
    def allowed(state: State, transition: GuardedTransition) -> bool:
        for group in groups:
            here = [name for name, value in group if state[name] == value]
            if here:
                return any(name in here for name, _ in transition.assignments)
        return True

    return allowed


def forged(program: GuardedProgram, groups: Groups) -> tuple[Certificate, bool]:
    """What the reduced program reaches as an invariant, and whether the property holds in all of it."""
    holds = compile_formula(program.properties[0].formula, program)
    states = list(reachable(program, allowed_by(groups)))
    regions = tuple(
        Region(
            ((state["p"], state["q"], state["f"]),), (), (f"g = {state['g']} && x = {state['x']} && y = {state['y']}",)
        )
        for state in states
    )
    certificate = Certificate(
        "forged.gcl", program.sha256, {}, ("s",), "forged", "", ("p", "q", "f"), (), regions, groups
    )
    return certificate, all(map(holds, states))


def judged(seed: int) -> tuple[bool, bool, bool]:
    """Of one case: whether the whole program is safe, whether the reduced one is, and whether that was accepted."""
    rng = Random(seed)
    program, groups = random_program(rng), random_groups(rng)
    holds = compile_formula(program.properties[0].formula, program)
    certificate, reduced_safe = forged(program, groups)
    safe = all(map(holds, reachable(program, lambda *_: True)))
    return safe, reduced_safe, check_certificate(program, certificate, "z3").ok


def test_no_reduction_hides_a_violation() -> None:
    hidden = accepted = 0
    for seed in range(600):
        safe, reduced_safe, ok = judged(seed)
        assert safe or not ok, seed
        hidden += reduced_safe and not safe
        accepted += ok
    assert hidden >= 15 and accepted >= 15
