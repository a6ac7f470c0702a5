"""Proofs by property simulation: what values registers take is enough to exclude all errors.

Each context of the simulation is a Hoare triple. Its invariants are the environments of each location, as a
disjunction.
"""

from __future__ import annotations

from collections.abc import Generator
from contextlib import suppress

from pincer.analysis.error_distances import ErrorDistances
from pincer.analysis.relevance import relevant_registers
from pincer.analysis.simulation import SimulatedCall, Simulation, TooManyEnvironments, simulating
from pincer.engines.board import Board, Holds, NoAnswer
from pincer.engines.portfolio import Allowance, Ended, Going
from pincer.evidence.c_proof.certificate import CallUse, ProcedureProof
from pincer.logic.bitvectors import variable, width
from pincer.logic.terms import Term, conjunction, disjunction, equal, substitute
from pincer.program.control_flow import Call, ControlFlowProgram, Fail, Unsupported
from pincer.program.thread_labels import ThreadOperation
from pincer.runtime.run import Run


class PropertySimulation:
    """The strategy. A simulation in which no error is reached is a proof; otherwise the most exact one that comes to
    its end tells the others how far errors are."""

    def __init__(self, board: Board) -> None:
        self._board = board
        self._steps = last_simulation(board.program, board.run)
        self.simulation: Simulation | None = None

    def step(self, budget: Allowance) -> Going | Ended | Holds | NoAnswer:
        try:
            for _ in range(budget.steps):
                next(self._steps)
        except StopIteration as done:
            return self._conclusion(done.value)
        return Going(budget)

    def _conclusion(self, found: Simulation | None) -> Ended | Holds | NoAnswer:
        if found is None:
            return Ended("registers take too many values")
        if found.reached:
            self._board.distances = ErrorDistances(found)
            return Ended("errors are reached with the values that registers take")
        self.simulation = found
        reason = self._board.objection()
        return NoAnswer(reason) if reason else Holds("simulation", simulation_proofs(found))


def last_simulation(program: ControlFlowProgram, run: Run) -> Generator[None, None, Simulation | None]:
    """A simulation in which no assertion fails and nothing that is not modelled is reached; if there is none, the most
    exact one that comes to its end.

    More and more registers are tracked, those near the errors first, until one is found or no more are relevant."""
    errors = frozenset(edge for edge in program.edges() if isinstance(edge.label, Fail | Unsupported | ThreadOperation))
    most: frozenset[Term] | None = None
    with suppress(TooManyEnvironments):
        for tracked in relevant_registers(program, errors):
            simulation = yield from simulating(program, tracked, errors, run)
            if not simulation.reached:
                return simulation
            most = tracked
    with suppress(TooManyEnvironments):
        if most is not None:
            return (yield from simulating(program, most, errors, run, to_the_end=True))
    return None


def simulation_proofs(simulation: Simulation) -> tuple[ProcedureProof, ...]:
    """The triples of a simulation that reaches no error: the entry procedure's comes first."""
    names = {context: f"{context.procedure.name}/{i}" for i, context in enumerate(simulation.contexts)}
    return tuple(_proof(context, names) for context in simulation.contexts)


def _proof(context: SimulatedCall, names: dict[SimulatedCall, str]) -> ProcedureProof:
    procedure = context.procedure
    places = {procedure.entry, procedure.exit, *(edge.source for edge in procedure.edges)}
    ghosts = _ghosts(context)
    same = conjunction(*(equal(parameter, ghost) for parameter, ghost in ghosts.items()))
    calls = {
        index: tuple(_use(edge.label, used, names[used]) for used in dict.fromkeys(context.calls[edge].values()))
        for index, edge in enumerate(procedure.edges)
        if edge in context.calls and isinstance(edge.label, Call)
    }
    return ProcedureProof(
        id=names[context],
        procedure=procedure.name,
        entry=conjunction(context.entry.formula, same),
        exit=substitute(_known_at(context, procedure.exit), ghosts),
        invariants={place: conjunction(_known_at(context, place), same) for place in sorted(places)},
        calls=calls,
        ghosts=tuple((str(ghost.args[0]), width(ghost)) for ghost in ghosts.values()),
    )


def _ghosts(context: SimulatedCall) -> dict[Term, Term]:
    """Names for the arguments, by parameter, where the environments at the exit speak of parameters."""
    exits = context.at.get(context.procedure.exit, ())
    mentioned = {
        register for environment in exits for literal in environment.literals for register in literal.variables
    }
    return {
        parameter: variable(f"{parameter.args[0]}@call", width(parameter))
        for parameter in context.procedure.parameters
        if parameter in mentioned
    }


def _use(call: Call, used: SimulatedCall, name: str) -> CallUse:
    arguments = dict(zip(used.procedure.parameters, call.arguments, strict=False))
    return CallUse(name, {str(ghost.args[0]): arguments[parameter] for parameter, ghost in _ghosts(used).items()})


def _known_at(context: SimulatedCall, location: int) -> Term:
    return disjunction(*(environment.formula for environment in context.at.get(location, ())))
