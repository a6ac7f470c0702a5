"""Counterexamples are executed again, and survive their file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from pincer.errors import PincerError
from pincer.evidence.gcl.replay import FORMAT, replay, save_witness, trace_from_json, trace_to_json
from pincer.evidence.gcl.trace import Step, Trace
from pincer.frontends.gcl import parse_program

TEXT = """program parity;
const LIMIT = 3;
var w : int = 0;  var z : int = 1;  control pc : {run, bad} = run;  var seen : bool = false;
control k : 0..2 = 0;
trans step: pc = run && w < LIMIT -> w := w + 1, z := nondet;
trans hit : pc = run && 2*z = w -> pc := bad, seen := true;
trans grow: pc = bad -> k := k + 1;
safety ok: pc != bad;
"""
PROGRAM = parse_program(TEXT, "parity.gcl")
START = {"w": 0, "z": 1, "pc": 0, "seen": 0, "k": 0}
ONE = {**START, "w": 1, "z": 5}
TWO = {**START, "w": 2, "z": 1}
BAD = {**TWO, "pc": 1, "seen": 1}
TRACE = Trace("ok", START, (Step("step", ONE), Step("step", TWO), Step("hit", BAD)))


def test_a_real_counterexample_replays() -> None:
    report = replay(PROGRAM, TRACE)
    assert report.ok
    assert report.failed_step is None


def test_a_range_violation_ends_in_the_state_before_the_step_out() -> None:
    grown = [{**BAD, "k": value} for value in (1, 2)]
    steps = (*TRACE.steps, *(Step("grow", state) for state in grown))
    assert replay(PROGRAM, Trace("range", START, steps)).ok
    early = replay(PROGRAM, Trace("range", START, steps[:-1]))
    assert (early.ok, early.failed_step) == (False, 4)


@pytest.mark.parametrize(
    ("trace", "step", "reason"),
    [
        (replace(TRACE, initial={**START, "z": 2}), 0, "not an initial state"),
        (replace(TRACE, steps=TRACE.steps[1:]), 1, "gives w the value 1, not 2"),
        (replace(TRACE, steps=TRACE.steps[:2]), 2, "does not violate ok"),
        (replace(TRACE, steps=(*TRACE.steps[:1], Step("jump", BAD))), 2, "no transition named 'jump'"),
        (replace(TRACE, steps=(*TRACE.steps, Step("step", BAD))), 4, "guard of step does not hold"),
        (replace(TRACE, initial={"w": 0}), 0, "exactly the program's variables: k, pc, seen, z"),
        (replace(TRACE, steps=(Step("step", {**ONE, "q": 1}),)), 1, "exactly the program's variables: q"),
    ],
)
def test_a_false_counterexample_fails_at_the_step_that_is_wrong(trace: Trace, step: int, reason: str) -> None:
    report = replay(PROGRAM, trace)
    assert (report.ok, report.failed_step) == (False, step)
    assert reason in report.reason


def test_traces_are_written_as_the_user_writes_values() -> None:
    first, *_, last = trace_to_json(PROGRAM, TRACE)
    assert first == {
        "step": 0,
        "transition": None,
        "line": None,
        "state": {"w": 0, "z": 1, "pc": "run", "seen": False, "k": 0},
    }
    assert (last["step"], last["transition"], last["line"]) == (3, "hit", 6)
    assert last["state"] == {"w": 2, "z": 1, "pc": "bad", "seen": True, "k": 0}


def test_a_witness_file_gives_the_trace_back(tmp_path: Path) -> None:
    path = tmp_path / "witness.json"
    save_witness(path, PROGRAM, TRACE)
    witness = FORMAT.load(path)
    assert (witness.file, witness.property, witness.constants) == ("parity.gcl", "ok", {"LIMIT": 3})
    assert witness.of(PROGRAM) == TRACE


def test_a_witness_does_not_fit_another_program_or_other_constants(tmp_path: Path) -> None:
    path = tmp_path / "witness.json"
    save_witness(path, PROGRAM, TRACE)
    witness = FORMAT.load(path)
    with pytest.raises(PincerError, match="another version"):
        witness.of(parse_program(TEXT + "\n", "parity.gcl"))
    with pytest.raises(PincerError, match=r"constants \{'LIMIT': 3\}"):
        witness.of(parse_program(TEXT, "parity.gcl", {"LIMIT": 4}))


def state_with(**changes: Any) -> list[Any]:
    rows = trace_to_json(PROGRAM, TRACE)
    rows[1]["state"].update(changes)
    return rows


@pytest.mark.parametrize(
    "rows",
    [
        None,
        {},
        [],
        [5],
        [{"state": 3}],
        [{"state": {}}],
        trace_to_json(PROGRAM, TRACE)[1:],
        [*trace_to_json(PROGRAM, TRACE)[:1], {**trace_to_json(PROGRAM, TRACE)[1], "transition": None}],
        state_with(w=True),
        state_with(w="1"),
        state_with(w=1.0),
        state_with(pc="stop"),
        state_with(pc=0),
        state_with(pc=["run"]),
        state_with(pc=None),
        state_with(seen=0),
        state_with(seen="true"),
        state_with(other=1),
    ],
)
def test_malformed_traces_are_mistakes_not_crashes(rows: Any) -> None:
    with pytest.raises(PincerError, match="malformed trace"):
        trace_from_json(PROGRAM, "ok", rows)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[",
        b"[]",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"format": "pincer-trace-2"}',
        b'{"format": "pincer-trace-1"}',
        json.dumps({"format": "pincer-trace-1", "program": [], "property": "ok", "trace": []}).encode(),
        json.dumps(
            {
                "format": "pincer-trace-1",
                "program": {"file": "f", "sha256": "0", "constants": {"N": "3"}},
                "property": "ok",
                "trace": [],
            }
        ).encode(),
    ],
)
def test_malformed_witness_files_are_mistakes_not_crashes(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "witness.json"
    path.write_bytes(content)
    with pytest.raises(PincerError):
        FORMAT.load(path)


def test_a_missing_witness_file_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(PincerError, match="cannot read"):
        FORMAT.load(tmp_path / "none.json")
