"""Inductive summaries of recursive procedures: what every call establishes between its arguments and its result.

A summary is a formula over the values of the parameters at the entry and the result. Candidates come from the question
that is asked of a call and from the calls that tests have made, also under bounds of parameters that callers may know
of. They are kept if each follows when all are assumed of the calls inside. Procedures with loops, and such as change
memory or global registers, are left alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from msgspec import Struct

from pincer.engines.invariants.limits import LIMITS
from pincer.engines.invariants.relations import linear_equations
from pincer.engines.invariants.sight import numbers_in
from pincer.engines.invariants.straight_runs import RunBetweenLoops, backward, entry_value, reached, runs_through
from pincer.engines.questions import Questions
from pincer.execution.machine import World
from pincer.logic import bitvectors, terms
from pincer.logic.bitvector_projection import over_approximate
from pincer.logic.bitvectors import linear_parts, signed, width
from pincer.logic.solver import SolverUnknown
from pincer.logic.terms import TRUE, Term, conjunction, disjunction, negate, substitute
from pincer.program.control_flow import (
    Assign,
    Assume,
    Call,
    Check,
    ControlFlowProgram,
    Edge,
    Input,
    Procedure,
    Skip,
)
from pincer.program.effects import ProcedureEffects
from pincer.program.graphs import cycles
from pincer.program.labels import NOT_FOLLOWED

Samples = Callable[[str], Sequence[Mapping[Term, int]]]


class Inductive(Struct, frozen=True):
    """A summary with its proof outline: formulas over registers and entry values, by location."""

    claim: Term
    outline: Mapping[int, Term]


@dataclass
class Recursion:
    """The summaries of one program; `samples` gives parameters and result of finished calls in tests."""

    program: ControlFlowProgram
    effects: Mapping[str, ProcedureEffects]
    questions: Questions
    samples: Samples
    summaries: dict[str, Inductive] = field(default_factory=dict)
    _attempts: dict[str, int] = field(default_factory=dict)
    _candidates: dict[str, dict[Term, None]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._families = recursive_families(self.program)

    def excludes(self, call: Call, goals: Iterable[Term]) -> Term | None:
        """The states before a call from which it may return in all of the goals, as far as a summary tells."""
        family = self._families.get(call.procedure)
        if family is None or call.result is None or not all(map(self._is_plain, family)):
            return None
        goal = conjunction(*goals)
        before = self._before(call, goal)
        if before is not terms.FALSE and self._attempts.get(call.procedure, 0) < LIMITS.attempts:
            self._attempts[call.procedure] = self._attempts.get(call.procedure, 0) + 1
            self._learn(family, call, goal)
            before = self._before(call, goal)
        return before if call.procedure in self.summaries else None

    def _before(self, call: Call, goal: Term) -> Term:
        summary = self.summaries.get(call.procedure)
        return self._possible(call, TRUE if summary is None else summary.claim, goal)

    def _possible(self, call: Call, claim: Term, after: Term) -> Term:
        """What must hold before a call that returns as claimed, in a state that satisfies a formula."""
        callee = self.program.procedures[call.procedure]
        if call.result is None or call.result not in after.variables:
            return after
        result = bitvectors.variable("~result", width(call.result))
        assert callee.result is not None
        said = substitute(claim, {**dict(zip(callee.parameters, call.arguments, strict=True)), callee.result: result})
        return over_approximate(conjunction(said, substitute(after, {call.result: result})), result)

    def _is_plain(self, name: str) -> bool:
        procedure, changes = self.program.procedures[name], self.effects[name]
        return (
            procedure.result is not None
            and not procedure.loop_heads
            and not (changes.writes or changes.objects or changes.registers)
        )

    def _learn(self, family: frozenset[str], call: Call, goal: Term) -> None:
        for name in sorted(family):
            self._candidates.setdefault(name, {}).update(dict.fromkeys(self._from_samples(name)))
        seed = self._seed(call, goal)
        if seed is not None:
            self._add_seed(call.procedure, seed, family)
        self._keep_inductive(family)
        for name in sorted(family):
            claim = conjunction(*self._candidates[name])
            if claim is not TRUE:
                runs = runs_through(self.program, self.program.procedures[name], self._claims(name)) or {}
                self.summaries[name] = Inductive(claim, {place: reached(some) for place, some in runs.items()})

    def _add_seed(self, name: str, claim: Term, family: frozenset[str]) -> None:
        """A candidate, and what it takes of the others that the procedure calls."""
        waiting = [(name, claim)]
        seen: set[str] = set()
        while waiting:
            name, claim = waiting.pop()
            self._candidates[name][claim] = None
            seen.add(name)
            outline = self._leading_to(name, claim)
            for edge in self.program.procedures[name].edges:
                if isinstance(edge.label, Call) and edge.label.procedure in family - seen:
                    after = self._about_parameters(name, outline.get(edge.target, TRUE))
                    needed = self._seed(edge.label, negate(after))
                    if needed is not None:
                        waiting.append((edge.label.procedure, needed))

    def _about_parameters(self, name: str, formula: Term) -> Term:
        """A formula with entry values replaced by parameters, which must not have been assigned."""
        procedure = self.program.procedures[name]
        return substitute(formula, {entry_value(parameter): parameter for parameter in procedure.parameters})

    def _seed(self, call: Call, goal: Term) -> Term | None:
        """The negation of a goal after a call, said about the callee's parameters and result."""
        callee = self.program.procedures[call.procedure]
        values: dict[Term, Term] = {}
        for parameter, argument in zip(callee.parameters, call.arguments, strict=True):
            factors, constant = linear_parts(argument)
            if len(factors) == 1 and factors[0][1] == 1 and factors[0][0].op == "var":
                shift = bitvectors.constant(-constant, width(argument))
                values[factors[0][0]] = bitvectors.binary("bvadd", parameter, shift)
        if call.result is None or callee.result is None or not goal.variables <= {*values, call.result}:
            return None
        values.pop(call.result, None)
        return negate(substitute(goal, {**values, call.result: callee.result}))

    def _from_samples(self, name: str) -> Iterator[Term]:
        """Linear equations and bounds of the result, for all calls and for those on one side of a condition."""
        procedure = self.program.procedures[name]
        samples = self.samples(name)
        assert procedure.result is not None
        values = [*(p for p in procedure.parameters if width(p) == width(procedure.result)), procedure.result]
        sides = (TRUE, *_conditions(procedure))
        known = [(side, 0) for side in sides]
        known += [(conjunction(bound, side), most) for bound, most in self._bounds(procedure) for side in sides]
        for condition, factor in known:
            chosen = [sample for sample in samples if World.evaluate_symbols(condition, sample)]
            if len(chosen) < 2:
                continue
            for claim in _relations(values, chosen, factor):
                if procedure.result in claim.variables:
                    yield disjunction(negate(condition), claim)

    def _bounds(self, procedure: Procedure) -> Iterator[tuple[Term, int]]:
        """What callers may know of a parameter: that it is at most some number they compare with."""
        family = self._families[procedure.name]
        outside = [p for name, p in self.program.procedures.items() if name not in family]
        conditions = [e.label.condition for p in outside for e in p.edges if isinstance(e.label, Assume)]
        for parameter in procedure.parameters:
            bits = width(parameter)
            found = {signed(n, bits) for condition in conditions for n in numbers_in(condition, bits)}
            for most in sorted(n for n in found if n > 1)[: LIMITS.bounds]:
                yield bitvectors.compare("bvsle", parameter, bitvectors.constant(most, bits)), most

    def _keep_inductive(self, family: frozenset[str]) -> None:
        changed = True
        while changed:
            changed = False
            for name in sorted(family):
                runs = runs_through(self.program, self.program.procedures[name], self._claims(name))
                tried = list(self._candidates[name])[-LIMITS.candidates :] if runs is not None else ()
                kept = {claim: None for claim in tried if runs is not None and self._follows(name, claim, runs)}
                changed |= len(kept) < len(self._candidates[name])
                self._candidates[name] = kept

    def _follows(self, name: str, claim: Term, runs: Mapping[int, Sequence[RunBetweenLoops]]) -> bool:
        procedure = self.program.procedures[name]
        said = substitute(claim, {parameter: entry_value(parameter) for parameter in procedure.parameters})
        try:
            return all(
                self.questions.core([*run.conditions, negate(substitute(said, run.values))], ()) is not None
                for run in runs.get(procedure.exit, ())
            )
        except SolverUnknown:
            return False

    def _leading_to(self, name: str, claim: Term) -> dict[int, Term]:
        """What must hold at each location for a claim to hold at the exit, given the candidates for calls inside."""
        procedure = self.program.procedures[name]
        at_exit = substitute(claim, {p: entry_value(p) for p in procedure.parameters})
        found = {procedure.exit: at_exit}
        claims = self._claims(name)
        for location in backward(procedure):
            if location == procedure.exit:
                continue
            needed = [
                self._needed(edge, found.get(edge.target, TRUE), claims)
                for edge in procedure.outgoing.get(location, ())
            ]
            found[location] = conjunction(*needed)
        return found

    def _claims(self, name: str) -> dict[str, Term]:
        """What is assumed of calls: the candidates for procedures of the same family, summaries for others."""
        known = {other: summary.claim for other, summary in self.summaries.items()}
        return known | {other: conjunction(*self._candidates[other]) for other in self._families[name]}

    def _needed(self, edge: Edge, after: Term, claims: Mapping[str, Term]) -> Term:
        match edge.label:
            case Assign(register, value):
                return substitute(after, {register: value})
            case Assume(condition) | Check(_, condition):
                return disjunction(negate(condition), after)
            case Input(register):
                return negate(over_approximate(negate(after), register))
            case Call() as call:
                return negate(self._possible(call, claims.get(call.procedure, TRUE), negate(after)))
            case label if isinstance(label, NOT_FOLLOWED):
                return TRUE
            case Skip():
                return after
        return terms.FALSE


