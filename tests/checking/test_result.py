"""Results travel between processes, and come back as they were."""

from __future__ import annotations

from pincer.checking.messages import Decided, encoded, event_of
from pincer.checking.result import Evidence, Result, Safe, Unknown, so_far
from pincer.runtime.reasons import Cause, Reason

EVIDENCE = Evidence("proof", solver="cvc5", obligations=3)


def travelled(result: Result) -> object:
    return event_of(encoded(Decided(result)))


def test_a_result_is_the_same_in_another_process() -> None:
    safe = Safe(name="p", engine="ase", check="exhaustion", proof={"regions": []}, evidence=EVIDENCE)
    unknown = Unknown(name="p", engine="dash", reason=Reason("time limit of 1 s reached", Cause.TIME))
    assert travelled(safe) == Decided(safe)
    assert travelled(unknown) == Decided(unknown)
    assert (safe.verdict, unknown.verdict) == ("safe", "unknown")


def test_an_iteration_in_progress_counts_with_the_finished_ones() -> None:
    assert so_far({"iteration": 3, "tests": 2}) == {"iterations": 3, "tests": 2}
