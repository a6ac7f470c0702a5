"""What ASE tries beside exploring: regions before a violation, clauses learned one by one, and what Spacer says.

Each has its turns, of which the work that went into exploration decides, never the clock. What one says is an invariant
that becomes a proof, or a path that is followed.
"""

from __future__ import annotations

from pincer.engines.guarded.analysis import RefinementLoop
from pincer.engines.guarded.atoms import candidate_atoms
from pincer.engines.guarded.backward import BackwardSearch, NotLinear
from pincer.engines.guarded.clauses import clause_invariant
from pincer.engines.guarded.exploration import AbstractExploration
from pincer.engines.guarded.limits import LIMITS
from pincer.engines.guarded.spacer import GuessedInvariant, GuessedPath, guess
from pincer.execution.paths import solve_path
from pincer.execution.symbolic import initial_states
from pincer.logic.solver import SolverUnknown
from pincer.program.transition_system import SafetyProperty


class OtherTurns:
    """When something else is tried, and what becomes of the answers: regions before a violation, clauses, Spacer."""

    def __init__(self, refinement: RefinementLoop) -> None:
        self._refinement = refinement
        self._first = tuple(refinement.predicates)
        self._explored = 0
        self._turns = 0
        self._next_clauses = LIMITS.clause_after
        self._backward: BackwardSearch | None = None
        self._backward_about: frozenset[int] = frozenset()
        self._regions = LIMITS.regions
        self._pauses = 0

    def meanwhile(self) -> bool:
        """In the midst of an exploration that takes long: whether nothing is left to explore for."""
        self._refinement.note_violations()
        self._pauses += 1
        if not self._answered:
            self._look_back()
        if not self._answered and self._pauses % 2:
            self._ask_spacer()
        return self._answered

    def after(self, exploration: AbstractExploration) -> None:
        """Ask if enough was tried otherwise since the last time, or nothing else is left to try."""
        refinement = self._refinement
        self._explored += len(exploration.nodes)
        tried = self._tried
        if tried >= self._next_clauses and exploration.quotient is None:
            self._look_back()
            if not self._answered:
                self._learn(exploration)
        if not self._answered and tried >= LIMITS.spacer_after * LIMITS.spacer_growth**self._turns:
            self._ask_spacer()
        while refinement.reason and not self._answered and self._turns < LIMITS.spacer_turns:
            self._learn(exploration)
            if not self._answered:
                self._ask_spacer()

    @property
    def _tried(self) -> int:
        return self._explored + self._refinement.queries.solver_calls

    @property
    def _answered(self) -> bool:
        return self._refinement.proof is not None or not self._refinement.open_properties

    @property
    def _still_open(self) -> list[SafetyProperty]:
        return [self._refinement.properties[i] for i in sorted(self._refinement.open_properties)]

    def _look_back(self) -> None:
        refinement = self._refinement
        if not self._regions:
            return
        refinement.publish("ase", "looking back from the violation")
        try:
            if self._backward is None or self._backward_about != refinement.open_properties:
                self._backward = BackwardSearch(refinement.whole, self._still_open, refinement.queries)
                self._backward_about = frozenset(refinement.open_properties)
            found = self._backward.result(self._regions)
        except (NotLinear, SolverUnknown):
            self._regions = 0
            return
        self._regions *= 2
        if isinstance(found, GuessedInvariant):
            refinement.proof = found
        elif found is not None:
            self._follow(found)

    def _learn(self, exploration: AbstractExploration) -> None:
        refinement = self._refinement
        spent = refinement.queries.solver_calls // 2 + self._explored // LIMITS.states_per_question
        questions = max(LIMITS.clause_questions, spent)
        self._next_clauses = LIMITS.spacer_growth * max(self._tried, self._next_clauses)
        refinement.publish("ase", "learning clauses")
        atoms = candidate_atoms(exploration, self._first)
        share = questions // -(-len(refinement.open_properties) // 2)
        for i in sorted(refinement.open_properties):
            wanted = [refinement.properties[i]]
            found = clause_invariant(refinement.whole, wanted, atoms, refinement.queries, share)
            if isinstance(found, GuessedInvariant):
                refinement.proofs[i] = found
                refinement.open_properties.discard(i)
            elif found is not None:
                self._follow(found)

    def _ask_spacer(self) -> None:
        refinement = self._refinement
        work = LIMITS.spacer_work * LIMITS.spacer_growth**self._turns
        self._turns += 1
        refinement.publish("ase", "asking Spacer")
        found = guess(refinement.whole, self._still_open, refinement.queries, work)
        if isinstance(found, GuessedInvariant):
            refinement.proof = found
        elif found is not None:
            self._follow(found)

    def _follow(self, path: GuessedPath) -> None:
        """Note the properties that an execution along the path violates at its end."""
        refinement = self._refinement
        controls = [state.control for state in initial_states(refinement.whole, refinement.queries)]
        for i in sorted(refinement.open_properties):
            for control in controls:
                trace = solve_path(refinement.whole, refinement.properties[i], control, path.steps, refinement.queries)
                if trace is not None:
                    refinement.traces[i] = trace
                    refinement.open_properties.discard(i)
                    break
