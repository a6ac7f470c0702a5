"""Nodes that are regions: what there is to check about them is asked of a solver."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from msgspec import Struct

from pincer.evidence.gcl.residual import FALSE, TRUE, Partial, residual_expression
from pincer.evidence.gcl.smtlib import (
    StepText,
    apply_text,
    conjunction,
    disjunction,
    expression_text,
    formula_text,
    initial_text,
    number_text,
    range_formula,
    step_text,
    symbol,
)
from pincer.evidence.live.certificate import LiveRegion, NodeEdge
from pincer.evidence.live.nodes import Obligated
from pincer.evidence.live.prover import Prover
from pincer.frontends.gcl import parse_expression, parse_formula
from pincer.program.automaton import Automaton, AutomatonEdge, Guard
from pincer.program.guarded import Deadlock, Formula, GuardedChoice, GuardedProgram, Number, TemporalProperty

_TOGETHER = 100
"""Obligations that are asked together."""


class RegionNodes:
    def __init__(
        self,
        program: GuardedProgram,
        wanted: TemporalProperty,
        automaton: Automaton,
        regions: tuple[LiveRegion, ...],
        edges: Iterable[NodeEdge],
        prover: Prover,
    ) -> None:
        self.automaton = automaton
        self.obligations = 0
        self._program = program
        self._prover = prover
        self._regions = regions
        self._edges = set(edges)
        self._by_source: dict[tuple[int, int], list[NodeEdge]] = {}
        for edge in sorted(self._edges):
            self._by_source.setdefault(edge[:2], []).append(edge)
        self._variables = [symbol(variable.name) for variable in program.variables]
        self._finite = [variable.name for variable in program.variables if variable.finite]
        self._steps = [step_text(program, transition) for transition in program.transitions]
        self._guards = [Partial(transition.guard, program) for transition in program.transitions]
        self._ranked = 0
        self._owed: list[tuple[str, str]] = []
        self._leaving = {q: automaton.leaving(q) for q in range(automaton.size)}
        self._letters = {name: f"|p {name}|" for name, _ in wanted.propositions}
        self._define(wanted)

    def _define(self, wanted: TemporalProperty) -> None:
        choices = dict.fromkeys(choice for step in self._steps for choice in step.choices)
        self._prover.define("".join(f"(declare-const {name} Int)" for name in (*self._variables, *choices)))
        for name, meaning in wanted.propositions:
            self._prover.define(self._function(self._letters[name], "Bool", formula_text(meaning, self._program)))
        inside = {text: formula_text(parse_formula(text, self._program), self._program) for text in self._texts()}
        for number, region in enumerate(self._regions):
            if len(region.control) != len(self._finite):
                raise Obligated("a region of the proof does not give every finite variable a value")
            fixed = [
                f"(= {symbol(name)} {number_text(value)})"
                for name, value in zip(self._finite, region.control, strict=True)
            ]
            self._prover.define(self._function(f"n{number}", "Bool", conjunction([*fixed, inside[region.formula]])))

    def _texts(self) -> Iterable[str]:
        """The formulas of regions, each once."""
        return dict.fromkeys(region.formula for region in self._regions)

    def _function(self, name: str, sort: str, body: str) -> str:
        parameters = " ".join(f"({variable} Int)" for variable in self._variables)
        return f"(define-fun {name} ({parameters}) {sort} {body})"

    def q(self, node: int) -> int:
        return self._regions[node].q

    def _in(self, node: int) -> str:
        return apply_text(f"n{node}", self._variables)

    def _after(self, function: str, step: StepText) -> str:
        return apply_text(function, step.next_values.values())

    def _letter(self, guard: Guard) -> str:
        cubes = []
        for cube in guard:
            parts = [(apply_text(self._letters[name], self._variables), value) for name, value in cube]
            cubes.append(conjunction([text if value else f"(not {text})" for text, value in parts]))
        return disjunction(cubes)

    def _refute(self, parts: list[str], claim: str) -> None:
        self.obligations += 1
        if not self._prover.refuted(conjunction(parts)):
            raise Obligated(claim)

    def _owe(self, parts: list[str], claim: str) -> None:
        """Refutes as well, together with others."""
        self.obligations += 1
        self._owed.append((conjunction(parts), claim))
        if len(self._owed) == _TOGETHER:
            self._settle()

    def _settle(self) -> None:
        owed, self._owed = self._owed, []
        if self._prover.all_refuted([text for text, _ in owed]):
            return
        for text, claim in owed:
            if not self._prover.refuted(text):
                raise Obligated(claim)

    def enables(self, node: int, transitions: Collection[int]) -> bool:
        self.obligations += 1
        guards = disjunction([self._steps[number].guard for number in sorted(transitions)])
        return self._prover.refuted(conjunction([self._in(node), f"(not {guards})"]))

    def steps(self) -> set[NodeEdge]:
        deadlock = Partial(Deadlock(), self._program)
        ranges = Partial(range_formula(self._program), self._program)
        for q in self.automaton.initial:
            listed = [self._in(node) for node, region in enumerate(self._regions) if region.q == q]
            self._owe(
                [initial_text(self._program), f"(not {disjunction(listed)})"], "the proof misses an initial state"
            )
        for node, region in enumerate(self._regions):
            here = self._in(node)
            ended = deadlock.at(region.control)
            if ended != FALSE:
                end = self._letter(self.automaton.ends[region.q])
                claim = f"a run that violates the formula may end in {self._named(node)}"
                self._owe([here, self._text(ended), end], claim)
            kept = ranges.at(region.control)
            if kept != TRUE:
                claim = f"a step may leave the type of a variable in {self._named(node)}"
                self._owe([here, f"(not {self._text(kept)})"], claim)
            self._closed(node, region)
        self._settle()
        return self._edges

    def may_enable(self, node: int, transitions: Collection[int]) -> bool:
        """Whether one of the transitions may be enabled in some state of the node."""
        self.obligations += 1
        guards = disjunction([self._steps[number].guard for number in sorted(transitions)])
        return not self._prover.refuted(conjunction([self._in(node), guards]))

    def goes_on(self, node: int, transition: int, targets: Collection[int]) -> None:
        """Checks that the transition can be taken in every state of the node, and that wherever it leads is one of the
        targets, with an edge of the automaton."""
        step = self._steps[transition]
        name = self._program.transitions[transition].name
        self._refute([self._in(node), f"(not {step.guard})"], f"{name} need not be enabled in {self._named(node)}")
        arrived = [
            conjunction([self._after(f"n{target}", step), self._letter(edge.guard)])
            for target in targets
            for edge in self._leaving[self.q(node)]
            if edge.target == self.q(target)
        ]
        inside = conjunction([step.in_range, disjunction(arrived)])
        claim = f"{name} may lead somewhere else from {self._named(node)}"
        self._refute([self._in(node), step.chosen, f"(not {inside})"], claim)

    def _closed(self, node: int, region: LiveRegion) -> None:
        transitions = [number for number, guard in enumerate(self._guards) if guard.at(region.control) != FALSE]
        for edge in self._leaving[region.q]:
            if any(there.q == edge.target for there in self._regions):
                for number in transitions:
                    self._stays_inside(node, number, edge)
            else:
                self._never_reads(node, transitions, edge)

    def _never_reads(self, node: int, transitions: Collection[int], edge: AutomatonEdge) -> None:
        """Where the edge would lead there are no regions."""
        taken = [
            conjunction([self._guard(node, number), self._steps[number].chosen, self._steps[number].in_range])
            for number in transitions
        ]
        claim = f"a step leads out of the regions of the proof from {self._named(node)}"
        self._owe([self._in(node), self._letter(edge.guard), disjunction(taken)], claim)

    def _stays_inside(self, node: int, number: int, edge: AutomatonEdge) -> None:
        step = self._steps[number]
        arrived = self._arrived(node, number)
        listed = [
            self._after(f"n{target}", step)
            for source, taken, target in self._from(node, number)
            if self._regions[target].q == edge.target
            and all(self._regions[target].control[place] == value for place, value in arrived)
        ]
        name = self._program.transitions[number].name
        claim = f"{name} leads out of the regions of the proof from {self._named(node)}"
        self._owe([*self._step(node, number, edge), f"(not {disjunction(listed)})"], claim)

    def _arrived(self, node: int, number: int) -> list[tuple[int, int]]:
        """What finite variables are after a transition, by their places, where that is plain: no region with other
        values is where it leads."""
        values = dict(zip(self._finite, self._regions[node].control, strict=True))
        assigned = dict(self._program.transitions[number].assignments)
        found = []
        for place, name in enumerate(self._finite):
            value = assigned.get(name, Number(values[name]))
            if not isinstance(value, GuardedChoice):
                result = residual_expression(value, values, self._program)
                if isinstance(result, Number):
                    found.append((place, result.value))
        return found

    def _from(self, node: int, transition: int) -> list[NodeEdge]:
        return self._by_source.get((node, transition), [])

    def _step(self, node: int, number: int, edge: AutomatonEdge) -> list[str]:
        step = self._steps[number]
        return [self._in(node), self._guard(node, number), self._letter(edge.guard), step.chosen, step.in_range]

    def _guard(self, node: int, number: int) -> str:
        """The guard of a transition in the states of a region, as far as its finite variables leave it open."""
        return self._text(self._guards[number].at(self._regions[node].control))

    def _text(self, formula: Formula) -> str:
        return formula_text(formula, self._program)

    def _named(self, node: int) -> str:
        region = self._regions[node]
        return f"region {node} ({region.formula}, node {region.q} of the automaton)"

    def ranks(self, ranks: Mapping[int, str]) -> RegionRanks:
        self._ranked += 1
        names: dict[int, str] = {}
        for node, text in ranks.items():
            names[node] = f"r{self._ranked}_{node}"
            expression = expression_text(parse_expression(text, self._program), self._program)
            self._prover.define(self._function(names[node], "Int", expression))
        return RegionRanks(self, names)

    def compared(self, edge: NodeEdge, names: Mapping[int, str], strict: bool) -> bool:
        """Whether a rank does not increase along an edge; if `strict`, that it decreases from a value that is not
        negative."""
        source, number, target = edge
        step = self._steps[number]
        before, after = apply_text(names[source], self._variables), self._after(names[target], step)
        wanted = f"(and (< {after} {before}) (<= 0 {before}))" if strict else f"(<= {after} {before})"
        for taken in self._leaving[self.q(source)]:
            if taken.target == self.q(target):
                self.obligations += 1
                inside = [*self._step(source, number, taken), self._after(f"n{target}", step)]
                if not self._prover.refuted(conjunction([*inside, f"(not {wanted})"])):
                    return False
        return True


class RegionRanks(Struct, frozen=True):
    """The ranks of nodes, by the names of their functions."""

    nodes: RegionNodes
    names: Mapping[int, str]

    def never_increases(self, edge: NodeEdge) -> bool:
        return self._compared(edge, strict=False)

    def decreases(self, edge: NodeEdge) -> bool:
        return self._compared(edge, strict=True)

    def _compared(self, edge: NodeEdge, strict: bool) -> bool:
        known = edge[0] in self.names and edge[2] in self.names
        return known and self.nodes.compared(edge, self.names, strict)
