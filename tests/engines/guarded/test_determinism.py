"""Two runs of the same program are the same run, whatever Python's hash seed and whatever the clock says.

A run is told in full: verdicts, arguments, statistics (times apart), traces and certificates. Each runs in a process of
its own, as checks do: terms that are there already come first where an order is needed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from pincer.engines.guarded.analysis import GuardedSettings
from pincer.engines.task import Claim
from pincer.errors import UnsupportedError
from pincer.frontends.gcl import load
from pincer.program.guarded import GuardedProgram
from pincer.runtime.run import Run
from tests.abstraction.random_systems import random_system
from tests.engines.claims import certificate_of, check_of, guarded_claims, reason_of, trace_of
from tests.engines.guarded.judged import BENCHMARKS, Engine

ALL_MODES = pytest.mark.parametrize(
    ("engine", "paper"), [("ase", False), ("ase", True), ("ur", False)], ids=["ase", "paper", "ur"]
)
MODELS = {
    "ase": ("ticket_any", "mesi_any", "bakery2_any", "ticket_e_any", "peterson2", "synapse", "ticket", "rax_deadlock"),
    "ur": ("ticket", "mesi", "bakery2", "ticket_e"),
}
TELL = "from tests.engines.guarded.test_determinism import tell; tell({!r}, {!r}, {!r})"


def told(program: GuardedProgram, settings: GuardedSettings) -> list[object]:
    """All that a run says, but how long it took."""
    return [_told(result) for result in guarded_claims(program, settings)]


def _told(result: Claim) -> list[object]:
    statistics = {k: v for k, v in result.statistics.items() if "time" not in k and k != "queries_by_purpose"}
    purposes = result.statistics["queries_by_purpose"]
    statistics["purposes"] = {name: (p["asked"], p["solver_calls"]) for name, p in purposes.items()}
    trace, certificate = trace_of(result), certificate_of(result)
    states = [dict(state) for state in trace.states] if trace else None
    steps = [step.transition for step in trace.steps] if trace else None
    proof = certificate.to_json() if certificate else None
    return [result.name, result.verdict, reason_of(result), check_of(result), statistics, states, steps, proof]


def tell(engine: Engine, paper: bool, jumps: bool) -> None:
    """Print what is told of the models and of random programs."""
    if jumps:
        for name in ("monotonic", "perf_counter", "time", "process_time"):
            setattr(time, name, jumping_clock(Random(name)))
    for model in MODELS[engine]:
        print(json.dumps(told(load(BENCHMARKS / f"{model}.gcl"), GuardedSettings(engine, paper=paper))))
    rng = Random(engine)
    for _ in range(12):
        program = random_system(rng, choices=engine != "ur").program
        try:
            print(json.dumps(told(program, GuardedSettings(engine, paper=paper, max_iterations=2))))
        except UnsupportedError as refusal:
            print(refusal)


def jumping_clock(rng: Random) -> Callable[[], float]:
    """A clock that stands still for a while and then leaps, by a day at times."""
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += rng.choice((0.0, 0.0, 0.0, 1e-9, 0.3, 60.0, 86_400.0))
        return now

    return clock


def told_elsewhere(seed: str, engine: str, paper: bool, jumps: bool) -> str:
    command = [sys.executable, "-c", TELL.format(engine, paper, jumps)]
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    root = Path(__file__).parents[3]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment, cwd=root)
    return done.stdout


@ALL_MODES
def test_neither_hash_seeds_nor_a_jumping_clock_change_statistics_traces_or_proofs(engine: str, paper: bool) -> None:
    first = told_elsewhere("1", engine, paper, jumps=False)
    assert first.count('"iterations"') >= len(MODELS[engine])
    assert "unsafe" in first and '"regions"' in first
    assert told_elsewhere("4711", engine, paper, jumps=True) == first


def test_a_clock_that_jumps_ends_a_run_that_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "monotonic", jumping_clock(Random(1)))
    results = guarded_claims(load(BENCHMARKS / "ticket_any.gcl"), run=Run(timeout=3600))
    assert [(r.verdict, reason_of(r)) for r in results] == [("unknown", "time limit of 3600 s reached")]
