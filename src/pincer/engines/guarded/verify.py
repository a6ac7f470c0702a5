"""From a guarded-command program to one result per property, with evidence."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial

from pincer.engines.guarded import ase, ur
from pincer.engines.guarded.analysis import GuardedOptions, Refinement, initial_refinement
from pincer.engines.guarded.certificates import Proof, certificate
from pincer.engines.guarded.exploration import Node
from pincer.engines.guarded.limits import LIMITS
from pincer.engines.task import PropertyResult
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

OnExplored = Callable[[PropertyResult, TransitionSystem, Refinement], None]
DEFAULTS = GuardedOptions()


def verify(
    program: GuardedProgram,
    options: GuardedOptions = DEFAULTS,
    run: Run | None = None,
    on_result: Callable[[PropertyResult], None] | None = None,
    on_explored: OnExplored | None = None,
) -> list[PropertyResult]:
    """Check the wanted properties. Results keep the program's order.

    After `on_result`, `on_explored` gets to see the exploration that the result rests on.

    `range`, the property that finite variables keep to their types, is reported only when it does not hold for sure.
    """
    if options.engine not in ENGINES:
        raise PincerError(f"there is no engine {options.engine!r}; choose from {', '.join(ENGINES)}")
    queries = Queries(Z3Solver(), run or Run())
    return _Verification(program, options, queries, on_result, on_explored).results()


def transition_system(program: GuardedProgram, queries: Queries) -> TransitionSystem:
    """The program as engines run it; a solver is asked only whether finite variables keep to their types."""
    return lower(program, partial(queries.valid, purpose="ranges"))


@dataclass
class _Verification:
    """The properties of one program being decided, and what is known so far."""

    program: GuardedProgram
    options: GuardedOptions
    queries: Queries
    on_result: Callable[[PropertyResult], None] | None
    on_explored: OnExplored | None
    done: dict[str, PropertyResult] = field(default_factory=dict)
    warnings: list[str] = field(default_factory=list)
    refinement: Refinement | None = None
    started: float = field(default_factory=time.perf_counter)

    @property
    def engine(self) -> str:
        return "ase" if self.options.engine == "auto" else self.options.engine

    def results(self) -> list[PropertyResult]:
        wanted = self._wanted_names(self.options.properties)
        reason = ""
        declared = {p.name for p in self.program.properties}
        try:
            system = transition_system(self.program, self.queries)
            chosen = [p for p in system.properties if p.name in wanted]
            declared.update(p.name for p in chosen)
            if self.engine == "ur":
                ur.single_initial_state(system, self.queries)
            elif next(initial_states(system, self.queries), None) is None:
                self.warnings.append("no state satisfies `init`: every property holds vacuously")
            self._decide(system, chosen)
        except (Stopped, SolverUnknown) as stop:
            reason = self.queries.run.stop_reason or str(stop)
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
        first = min((n for n in (joint, limit) if n is not None), default=None)
        self._refine(initial_refinement(system, chosen, self.queries), first, final=joint is None)
        for prop in chosen:
            if prop.name not in self.done:
                self._refine(initial_refinement(system, [prop], self.queries), limit, final=True)

    def _refine(self, refinement: Refinement, limit: int | None, final: bool) -> None:
        self.refinement = refinement
        if self.engine == "ur":
            steps = ur.refine(refinement, max_iterations=limit)
        else:
            steps = ase.refine(refinement, paper=self.options.paper, max_iterations=limit)
        for current in steps:
            for violated in current.violations:
                self._report_violation(current, violated)
        if refinement.proof is not None:
            self._report_proof(refinement, refinement.proof)
        elif final:
            for still_open in refinement.open_properties:
                name = refinement.properties[still_open].name
                self._report(self._result(name, "unknown", refinement.reason))

    def _report_violation(self, refinement: Refinement, violated: int) -> None:
        prop = refinement.properties[violated]
        if prop.name not in self.done:
            result = self._result(prop.name, "unsafe")
            result.trace = self._trace(refinement.system, prop, refinement.violations[violated])
            if result.trace is None:
                result.verdict, result.reason = "unknown", "internal: the violating path has no concrete execution"
            self._report(result)

    def _report_known_violations(self) -> None:
        """What the interrupted exploration had found; a last question may be needed to make it concrete."""
        if self.refinement is None or self.refinement.exploration is None:
            return
        self.refinement.note_violations()
        self.queries = Queries(Z3Solver(), Run(timeout=LIMITS.last_words_s), self.queries.by_purpose)
        try:
            for violated in self.refinement.violations:
                self._report_violation(self.refinement, violated)
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

    def _report_proof(self, refinement: Refinement, proof: Proof) -> None:
        names = [refinement.properties[i].name for i in sorted(refinement.open_properties)]
        written = certificate(refinement.system, proof, names, self.engine)
        for name in names:
            result = self._result(name, "safe")
            result.check = proof.check
            result.certificate = written
            self._report(result)

    def _result(self, name: str, verdict: Verdict, reason: str = "") -> PropertyResult:
        return PropertyResult(
            name=name,
            verdict=verdict,
            engine=self.engine,
            reason=reason,
            time_s=time.perf_counter() - self.started,
            statistics=self.refinement.statistics() if self.refinement else {},
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
        if self.on_explored is not None and self.refinement is not None:
            self.on_explored(result, self.refinement.system, self.refinement)
        self.started += time.perf_counter() - before
