"""The engine against the truth by trying all inputs, and its counterexamples against a judge of their own."""

from __future__ import annotations

import pytest

from pincer.engines.dse.options import CheckOptions
from pincer.engines.dse.verify import check
from pincer.engines.task import EngineTask
from pincer.evidence.msvl.counterexample import from_json, to_json
from pincer.evidence.msvl.replay import replay
from pincer.frontends.msvl import parse_program
from pincer.runtime.run import Run
from pincer.temporal.property import parse_properties
from tests.engines.claims import counterexample_of
from tests.engines.dse.random_models import RandomModels, true_verdict


@pytest.mark.parametrize("start", range(0, 60, 10))
def test_verdicts_are_true_and_counterexamples_replay(start: int) -> None:
    decided = 0
    for seed in range(start, start + 10):
        model = RandomModels(seed).model()
        expected = true_verdict(model)
        program = parse_program(model.program, "random.m")
        [result] = check(EngineTask(program, parse_properties(model.block, "random.m"), CheckOptions()), Run(20))
        assert result.verdict in (expected, "unknown") or expected is None, (seed, model)
        decided += result.verdict != "unknown"
        found = counterexample_of(result)
        if found is not None:
            again = from_json(to_json(found))
            assert again == found
            assert replay(program, again).confirmed, (seed, model)
    assert decided >= 6
