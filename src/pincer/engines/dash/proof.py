"""From a finished analysis to a certificate: Hoare triples whose invariants are the complements of unsafe regions.

A region is unsafe when the target may be reached from it in the abstraction. No transition leads from a safe region
into an unsafe one, so "in no unsafe region" is an inductive invariant at every location.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from pincer.engines.dash.algorithm import Dash
from pincer.engines.dash.loops.facts import needed_facts
from pincer.engines.dash.regions import Abstraction, union
from pincer.evidence.c_proof.certificate import CallUse, ProcedureProof
from pincer.execution.stepping import saved
from pincer.logic.bitvectors import width
from pincer.logic.terms import TRUE, Term, conjunction, negate, substitute, variable
from pincer.program.control_flow import Call, Procedure
from pincer.program.effects import is_local

Summary = tuple[str, Term]


def procedure_proofs(dash: Dash) -> tuple[ProcedureProof, ...]:
    """The triples that together show that no error is reachable: the entry procedure's comes first."""
    erring = can_err(dash)
    names = {summary: f"{summary[0]}/{i}" for i, summary in enumerate(dash.summaries, 1)}
    main = dash.main.abstraction
    facts = needed_facts(dash)
    invariants = _safe(main, facts)
    used: dict[Summary, None] = {}
    proofs = [
        _proof(dash, procedure, main, invariants, names, used, erring, None)
        for procedure in _entry_first(dash)
        if procedure.name in erring or procedure.name == dash.program.entry
    ]
    done = 0
    while done < len(used):
        name, goal = summary = list(used)[done]
        done += 1
        abstraction = dash.summaries[summary]
        invariants = _safe(abstraction, facts)
        procedure = dash.program.procedures[name]
        proofs.append(_proof(dash, procedure, abstraction, invariants, names, used, erring, goal))
    return tuple(proofs)


def _entry_first(dash: Dash) -> list[Procedure]:
    procedures = dash.program.procedures
    return [procedures[dash.program.entry], *(p for name, p in procedures.items() if name != dash.program.entry)]


def can_err(dash: Dash) -> set[str]:
    """Procedures from which an error edge can be reached through calls."""
    sources = {edge.source for edge in dash.error_edges}
    erring = {
        name for name, procedure in dash.program.procedures.items() if any(e.source in sources for e in procedure.edges)
    }
    changed = True
    while changed:
        changed = False
        for name, procedure in dash.program.procedures.items():
            if name not in erring and any(
                isinstance(edge.label, Call) and edge.label.procedure in erring for edge in procedure.edges
            ):
                erring.add(name)
                changed = True
    return erring


def _safe(abstraction: Abstraction, facts: Mapping[int, Iterable[Term]]) -> dict[int, Term]:
    invariants = {location: negate(union(regions)) for location, regions in abstraction.unsafe().items()}
    for location, known in facts.items():
        invariants[location] = conjunction(invariants.get(location, TRUE), *known)
    return invariants


def _proof(
    dash: Dash, procedure: Procedure, abstraction: Abstraction, invariants: dict[int, Term],
    names: Mapping[Summary, str], used: dict[Summary, None], erring: set[str], goal: Term | None,
) -> ProcedureProof:  # fmt: skip
    calls: dict[int, tuple[CallUse, ...]] = {}
    for index, edge in enumerate(procedure.edges):
        if not isinstance(edge.label, Call):
            continue
        uses = [] if goal is not None or edge.label.procedure not in erring else [CallUse(edge.label.procedure)]
        for summary, depth in dash.uses.get((abstraction, edge), {}).items():
            used[summary] = None
            uses.append(CallUse(names[summary], _ghost_values(dash, summary, depth)))
        if uses:
            calls[index] = tuple(uses)
    locations = {procedure.entry, procedure.exit, *(edge.source for edge in procedure.edges)}
    own = {location: term for location, term in invariants.items() if location in locations}
    entry = own.get(procedure.entry, TRUE)
    if goal is None:
        return ProcedureProof(procedure.name, procedure.name, entry, TRUE, False, (), own, calls)
    return _with_ghosts(
        ProcedureProof(names[procedure.name, goal], procedure.name, entry, negate(goal), True, (), own, calls),
        _ghosts(dash, (procedure.name, goal)),
    )


def _with_ghosts(proof: ProcedureProof, callers: Iterable[Term]) -> ProcedureProof:
    """A proof whose mentions of callers' registers are ghosts."""
    ghosts = {register: variable(_ghost_name(register), register.sort) for register in callers}
    calls = {
        index: tuple(
            CallUse(use.proof, {name: substitute(value, ghosts) for name, value in use.ghost_values.items()})
            for use in uses
        )
        for index, uses in proof.calls.items()
    }
    return replace(
        proof,
        entry=substitute(proof.entry, ghosts),
        exit=substitute(proof.exit, ghosts),
        ghosts=tuple((_ghost_name(register), width(register)) for register in ghosts),
        invariants={location: substitute(term, ghosts) for location, term in proof.invariants.items()},
        calls=calls,
    )


def _ghost_name(register: Term) -> str:
    return f"@{register.args[0]}"


def _ghosts(dash: Dash, summary: Summary) -> list[Term]:
    """Registers of callers that a summary speaks of."""
    name, goal = summary
    own = set(dash.tester.own_registers[name])
    mentioned = set(goal.variables)
    for term in _safe(dash.summaries[summary], {}).values():
        mentioned |= term.variables
    return sorted((r for r in mentioned if is_local(r) and r not in own), key=lambda register: register.id)


def _ghost_values(dash: Dash, summary: Summary, depth: int) -> dict[str, Term]:
    kept = {saved(register, depth): register for register in dash.tester.own_registers[summary[0]]} if depth else {}
    return {
        _ghost_name(register): kept.get(register, register) for register in _ghosts(dash, summary)
    }
