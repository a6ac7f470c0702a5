"""From a finished analysis to a certificate: Hoare triples whose invariants are the complements of unsafe regions.

A region is unsafe when the target may be reached from it in the abstraction. No transition leads from a safe region
into an unsafe one, so "in no unsafe region" is an inductive invariant at every location, together with the constants
that were propagated before the analysis and the loop invariants that excluded regions.

There are three kinds of triples: that a procedure keeps the constants, that it does not err, and that it does not
return in some states (a summary of a nested search).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec.structs import replace

from pincer.abstraction.weakest import Weakest
from pincer.analysis.constants import Constants
from pincer.engines.dash.algorithm import Dash
from pincer.engines.dash.errors import can_err
from pincer.engines.dash.goals import invariants_inside
from pincer.engines.dash.regions import Abstraction
from pincer.engines.invariants.houdini import supporting_facts
from pincer.engines.invariants.straight_runs import entry_value
from pincer.evidence.c_proof.certificate import CallUse, ProcedureProof
from pincer.execution.stepping import saved
from pincer.logic.bitvectors import width
from pincer.logic.terms import FALSE, TRUE, Term, conjunction, equal, negate, substitute, variable
from pincer.program.control_flow import Call, ControlFlowProgram, Edge, Procedure
from pincer.program.registers import is_global, is_local

Summary = tuple[str, Term]
Invariants = Mapping[int, Term]


def procedure_proofs(dash: Dash, program: ControlFlowProgram, constants: Constants) -> tuple[ProcedureProof, ...]:
    """The triples that together show that no error of a program is reachable: the entry procedure's comes first.

    The analysis was about the same program with its constants put in."""
    return _Proofs(dash, program, constants).all()


@dataclass
class _Proofs:
    dash: Dash
    program: ControlFlowProgram
    constants: Constants
    used: dict[Summary, None] = field(default_factory=dict)

    def __post_init__(self) -> None:
        dash = self.dash
        self.erring = can_err(self.program, dash.board.kind)
        self.names = {summary: f"{summary[0]}/{i}" for i, summary in enumerate(dash.summaries, 1)}
        weakest = Weakest(dash.program.layout, dash.program.top, dash.effects.__getitem__)
        procedures = dash.program.procedures.values()
        needed = supporting_facts(dash.board.facts, dash.needed, procedures, weakest, dash.questions)
        self.facts = {location: conjunction(*known) for location, known in needed.items()}
        self.known = {
            location: conjunction(*(equal(register, value) for register, value in known.items()))
            for location, known in self.constants.at.items()
        }

    def all(self) -> tuple[ProcedureProof, ...]:
        dash = self.dash
        self._exclude_errors()
        proofs = [proof for procedure in self._erring_procedures() for proof in self._error_free(procedure)]
        done = 0
        while done < len(self.used):
            proofs.append(self._summary(list(self.used)[done]))
            done += 1
        proofs += [self._inductive(name) for name in dash.help.summaries]
        proofs += [self._constant(procedure) for procedure in dash.program.procedures.values()]
        return tuple(proofs)

    def _erring_procedures(self) -> list[Procedure]:
        program = self.dash.program
        others = [p for name, p in program.procedures.items() if name in self.erring and name != program.entry]
        return [program.procedures[program.entry], *(p for p in others if p.entry in self.constants.at)]

    def _exclude_errors(self) -> None:
        """What each search has found out: for whom it counts, and where errors cannot be reached."""
        self.entered = {group.call: group for group in self.dash.main if group.call is not None}
        self.safe = {group: _safe(search.abstraction) for group, search in self.dash.main.items()}

    def _error_free(self, procedure: Procedure) -> Iterator[ProcedureProof]:
        """Triples without errors: one, or one for each call that errors in the procedure were looked for from."""
        sites = [group for group in self.entered.values() if group.procedure == procedure.name]
        shared = [group for group in self.dash.main if group not in sites]
        for groups in [[*shared, site] for site in sites] or [shared]:
            safe: dict[int, Term] = {}
            for group in groups:
                for location, states in self.safe[group].items():
                    safe[location] = conjunction(safe.get(location, TRUE), states)
            invariants = self._invariants(procedure, safe)
            calls = self._calls(procedure, [self.dash.main[group].abstraction for group in groups], self.erring)
            entry = invariants.get(procedure.entry, TRUE)
            name = self._error_free_name(procedure.name, groups[-1].call if sites else None)
            yield ProcedureProof(name, procedure.name, entry, TRUE, False, (), invariants, calls)

    def _error_free_name(self, procedure: str, call: Edge | None) -> str:
        if call is None or self.entered[call].procedure != procedure:
            return procedure
        return f"{procedure}@{list(self.entered).index(call)}"

    def _summary(self, summary: Summary) -> ProcedureProof:
        name, goal = summary
        procedure, abstraction = self.dash.program.procedures[name], self.dash.summaries[summary]
        invariants = self._invariants(procedure, _safe(abstraction))
        calls = self._calls(procedure, (abstraction,), frozenset())
        entry = invariants.get(procedure.entry, TRUE)
        proof = ProcedureProof(self.names[summary], name, entry, negate(goal), True, (), invariants, calls)
        return _with_ghosts(proof, _ghosts(self.dash, summary))

    def _inductive(self, name: str) -> ProcedureProof:
        """What every call of a recursive procedure establishes."""
        procedure, summary = self.dash.program.procedures[name], self.dash.help.summaries[name]
        invariants = self._invariants(procedure, summary.outline, loops=False)
        ghosts = {parameter: entry_value(parameter) for parameter in procedure.parameters}
        entry = conjunction(*(equal(ghost, parameter) for parameter, ghost in ghosts.items()))
        entry = conjunction(entry, self.known.get(procedure.entry, FALSE))
        widths = tuple((str(ghost.args[0]), width(ghost)) for ghost in ghosts.values())
        calls = self._calls(procedure, (), frozenset())
        claim = substitute(summary.claim, ghosts)
        return ProcedureProof(_inductive_name(name), name, entry, claim, True, widths, invariants, calls)

    def _constant(self, procedure: Procedure) -> ProcedureProof:
        """The procedure keeps constants constant, wherever it is called from."""
        invariants = self._invariants(procedure, {}, loops=False)
        entry = invariants.get(procedure.entry, TRUE)
        at_exit = self.constants.at.get(procedure.exit)
        kept = FALSE if at_exit is None else conjunction(
            *(equal(register, value) for register, value in at_exit.items() if self._outlives(procedure, register))
        )  # fmt: skip
        calls = self._calls(procedure, (), frozenset())
        return ProcedureProof(_constant_name(procedure.name), procedure.name, entry, kept, True, (), invariants, calls)

    @staticmethod
    def _outlives(procedure: Procedure, register: Term) -> bool:
        return is_global(register) or register is procedure.result

    def _invariants(self, procedure: Procedure, safe: Invariants, loops: bool = True) -> dict[int, Term]:
        found = {}
        for location in sorted({procedure.entry, procedure.exit, *(edge.source for edge in procedure.edges)}):
            facts = self.facts.get(location, TRUE) if loops else TRUE
            term = conjunction(self.known.get(location, FALSE), facts, safe.get(location, TRUE))
            if term is not TRUE:
                found[location] = term
        return found

    def _calls(
        self, procedure: Procedure, abstractions: Sequence[Abstraction], error_free: Iterable[str]
    ) -> dict[int, tuple[CallUse, ...]]:
        found = {}
        for index, edge in enumerate(procedure.edges):
            if not isinstance(edge.label, Call) or edge.source not in self.constants.at:
                continue
            uses = [CallUse(_constant_name(edge.label.procedure))]
            if edge.label.procedure in error_free:
                uses.append(
                    CallUse(self._error_free_name(edge.label.procedure, edge if edge in self.entered else None))
                )
            if edge.label.procedure in self.dash.help.summaries:
                parameters = self.dash.program.procedures[edge.label.procedure].parameters
                passed = zip(parameters, edge.label.arguments, strict=True)
                values = {str(entry_value(parameter).args[0]): argument for parameter, argument in passed}
                uses.append(CallUse(_inductive_name(edge.label.procedure), values))
            for abstraction in abstractions:
                for summary, depth in self.dash.uses.get((abstraction, edge), {}).items():
                    self.used[summary] = None
                    uses.append(CallUse(self.names[summary], _ghost_values(self.dash, summary, depth)))
            found[index] = tuple(uses)
        return found


def _inductive_name(procedure: str) -> str:
    return f"{procedure}/calls"


def _constant_name(procedure: str) -> str:
    return f"{procedure}/constants"


def _safe(abstraction: Abstraction) -> dict[int, Term]:
    found = {location: negate(states) for location, states in abstraction.unsafe().items()}
    for hop in abstraction.graph.hops:
        if len(hop.edges) > 1 and hop.target in found:
            found |= invariants_inside(hop, found[hop.target])
    return found


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
    own = set(dash.forest.tester.own_registers[name])
    mentioned = set(goal.variables)
    for term in _safe(dash.summaries[summary]).values():
        mentioned |= term.variables
    return sorted((r for r in mentioned if is_local(r) and r not in own), key=lambda register: register.id)


def _ghost_values(dash: Dash, summary: Summary, depth: int) -> dict[str, Term]:
    kept = (
        {saved(register, depth): register for register in dash.forest.tester.own_registers[summary[0]]} if depth else {}
    )
    return {_ghost_name(register): kept.get(register, register) for register in _ghosts(dash, summary)}
