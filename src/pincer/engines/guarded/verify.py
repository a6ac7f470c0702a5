"""From a guarded-command program to one claim per property, with evidence."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, TypeAlias

from msgspec import Struct

from pincer.abstraction.symmetry import Quotient
from pincer.engines.guarded import ase, ur
from pincer.engines.guarded.analysis import GuardedSettings, RefinementLoop, initial_refinement
from pincer.engines.guarded.certificates import Proof, certificate
from pincer.engines.guarded.exploration import Node, executed
from pincer.engines.guarded.limits import LIMITS
from pincer.engines.guarded.spacer import GuessedInvariant
from pincer.engines.task import Claim, EngineTask, Open, Proved, Refuted
from pincer.errors import PincerError
from pincer.evidence.gcl.trace import Trace
from pincer.execution.paths import concrete_trace, solve_path
from pincer.execution.symbolic import initial_states
from pincer.logic.queries import Queries
from pincer.logic.solver import SolverUnknown
from pincer.logic.z3_solver import Z3Solver
from pincer.program.guarded import RANGE_PROPERTY, GuardedProgram
from pincer.program.lowering import lower
from pincer.program.transition_system import SafetyProperty, TransitionSystem
from pincer.runtime.reasons import Cause, Reason
from pincer.runtime.run import Run, Stopped

GuardedTask: TypeAlias = EngineTask[GuardedProgram, str, GuardedSettings]


class GuardedExploration(Struct, frozen=True):
    """The exploration that a claim rests on. It goes on: look at it before the next claim."""

    refinement: RefinementLoop


def verify(task: GuardedTask, run: Run) -> Iterator[Claim]:
    """Decide the named properties, all if none is named; claims come as soon as they are made.

    `range`, the property that finite variables keep to their types, is claimed only when it does not hold for sure.
    """
    return _Verification(task, run).claims()


def transition_system(program: GuardedProgram, queries: Queries) -> TransitionSystem:
    """The program as engines run it; a solver is asked only whether finite variables keep to their types."""
    return lower(program, partial(queries.valid, purpose="ranges"))


class _Verification:
    """The properties of one program being decided, and what is known so far."""

    def __init__(self, task: GuardedTask, run: Run) -> None:
        self.task = task
        self.engine = task.settings.engine
        self.queries = Queries(Z3Solver(), run)
        self.claimed: set[str] = set()
        self.warnings: tuple[str, ...] = ()
        self.refinement: RefinementLoop | None = None
        self.started = time.perf_counter()

    def claims(self) -> Iterator[Claim]:
        """What the receiver of a claim does with it is not on our clock."""
        for claim in self._made():
            self.claimed.add(claim.name)
            before = time.perf_counter()
            yield claim
            self.started += time.perf_counter() - before

    def _made(self) -> Iterator[Claim]:
        wanted = self._wanted_names()
        reason = Reason("the engine gave no reason")
        declared = {p.name for p in self.task.program.properties}
        try:
            system = transition_system(self.task.program, self.queries)
            chosen = [p for p in system.properties if p.name in wanted]
            declared.update(p.name for p in chosen)
            if self.engine == "ur":
                ur.single_initial_state(system, self.queries)
            elif next(initial_states(system, self.queries), None) is None:
                self.warnings = ("no state satisfies `init`: every property holds vacuously",)
            yield from self._decided(system, chosen)
        except (Stopped, SolverUnknown) as stop:
            reason = self.queries.run.stop_reason or Reason(str(stop))
            yield from self._known_violations()
        for name in wanted:
            if name not in self.claimed and name in declared:
                yield self._open(name, reason)

    def _wanted_names(self) -> list[str]:
        names, program = self.task.asked, self.task.program
        known = [p.name for p in program.properties]
        for name in names:
            if name not in known:
                raise PincerError(f"there is no property {name!r}; the program has: {', '.join(known) or 'none'}")
        if not known:
            raise PincerError(f"{program.file} states no property; add one, as in `safety ok: x >= 0;`")
        return [name for name in known if not names or name in names] + [RANGE_PROPERTY]

    def _decided(self, system: TransitionSystem, chosen: list[SafetyProperty]) -> Iterator[Claim]:
        joint = LIMITS.joint_iterations if len(chosen) > 1 else None
        limit = self.task.settings.max_iterations
        first = min((n for n in (joint, limit) if n is not None), default=None)
        yield from self._refined(self._initial(system, chosen), first, final=joint is None)
        for prop in chosen:
            if prop.name not in self.claimed:
                yield from self._refined(self._initial(system, [prop]), limit, final=True)

    def _initial(self, system: TransitionSystem, properties: list[SafetyProperty]) -> RefinementLoop:
        settings = self.task.settings
        reduce = settings.engine == "ase" and not settings.paper and not settings.whole
        return initial_refinement(system, properties, self.queries, reduce=reduce)

    def _refined(self, refinement: RefinementLoop, limit: int | None, final: bool) -> Iterator[Claim]:
        self.refinement = refinement
        if self.engine == "ur":
            steps = ur.refine(refinement, max_iterations=limit)
        else:
            steps = ase.refine(refinement, paper=self.task.settings.paper, max_iterations=limit)
        for current in steps:
            for violated in current.violations:
                yield from self._violation(current, violated)
            for violated, trace in current.traces.items():
                name = current.properties[violated].name
                if name not in self.claimed:
                    yield Refuted(run=trace, **self._account(name))
            for i, alone in current.proofs.items():
                yield from self._proved(refinement, alone, [current.properties[i].name])
        if refinement.proof is not None:
            names = [refinement.properties[i].name for i in sorted(refinement.open_properties)]
            yield from self._proved(refinement, refinement.proof, names)
        elif final:
            for still_open in refinement.open_properties:
                yield self._open(refinement.properties[still_open].name, Reason(refinement.reason))

    def _violation(self, refinement: RefinementLoop, violated: int) -> Iterator[Claim]:
        prop = refinement.properties[violated]
        if prop.name in self.claimed:
            return
        quotient = refinement.exploration.quotient if refinement.exploration else None
        trace = self._trace(refinement.system, prop, refinement.violations[violated], quotient)
        if trace is None:
            text = "internal: the violating path has no concrete execution"
            yield self._open(prop.name, Reason(text, Cause.INTERNAL))
        else:
            yield Refuted(run=trace, **self._account(prop.name))

    def _known_violations(self) -> Iterator[Claim]:
        """What the interrupted exploration had found; a last question may be needed to make it concrete."""
        if self.refinement is None or self.refinement.exploration is None:
            return
        self.refinement.note_violations()
        self.queries = Queries(Z3Solver(), Run(timeout=LIMITS.last_words_s), self.queries.by_purpose)
        try:
            for violated in self.refinement.violations:
                yield from self._violation(self.refinement, violated)
        except (Stopped, SolverUnknown):
            return

    def _trace(
        self, system: TransitionSystem, prop: SafetyProperty, node: Node, quotient: Quotient | None
    ) -> Trace | None:
        path = node.path()
        if quotient is not None:
            return concrete_trace(system, prop, *executed(quotient, path))
        steps = [n.transition for n in path[1:]]
        states = [n.state for n in path if isinstance(n.state, tuple)]
        if len(states) == len(path):
            return concrete_trace(system, prop, states, steps)
        root = path[0].state
        control = root[: len(system.domains)] if isinstance(root, tuple) else root.control
        return solve_path(system, prop, control, steps, self.queries)

    def _proved(
        self, refinement: RefinementLoop, proof: Proof | GuessedInvariant, properties: Sequence[str]
    ) -> Iterator[Claim]:
        """Properties by one proof; nobody asked about `range`, so that it holds is no claim."""
        names = [name for name in properties if name not in self.claimed]
        if not names:
            return
        written = certificate(refinement.system, proof, names, self.engine, refinement.local)
        for name in names:
            if name == RANGE_PROPERTY:
                self.claimed.add(name)
            else:
                yield Proved(proof=written, check=proof.check, **self._account(name))

    def _open(self, name: str, reason: Reason) -> Open:
        return Open(reason=reason, **self._account(name))

    def _account(self, name: str) -> dict[str, Any]:
        """What every claim tells besides."""
        explored = None
        if self.task.explain and self.refinement is not None:
            explored = GuardedExploration(self.refinement)
        return {
            "name": name,
            "engine": self.engine,
            "time_s": time.perf_counter() - self.started,
            "statistics": self.refinement.statistics() if self.refinement else {},
            "warnings": self.warnings,
            "explored": explored,
        }