def _conditions(procedure: Procedure) -> list[Term]:
    """Branch conditions that are about parameters alone."""
    found: dict[Term, None] = {}
    for edge in procedure.edges:
        if isinstance(edge.label, Assume) and edge.label.condition.variables <= set(procedure.parameters):
            found[edge.label.condition] = None
    return list(found)


def _relations(values: Sequence[Term], samples: Sequence[Mapping[Term, int]], factor: int) -> Iterator[Term]:
    """Equations and orders that all samples satisfy; with a factor, also how the result is bounded by a multiple."""
    bits = width(values[-1])
    rows = sorted({tuple(signed(sample[value], bits) for value in values) for sample in samples})
    yield from linear_equations(values, rows, bits)
    result, zero = values[-1], bitvectors.constant(0, bits)
    for other in (*values[:-1], zero):
        for claim in (bitvectors.compare("bvsle", other, result), bitvectors.compare("bvsle", result, other)):
            if all(World.evaluate_symbols(claim, sample) for sample in samples):
                yield claim
    for other in values[:-1] if factor else ():
        claim = bitvectors.compare(
            "bvsle", result, bitvectors.binary("bvmul", bitvectors.constant(factor, bits), other)
        )
        if all(World.evaluate_symbols(claim, sample) for sample in samples):
            yield claim


def recursive_families(program: ControlFlowProgram) -> dict[str, frozenset[str]]:
    """Recursive procedures, each with those that it calls and that call it in turn."""
    families = [frozenset(members) for members in cycles(program.procedures, program.callees)]
    return {name: family for family in families for name in program.procedures if name in family}
