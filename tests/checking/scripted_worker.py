"""Stand-ins for the worker process: they say what they are told to say and then behave well or badly."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from pincer.evidence.violating_run import RunForm, RunStep, ValueChange, ViolatingRun
from pincer.report.finding import Evidence, Finding

_SCRIPT = """
import json, os, signal, sys, time
request = json.loads(sys.stdin.readline())
def emit(event, **data):
    print(json.dumps({{"event": event, **data}}), flush=True)
for event in json.loads({events!r}):
    print(json.dumps(event), flush=True)
{behaviour}
"""


def fake_worker(events: Sequence[Mapping[str, Any]] = (), behaviour: str = "emit('done')") -> list[str]:
    """The command of a worker that reports `events` and then runs the Python text `behaviour`."""
    return [sys.executable, "-c", _SCRIPT.format(events=json.dumps(list(events)), behaviour=behaviour)]


def program_event(*names: str) -> dict[str, Any]:
    program = {"file": "p.gcl", "sha256": "0" * 64, "constants": {}}
    return {"event": "program", "program": program, "properties": list(names)}


def finding_event(finding: Finding) -> dict[str, Any]:
    return {"event": "finding", **finding.to_wire()}


SAFE = Finding(
    "mutex",
    "safe",
    "ase",
    check="safe-fragment",
    time_s=0.5,
    statistics={"iterations": 3, "predicates": 7, "states": 40, "abstract_states": 9, "queries": 12},
    evidence=Evidence("proof", "cvc5", 21, 0.04),
    certificate={"format": "pincer-certificate-1"},
)
UNSAFE = Finding(
    "order",
    "unsafe",
    "ase",
    time_s=0.1,
    evidence=Evidence("replay"),
    run=ViolatingRun(
        RunForm.TRANSITIONS,
        (
            RunStep(
                0, "p.gcl", text="initial state", lane=None, changes=(ValueChange("x", "0"), ValueChange("pc", "idle"))
            ),
            RunStep(1, "p.gcl", 12, text="take[1]", changes=(ValueChange("x", "1", "0"),)),
        ),
        RunStep(1, "p.gcl", 12, text="take[1]"),
        "it is false after 1 step",
    ),
    trace=[{"step": 0, "transition": None, "line": None, "state": {"x": 0, "pc": "idle"}}],
)
UNKNOWN = Finding("live", "unknown", "ase", reason="no new predicate was found", time_s=0.2)
