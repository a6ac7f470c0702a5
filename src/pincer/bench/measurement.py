"""What came out of one tool on one row, and the way to get it for many."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import asdict

from pincer.bench.rows import Figures, Row

Status: TypeAlias = Literal["safe", "unsafe", "unknown", "refused", "unsupported", "error", "time", "memory", "crash"]
Evidence: TypeAlias = Literal["", "confirmed", "replayed", "certified", "not confirmed", "unchecked", "rejected"]
ACCEPTED = ("confirmed", "replayed", "certified")


class Job(Struct, frozen=True):
    """A row for a tool, with its limits; `timeout` holds for the verdict and again for the check of its evidence.

    `options` are further words for tools that are commands, `seed` is for what is left to chance. Where limits count
    `processor` time, what else the machine does decides no row. `unwinding` is a bound for CBMC to try first.
    """

    row: Row
    tool: str
    timeout: float = 60.0
    memory_mb: int = 4096
    options: tuple[str, ...] = ()
    paper: bool = False
    check: bool = True
    seed: int = 0
    processor: bool = False
    unwinding: int | None = None


class Measurement(Struct, frozen=True):
    """What came out. `time_s` is the time to the verdict, `wall_s` (in the figures of commands) all that a user waits.

    Evidence is `confirmed` by execution of compiled code, `replayed` by an interpreter, `certified` by a checker of
    proofs; `rejected` evidence does not hold, `not confirmed` and `unchecked` say no more than that. `remark` is why.
    """

    row: str
    tool: str
    status: Status
    expected: str | None
    time_s: float | None = None
    figures: Figures = {}
    reason: str = ""
    evidence: Evidence = ""
    evidence_s: float | None = None
    remark: str = ""

    @property
    def decided(self) -> bool:
        return self.status in ("safe", "unsafe")

    @property
    def right(self) -> bool:
        return self.status == self.expected and not self.wrong

    @property
    def wrong(self) -> bool:
        """A verdict against the truth, or one whose evidence does not hold."""
        against = self.expected in ("safe", "unsafe") and self.status != self.expected
        return self.decided and (against or self.evidence == "rejected")

    @property
    def cost_s(self) -> float:
        """What a user waits for: the whole command where the tool is one."""
        return float(self.figures.get("wall_s", self.time_s or 0.0))

    @property
    def spent_s(self) -> float:
        """The processor time where it is known, else what a user waits for."""
        return self.cost_s if self.cpu_s is None else self.cpu_s

    @property
    def cpu_s(self) -> float | None:
        """The processor time of a command, where that is known."""
        return None if "cpu_s" not in self.figures else float(self.figures["cpu_s"])

    def to_json(self, row: Row) -> dict[str, Any]:
        published = row.published.get(self.tool)
        return asdict(self) | {"wrong": self.wrong, "published": None if published is None else dict(published)}


def present(**figures: float | str | None) -> Figures:
    """The figures that are known."""
    return {name: value for name, value in figures.items() if value is not None}


def known(statistics: Mapping[str, Any], *names: str) -> Figures:
    """Some statistics of an engine as figures."""
    return present(**{name: statistics.get(name) for name in names})


class PhaseClock:
    """Wall and processor time since its creation."""

    def __init__(self) -> None:
        self._wall, self._cpu = time.perf_counter(), time.process_time()

    def wall(self) -> float:
        return time.perf_counter() - self._wall

    def cpu(self) -> float:
        return time.process_time() - self._cpu


Measure: TypeAlias = Callable[[Job], Measurement]


def measure_all(
    jobs: Sequence[Job], measure: Measure, at_once: int = 1, on_done: Callable[[Measurement], None] = lambda _: None
) -> list[Measurement]:
    """All jobs in their order; one after the other, so that nothing else of ours runs beside a measurement, or several
    at once if wanted."""

    def one(job: Job) -> Measurement:
        measured = measure(job)
        on_done(measured)
        return measured

    if at_once == 1:
        return [one(job) for job in jobs]
    with ThreadPoolExecutor(max_workers=at_once) as pool:
        try:
            return list(pool.map(one, jobs))
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            raise
