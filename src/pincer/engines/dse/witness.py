"""From a candidate to a counterexample: the interpreter runs its inputs again, and the word it gives is judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from msgspec import Struct

from pincer.engines.dse.product import Candidate
from pincer.engines.dse.propositions import Propositions
from pincer.evidence.msvl.counterexample import Counterexample, Interpretation, Kind, State
from pincer.execution.msvl import Execution, Options, Snapshot
from pincer.execution.trees.exploration import Inputs
from pincer.temporal.derivative import Letter
from pincer.temporal.formula import Formula
from pincer.temporal.lasso import Lasso, holds_on_lasso
from pincer.temporal.limits import TemporalLimits, TooLarge
from pincer.temporal.lnfg import Lnfg, build_lnfg, node_path
from pincer.temporal.property import Property
from pincer.temporal.walk import Walk


class _Judged(Struct, frozen=True):
    """How a word satisfies the negated property."""

    kind: Kind
    violating_state: int | None


@dataclass
class Witnesses:
    """Makes counterexamples to one property."""

    file: str
    property: Property
    negation: Formula
    propositions: Propositions
    runner: Callable[[Inputs], Execution]
    options: Options
    limits: TemporalLimits

    def confirmed(self, candidate: Candidate) -> Counterexample | None:
        """The counterexample, None when the run does not violate the property after all."""
        execution = self.runner(candidate.inputs)
        if not execution.states:
            return None
        word = [self.propositions.letter(state) for state in execution.states]
        judged = _judged(self.negation, execution, word, self.limits)
        if judged is None:
            return None
        start: int | None = None
        if judged.kind == "prefix" and judged.violating_state is not None:
            del word[judged.violating_state + 1 :]
        elif judged.kind == "lasso":
            _, loop = execution.word()
            start = loop.start
            del word[loop.stop :]
        options = self.options
        how = Interpretation(options.same_state, options.framing, options.int32, options.max_states)
        used = [one for one in self.property.defines if one.name in self.propositions.expressions]
        return Counterexample(
            self.file,
            self.property.text,
            {one.name: one.text for one in used},
            how,
            execution.input_values(),
            judged.kind,
            tuple(_shown(state, letter) for state, letter in zip(execution.states, word, strict=False)),
            judged.violating_state,
            start,
            candidate.path.nodes[: len(word) + 1],
            self._graph_nodes(word, judged),
        )

    def _graph_nodes(self, word: Sequence[Letter], judged: _Judged) -> tuple[int, ...] | None:
        graph = self.graph()
        return None if graph is None else node_path(graph, word, judged.kind == "terminated")

    def graph(self) -> Lnfg | None:
        """The normal form graph of the negated property, None when it is too large to show."""
        try:
            return build_lnfg(self.negation, self.limits)
        except TooLarge:
            return None


def _judged(negation: Formula, execution: Execution, word: Sequence[Letter], limits: TemporalLimits) -> _Judged | None:
    """Whether the run satisfies the negated property, by its ending; an inconsistent run is no model of the program."""
    if execution.ending.kind == "inconsistent":
        return None
    walk = Walk(negation)
    settled = None
    terminated = execution.ending.kind == "terminated"
    for number, letter in enumerate(word[:-1] if terminated else word):
        walk = walk.step(letter)
        if walk.is_false:
            return None
        if walk.is_true and settled is None:
            settled = number
    if terminated:
        violated = walk.ends(word[-1])
        return _Judged("terminated", len(word) - 1 if settled is None else settled) if violated else None
    if settled is not None:
        return _Judged("prefix", settled)
    if execution.ending.kind == "lasso":
        start = execution.ending.start
        lasso = Lasso(tuple(word[:start]), tuple(word[start:]))
        return _Judged("lasso", None) if holds_on_lasso(negation, lasso, limits) else None
    return _Judged("prefix", len(word) - 1) if walk.proved_valid(limits) else None


def _shown(state: Snapshot, letter: Letter) -> State:
    return State(state.texts(), tuple(sorted(letter)))
