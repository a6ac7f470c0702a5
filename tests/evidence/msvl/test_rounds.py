"""Runs that go on for ever are followed in the program itself, state by state."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from pincer.engines.msvl.verify import TranslationSettings, check
from pincer.engines.task import EngineTask, Refuted
from pincer.errors import PincerError
from pincer.evidence.live.certificate import LiveRegion
from pincer.evidence.msvl.guarded import AT
from pincer.evidence.msvl.rounds import FORMAT, Astray, MsvlRounds, check_rounds, follow
from pincer.frontends.msvl import Program, parse_program
from pincer.frontends.msvl.asked import asked_property
from pincer.runtime.run import Run
from tests.evidence.msvl.translated_programs import COUNTING, ENDING, READING, made_of


def rounds_of(text: str, wanted: str) -> tuple[Program, MsvlRounds]:
    program = parse_program(text, "t.m")
    task = EngineTask(program, (asked_property(wanted),), TranslationSettings("hash", ("property",)))
    [claim] = check(task, Run(timeout=60))
    assert isinstance(claim, Refuted) and isinstance(claim.run, MsvlRounds)
    return program, claim.run


def test_a_recurrence_is_followed_and_survives_a_file() -> None:
    program, found = rounds_of(COUNTING, "<>{x<0}")
    judged, followed = check_rounds(program, "hash", FORMAT.value(FORMAT.data(found)))
    assert judged.confirmed and followed is not None
    assert [state.values["x"] for state in followed.states[:4]] == ["0", "0", "1", "2"]
    assert not followed.inputs


def test_a_loop_that_reads_is_followed_with_its_inputs() -> None:
    program, found = rounds_of(READING, "<>empty")
    assert found.lasso is not None
    judged, followed = check_rounds(program, "hash", found)
    assert judged.confirmed and followed is not None
    assert {"s_c", "s_c#2", "s_c#50"} <= followed.inputs.keys()
    assert all(value <= 0 for value in list(followed.inputs.values())[10:])


def test_another_program_or_property_is_refused() -> None:
    program, found = rounds_of(COUNTING, "<>{x<0}")
    other = parse_program(COUNTING.replace("x+1", "x-1"), "t.m")
    assert not check_rounds(other, "hash", found)[0].confirmed
    assert not check_rounds(program, "hash", replace(found, propositions={"$1": "x>=0"}))[0].confirmed
    assert not check_rounds(program, "hash", replace(found, recurrence=None))[0].confirmed
    with pytest.raises(PincerError, match="another version"):
        check_rounds(program, "other", found)


def test_regions_that_are_left_are_refused() -> None:
    program, found = rounds_of(COUNTING, "<>{x<0}")
    assert found.recurrence is not None
    regions = tuple(LiveRegion(one.q, one.control, f"({one.formula}) && x < 50") for one in found.recurrence.regions)
    forged = replace(found, recurrence=replace(found.recurrence, regions=regions))
    assert not check_rounds(program, "hash", forged)[0].confirmed


def test_a_state_that_is_another_is_astray() -> None:
    program, made = made_of(COUNTING)
    states = [{AT: 0, "x": 0}, {AT: 1, "x": 0}, {AT: 1, "x": 1}]
    assert len(follow(program, made, states).states) == 3
    with pytest.raises(Astray, match="x is 1 at state 2, not 2"):
        follow(program, made, [*states[:2], {AT: 1, "x": 2}])


def test_the_end_of_the_interval_must_be_that_of_the_run() -> None:
    program, made = made_of(ENDING)
    ends = [at for at in range(len(made.controls.listed)) if made.ends_at(at)]
    begins = [step.target for step in made.controls.first]
    first = {AT: begins[0] or 0, "x": 0}
    with pytest.raises(Astray, match="differ on whether the run ends at state 0"):
        follow(program, made, [{**first, AT: ends[0]}])
