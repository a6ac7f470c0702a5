"""One random model with one random formula: Pincer's answer against what is known otherwise."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from random import Random

from pincer.engines.live.verify import LiveSettings, verify
from pincer.engines.task import Claim, EngineTask, Open, Proved, Refuted
from pincer.errors import PincerError
from pincer.evidence.live.certificate import LiveCertificate
from pincer.evidence.live.checker import check_live
from pincer.evidence.live.replay import replay_run
from pincer.evidence.live.trace import LiveTrace
from pincer.frontends.gcl import parse_program
from pincer.program.guarded import GuardedProgram
from pincer.runtime.run import Run
from tests.fuzz.live.models import Model, State, random_model
from tests.fuzz.live.streett import violated
from tests.fuzz.temporal.direct import Direct, canonical
from tests.fuzz.temporal.trees import Letters, Shape, ltl_text, random_ltl, random_tree, text

SECONDS = 10.0
"""What an answer may take."""


@dataclass
class Findings:
    """How many cases had which answer, and what is wrong."""

    counts: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    reasons: Counter[str] = field(default_factory=Counter)


def compare_ltl(seed: int, findings: Findings, states: int | None = None) -> None:
    """LTL: the tableau knows the answer. `states` limits how many Pincer may visit one by one."""
    random = Random(f"ltl {seed}")
    model, tree = random_model(random), random_ltl(random, random.randint(2, 6))
    claim = _claim(model, f"ltl: {ltl_text(tree)}", findings, seed, states)
    if claim is None or isinstance(claim, Open):
        return
    known = violated(model, tree)
    if isinstance(claim, Refuted) is not known:
        findings.wrong.append(f"ltl {seed}: Pincer says {claim.verdict} of {ltl_text(tree)}")


def compare_pptl(seed: int, findings: Findings, states: int | None = None) -> None:
    """PPTL: runs that violate it are judged by its definition, and where it holds random runs are."""
    random = Random(f"pptl {seed}")
    model, tree = random_model(random), random_tree(random, Shape(6))
    claim = _claim(model, f"({text(tree)})", findings, seed, states)
    oracle = Direct(12)
    if isinstance(claim, Refuted):
        assert isinstance(claim.run, LiveTrace)
        if claim.run.kind != "prefix" and oracle.holds(tree, _word(model, claim.run)):
            findings.wrong.append(f"pptl {seed}: {text(tree)} holds on the run that Pincer says violates it")
    elif isinstance(claim, Proved):
        for _ in range(40):
            word = _random_run(model, random)
            if word is not None and not oracle.holds(tree, word):
                findings.wrong.append(f"pptl {seed}: Pincer says that {text(tree)} holds, but not on {word}")
                return


def _claim(model: Model, formula: str, findings: Findings, seed: int, states: int | None) -> Claim | None:
    """The claim of the engine, when its evidence is confirmed."""
    program = parse_program(model.text(formula), f"case{seed}.gcl")
    settings = LiveSettings() if states is None else LiveSettings(states)
    try:
        [claim] = verify(EngineTask(program, program.temporal, settings), Run(timeout=SECONDS))
    except PincerError as error:
        findings.wrong.append(f"{seed}: {error}")
        return None
    findings.counts[claim.verdict] += 1
    reason = _unconfirmed(program, claim)
    if reason:
        findings.wrong.append(f"{seed}: {claim.verdict}, but {reason}: {formula}")
    if isinstance(claim, Open):
        findings.reasons[claim.reason.text] += 1
    return claim


def _unconfirmed(program: GuardedProgram, claim: Claim) -> str:
    match claim:
        case Refuted(run=LiveTrace() as run):
            return replay_run(program, program.temporal[0], run).reason
        case Proved(proof=LiveCertificate() as certificate):
            return check_live(program, certificate).reason
    return ""


def _word(model: Model, run: LiveTrace) -> tuple[Letters, Letters]:
    states = [tuple(state[f"v{at}"] for at in range(len(model.sizes))) for state in run.trace.states]
    letters = tuple(map(model.letter, states))
    if run.loop_from is None:
        return canonical(letters, ())
    return canonical(letters[: run.loop_from], letters[run.loop_from : -1])


def _random_run(model: Model, random: Random) -> tuple[Letters, Letters] | None:
    """The word of a maximal run that ends, or that is a fair lasso; None when chance finds neither."""
    states: list[State] = [random.choice(model.initial_states())]
    processes: list[int] = []
    for _ in range(random.randint(1, 12)):
        steps = list(model.steps(states[-1]))
        if not steps:
            return canonical(tuple(map(model.letter, states)), ())
        action, state = random.choice(steps)
        states.append(state)
        processes.append(action.process)
        start = states.index(state)
        if start < len(states) - 1 and _is_fair(model, states[start:-1], set(processes[start:])):
            letters = tuple(map(model.letter, states))
            return canonical(letters[:start], letters[start:-1])
    return None


def _is_fair(model: Model, loop: list[State], taken: set[int]) -> bool:
    for process, kind in enumerate(model.fairness):
        able = [any(model.enabled(a, state) for a in model.actions if a.process == process) for state in loop]
        if kind and process not in taken and (all(able) or (kind == "strong" and any(able))):
            return False
    return True
