"""Nodes that are single states: the interpreter takes their steps."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from pincer.evidence.gcl.interpreter import compile_formula, is_initial, range_violated, successors
from pincer.evidence.gcl.smtlib import conjunction, disjunction, initial_text, number_text, symbol
from pincer.evidence.live.certificate import LiveState, NodeEdge
from pincer.evidence.live.nodes import Cubes, Obligated, RankCheck
from pincer.evidence.live.prover import Prover
from pincer.evidence.pptl.truth import Letter
from pincer.program.automaton import Automaton, holds
from pincer.program.guarded import GuardedChoice, GuardedProgram, TemporalProperty, value_text


class StateNodes:
    def __init__(
        self,
        program: GuardedProgram,
        wanted: TemporalProperty,
        automaton: Automaton,
        states: tuple[LiveState, ...],
        prover: Prover,
    ) -> None:
        self.automaton = automaton
        self.obligations = 0
        self._program = program
        self._prover = prover
        self._places = {transition.name: place for place, transition in enumerate(program.transitions)}
        self._names = [variable.name for variable in program.variables]
        if any(len(state.values) != len(self._names) for state in states):
            raise Obligated("a state of the proof does not give every variable a value")
        self._states = states
        self._tests = [(name, compile_formula(meaning, program)) for name, meaning in wanted.propositions]
        self._guards = [compile_formula(transition.guard, program) for transition in program.transitions]

    def q(self, node: int) -> int:
        return self._states[node].q

    def _state(self, node: int) -> dict[str, int]:
        return dict(zip(self._names, self._states[node].values, strict=True))

    def enables(self, node: int, transitions: Collection[int]) -> bool:
        state = self._state(node)
        return any(self._guards[number](state) for number in transitions)

    def related(self, edge: NodeEdge, words: Sequence[str], since: Mapping[tuple[int, int], Cubes]) -> bool:
        """Single states come again, and no word is smaller then."""
        return False

    def ranks(self, ranks: Mapping[int, str]) -> RankCheck:
        raise Obligated("a proof by single states has no ranks")

    def steps(self) -> set[NodeEdge]:
        for transition in self._program.transitions:
            for name, value in transition.assignments:
                if isinstance(value, GuardedChoice) and (value.low is None or value.high is None):
                    raise Obligated(f"{transition.name} chooses {name} freely: single states cannot be all there are")
        numbers = {(state.values, state.q): number for number, state in enumerate(self._states)}
        self._initial()
        return {edge for node in range(len(self._states)) for edge in self._leaving(node, numbers)}

    def _leaving(self, node: int, numbers: Mapping[tuple[tuple[int, ...], int], int]) -> Iterator[NodeEdge]:
        self._prover.run.poll()
        state, q = self._state(node), self.q(node)
        self.obligations += 1
        letter: Letter = frozenset(name for name, test in self._tests if test(state))
        if holds(self.automaton.ends[q], letter) and not any(guard(state) for guard in self._guards):
            raise Obligated(f"a run that violates the formula ends {self._at(state)}")
        if range_violated(self._program, state):
            raise Obligated(f"a step leaves the type of a variable {self._at(state)}")
        targets = [edge.target for edge in self.automaton.leaving(q) if holds(edge.guard, letter)]
        for transition, after in successors(self._program, state):
            values = tuple(after[name] for name in self._names)
            for target in targets:
                number = numbers.get((values, target))
                if number is None:
                    raise Obligated(f"{transition.name} leads out of the states of the proof {self._at(state)}")
                yield node, self._places[transition.name], number

    def _initial(self) -> None:
        """All initial states are among the states, with every initial node of the automaton, if it has any."""
        if not self.automaton.initial:
            return
        variables = [symbol(name) for name in self._names]
        self._prover.define("".join(f"(declare-const {variable} Int)" for variable in variables))
        by_values: dict[tuple[int, ...], set[int]] = {}
        for state in self._states:
            by_values.setdefault(state.values, set()).add(state.q)
        complete = [values for values, nodes in by_values.items() if nodes >= set(self.automaton.initial)]
        listed = [
            conjunction(
                [f"(= {variable} {number_text(value)})" for variable, value in zip(variables, values, strict=True)]
            )
            for values in complete
            if is_initial(self._program, dict(zip(self._names, values, strict=True)))
        ]
        self.obligations += 1
        if not self._prover.refuted(f"(and {initial_text(self._program)} (not {disjunction(listed)}))"):
            raise Obligated("the proof misses an initial state")

    def _at(self, state: Mapping[str, int]) -> str:
        types = {variable.name: variable.type for variable in self._program.variables}
        return "where " + ", ".join(f"{name} = {value_text(types[name], value)}" for name, value in state.items())
