"""What the worker process collects for the HTML report, and only then: one `details` event for each property."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from pincer.report.details import Details, History
from pincer.runtime.run import Progress, Run, Stopped

if TYPE_CHECKING:
    from pincer.checking.worker import Emit
    from pincer.engines.dash.algorithm import Dash
    from pincer.engines.guarded.analysis import Refinement
    from pincer.engines.task import PropertyResult
    from pincer.engines.threads.task import ThreadOptions, ThreadResult
    from pincer.execution.msvl import Options
    from pincer.execution.trees import Tree
    from pincer.frontends.msvl import Program
    from pincer.program.control_flow import ControlFlowProgram, Edge
    from pincer.program.transition_system import TransitionSystem
    from pincer.temporal.lnfg import Lnfg


class DetailsCollector:
    """Listens to the progress of a run, and sends it with what engines left behind.

    What takes time is kept until the verdict has been sent."""

    def __init__(self, run: Run, emit: Emit) -> None:
        self._run = run
        self._emit = emit
        self._history = History()
        self._kept: dict[str, Callable[[], Details]] = {}
        run.on_progress = self._note

    def _note(self, progress: Progress) -> None:
        self._history.add(self._run.elapsed(), progress.engine, progress.phase, progress.numbers)

    def _send(self, name: str, make: Callable[[], Details]) -> None:
        """Details are an extra: where there is no room or time for them, the verdict stands without."""
        try:
            details = make().to_json()
        except (Stopped, MemoryError, RecursionError):
            details = {}
        self._emit("details", {"name": name, **details, "history": self._history.to_json()})

    def explored_model(self, result: PropertyResult, system: TransitionSystem, analysis: Refinement) -> None:
        """The engines of guarded commands have decided a property; after a stop there is no time for questions."""
        from pincer.report.details_gcl import guarded_details

        hurry = self._run.stop_reason is not None
        self._send(result.name, partial(guarded_details, system, analysis, result, hurry))

    def explored_program(
        self, name: str, program: ControlFlowProgram, result: PropertyResult, dash: Dash, passed: set[Edge]
    ) -> None:
        """DASH is done with a property, for the first time or once more."""
        from pincer.report.details_c import program_details

        self._kept[name] = partial(program_details, program, result, dash, passed)

    def searched_schedules(
        self, program: ControlFlowProgram, name: str, result: ThreadResult, options: ThreadOptions
    ) -> None:
        """A search over schedules has ended, and its verdict was sent."""
        from pincer.report.details_threads import schedule_details

        self._send(name, partial(schedule_details, program, result, options.execution_limits))

    def explored_temporally(
        self, program: Program, options: Options | None, result: PropertyResult, tree: Tree, graph: Lnfg | None
    ) -> None:
        """A temporal property has been decided; without `options`, of a program that was translated."""
        from pincer.report.details_temporal import Source, temporal_details

        source = None if options is None else Source(options, self._run)
        found = result.counterexample
        self._kept[result.name] = partial(temporal_details, program, tree, graph, found, source)

    def send_kept(self, name: str) -> None:
        """Send what was kept about a property."""
        make = self._kept.pop(name, None)
        if make is not None:
            self._send(name, make)

    def begin(self) -> None:
        """The next property has an analysis, and so a history, of its own."""
        self._history = History()


def collector_for(request: Mapping[str, Any], run: Run, emit: Emit) -> DetailsCollector | None:
    """The collector of a request that asks for a report, otherwise None."""
    return DetailsCollector(run, emit) if request.get("report") else None
