"""Checking programs given as text."""

from __future__ import annotations

from typing import Any

from pincer.engines.dse.options import CheckOptions
from pincer.engines.dse.verify import check
from pincer.engines.task import Claim, EngineTask
from pincer.evidence.msvl.counterexample import Counterexample
from pincer.frontends.msvl import parse_program
from pincer.runtime.run import Run
from pincer.temporal.property import parse_properties
from tests.engines.claims import counterexample_of
from tests.execution.trees.msvl_explorations import EXAMPLE as EXAMPLE
from tests.execution.trees.msvl_explorations import LITERAL, MERGED

CONTROLLER_LITERAL, CONTROLLER_MERGED = LITERAL, MERGED
NEVER_OFF = "define p: is_room_hot=1; define q: is_door_closed=1; define r: ac=1; len(2);alw((p and q)->r)"


def judged(program: str, block: str, run: Run | None = None, **options: Any) -> Claim:
    """The result for one property block, written without its brackets."""
    properties = parse_properties(f"</ {block} />", "test.m")
    task = EngineTask(parse_program(program, "test.m"), tuple(properties), CheckOptions(**options))
    [claim] = check(task, run or Run())
    return claim


def counterexample(program: str, block: str, **options: Any) -> Counterexample:
    found = counterexample_of(judged(program, block, **options))
    assert found is not None
    return found


def column(found: Counterexample, *names: str) -> list[str]:
    """The values of variables along a counterexample."""
    return ["".join(dict(state.values)[name] for name in names) for state in found.states]
