"""What is known about a property: it holds, with a proof; it is violated, with a run; or it is open, for a reason.

Results are made only where evidence is confirmed (`checking.confirm`). They travel between processes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Literal, TypeAlias

from msgspec import Struct

from pincer.errors import Position
from pincer.evidence.violating_run import ViolatingRun
from pincer.program.property import Assumption, Verdict
from pincer.runtime.reasons import Reason


class Evidence(Struct, frozen=True):
    """Who confirmed the verdict, and at what cost.

    `replay`: the interpreter of guarded commands. `recurrence`: the same for a while, and a solver that it can go on
    for ever. `execution`: compiled code; `interpreter`: compiled code did not, and `remark` says why not. `proof`: the
    proof checker with its solver. `exploration`: the engine has explored everything, the checker has not, and `remark`
    says why not. `command` repeats an execution.
    """

    kind: Literal["replay", "execution", "interpreter", "recurrence", "proof", "unchecked proof", "exploration"]
    solver: str | None = None
    obligations: int = 0
    time_s: float = 0.0
    remark: str = ""
    command: str = ""


class Answered(Struct, frozen=True, kw_only=True):
    """What every result tells: the numbers of the engine, what the verdict rests on beyond the program's text, and the
    verdict as SV-COMP writes it. `summary` is the verdict in the engine's words. One that was `recalled` from a store
    had its evidence `checked` again, or was `trusted`; or evidence of an earlier version was `adapted`, and checked."""

    verdict: ClassVar[Verdict]

    name: str
    engine: str
    summary: str = ""
    time_s: float = 0.0
    statistics: Mapping[str, Any] = {}
    warnings: tuple[str, ...] = ()
    assumptions: tuple[Assumption, ...] = ()
    svcomp: str = "unknown"
    recalled: Literal["", "checked", "trusted", "adapted"] = ""


class Safe(Answered, frozen=True, kw_only=True, tag="safe"):
    """The property holds. `proof` is the certificate as `pincer certify` reads it, None where there is no such object:
    then all executions have been explored. It is also in the file `saved`, and for validators in `witness`.

    Where a test has met `undefined` behaviour, the property holds up to there. One proof may be that of properties that
    were decided `together`."""

    verdict: ClassVar[Verdict] = "safe"

    check: str
    undefined: Position | None = None
    together: tuple[str, ...] = ()
    proof: Any = None
    evidence: Evidence | None = None
    saved: str | None = None
    witness: str | None = None


class Unsafe(Answered, frozen=True, kw_only=True, tag="unsafe"):
    """The property is violated: `run` is the counterexample as people are shown it, `trace` the same as `pincer replay`
    reads it."""

    verdict: ClassVar[Verdict] = "unsafe"

    run: ViolatingRun
    trace: Any
    evidence: Evidence
    saved: str | None = None
    witness: str | None = None


class Unknown(Answered, frozen=True, kw_only=True, tag="unknown"):
    """The property is not decided."""

    verdict: ClassVar[Verdict] = "unknown"

    reason: Reason


Result: TypeAlias = Safe | Unsafe | Unknown


def so_far(numbers: Mapping[str, int]) -> dict[str, int]:
    """Statistics of an unfinished analysis, from the progress it published."""
    return {"iterations" if name == "iteration" else name: value for name, value in numbers.items()}
