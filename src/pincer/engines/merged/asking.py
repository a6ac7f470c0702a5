"""Whether some execution satisfies a guard, and with which inputs."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from contextlib import suppress

from msgspec import Struct

from pincer.engines.merged.conditions import Conditions
from pincer.engines.merged.limits import LIMITS
from pincer.engines.questions import Questions
from pincer.logic.decision_diagrams import FALSE, TRUE, Function
from pincer.logic.machine_arithmetic import operation_value
from pincer.logic.solver import SolverUnknown
from pincer.logic.terms import Term, unknown_first
from pincer.runtime.run import Run


class Model(Struct, eq=False):
    """Values of inputs, those that are not mentioned are zero; and what they make of relations."""

    conditions: Conditions
    symbols: Mapping[Term, int]
    _values: dict[int, int] = {}
    _numbers: dict[Term, int] = {}

    def satisfies(self, guard: Function) -> bool:
        return self.conditions.diagrams.value(guard, self._value)

    def _value(self, variable: int) -> int:
        found = self._values.get(variable)
        if found is None:
            chunk, defined = self.conditions.chunk(variable), self.conditions.definition(variable)
            if chunk is not None:
                found = chunk.of(self.symbols.get(chunk.symbol, 0))
            elif defined is None:
                found = self._number(self.conditions.literal(variable))
            else:
                found = int(any(map(self.satisfies, defined)))
            self._values[variable] = found
        return found

    def _number(self, term: Term) -> int:
        """The value of a term; what terms share is looked at once."""
        known = self._numbers
        for part in unknown_first(term, known):
            known[part] = self.symbols.get(part, 0) if part.op == "var" else operation_value(part, known)
        return known[term]


class Asking:
    """Answers from inputs that are known, from the diagrams, and from the solver in the end."""

    def __init__(self, run: Run, conditions: Conditions) -> None:
        self.conditions = conditions
        self.questions = Questions(run, ticks=LIMITS.ticks, purpose="merged paths")
        self._models: deque[Model] = deque(maxlen=LIMITS.models)
        self._impossible: set[Function] = set()
        self._unknown: dict[Function, int] = {}
        self._effort_in_vain = 0
        self.is_tired = False

    def is_possible(self, guard: Function, rounds: int) -> bool:
        """Whether a guard can hold that is about one more of so many rounds; True as well if the solver does not know,
        or is not asked: the answer is mostly that it can, and where that has taken long, going on is cheaper."""
        if self._effort_in_vain > LIMITS.effort_per_round * rounds:
            return True
        before, is_possible = self.questions.effort, True
        with suppress(SolverUnknown):
            is_possible = self.model((guard,)) is not None
        self._effort_in_vain = self.questions.effort - before if is_possible else 0
        return is_possible

    def model(self, guards: Iterable[Function]) -> Model | None:
        """Inputs that satisfy one of the guards, None if there are none. Raises SolverUnknown."""
        left = [guard for guard in dict.fromkeys(guards) if guard != FALSE and guard not in self._impossible]
        for guard in left:
            for known in reversed(self._models):
                if known.satisfies(guard):
                    return known
            if not self.conditions.is_open(guard):
                return self._kept(self._inputs(guard))
        return self._solved(left) if left else None

    def _kept(self, symbols: Mapping[Term, int]) -> Model:
        model = Model(self.conditions, symbols)
        self._models.append(model)
        return model

    def _inputs(self, guard: Function) -> Mapping[Term, int]:
        """Inputs that satisfy a condition on their bytes: the least of each."""
        diagrams, found = self.conditions.diagrams, dict[Term, int]()
        while guard != TRUE:
            chunk = self.conditions.chunk(diagrams.variable(guard))
            assert chunk is not None
            values, guard = next((values, left) for values, left in diagrams.cases(guard) if left != FALSE)
            least = (values & -values).bit_length() - 1
            found[chunk.symbol] = found.get(chunk.symbol, 0) | least << chunk.low
        return found

    def _solved(self, guards: list[Function]) -> Model | None:
        joined = guards[0] if len(guards) == 1 else self.conditions.union(guards)
        tried = self._unknown.get(joined, 0)
        self.questions.ticks = min(self.conditions.limits.ticks * LIMITS.asked_again**tried, LIMITS.most_ticks)
        try:
            symbols = self.questions.satisfiable((self.conditions.term(joined),))
        except SolverUnknown:
            self._unknown[joined] = tried + 1
            self.is_tired |= self.questions.ticks >= LIMITS.most_ticks
            raise
        if symbols is None:
            self._impossible.update((joined, *guards))
            return None
        return self._kept(symbols)
