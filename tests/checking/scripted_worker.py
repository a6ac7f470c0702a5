"""Stand-ins for the worker process: they say what they are told to say and then behave well or badly."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from pincer.checking.messages import Decided, Event, ProgramRead, encoded
from pincer.checking.result import Evidence, Safe, Unknown, Unsafe
from pincer.evidence.violating_run import RunForm, RunStep, ValueChange, ViolatingRun
from pincer.runtime.reasons import Reason

_SCRIPT = """
import json, os, signal, sys, time
order = json.loads(sys.stdin.readline())
request = order["request"]
def emit(event, **data):
    print(json.dumps({{"type": event, **data}}), flush=True)
def say(lines):
    sys.stdout.write(lines)
    sys.stdout.flush()
say({lines!r})
{behaviour}
"""


def fake_worker(events: Sequence[Event] = (), behaviour: str = "emit('Done')") -> list[str]:
    """The command of a worker that reports `events` and then runs the Python text `behaviour`."""
    return [sys.executable, "-c", _SCRIPT.format(lines=said(*events), behaviour=behaviour)]


def said(*events: Event) -> str:
    """What a worker writes to report events."""
    return "".join(encoded(event).decode("ascii") for event in events)


def program_read(*names: str) -> ProgramRead:
    return ProgramRead({"file": "p.gcl", "sha256": "0" * 64, "constants": {}}, names)


def decided(*results: Safe | Unsafe | Unknown) -> list[Event]:
    return [Decided(result) for result in results]


SAFE = Safe(
    name="mutex",
    engine="ase",
    check="safe-fragment",
    time_s=0.5,
    statistics={"iterations": 3, "predicates": 7, "states": 40, "abstract_states": 9, "queries": 12},
    evidence=Evidence("proof", "cvc5", 21, 0.04),
    proof={"format": "pincer-certificate-1"},
)
UNSAFE = Unsafe(
    name="order",
    engine="ase",
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
UNKNOWN = Unknown(name="live", engine="ase", reason=Reason("no new predicate was found"), time_s=0.2)
