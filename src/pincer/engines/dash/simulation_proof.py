"""Proofs by property simulation: what values registers take is enough to exclude all errors.

Each context of the simulation is a Hoare triple. Its invariants are the environments of each location, as a
disjunction.
"""

from __future__ import annotations

from pincer.analysis.relevance import relevant_registers
from pincer.analysis.simulation import Context, Simulation, TooManyEnvironments, simulate
from pincer.evidence.c_proof.certificate import CallUse, ProcedureProof
from pincer.logic.terms import Term, disjunction
from pincer.program.control_flow import ControlFlowProgram, Fail, ThreadCall, Unsupported
from pincer.runtime.run import Run

SHARE = 0.4
"""Of the time that is left."""


def excluding_simulation(program: ControlFlowProgram, run: Run) -> Simulation | None:
    """A simulation in which no assertion fails and nothing that is not modelled is reached.

    More and more registers are tracked, those near the errors first, until one is found or no more are relevant."""
    left = run.remaining()
    until = float("inf") if left is None else run.elapsed() + SHARE * left
    errors = frozenset(edge for edge in program.edges() if isinstance(edge.label, Fail | Unsupported | ThreadCall))
    for tracked in relevant_registers(program, errors):
        try:
            simulation = simulate(program, tracked, errors, run, until)
        except TooManyEnvironments:
            return None
        if not simulation.reached:
            return simulation
    return None


def simulation_proofs(simulation: Simulation) -> tuple[ProcedureProof, ...]:
    """The triples of a simulation that reaches no error: the entry procedure's comes first."""
    names = {context: f"{context.procedure.name}/{i}" for i, context in enumerate(simulation.contexts)}
    return tuple(_proof(context, names) for context in simulation.contexts)


def _proof(context: Context, names: dict[Context, str]) -> ProcedureProof:
    procedure = context.procedure
    places = {procedure.entry, procedure.exit, *(edge.source for edge in procedure.edges)}
    calls = {
        index: tuple(CallUse(names[used]) for used in dict.fromkeys(context.calls[edge].values()))
        for index, edge in enumerate(procedure.edges)
        if edge in context.calls
    }
    return ProcedureProof(
        id=names[context],
        procedure=procedure.name,
        entry=context.entry.formula,
        exit=_known_at(context, procedure.exit),
        invariants={place: _known_at(context, place) for place in sorted(places)},
        calls=calls,
    )


def _known_at(context: Context, location: int) -> Term:
    return disjunction(*(environment.formula for environment in context.at.get(location, ())))
