"""What must be refuted before a proof is accepted: one formula per edge and claim, over the state before the edge.

Each formula is the negation of a claim, so the claim holds when the formula has no model. Claims that follow by looking
(the same condition before and after) have the formula `false`.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from pincer.errors import Position
from pincer.evidence.c_proof.certificate import CallUse, ProcedureProof
from pincer.evidence.c_proof.encoding import Encoder, State, Step
from pincer.evidence.c_proof.program_facts import ProgramFacts
from pincer.evidence.c_proof.smt import Node, Script
from pincer.logic import terms
from pincer.logic.terms import Term
from pincer.program.control_flow import Allocate, Call, Check, Edge
from pincer.program.thread_labels import ThreadOperation

SUBSUMPTION_WORK = 200_000
"""Pairs of alternatives that are compared by looking; with more of them the solver decides."""
SLICED_FROM = 8
"""Conditions before an edge from which on parts of them are tried first."""


class Obligation(Struct, frozen=True):
    """A claim about one place of one part of a proof; `claim` says what is wrong when it is not proved.

    That an allocation is not larger than what the memory model stands for is a claim about the program alone: whoever
    lowers it to edges puts a condition right before the allocation. It comes with the main proof.
    """

    kind: Literal["initial", "allocation", "entry", "error", "edge", "exit"]
    proof: ProcedureProof
    claim: str
    position: Position
    edge: Edge | None = None
    uses: tuple[CallUse, ...] = ()

    def text(self) -> str:
        return f"{self.position}: {self.proof.id}: {self.claim}"


def obligations(facts: ProgramFacts, proofs: Mapping[str, ProcedureProof], main: str) -> Iterator[Obligation]:
    """Everything that makes the triples valid, given each other, and the main one apply to the initial states."""
    start = facts.program.procedures[proofs[main].procedure].position
    yield Obligation("initial", proofs[main], "the initial states do not satisfy the entry condition", start)
    for _, edge in facts.open_allocations():
        claim = f"this may allocate more than the {facts.largest_object} bytes that are modelled"
        yield Obligation("allocation", proofs[main], claim, edge.position, edge)
    for proof in proofs.values():
        yield from _of_proof(facts, proof)


def _of_proof(facts: ProgramFacts, proof: ProcedureProof) -> Iterator[Obligation]:
    procedure = facts.program.procedures[proof.procedure]
    position = procedure.position
    yield Obligation("entry", proof, "the entry condition does not imply the invariant of the entry", position)
    for index, edge in enumerate(procedure.edges):
        uses = proof.calls.get(index, ())
        if not proof.errors and _can_err(facts, edge):
            yield Obligation("error", proof, _error_claim(facts, edge), edge.position, edge, uses)
        what = type(edge.label).__name__.lower()
        claim = f"the invariant of location {edge.target} does not follow after this {what}"
        yield Obligation("edge", proof, claim, edge.position, edge, uses)
    yield Obligation("exit", proof, "the invariant of the exit does not imply the exit condition", position)


def _can_err(facts: ProgramFacts, edge: Edge) -> bool:
    return edge.label.procedure in facts.erring if isinstance(edge.label, Call) else facts.may_err(edge)


def _error_claim(facts: ProgramFacts, edge: Edge) -> str:
    match edge.label:
        case Call(procedure):
            return f"the call of {procedure} is not covered by a proof without errors"
        case Check(_, _, message):
            return f"this may go wrong: {message}"
        case label:
            return f"this {type(label).__name__.lower()} may be reached"


class ObligationWriter:
    """The formulas of obligations, for one program."""

    def __init__(self, encoder: Encoder, proofs: Mapping[str, ProcedureProof]) -> None:
        self._encoder = encoder
        self._script: Script = encoder.script
        self._procedures = encoder.facts.program.procedures
        self._proofs = proofs

    def sliced(self, obligation: Obligation) -> list[Node] | None:
        """Smaller formulas than `formula`: if none has a model, the claim is right. None when it has no such parts.

        A claim with many conditions on both sides is taken apart by conditions after the edge; each is to follow from
        those before the edge that are about the same registers, unless it is one of them.
        """
        proof, edge = obligation.proof, obligation.edge
        if obligation.kind != "edge" or edge is None:
            return None
        before, after = _invariant(proof, edge.source), _invariant(proof, edge.target)
        if before.op == "or" or after.op == "or":
            return None
        known = self._conjuncts(before, self._encoder.before)
        step = None if len(known) < SLICED_FROM else self._taken(edge, obligation.uses, known)
        if step is None:
            return None
        goals = [goal for goal in self._conjuncts(after, step.after) if goal not in known and not goal.is_true]
        return [self._slice(known, step.guard, goal) for goal in goals]

    def _slice(self, known: Mapping[Node, None], guard: Node, goal: Node) -> Node:
        about = goal.variables | guard.variables
        kept = [part for part in known if part.variables <= about]
        return self._refutable([*kept, guard, self._script.negation(goal)])

    def formula(self, obligation: Obligation) -> Node:
        """A formula without a model if, and with exact memory only if, the claim is right."""
        proof, edge = obligation.proof, obligation.edge
        stay = Step(self._script.true, self._encoder.before)
        procedure = self._procedures[proof.procedure]
        if obligation.kind == "initial":
            return self._script.negation(self._encoder.encode(proof.entry, self._encoder.initial()))
        if obligation.kind == "entry":
            return self._step(proof.entry, stay, _invariant(proof, procedure.entry))
        if edge is None:
            return self._step(_invariant(proof, procedure.exit), stay, proof.exit)
        if obligation.kind == "allocation":
            return self._oversized(edge)
        source = _invariant(proof, edge.source)
        if obligation.kind == "error":
            return self._error(source, edge, obligation.uses)
        if source is terms.FALSE:
            return self._script.false
        step = self._taken(edge, obligation.uses)
        return self._script.false if step is None else self._step(source, step, _invariant(proof, edge.target))

    def _oversized(self, edge: Edge) -> Node:
        """Where an allocation is too large, whichever edge leads to it."""
        encoder, script = self._encoder, self._script
        assert isinstance(edge.label, Allocate)
        procedure = next(p for p in self._procedures.values() if edge in p.edges)
        ways = []
        for incoming in procedure.incoming.get(edge.source, ()):
            step = self._taken(incoming, ())
            if step is not None:
                ways.append(script.conjunction((step.guard, encoder.oversized(edge.label, step.after))))
        if edge.source == procedure.entry:
            ways.append(encoder.oversized(edge.label, encoder.before))
        return self._refutable([script.disjunction(ways)])

    def _error(self, source: Term, edge: Edge, uses: tuple[CallUse, ...]) -> Node:
        """Where an edge that starts in its invariant goes wrong."""
        encoder, script = self._encoder, self._script
        match edge.label:
            case Call() as label:
                covered = [self._entry(label, use) for use in uses if not self._proofs[use.proof].errors]
                wrong = script.negation(script.disjunction(covered))
            case Check(_, condition):
                wrong = script.negation(encoder.encode(condition, encoder.before))
            case _:
                wrong = script.true
        return self._refutable([encoder.encode(source, encoder.before), wrong])

    def _taken(self, edge: Edge, uses: tuple[CallUse, ...], known: Container[Node] = ()) -> Step | None:
        """The edge relation, None where paths end: what a library of threads does is not known, so it is an error."""
        match edge.label:
            case Call() as label:
                return self._call(label, uses)
            case ThreadOperation():
                return None
            case label:
                return self._encoder.step(label, known)

    def _entry(self, call: Call, use: CallUse) -> Node:
        """The entry condition of a triple of the callee, in the caller's state."""
        before = self._encoder.before
        parameters = self._procedures[call.procedure].parameters
        values = {
            str(parameter.args[0]): self._encoder.encode(argument, before)
            for parameter, argument in zip(parameters, call.arguments, strict=True)
        }
        state = replace(before, changed={**values, **self._ghosts(use)}, memo={})
        return self._encoder.encode(self._proofs[use.proof].entry, state)

    def _ghosts(self, use: CallUse) -> dict[str, Node]:
        return {name: self._encoder.encode(value, self._encoder.before) for name, value in use.ghost_values.items()}

    def _call(self, call: Call, uses: tuple[CallUse, ...]) -> Step:
        """A call and its return: what the callee cannot change stays, and the triples used say the rest."""
        encoder, script = self._encoder, self._script
        known, returned = encoder.returned(call.procedure)
        kept, result = dict(returned.changed), self._procedures[call.procedure].result
        value = None if result is None else encoder.any_result(result.sort.width or 1)
        guards = [known]
        for use in uses:
            values = {**kept, **self._ghosts(use)}
            if result is not None and value is not None:
                values[str(result.args[0])] = value
            exit_ = encoder.encode(self._proofs[use.proof].exit, replace(returned, changed=values, memo={}))
            guards.append(script.implication(self._entry(call, use), exit_))
        if call.result is not None:
            kept[str(call.result.args[0])] = value or encoder.any_result(call.result.sort.width or 1)
        return Step(script.conjunction(guards), replace(returned, changed=kept, memo={}))

    def _step(self, before: Term, step: Step, after: Term) -> Node:
        """`before`, and the step, and not `after`; alternatives that evidently lead to `after` are left out."""
        encoder, script = self._encoder, self._script
        if after is terms.TRUE:
            return script.false
        goals = [self._conjuncts(part, step.after) for part in _alternatives(after)]
        sources = [self._conjuncts(part, encoder.before) for part in _alternatives(before)]
        left = _unsettled(sources, goals, step.guard)
        if not left:
            return script.false
        known = {*set.intersection(*(set(parts) for parts in left)), step.guard}
        source = script.disjunction(script.conjunction(parts) for parts in left)
        goal = script.disjunction(script.conjunction(part for part in parts if part not in known) for parts in goals)
        return self._refutable([source, step.guard, script.negation(goal)])

    def _conjuncts(self, term: Term, state: State) -> dict[Node, None]:
        parts = term.args if term.op == "and" else (term,)
        return {self._encoder.encode(part, state): None for part in parts}

    def _refutable(self, parts: list[Node]) -> Node:
        """The conjunction, with what holds in every state; `false` when it evidently has no model."""
        formula = self._script.conjunction(parts)
        if formula.is_false:
            return formula
        return self._script.conjunction([*self._encoder.standing_facts(formula), *parts])


def _invariant(proof: ProcedureProof, location: int) -> Term:
    return proof.invariants.get(location, terms.TRUE)


def _alternatives(term: Term) -> tuple[Term, ...]:
    return term.args if term.op == "or" else (term,)


def _unsettled(sources: list[dict[Node, None]], goals: list[dict[Node, None]], guard: Node) -> list[dict[Node, None]]:
    """The alternatives of the source that do not obviously imply one of the goal.

    One does when it has all conditions of an alternative of the goal, or has a condition that is false.
    """
    exact = {frozenset(node for node in goal if not node.is_true) for goal in goals}
    if frozenset() in exact:
        return []
    compared = exact if len(exact) * len(sources) <= SUBSUMPTION_WORK else set()
    left = []
    for source in sources:
        have = {*source, guard}
        if any(node.is_false for node in have) or frozenset(source) in exact:
            continue
        if not any(goal <= have for goal in compared):
            left.append(source)
    return left
