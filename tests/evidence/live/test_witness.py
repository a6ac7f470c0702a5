"""Files with runs that violate temporal properties."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from msgspec.structs import replace

from pincer.errors import PincerError
from pincer.evidence.live.replay import replay_run
from pincer.evidence.live.witness import FORMAT, property_of, witness_of
from pincer.frontends.gcl import parse_program
from tests.evidence.live.live_samples import SEMAPHORE, fair, refuted


def test_a_run_survives_its_file(tmp_path: Path) -> None:
    program, run = refuted(fair(SEMAPHORE, "fairness weak A, B;"))
    file = tmp_path / "run.json"
    FORMAT.save(file, witness_of(program, program.temporal[0], run))
    read = FORMAT.load(file)
    assert json.loads(file.read_text())["format"] == "pincer-lasso-1"
    assert read.of(program) == run
    assert replay_run(program, property_of(read, program), read.of(program)).ok


def test_what_belongs_to_another_program_is_refused() -> None:
    program, run = refuted(fair(SEMAPHORE, "fairness weak A, B;"))
    witness = witness_of(program, program.temporal[0], run)
    other = parse_program(fair(SEMAPHORE, "fairness strong A, B;"), "sample.gcl")
    with pytest.raises(PincerError, match="another version"):
        property_of(witness, other)
    with pytest.raises(PincerError, match="constants"):
        property_of(replace(witness, constants={"N": 1}), program)


def test_a_declared_name_means_what_the_program_declares() -> None:
    program, run = refuted(fair(SEMAPHORE, "fairness weak A, B;"))
    witness = witness_of(program, program.temporal[0], run)
    with pytest.raises(PincerError, match="another formula"):
        property_of(replace(witness, formula="<>$1"), program)
    with pytest.raises(PincerError, match="another formula"):
        property_of(replace(witness, propositions={"$1": "b = cs"}), program)
    assert property_of(replace(witness, property="asked", formula="<>$1"), program).text == "<>$1"
