"""Forged proofs of temporal properties of guarded commands: what an explicit search calls false must not be accepted.

A proof of one program and formula is offered for others that are a little different: fairness is weaker or gone, a
command has another test or update, or the formula is another one. The proof itself may be damaged, too: a rank is moved
by one, a region made larger, an edge or a reason left out, the automaton made to accept less.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from dataclasses import replace as changed
from random import Random
from typing import Any, TypeVar

from msgspec.structs import replace

from pincer.engines.live.verify import LiveSettings, verify
from pincer.engines.task import EngineTask, Proved
from pincer.evidence.live.certificate import Argument, LiveCertificate
from pincer.evidence.live.checker import check_live
from pincer.evidence.live.witness import about
from pincer.frontends.gcl import parse_program
from pincer.program.automaton import Automaton
from pincer.runtime.run import Run
from tests.fuzz.live.models import Action, Model, _test, _update, random_model
from tests.fuzz.live.streett import violated
from tests.fuzz.temporal.trees import Tree, ltl_text, random_ltl

T = TypeVar("T")


@dataclass
class MutantFindings:
    """How many proofs were forged, and those that were accepted although they prove what is false."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)


def forge(seed: int, findings: MutantFindings, mutants: int = 24) -> None:
    """Offer forged proofs that come from one true one."""
    random = Random(f"forged {seed}")
    model, tree = random_model(random), random_ltl(random, random.randint(2, 6))
    program = parse_program(model.text(f"ltl: {ltl_text(tree)}"), "case.gcl")
    settings = LiveSettings() if seed % 2 else LiveSettings(0)
    [claim] = verify(EngineTask(program, program.temporal, settings), Run(timeout=5))
    if not isinstance(claim, Proved) or not isinstance(claim.proof, LiveCertificate):
        findings.counts["no proof"] += 1
        return
    findings.counts["proofs"] += 1
    for number in range(mutants):
        other, formula = _other(random, model, tree)
        if not violated(other, formula):
            continue
        forged = claim.proof if number % 2 else _damaged(random, claim.proof)
        text = other.text(f"ltl: {ltl_text(formula)}")
        altered = parse_program(text, "case.gcl")
        forged = replace(forged, **about(altered, altered.temporal[0]))
        findings.counts["forged"] += 1
        if check_live(altered, forged).ok:
            findings.wrong.append(f"seed {seed}: accepted for\n{text}")


def _other(random: Random, model: Model, tree: Tree) -> tuple[Model, Tree]:
    """A program and a formula that are a little different from others."""
    match random.choice(("fairness", "fairness", "command", "command", "start", "formula")):
        case "fairness":
            weaker = {"strong": random.choice(("weak", "")), "weak": "", "": ""}
            return changed(model, fairness=tuple(weaker[kind] for kind in model.fairness)), tree
        case "command":
            at = random.randrange(len(model.actions))
            action = _other_action(random, model, model.actions[at])
            return changed(model, actions=(*model.actions[:at], action, *model.actions[at + 1 :])), tree
        case "start":
            start = tuple(random.randrange(size) for size in model.sizes)
            return changed(model, initial=start), tree
    return model, random_ltl(random, random.randint(2, 6))


def _other_action(random: Random, model: Model, action: Action) -> Action:
    if action.tests and random.random() < 0.5:
        return changed(action, tests=action.tests[:-1])
    if random.random() < 0.3:
        return changed(action, tests=(*action.tests, _test(random, model.sizes)))
    at = random.choice([at for at, _ in action.updates])
    return changed(
        action, updates=tuple((v, _update(random, model.sizes, at) if v == at else u) for v, u in action.updates)
    )


def _damaged(random: Random, proof: LiveCertificate) -> LiveCertificate:
    match random.choice(("region", "edge", "argument", "argument", "automaton")):
        case "region" if proof.regions:
            region = random.choice(proof.regions)
            regions = tuple(replace(one, formula="true") if one is region else one for one in proof.regions)
            return replace(proof, regions=regions)
        case "edge" if proof.edges:
            return replace(proof, edges=_without(random, proof.edges))
        case "argument" if proof.argument:
            return replace(proof, argument=_other_arguments(random, proof.argument))
        case "automaton":
            return replace(proof, automaton=_accepting_less(random, proof.automaton))
    return replace(proof, states=_without(random, proof.states)) if proof.states else proof


def _without(random: Random, items: tuple[T, ...]) -> tuple[T, ...]:
    at = random.randrange(len(items))
    return (*items[:at], *items[at + 1 :])


def _other_arguments(random: Random, arguments: tuple[Argument, ...]) -> tuple[Argument, ...]:
    at = random.randrange(len(arguments))
    one = arguments[at]
    match random.choice(("gone", "rank", "removed", "children", "kind")):
        case "rank" if one.ranks:
            node = random.choice(list(one.ranks))
            moved = f"({one.ranks[node]}) {random.choice('+-')} 1"
            one = replace(one, ranks={**one.ranks, node: moved})
        case "removed" if one.removed:
            one = replace(one, removed=_without(random, one.removed))
        case "children" if one.children:
            one = replace(one, children=_other_arguments(random, one.children))
        case "kind":
            other: Any = "strong" if one.kind == "weak" else "weak"
            one = replace(one, kind=other)
        case _:
            return _without(random, arguments)
    return (*arguments[:at], one, *arguments[at + 1 :])


def _accepting_less(random: Random, automaton: Automaton) -> Automaton:
    accepting: Sequence[int] = [q for q, accepts in enumerate(automaton.accepting) if accepts]
    if not accepting or random.random() < 0.5:
        edges = automaton.edges
        return replace(automaton, edges=_without(random, edges)) if edges else automaton
    gone = random.choice(accepting)
    return replace(automaton, accepting=tuple(a and q != gone for q, a in enumerate(automaton.accepting)))
