"""Nodes that are regions: what there is to check about them is asked of a solver.

A region gives every finite variable a value. What is owed about steps is therefore said of the other variables only,
with those values put in: much of it is the same for many regions, and asked once.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from pincer.evidence.gcl.residual import FALSE, TRUE, Partial, finite_places, negation, residual_expression
from pincer.evidence.gcl.smtlib import (
    StepText,
    apply_text,
    bounds_text,
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
from pincer.evidence.live.nodes import Cubes, Obligated
from pincer.evidence.live.prover import Prover
from pincer.frontends.gcl import parse_expression, parse_formula
from pincer.program.automaton import Automaton, AutomatonEdge, Guard
from pincer.program.guarded import (
    Deadlock,
    FiniteType,
    Formula,
    GuardedChoice,
    GuardedProgram,
    Number,
    TemporalProperty,
)

_OR = " || "
_BRACKET = re.compile(r"[()]")
_TOGETHER = 100
"""Obligations that are asked together."""


class _Move(Struct, frozen=True):
    """A transition from given values of the finite variables that it reads: which of them it leaves as they are, by
    their places, the values that it plainly gives to some, the terms that the others are afterwards, what must hold for
    it to be taken, and the variables that are not finite after it."""

    kept: Collection[int]
    plain: Mapping[int, int]
    open: Mapping[int, str]
    taken: str
    after: tuple[str, ...]


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
        self._data = [symbol(variable.name) for variable in program.variables if not variable.finite]
        self._finite = [variable.name for variable in program.variables if variable.finite]
        self._steps = [step_text(program, transition) for transition in program.transitions]
        self._guards = [Partial(transition.guard, program) for transition in program.transitions]
        self._read = [
            finite_places([value for _, value in transition.assignments], program) for transition in program.transitions
        ]
        self._letters = {name: Partial(meaning, program) for name, meaning in wanted.propositions}
        self._moves: dict[tuple[int, tuple[int, ...]], _Move | None] = {}
        self._ranked = 0
        self._owed: list[tuple[str, str]] = []
        self._known: set[str] = set()
        self._leaving = {q: automaton.leaving(q) for q in range(automaton.size)}
        self._names: dict[str, str] = {}
        self._texts: dict[int, tuple[Formula, str]] = {}
        self._words: dict[str, str] = {}
        self._whole: set[int] = set()
        self._inhabited = {region.q for region in regions}
        self._define()

    def _define(self) -> None:
        choices = dict.fromkeys(choice for step in self._steps for choice in step.choices)
        self._prover.define("".join(f"(declare-const {name} Int)" for name in (*self._variables, *choices)))
        cases = {text: list(_cases(text)) for text in dict.fromkeys(region.formula for region in self._regions)}
        formulas = {
            case: Partial(parse_formula(case, self._program), self._program)
            for case in dict.fromkeys(case for found in cases.values() for case in found)
        }
        self._rest: list[str] = []
        """What is left of the formula of each region under its values, as the name of a function."""
        for region in self._regions:
            if len(region.control) != len(self._finite):
                raise Obligated("a region of the proof does not give every finite variable a value")
            left = [self._text(formulas[case].at(region.control)) for case in cases[region.formula]]
            self._rest.append(self._name(disjunction(left)))

    def _name(self, text: str) -> str:
        """The name of the function that says this of the variables that are not finite."""
        if text not in self._names:
            self._names[text] = f"f{len(self._names)}"
            self._prover.define(self._function(self._names[text], "Bool", text, self._data))
        return self._names[text]

    def _function(self, name: str, sort: str, body: str, variables: Iterable[str]) -> str:
        parameters = " ".join(f"({variable} Int)" for variable in variables)
        return f"(define-fun {name} ({parameters}) {sort} {body})"

    def q(self, node: int) -> int:
        return self._regions[node].q

    def _in(self, node: int) -> str:
        """That a state lies in the region: its finite variables, too."""
        return apply_text(self._inside(node), self._variables)

    def _inside(self, node: int) -> str:
        """The name of the function that says so of all variables."""
        if node not in self._whole:
            self._whole.add(node)
            values = zip(self._finite, self._regions[node].control, strict=True)
            fixed = [f"(= {symbol(name)} {number_text(value)})" for name, value in values]
            body = conjunction([*fixed, self._here(node)])
            self._prover.define(self._function(f"n{node}", "Bool", body, self._variables))
        return f"n{node}"

    def _here(self, node: int) -> str:
        """That a state whose finite variables have the values of the region lies in it."""
        return apply_text(self._rest[node], self._data)

    def _after(self, function: str, step: StepText) -> str:
        return apply_text(function, step.next_values.values())

    def _letter(self, node: int, guard: Guard) -> str:
        """What an edge of the automaton reads, in the states of a region."""
        control = self._regions[node].control
        cubes = []
        for cube in guard:
            parts = [(self._letters[name].at(control), value) for name, value in cube]
            read = [part if value else negation(part) for part, value in parts]
            if FALSE not in read:
                names = [self._name(self._text(part)) for part in read if part != TRUE]
                cubes.append(conjunction([apply_text(name, self._data) for name in names]))
        return disjunction(cubes)

    def _refute(self, parts: list[str], claim: str) -> None:
        self.obligations += 1
        if not self._prover.refuted(conjunction(parts)):
            raise Obligated(claim)

    def _owe(self, parts: list[str], claim: str) -> None:
        """Refutes as well, together with others; what was owed before is not owed again."""
        self.obligations += 1
        text = conjunction(parts)
        if text in self._known or "false" in parts:
            return
        self._known.add(text)
        self._owed.append((text, claim))
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
        init = Partial(self._program.init, self._program)
        begun = [node for node, region in enumerate(self._regions) if init.at(region.control) != FALSE]
        for q in self.automaton.initial:
            listed = [self._in(node) for node in begun if self.q(node) == q]
            self._owe(
                [initial_text(self._program), f"(not {disjunction(listed)})"], "the proof misses an initial state"
            )
        for node, region in enumerate(self._regions):
            here = self._here(node)
            ended = deadlock.at(region.control)
            if ended != FALSE:
                end = self._letter(node, self.automaton.ends[region.q])
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
            conjunction([self._after(self._inside(target), step), self._letter(node, edge.guard)])
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
            reads = self._letter(node, edge.guard)
            if edge.target in self._inhabited:
                for number in transitions:
                    self._stays_inside(node, number, reads, edge.target)
            else:
                self._never_reads(node, transitions, reads)

    def _never_reads(self, node: int, transitions: Collection[int], reads: str) -> None:
        """Where an edge that reads this would lead there are no regions."""
        moves = [(number, self._move(node, number)) for number in transitions]
        taken = [conjunction([self._guard(node, number), move.taken]) for number, move in moves if move is not None]
        claim = f"a step leads out of the regions of the proof from {self._named(node)}"
        self._owe([self._here(node), reads, disjunction(taken)], claim)

    def _stays_inside(self, node: int, number: int, reads: str, q: int) -> None:
        """The transition leads into the regions at a node of the automaton."""
        move = self._move(node, number)
        if move is None:
            return
        listed = []
        control = self._regions[node].control
        fixed = {**{place: control[place] for place in move.kept}, **move.plain}.items()
        for _, _, target in self._by_source.get((node, number), ()):
            region = self._regions[target]
            if region.q == q and all(region.control[place] == value for place, value in fixed):
                equal = [f"(= {value} {number_text(region.control[place])})" for place, value in move.open.items()]
                listed.append(conjunction([*equal, apply_text(self._rest[target], move.after)]))
        name = self._program.transitions[number].name
        claim = f"{name} leads out of the regions of the proof from {self._named(node)}"
        here = self._here(node)
        outside = "false" if here in listed else f"(not {disjunction(listed)})"
        self._owe([here, self._guard(node, number), reads, move.taken, outside], claim)

    def _move(self, node: int, number: int) -> _Move | None:
        """A transition from the values of a region; None where it would leave the type of a variable."""
        control = self._regions[node].control
        key = number, tuple([control[place] for place, _ in self._read[number]])
        if key not in self._moves:
            self._moves[key] = self._made(number, {name: control[place] for place, name in self._read[number]})
        return self._moves[key]

    def _made(self, number: int, values: Mapping[str, int]) -> _Move | None:
        step, assigned = self._steps[number], dict(self._program.transitions[number].assignments)
        kept: list[int] = []
        plain: dict[int, int] = {}
        open_: dict[int, str] = {}
        taken, after, place = [step.chosen], [], -1
        for variable in self._program.variables:
            place += variable.finite
            value = assigned.get(variable.name)
            if value is None and variable.finite:
                kept.append(place)
                continue
            result, text = None, step.next_values[variable.name]
            if value is not None and not isinstance(value, GuardedChoice):
                result = residual_expression(value, values, self._program)
                text = expression_text(result, self._program)
            if not isinstance(variable.type, FiniteType):
                after.append(text)
                continue
            low, high = variable.type.low, variable.type.high
            if isinstance(result, Number):
                if not low <= result.value <= high:
                    return None
                plain[place] = result.value
            else:
                open_[place] = text
                taken.append(bounds_text(text, low, high))
        return _Move(kept, plain, open_, conjunction(taken), tuple(after))

    def _step(self, node: int, number: int, edge: AutomatonEdge) -> list[str]:
        step, reads = self._steps[number], self._letter(node, edge.guard)
        return [self._in(node), self._guard(node, number), reads, step.chosen, step.in_range]

    def _guard(self, node: int, number: int) -> str:
        """The guard of a transition in the states of a region, as far as its finite variables leave it open."""
        return self._text(self._guards[number].at(self._regions[node].control))

    def _text(self, formula: Formula) -> str:
        """What is left of a formula is the same object for all regions that leave it open in the same way."""
        if id(formula) not in self._texts:
            self._texts[id(formula)] = formula, formula_text(formula, self._program)
        return self._texts[id(formula)][1]

    def _named(self, node: int) -> str:
        region = self._regions[node]
        return f"region {node} ({region.formula}, node {region.q} of the automaton)"

    def related(self, edge: NodeEdge, words: Sequence[str], since: Mapping[tuple[int, int], Cubes]) -> bool:
        """Whether along an edge all is so that is said of the words at visits, one at its beginning or before."""
        source, number, target = edge
        step, names = self._steps[number], [self._word(text) for text in words]
        before = [apply_text(name, self._variables) for name in names]
        after = [self._after(name, step) for name in names]
        then = [f"~then{index}" for index in range(len(words))]
        known = [(visited, cubes) for (visited, node), cubes in since.items() if node == source]
        for taken in self._leaving[self.q(source)]:
            if taken.target != self.q(target):
                continue
            inside = [*self._step(source, number, taken), self._after(self._inside(target), step)]
            for visited, cubes, words_then in (
                (source, None, before),
                *((visited, cubes, then) for visited, cubes in known),
            ):
                given = [] if cubes is None else [_cubes_text(cubes, words_then, before)]
                wanted = _cubes_text(since.get((visited, target), ()), words_then, after)
                if visited == target:
                    fallen = [f"(and (< {now} {old}) (<= 0 {old}))" for now, old in zip(after, words_then, strict=True)]
                    wanted = conjunction([wanted, disjunction(fallen)])
                self.obligations += 1
                if not self._prover.refuted(conjunction([*inside, *given, f"(not {wanted})"])):
                    return False
        return True

    def _word(self, text: str) -> str:
        """The name of the function that is a word, and beside it the constant for its value at an earlier visit."""
        if text not in self._words:
            name = self._words[text] = f"w{len(self._words)}"
            expression = expression_text(parse_expression(text, self._program), self._program)
            self._prover.define(self._function(name, "Int", expression, self._variables))
            self._prover.define(f"(declare-const ~then{len(self._words) - 1} Int)")
        return self._words[text]

    def ranks(self, ranks: Mapping[int, str]) -> RegionRanks:
        self._ranked += 1
        names: dict[int, str] = {}
        for node, text in ranks.items():
            names[node] = f"r{self._ranked}_{node}"
            expression = expression_text(parse_expression(text, self._program), self._program)
            self._prover.define(self._function(names[node], "Int", expression, self._variables))
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
                inside = [*self._step(source, number, taken), self._after(self._inside(target), step)]
                if not self._prover.refuted(conjunction([*inside, f"(not {wanted})"])):
                    return False
        return True


def _cases(text: str) -> Iterator[str]:
    """The bracketed formulas of a disjunction `(...) || (...)`, which regions share; any other formula as it is."""
    found, depth, start = [], 0, 0
    for place in _BRACKET.finditer(text):
        depth += 1 if place[0] == "(" else -1
        if depth < 0:
            break
        if depth == 0:
            found.append(text[start : place.end()])
            start = place.end() + len(_OR)
    whole = depth == 0 and all(case.startswith("(") for case in found) and _OR.join(found) == text
    yield from found if whole else (text,)


def _cubes_text(cubes: Cubes, then: Sequence[str], now: Sequence[str]) -> str:
    """That the words now are within the bounds of one of the cubes."""
    ends = [(old, new) for old in then for new in now]
    return disjunction(
        [
            conjunction([f"(<= (- {new} {old}) {number_text(bound)})"
                         for bound, (old, new) in zip(cube, ends, strict=True) if bound is not None])
            for cube in cubes
        ]
    )  # fmt: skip


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
