"""What is asked of ASE and UR, and the state of the refinement loop that both are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import asdict

from pincer.abstraction.predicates import AbstractState, PredicateAbstraction, guard_predicates
from pincer.abstraction.refinement import is_exact
from pincer.abstraction.symmetry import Quotient, Symmetry
from pincer.engines.guarded.certificates import Proof
from pincer.engines.guarded.exploration import AbstractExploration, Node
from pincer.engines.guarded.limits import LIMITS
from pincer.engines.guarded.reduction import Groups, Reduced, reduced
from pincer.engines.guarded.spacer import GuessedInvariant
from pincer.evidence.gcl.trace import Trace
from pincer.logic.queries import Queries
from pincer.logic.solver import SolverUnknown
from pincer.logic.terms import Term
from pincer.program.transition_system import SafetyProperty, TransitionSystem
from pincer.runtime.run import Progress, Stopped


class GuardedSettings(Struct, frozen=True):
    """How to decide: `paper` follows the published exploration rules exactly, `max_iterations` bounds the refinement
    loop. With `whole` no steps are left out: an invariant is one of the program as it is written."""

    engine: Literal["ase", "ur"] = "ase"
    paper: bool = False
    max_iterations: int | None = None
    whole: bool = False


@dataclass
class RefinementLoop:
    """Where the refinement loop stands; complete when `open_properties` is empty or `reason` is set.

    `system` is what is explored, `whole` what it is reduced from by the `local` places.
    `violations` were explored, `traces` are those that guesses led to; `proof` is about all open properties, `proofs`
    are about one each."""

    system: TransitionSystem
    whole: TransitionSystem
    local: Groups
    queries: Queries
    properties: tuple[SafetyProperty, ...]
    predicates: list[Term]
    property_predicates: frozenset[Term]
    open_properties: set[int]
    iterations: int = 0
    prover_queries: int = 0
    exploration: AbstractExploration | None = None
    proof: Proof | GuessedInvariant | None = None
    violations: dict[int, Node] = field(default_factory=dict)
    traces: dict[int, Trace] = field(default_factory=dict)
    proofs: dict[int, GuessedInvariant] = field(default_factory=dict)
    reason: str = ""

    @property
    def predicate_count(self) -> int:
        """As the paper counts: without the atoms of the property itself."""
        return sum(p not in self.property_predicates for p in self.predicates)

    def explore(self, engine: str, symmetry: Symmetry | None = None) -> AbstractExploration:
        """The next iteration: an empty exploration over the present predicates, up to the symmetry."""
        self.iterations += 1
        self.publish(engine, "exploring")
        return self._empty(symmetry)

    def explore_again(self) -> AbstractExploration:
        """The same iteration anew, without symmetry."""
        return self._empty(None)

    def _empty(self, symmetry: Symmetry | None) -> AbstractExploration:
        abstraction = PredicateAbstraction(self.system, self.predicates, self.properties, self.queries)
        quotient = None if symmetry is None else Quotient(symmetry, abstraction)
        self.exploration = AbstractExploration(abstraction, quotient)
        return self.exploration

    def out_of_iterations(self, limit: int | None) -> bool:
        """Whether no further iteration is allowed, which becomes the reason."""
        if limit is None or self.iterations < limit:
            return False
        self.reason = f"no answer after {limit} iterations"
        return True

    def note_violations(self) -> None:
        """Take the violations of the last exploration over."""
        assert self.exploration is not None
        for violated, node in self.exploration.violations.items():
            if violated in self.open_properties:
                self.violations[violated] = node
                self.open_properties.discard(violated)

    def count_prover_queries(self, sources: Iterable[AbstractState]) -> None:
        """As the authors counted: one for each edge and each predicate whose pre-image no predicate decides."""
        assert self.exploration is not None
        abstraction = self.exploration.abstraction
        for source in sources:
            control, _ = abstraction.decode(source)
            for transition, targets in self.exploration.edges[source].items():
                self.prover_queries += len(targets) * len(abstraction.plan(transition, control).open)

    def statistics(self) -> dict[str, Any]:
        exploration, queries = self.exploration, self.queries
        return {
            "iterations": self.iterations,
            "predicates": self.predicate_count,
            "states": exploration.state_count if exploration else 0,
            "abstract_states": len(exploration.edges) if exploration else 0,
            "queries": queries.asked,
            "prover_queries": self.prover_queries,
            "solver_calls": queries.solver_calls,
            "solver_time_s": round(queries.solver_time_s, 6),
            **(edge_statistics(self.proof.exploration) if isinstance(self.proof, Proof) else {}),
            "queries_by_purpose": {name: asdict(s) for name, s in queries.by_purpose.items()},
        }

    def publish(self, engine: str, phase: str) -> None:
        """Show the numbers of this refinement while the phase lasts."""
        self.queries.run.watch(lambda: Progress(engine, phase, self._numbers()))

    def _numbers(self) -> dict[str, int]:
        exploration = self.exploration
        return {
            "iteration": self.iterations,
            "frontier": len(exploration.waiting) if exploration else 0,
            "predicates": len(self.predicates),
            "states": len(exploration.nodes) if exploration else 0,
            "abstract_states": len(exploration.edges) if exploration else 0,
            "queries": self.queries.solver_calls,
        }


def initial_refinement(
    system: TransitionSystem, properties: Sequence[SafetyProperty], queries: Queries, *, reduce: bool = False
) -> RefinementLoop:
    """Phi_0: the atoms of guards and properties (Fig. 4, line 2); `reduce` leaves out steps that may wait."""
    explored = reduced(system, properties, queries) if reduce else Reduced(system)
    guards = guard_predicates(system, [t.guard for t in system.transitions])
    wanted = guard_predicates(system, [p.formula for p in properties])
    return RefinementLoop(
        system=explored.system,
        whole=system,
        local=explored.groups,
        queries=queries,
        properties=tuple(properties),
        predicates=list(dict.fromkeys(guards + wanted)),
        property_predicates=frozenset(wanted) - frozenset(guards),
        open_properties=set(range(len(properties))),
    )


def edge_statistics(exploration: AbstractExploration) -> dict[str, int]:
    """The paper's exact edges and our closed steps among those of the fragment; nothing when that takes long."""
    if exploration.quotient is not None:
        return {}
    abstraction = exploration.abstraction
    steps = [
        (abstract, transition, targets)
        for abstract in exploration.fragment()
        for transition, targets in exploration.edges[abstract].items()
    ]
    if len(steps) > LIMITS.counted_steps:
        return {}
    edges = [(source, transition, target) for source, transition, targets in steps for target in targets]
    try:
        closed = sum(targets.issuperset(abstraction.successors(source, t)) for source, t, targets in steps)
        exact = sum(is_exact(abstraction, *edge) for edge in edges)
    except (Stopped, SolverUnknown):
        return {}
    return {
        "fragment_steps": len(steps),
        "closed_steps": closed,
        "fragment_edges": len(edges),
        "exact_edges": exact,
    }
