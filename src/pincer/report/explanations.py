"""What the worker process collects for the HTML report, and only then: what each analysis explored, and its numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from pincer.checking.decide import Decision
from pincer.checking.load import GuardedSource, LoadedSource, TemporalSource
from pincer.checking.messages import Explored
from pincer.engines.task import Claim, Refuted
from pincer.report.details import Details
from pincer.report.file_report import NumbersOverTime
from pincer.runtime.run import Progress, Run, Stopped

Explain: TypeAlias = Callable[[Any, Claim], Details]
"""From a program and a claim about it to what readers are shown."""


class Explanations:
    """Listens to the progress of a run, and tells it with what engines left behind.

    Each property of a C program has an analysis, and so a history, of its own."""

    def __init__(self, source: LoadedSource, run: Run, emit: Callable[[Explored], None]) -> None:
        self._explain = _explainer(source, run)
        self._run = run
        self._emit = emit
        self._has_one_history = isinstance(source, GuardedSource | TemporalSource)
        self._history = NumbersOverTime()
        run.on_progress = self._note

    def _note(self, progress: Progress) -> None:
        self._history.add(self._run.elapsed(), progress.engine, progress.phase, progress.numbers)

    def tell(self, decision: Decision) -> None:
        """What was explored for a property whose verdict has been told."""
        claim = decision.claim
        if claim is not None and claim.explored is not None:
            self._emit(Explored(decision.result.name, self._details(decision.program, claim)))
        if not self._has_one_history:
            self._history = NumbersOverTime()

    def _details(self, program: Any, claim: Claim) -> dict[str, Any]:
        """Details are an extra: where there is no room or time for them, the verdict stands without."""
        try:
            details = self._explain(program, claim).to_json()
        except (Stopped, MemoryError, RecursionError):
            details = {}
        return {**details, "history": self._history.to_json()}


def _explainer(source: LoadedSource, run: Run) -> Explain:
    """Each engine leaves something else behind."""
    match source:
        case GuardedSource():
            return _guarded(run)
        case TemporalSource():
            return _temporal(source, run)
    return _c_program()


def _guarded(run: Run) -> Explain:
    from pincer.report.details_gcl import guarded_details

    # After a stop there is no time for questions.
    return lambda program, claim: guarded_details(claim, hurry=run.stop_reason is not None)


def _temporal(source: TemporalSource, run: Run) -> Explain:
    from pincer.report.details_temporal import ExplorationSource, temporal_details

    def explain(program: Any, claim: Claim) -> Details:
        explored = claim.explored
        found: Any = claim.run if isinstance(claim, Refuted) else None
        again = None if source.is_translated else ExplorationSource(explored.execution, run)
        return temporal_details(program, explored.tree, explored.graph, found, again)

    return explain


def _c_program() -> Explain:
    from pincer.engines.sequential import DashExploration
    from pincer.engines.termination.verify import RankedProgram
    from pincer.report.details_c import program_details

    def explain(program: Any, claim: Claim) -> Details:
        if isinstance(claim.explored, DashExploration):
            return program_details(program, claim)
        if isinstance(claim.explored, RankedProgram):
            from pincer.report.details_ranks import rank_details

            return rank_details(program, claim.explored)
        from pincer.report.details_threads import schedule_details

        return schedule_details(program, claim)

    return explain
