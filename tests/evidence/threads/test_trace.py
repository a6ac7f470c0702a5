"""Threaded tests as data: written and read again; what is malformed is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from pincer.errors import PincerError
from pincer.evidence.threads.trace import ThreadedTest, ThreadStep, from_json, to_json
from tests.evidence.threads.written_schedules import LOST_UPDATE, LOST_UPDATE_POINTS, Written


@pytest.fixture
def test_of_update(tmp_path: Path) -> ThreadedTest:
    program = Written(tmp_path, LOST_UPDATE)
    steps = (
        ThreadStep(0, program.at("pthread_create(&a"), "main", "pthread_create", creates=1),
        ThreadStep(1, program.at("counter++"), "worker", "", (("counter", "1"),), reads=(("counter", "0"),)),
        ThreadStep(0, program.at("assert("), "main", "", branch=False, inputs=1),
    )
    inputs = ((1, "counter++", -2),)
    stops = "0 reads counter @ assert("
    return program.test("assertion", LOST_UPDATE_POINTS, stops, inputs, steps)


def test_a_test_survives_writing_and_reading(test_of_update: ThreadedTest) -> None:
    assert from_json(json.loads(json.dumps(to_json(test_of_update)))) == test_of_update


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("format",), "other", '"format"'),
        (("kind",), "hang", '"kind".*hang'),
        (("kind",), "race", "a race must have two stops"),
        (("file",), 3, '"file"'),
        (("points", 0, "thread"), -1, 'thread" must be a whole number of at least 0'),
        (("points", 0, "action"), "jump", 'action".*jump'),
        (("points", 0, "position"), [1, 2], 'position"'),
        (("points", 0), 7, r'"points\[0\]" must be an object'),
        (("inputs", 0, "value"), 1 << 32, "no unsigned value of 32 bits"),
        (("steps", 0, "branch"), "yes", 'branch" must be true or false or nothing'),
        (("steps", 0, "creates"), "one", 'creates"'),
        (("steps", 1, "changes"), [["counter", 1]], "changes"),
        (("steps", 1, "reads"), ["counter"], "reads"),
        (("failure", "message"), None, 'message" must be text'),
    ],
)
def test_malformed_data_is_refused_with_the_field(
    test_of_update: ThreadedTest, path: tuple[Any, ...], value: Any, message: str
) -> None:
    data: Any = to_json(test_of_update)
    place = data
    for key in path[:-1]:
        place = place[key]
    place[path[-1]] = value
    with pytest.raises(PincerError, match=message):
        from_json(data)


@pytest.mark.parametrize("data", [None, [], "text", {}])
def test_other_data_is_no_threaded_test(data: Any) -> None:
    with pytest.raises(PincerError, match="not a threaded test"):
        from_json(data)
