"""From a guarded-command program to one result per property, with evidence."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from pincer.engines.guarded import ase, ur
from pincer.engines.guarded.analysis import Analysis, initial_analysis
from pincer.engines.guarded.certificates import certificate
from pincer.engines.guarded.exploration import Node
from pincer.engines.guarded.limits import LIMITS
from pincer.engines.task import DEFAULTS, Options, PropertyResult
from pincer.errors import PincerError
from pincer.evidence.gcl.trace import Trace
from pincer.execution.paths import concrete_trace, solve_path
from pincer.execution.symbolic import initial_states
from pincer.logic.queries import Queries
from pincer.logic.solver import SolverUnknown
from pincer.logic.z3_solver import Z3Solver
from pincer.program.guarded import RANGE_PROPERTY, GuardedProgram
from pincer.program.lowering import lower
from pincer.program.property import Verdict
from pincer.program.transition_system import SafetyProperty, TransitionSystem
from pincer.runtime.run import Run, Stopped

ENGINES = ("auto", "ase", "ur")

OnExplored = Callable[[PropertyResult, TransitionSystem, Analysis], None]


def verify(
    program: GuardedProgram,
    engine: str = "auto",
    properties: Sequence[str] | None = None,
    options: Options = DEFAULTS,
    run: Run | None = None,
    on_result: Callable[[PropertyResult], None] | None = None,
    on_explored: OnExplored | None = None,
) -> list[PropertyResult]:
    """Check the named properties (all by default). Results keep the program's order.

    After `on_result`, `on_explored` gets to see the exploration that the result rests on.

    `range`, the property that finite variables keep to their types, is reported only when it does not hold for sure.
    """
    if engine not in ENGINES:
        raise PincerError(f"there is no engine {engine!r}; choose from {', '.join(ENGINES)}")
    name = "ase" if engine == "auto" else engine
    verification = _Verification(program, name, options, run or Run(), on_result, on_explored)
    return verification.results(properties)


def transition_system(program: GuardedProgram, queries: Queries) -> TransitionSystem:
    """The program as engines run it; a solver is asked only whether finite variables keep to their types."""
    return lower(program, partial(queries.valid, purpose="ranges"))


class _Verification:
    def __init__(
        self,
        program: GuardedProgram,
        engine: str,
        options: Options,
        run: Run,
        on_result: Callable[[PropertyResult], None] | None,
        on_explored: OnExplored | None = None,
    ) -> None:
        self.engine = engine
        self.options = options
        self.run = run
        self.on_result = on_result
        self.on_explored = on_explored
        self.queries = Queries(Z3Solver(), run)
        self.program = program
        self.done: dict[str, PropertyResult] = {}
        self.warnings: list[str] = []
        self.analysis: Analysis | None = None
        self.system: TransitionSystem | None = None
        self.started = time.perf_counter()

    def results(self, names: Sequence[str] | None) -> list[PropertyResult]:
        wanted = self._wanted_names(names)
        reason = ""
        declared = {p.name for p in self.program.properties}
        try:
            system = self.system = transition_system(self.program, self.queries)
            chosen = [p for p in system.properties if p.name in wanted]
            declared.update(p.name for p in chosen)
            if self.engine == "ur":
                ur.single_initial_state(system, self.queries)
            elif next(initial_states(system, self.queries), None) is None:
                self.warnings.append("no state satisfies `init`: every property holds vacuously")
            self._decide(system, chosen)
        except (Stopped, SolverUnknown) as stop:
            reason = self.run.stop_reason or str(stop)
            self._report_known_violations()
        for name in wanted:
            if name not in self.done and name in declared:
                self._report(self._result(name, "unknown", reason))
        ordered = [self.done[name] for name in wanted if name in self.done]
        return [r for r in ordered if r.name != RANGE_PROPERTY or r.verdict != "safe"]

    def _wanted_names(self, names: Sequence[str] | None) -> list[str]:
        known = [p.name for p in self.program.properties]
        for name in names or ():
            if name not in known:
                raise PincerError(f"there is no property {name!r}; the program has: {', '.join(known) or 'none'}")
        if not known:
            raise PincerError(f"{self.program.file} states no property; add one, as in `safety ok: x >= 0;`")
        return [name for name in known if names is None or name in names] + [RANGE_PROPERTY]

    def _decide(self, system: TransitionSystem, chosen: list[SafetyProperty]) -> None:
        joint = LIMITS.joint_iterations if len(chosen) > 1 else None
        limit = self.options.max_iterations
        together = initial_analysis(system, chosen)
        self._refine(
            system, together, min((n for n in (joint, limit) if n is not None), default=None), final=joint is None
        )
        for prop in chosen:
            if prop.name not in self.done:
                self._refine(system, initial_analysis(system, [prop]), limit, final=True)

    def _refine(self, system: TransitionSystem, analysis: Analysis, limit: int | None, final: bool) -> None:
        self.analysis = analysis
        steps: Iterator[Analysis]
        if self.engine == "ur":
            steps = ur.refine(system, analysis, self.queries, self.run, max_iterations=limit)
        else:
            steps = ase.refine(system, analysis, self.queries, self.run, paper=self.options.paper, max_iterations=limit)
        for current in steps:
            for violated in current.violations:
                self._report_violation(system, current, violated)
        if analysis.proof is not None:
            self._report_proof(system, analysis)
        elif final:
            for still_open in analysis.open_properties:
                name = analysis.properties[still_open].name
                self._report(self._result(name, "unknown", analysis.reason))

    def _report_violation(self, system: TransitionSystem, analysis: Analysis, violated: int) -> None:
        prop = analysis.properties[violated]
        if prop.name not in self.done:
            result = self._result(prop.name, "unsafe")
            result.trace = self._trace(system, prop, analysis.violations[violated])
            if result.trace is None:
                result.verdict, result.reason = "unknown", "internal: the violating path has no concrete execution"
            self._report(result)

    def _report_known_violations(self) -> None:
        """What the interrupted exploration had found; a last question may be needed to make it concrete."""
        if self.analysis is None or self.analysis.exploration is None or self.system is None:
            return
        self.analysis.note_violations()
        self.queries = Queries(Z3Solver(), Run(timeout=LIMITS.last_words_s), self.queries.by_purpose)
        try:
            for violated in self.analysis.violations:
                self._report_violation(self.system, self.analysis, violated)
        except (Stopped, SolverUnknown):
            return

    def _trace(self, system: TransitionSystem, prop: SafetyProperty, node: Node) -> Trace | None:
        path = node.path()
        steps = [n.transition for n in path[1:]]
        states = [n.state for n in path if isinstance(n.state, tuple)]
        if len(states) == len(path):
            return concrete_trace(system, prop, states, steps)
        root = path[0].state
        control = root[: len(system.domains)] if isinstance(root, tuple) else root.control
        return solve_path(system, prop, control, steps, self.queries)

    def _report_proof(self, system: TransitionSystem, analysis: Analysis) -> None:
        assert analysis.proof is not None
        names = [analysis.properties[i].name for i in sorted(analysis.open_properties)]
        proof = certificate(system, analysis.proof, names, self.engine)
        for name in names:
            result = self._result(name, "safe")
            result.check = analysis.proof.check
            result.certificate = proof
            self._report(result)

    def _result(self, name: str, verdict: Verdict, reason: str = "") -> PropertyResult:
        return PropertyResult(
            name=name,
            verdict=verdict,
            engine=self.engine,
            reason=reason,
            time_s=time.perf_counter() - self.started,
            statistics=self.analysis.statistics(self.queries) if self.analysis else {},
            warnings=list(self.warnings),
        )

    def _report(self, result: PropertyResult) -> None:
        """Hand a result over; what the receiver does with it is not on our clock."""
        self.done[result.name] = result
        if result.name == RANGE_PROPERTY and result.verdict == "safe":
            return
        before = time.perf_counter()
        if self.on_result is not None:
            self.on_result(result)
        if self.on_explored is not None and self.system is not None and self.analysis is not None:
            self.on_explored(result, self.system, self.analysis)
        self.started += time.perf_counter() - before
