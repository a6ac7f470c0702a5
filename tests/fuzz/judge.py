"""One random program before the court: our verdict, its evidence, and what the oracles say."""

from __future__ import annotations

import traceback
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from typing import Literal
from unittest.mock import patch

from msgspec.structs import replace

from pincer.engines.guarded import ase
from pincer.engines.guarded.analysis import GuardedSettings
from pincer.engines.guarded.limits import LIMITS
from pincer.engines.guarded.verify import verify
from pincer.engines.task import Claim, EngineTask, Open, Proved, Refuted
from pincer.errors import UnsupportedError
from pincer.evidence.gcl.certificate import Certificate
from pincer.evidence.gcl.checker import check_certificate
from pincer.evidence.gcl.replay import replay
from pincer.evidence.gcl.smtlib import horn_script
from pincer.evidence.gcl.trace import Trace
from pincer.frontends.gcl import parse_program
from pincer.program.guarded import GuardedProgram
from pincer.runtime.run import Run, Stopped

from .explicit import explore
from .generator import generate
from .spacer_child import SpacerChild

Verdict = Literal["safe", "unsafe", "unknown"]


@dataclass(frozen=True)
class Court:
    """How cases are tried. Spacer is asked on every `spacer_every`-th case; 0 means never. With `backward` exploration
    is interrupted again and again from its first state on, and regions before a violation are looked at instead."""

    engine: str = "ase"
    paper: bool = False
    timeout: float = 10.0
    spacer_every: int = 1
    spacer_timeout: float = 4.0
    backward: bool = False


@dataclass(frozen=True)
class Answers:
    """The three verdicts on one property; `spacer` is None when it was not asked."""

    name: str
    ours: Verdict
    explicit: Verdict
    spacer: Verdict | None
    iterations: int = 0
    reason: str = ""
    check: str = ""

    def disagreement(self) -> str | None:
        verdicts = {"ours": self.ours, "explicit": self.explicit, "spacer": self.spacer}
        decided = {who: verdict for who, verdict in verdicts.items() if verdict in ("safe", "unsafe")}
        if len(set(decided.values())) <= 1:
            return None
        return f"{self.name}: " + ", ".join(f"{who} says {verdict}" for who, verdict in decided.items())


@dataclass(frozen=True)
class Case:
    """The outcome of one seed.

    `disagreements` also holds evidence not accepted; `unchecked` counts proofs whose check took too long.
    """

    seed: int
    text: str
    answers: tuple[Answers, ...] = ()
    disagreements: tuple[str, ...] = ()
    crash: str | None = None
    refused: bool = False
    unchecked: int = 0


def judge(seed: int, court: Court, spacer: SpacerChild | None) -> Case:
    """Try the program of one seed; whatever our code raises is a crash of that case."""
    text = generate(seed)
    try:
        return _judge(seed, text, court, spacer)
    except UnsupportedError:
        return Case(seed, text, refused=True)
    except Exception:
        return Case(seed, text, crash=traceback.format_exc())


def _judge(seed: int, text: str, court: Court, spacer: SpacerChild | None) -> Case:
    program = parse_program(text, f"fuzz_{seed}.gcl", {})
    settings = GuardedSettings("ur" if court.engine == "ur" else "ase", court.paper)
    with _backward_first() if court.backward else nullcontext():
        results = list(verify(EngineTask(program, (), settings), Run(timeout=court.timeout)))
    exploration = explore(program)
    ask = spacer if court.spacer_every and seed % court.spacer_every == 0 else None
    answers = [
        Answers(
            name=result.name,
            ours=result.verdict,
            explicit=exploration.verdict(result.name),
            spacer=ask.verdict(horn_script(program, result.name)) if ask else None,
            iterations=result.statistics.get("iterations", 0),
            reason=str(result.reason) if isinstance(result, Open) else "",
            check=result.check if isinstance(result, Proved) else "",
        )
        for result in results
    ]
    problems = [problem for answer in answers if (problem := answer.disagreement())]
    unchecked = 0
    for result in results:
        try:
            problems += _evidence_problems(program, result, court)
        except Stopped:
            unchecked += 1
    return Case(seed, text, tuple(answers), tuple(problems), unchecked=unchecked)


@contextmanager
def _backward_first() -> Iterator[None]:
    limits = replace(LIMITS, pause_after=1, regions=20)
    with patch.object(ase, "LIMITS", limits), patch.object(ase, "guess", lambda *_: None):
        yield


def _evidence_problems(program: GuardedProgram, result: Claim, court: Court) -> Iterator[str]:
    """Why the evidence of a verdict does not hold, if it does not."""
    match result:
        case Refuted(run=Trace() as trace):
            replayed = replay(program, trace)
            if not replayed.ok:
                yield f"{result.name}: the trace does not replay: {replayed.reason}"
        case Proved(proof=Certificate() as certificate):
            checked = check_certificate(program, certificate, "z3", Run(court.timeout))
            if not checked.ok:
                yield f"{result.name}: the certificate is not accepted: {checked.reason}"
        case Refuted() | Proved():
            yield f"{result.name}: {result.verdict} without evidence"
