"""Proofs of temporal properties: right ones pass, and whatever is broken in them is noticed."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Literal

import pytest
from msgspec.structs import replace

from pincer.engines.guarded.verify import transition_system
from pincer.engines.live.certificates import certificate_of_states
from pincer.engines.live.question import question
from pincer.engines.live.states import explore
from pincer.engines.live.verify import LiveSettings, verify
from pincer.engines.task import EngineTask, Proved
from pincer.evidence.live.certificate import FORMAT, Argument, LiveCertificate
from pincer.evidence.live.checker import check_live
from pincer.frontends.gcl import parse_program
from pincer.logic.queries import Queries
from pincer.logic.z3_solver import Z3Solver
from pincer.program.automaton import ALWAYS, AutomatonEdge
from pincer.program.guarded import GuardedProgram
from pincer.runtime.run import Run
from tests.evidence.live.live_samples import (
    COUNTDOWN,
    LEXICOGRAPHIC,
    PETERSON,
    PHASES,
    SEMAPHORE,
    fair,
    proved,
)
from tests.fuzz.live.models import random_model
from tests.fuzz.live.streett import violated
from tests.fuzz.temporal.trees import ltl_text, random_ltl

WEAK = "fairness weak P1, P2;"
STRONG = "fairness strong A; fairness weak B;"


@pytest.mark.parametrize(
    "text",
    [COUNTDOWN, LEXICOGRAPHIC, PHASES, fair(PETERSON, WEAK), fair(SEMAPHORE, STRONG)],
    ids=["countdown", "lexicographic", "phases", "peterson", "semaphore"],
)
def test_what_the_engine_proves_is_accepted_with_each_solver(text: str) -> None:
    program, certificate = proved(text)
    for solver in ("cvc5", "z3"):
        report = check_live(program, certificate, solver)
        assert report.ok, report.reason
        assert report.solver == solver
    assert FORMAT.value(FORMAT.data(certificate)) == certificate


def test_a_proof_for_one_fairness_is_none_for_less() -> None:
    _, certificate = proved(fair(SEMAPHORE, STRONG))
    weaker = parse_program(fair(SEMAPHORE, "fairness weak A, B;"), "sample.gcl")
    report = check_live(weaker, replace(certificate, sha256=weaker.sha256))
    assert not report.ok
    assert "not strongly fair to A" in report.reason
    unfair = parse_program(fair(SEMAPHORE, ""), "sample.gcl")
    report = check_live(unfair, replace(certificate, sha256=unfair.sha256))
    assert "not fair to" in report.reason


def _first(certificate: LiveCertificate, **changes: object) -> LiveCertificate:
    argument = certificate.argument[0]
    return replace(certificate, argument=(replace(argument, **changes), *certificate.argument[1:]))


_BROKEN: dict[str, tuple[Callable[[LiveCertificate], LiveCertificate], str]] = {
    "no argument": (lambda c: replace(c, argument=()), "nothing says why"),
    "rank too small": (
        lambda c: _first(c, ranks={node: f"{rank} - 9" for node, rank in c.argument[0].ranks.items()}),
        "does not decrease, or is negative",
    ),
    "rank that grows": (
        lambda c: _first(c, ranks={node: f"0 - ({rank})" for node, rank in c.argument[0].ranks.items()}),
        "does not decrease",
    ),
    "nothing removed": (lambda c: _first(c, removed=()), "decreases along no edge"),
    "no ranks": (lambda c: _first(c, ranks={}), "does not decrease"),
    "wrong version": (lambda c: replace(c, sha256="0" * 64), "hash differs"),
    "other constants": (lambda c: replace(c, constants={"N": 3}), "made with constants"),
    "other formula": (lambda c: replace(c, formula="<>$1", propositions={"$1": "x = 7"}), "another formula"),
    "edge dropped": (lambda c: replace(c, edges=c.edges[1:]), "leads out of the regions"),
    "edge without ends": (lambda c: replace(c, edges=(*c.edges, (0, 0, 99))), "has no ends"),
    "region dropped": (lambda c: replace(c, regions=c.regions[:1], edges=()), "misses an initial state"),
    "region weakened": (
        lambda c: replace(c, regions=tuple(replace(region, formula="true") for region in c.regions)),
        "",
    ),
    "automaton that accepts nothing": (
        lambda c: replace(c, automaton=replace(c.automaton, accepting=(False,) * c.automaton.size)),
        "may miss an infinite run",
    ),
    "automaton without edges": (lambda c: replace(c, automaton=replace(c.automaton, edges=())), "may miss"),
    "automaton that is none": (
        lambda c: replace(c, automaton=replace(c.automaton, edges=(AutomatonEdge(0, ALWAYS, 9),))),
        "not well formed",
    ),
    "unknown proposition": (
        lambda c: replace(c, automaton=replace(c.automaton, edges=(AutomatonEdge(0, ((("z", True),),), 0),))),
        "unknown propositions",
    ),
    "node of no automaton": (
        lambda c: replace(c, regions=tuple(replace(region, q=5) for region in c.regions)),
        "belongs to no node",
    ),
}


@pytest.mark.parametrize("name", _BROKEN)
def test_a_broken_proof_is_refused_with_its_reason(name: str) -> None:
    program, certificate = proved(COUNTDOWN)
    broken, reason = _BROKEN[name]
    report = check_live(program, broken(certificate))
    assert not report.ok
    assert reason in report.reason


def test_a_false_claim_has_no_proof_however_it_is_argued() -> None:
    """x goes up: the rank of the countdown does not prove that it ends."""
    up = parse_program(COUNTDOWN.replace("x - 1", "x + 1"), "sample.gcl")
    _, certificate = proved(COUNTDOWN)
    forged = replace(certificate, sha256=up.sha256)
    report = check_live(up, forged)
    assert not report.ok


def test_proofs_by_states_cover_all_of_them() -> None:
    program, certificate = proved(fair(SEMAPHORE, STRONG))
    assert certificate.states
    for number in range(len(certificate.states)):
        states = certificate.states[:number] + certificate.states[number + 1 :]
        assert not check_live(program, replace(certificate, states=states)).ok


def test_nesting_is_limited() -> None:
    program, certificate = proved(COUNTDOWN)
    argument = certificate.argument[0]
    for _ in range(40):
        argument = Argument("rank", argument.node, "", argument.ranks, (), (argument,))
    assert not check_live(program, replace(certificate, argument=(argument,))).ok


def _mutant(certificate: LiveCertificate, random: Random) -> LiveCertificate:
    """The certificate with one thing left out, added or exchanged."""
    automaton = certificate.automaton
    match random.randrange(7):
        case 0 if certificate.edges:
            gone = random.randrange(len(certificate.edges))
            return replace(certificate, edges=certificate.edges[:gone] + certificate.edges[gone + 1 :])
        case 1 if certificate.argument:
            gone = random.randrange(len(certificate.argument))
            return replace(certificate, argument=certificate.argument[:gone] + certificate.argument[gone + 1 :])
        case 2 if certificate.states:
            gone = random.randrange(len(certificate.states))
            return replace(certificate, states=certificate.states[:gone] + certificate.states[gone + 1 :])
        case 3 if certificate.argument:
            other: dict[str, Literal["weak", "strong"]] = {"weak": "strong", "strong": "weak", "rank": "weak"}
            arguments = tuple(replace(argument, kind=other[argument.kind]) for argument in certificate.argument)
            return replace(certificate, argument=arguments)
        case 4:
            return replace(certificate, automaton=replace(automaton, accepting=tuple(False for _ in automaton.ends)))
        case 5 if automaton.edges:
            gone = random.randrange(len(automaton.edges))
            edges = automaton.edges[:gone] + automaton.edges[gone + 1 :]
            return replace(certificate, automaton=replace(automaton, edges=edges))
    return replace(certificate, automaton=replace(automaton, ends=tuple(() for _ in automaton.ends)))


def test_mutants_of_proofs_are_mostly_refused() -> None:
    """Those that are accepted prove what is true all the same."""
    random = Random(23)
    tried = accepted = 0
    for seed in range(40):
        chance = Random(f"mutant {seed}")
        model, tree = random_model(chance), random_ltl(chance, chance.randint(2, 5))
        program = parse_program(model.text(f"ltl: {ltl_text(tree)}"), "m.gcl")
        [claim] = verify(EngineTask(program, program.temporal, LiveSettings(0 if seed % 2 else 20_000)), Run())
        if isinstance(claim, Proved) and isinstance(claim.proof, LiveCertificate):
            assert not violated(model, tree)
            for _ in range(4):
                tried += 1
                accepted += check_live(program, _mutant(claim.proof, random)).ok
    assert tried > 30
    assert accepted < 0.8 * tried


def test_no_argument_proves_what_explicit_search_refutes() -> None:
    """All states of a program that violates its formula, with forged arguments."""
    random = Random(29)
    forged = 0
    for seed in range(120):
        chance = Random(f"forged {seed}")
        model, tree = random_model(chance), random_ltl(chance, chance.randint(2, 5))
        program = parse_program(model.text(f"ltl: {ltl_text(tree)}"), "m.gcl")
        asked = question(program, program.temporal[0])
        queries = Queries(Z3Solver(), Run())
        system = transition_system(program, queries)
        graph = explore(asked, system, queries)
        if not violated(model, tree) or graph.ended is not None or graph.certain is not None:
            continue
        whole = certificate_of_states(asked, system, graph, ())
        for _ in range(5):
            forged += 1
            assert not check_live(program, replace(whole, argument=_forged(program, len(graph.nodes), random))).ok
    assert forged > 40


def _forged(program: GuardedProgram, nodes: int, random: Random) -> tuple[Argument, ...]:
    groups = [group.name for group in program.fairness] or [""]
    inner = tuple(Argument("weak", node, random.choice(groups)) for node in range(nodes))
    kinds: tuple[Literal["weak", "strong"], ...] = ("weak", "strong")
    return tuple(Argument(random.choice(kinds), node, random.choice(groups), children=inner) for node in range(nodes))
