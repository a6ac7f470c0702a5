"""Variables that hold numbers of copies: exchanging copies exchanges them, where they are names and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from random import Random

import pytest
from msgspec.structs import replace

from pincer.bench.rows import benchmarks_directory
from pincer.evidence.gcl.certificate import Certificate, Region
from pincer.evidence.gcl.process_names import NoName, Renaming, naming_variables
from pincer.frontends.gcl import load, parse_program
from pincer.program.guarded import GuardedProgram
from tests.evidence.gcl.test_copies import checked, chosen, proof

COPIES = 3
PLACES = ("a", "b", "c")
Valuation = tuple[int, ...]


def family(name: str, size: int) -> GuardedProgram:
    return load(benchmarks_directory("families") / f"{name}.gcl", {"N": size})


@pytest.mark.parametrize(("name", "size"), [("dijkstra", 4), ("peterson", 4)])
def test_one_of_each_is_much_less_and_says_the_same(name: str, size: int) -> None:
    program = family(name, size)
    certificate = proof(program)
    assert certificate is not None
    found = chosen(program, certificate)
    assert found is not None
    assert len(found) * 10 <= sum(len(region.control) for region in certificate.regions)
    few, all_ = (checked(program, certificate, one_of_each=way) for way in (True, False))
    assert few.ok and all_.ok and few.obligations < all_.obligations


@pytest.mark.parametrize("name", ["dijkstra", "peterson"])
def test_what_is_missing_is_missed(name: str) -> None:
    """Whole orbits are taken away, so that the rest is the same for all copies."""
    program = family(name, 4)
    certificate = proof(program)
    assert certificate is not None
    rng = Random(3)
    everything = sorted({values for region in certificate.regions for values in region.control})
    for _ in range(6):
        images = set(orbit(program, rng.choice(everything), 4))
        kept = [replace(r, control=tuple(v for v in r.control if v not in images)) for r in certificate.regions]
        broken = replace(certificate, regions=tuple(kept))
        assert chosen(program, broken) is not None
        assert not checked(program, broken, one_of_each=True).ok


def orbit(program: GuardedProgram, values: Valuation, size: int) -> Iterator[Valuation]:
    """What a valuation becomes when copies change places, found out by the names of variables."""
    names = [variable.name for variable in program.variables if variable.finite]
    for order in permutations(range(1, size + 1)):
        becomes = dict(zip(range(1, size + 1), order, strict=True))
        image = dict(zip(names, values, strict=True))
        for name, value in zip(names, values, strict=True):
            array, _, index = name.rstrip("]").partition("[")
            if array in ("turn", "last"):
                image[name] = becomes[value]
            else:
                image[f"{array}[{becomes[int(index)]}]"] = value
        yield tuple(image.values())


def random_protocol(rng: Random) -> GuardedProgram:
    """A protocol of copies with a turn, which treats all copies alike unless it is `odd`."""
    commands = []
    for number in range(rng.randint(2, 5)):
        guard = [f"pc[i] = {rng.choice(PLACES)}"]
        guard += rng.sample(["turn = i", "turn != i", "(exists j in 1..3 : turn = j && pc[j] = a)"], rng.randint(0, 1))
        guard += ["turn < i"] * (rng.random() < 0.1)
        guard += [f"(forall j in 1..3 : j = i || pc[j] != {rng.choice(PLACES)})"] * rng.randint(0, 1)
        turn = rng.choice(
            ["", "", ", turn := i", ", turn := i", ", turn := nondet", ", other := turn", ", turn := other"]
        )
        commands.append(f"c{number}: {' && '.join(guard)} -> pc[i] := {rng.choice(PLACES)}{turn};")
    odd = rng.choice(
        ["", "", "", "trans odd: turn = 2 && pc[1] = b -> turn := 3;", "trans odd: turn < 3 -> other := 2;"]
    )
    wrong = rng.choice(
        [
            f"forall i in 1..3, j in 1..3 : i < j => !(pc[i] = {rng.choice(PLACES)} && pc[j] = {rng.choice(PLACES)})",
            f"forall i in 1..3 : turn = i => pc[i] != {rng.choice(PLACES)}",
            f"other = turn || pc[1] = {rng.choice(PLACES)}",
        ]
    )
    text = "control turn : 1..3 = 1;\ncontrol other : 1..3 = 1;\ncontrol pc[1..3] : {a, b, c} = a;\n"
    text += "process P[i in 1..3] {\n" + "\n".join(commands) + "\n}\n" + odd + f"\nsafety s: {wrong};\n"
    return parse_program(text, "turns.gcl")


def some_invariant(program: GuardedProgram, rng: Random) -> Certificate:
    """Valuations with all their images, those that programs begin with among them."""
    control = tuple(variable.name for variable in program.variables if variable.finite)
    every = list(product((1, 2, 3), (1, 2, 3), *[range(3)] * COPIES))
    seeds = [(1, 1, 0, 0, 0), *rng.sample(every, rng.randint(1, 25))]
    renamed = {image for seed in seeds for image in images(seed)}
    if rng.random() < 0.2:
        renamed.discard(rng.choice(sorted(renamed)))
    region = Region(tuple(sorted(renamed)), (), ("true",))
    return Certificate("turns.gcl", program.sha256, {}, ("s",), "", "", control, (), (region,))


def images(values: Valuation) -> Iterator[Valuation]:
    for order in permutations(range(COPIES)):
        turn, other, *places = values
        yield (order[turn - 1] + 1, order[other - 1] + 1, *(places[order.index(i)] for i in range(COPIES)))


def closure(program: GuardedProgram, certificate: Certificate) -> Certificate:
    """The proof of an engine with all images of what it holds."""
    found = {image for region in certificate.regions for values in region.control for image in images(values)}
    return replace(certificate, predicates=(), regions=(Region(tuple(sorted(found)), (), ("true",)),))


def test_both_ways_say_the_same_of_random_protocols() -> None:
    rng, used, accepted, refused = Random(11), 0, 0, 0
    for number in range(600):
        program = random_protocol(rng)
        certificate = proof(program) if number % 3 else None
        if certificate is None:
            certificate = some_invariant(program, rng)
        elif number % 3 == 1:
            certificate = closure(program, certificate)
        is_used = chosen(program, certificate) is not None
        one, every = (checked(program, certificate, one_of_each=way).ok for way in (True, False))
        assert one == every
        used += is_used
        accepted += one and is_used
        refused += is_used and not one
    assert used >= 40 and accepted >= 10 and refused >= 20


TURNS = """control turn : 1..3 = 1; control pc[1..3] : {out, cs} = out; var x : int = 0;
process P[i in 1..3] {
  enter: pc[i] = out && turn = i -> pc[i] := cs;
  leave: pc[i] = cs -> pc[i] := out, turn := nondet;
}
safety s: forall i in 1..3 : pc[i] = cs => turn = i;
"""


def whole(program: GuardedProgram) -> Certificate:
    """All valuations: it says nothing, and is the same for all copies."""
    control = tuple(variable.name for variable in program.variables if variable.finite)
    types = [range(v.type.low, v.type.high + 1) for v in program.variables if v.finite]  # type: ignore[union-attr]
    region = Region(tuple(product(*types)), (), ("true",))
    return Certificate("turns.gcl", program.sha256, {}, ("s",), "", "", control, (), (region,))


def test_a_turn_that_begins_with_somebody_is_a_name() -> None:
    program = parse_program(TURNS, "turns.gcl")
    assert chosen(program, whole(program)) is not None


@pytest.mark.parametrize(
    "odd",
    [
        "trans next: turn < 3 -> turn := 1;",
        "trans next: turn = 1 -> turn := 2;",
        "process Q[i in 1..3] { q: turn < i -> turn := i; }",
        "process Q[i in 1..3] { q: turn + i = 4 -> turn := i; }",
        "process Q[i in 1..3] { q: turn = i -> x := x + turn; }",
        "process Q[i in 1..3] { q: turn = i -> turn := nondet(1..2); }",
        "process Q[i in 1..3] { q: turn = i -> turn := if turn = 1 then 2 else 1; }",
        "process Q[i in 1..3] { q: (if turn = 1 then x else i) = i -> turn := i; }",
        "process Q[i in 1..3] { q: x = turn -> turn := i; }",
    ],
)
def test_what_is_more_than_a_name_is_looked_at_in_full(odd: str) -> None:
    program = parse_program(TURNS.replace("safety", f"{odd}\nsafety"), "turns.gcl")
    assert chosen(program, whole(program)) is None


def test_predicates_about_names_are_looked_at_in_full() -> None:
    program = parse_program(TURNS, "turns.gcl")
    certificate = whole(program)
    said = replace(certificate.regions[0], formulas=("turn >= x",))
    assert not checked(program, replace(certificate, regions=(said,)), one_of_each=True).ok


def test_names_are_variables_with_just_these_numbers() -> None:
    program = parse_program(
        "control a : 1..3 = 1; control b : 0..3 = 0; control c : {p, q, r} = p; var d : int = 0;\n"
        "trans t: a = 1 -> b := a; safety s: true;",
        "few.gcl",
    )
    assert naming_variables(program, 1, 3) == {"a"}
    assert naming_variables(program, 0, 2) == frozenset()
    (step,) = program.transitions
    renaming = Renaming(program, frozenset({"a"}), {1: 2, 2: 3, 3: 1})
    ((target, value),) = step.assignments
    with pytest.raises(NoName):
        renaming.assigned(target, value)
    assert "2" in str(renaming.formula(step.guard))
