"""Two runs of the same program are the same run, whatever Python's hash seed."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.engines.guarded.judged import BENCHMARKS

SCRIPT = """
import json, sys
from pathlib import Path
from pincer.engines.task import Options
from pincer.engines.guarded.verify import verify
from pincer.frontends.gcl import load

engine, paper, *models = sys.argv[1:]
told = []
for model in models:
    for result in verify(load(Path(model)), engine, options=Options(paper=paper == "paper")):
        statistics = {k: v for k, v in result.statistics.items() if "time" not in k and k != "queries_by_purpose"}
        purposes = result.statistics["queries_by_purpose"]
        statistics["purposes"] = {name: (p["asked"], p["solver_calls"]) for name, p in purposes.items()}
        states = [dict(state) for state in result.trace.states] if result.trace else None
        steps = [step.transition for step in result.trace.steps] if result.trace else None
        proof = result.certificate.to_json() if result.certificate else None
        told.append([result.name, result.verdict, result.check, statistics, states, steps, proof])
print(json.dumps(told))
"""

MODELS = {
    "ase": ("ticket_any", "mesi_any", "bakery2_any", "ticket_e_any", "peterson2", "synapse", "ticket", "rax_deadlock"),
    "ur": ("ticket", "mesi", "bakery2", "ticket_e"),
}


def told(seed: str, engine: str, mode: str) -> str:
    models = [str(BENCHMARKS / f"{name}.gcl") for name in MODELS[engine]]
    command = [sys.executable, "-c", SCRIPT, engine, mode, *models]
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return done.stdout


@pytest.mark.parametrize(("engine", "mode"), [("ase", "default"), ("ase", "paper"), ("ur", "default")])
def test_hash_seeds_change_neither_statistics_nor_traces_nor_proofs(engine: str, mode: str) -> None:
    first, second = told("1", engine, mode), told("4711", engine, mode)
    assert first.count('"iterations"') >= len(MODELS[engine])
    assert first == second
