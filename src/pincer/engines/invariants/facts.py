"""The strategy that finds invariants for the loops that regions are stuck in.

Guesses come from several sources and are kept when they are inductive; none of the sources needs to be right.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from pincer.abstraction.weakest import Weakest
from pincer.engines.board import Board, StuckProcedure
from pincer.engines.invariants.horn import horn_invariants
from pincer.engines.invariants.houdini import Asking, Facts, Filter
from pincer.engines.invariants.limits import LIMITS
from pincer.engines.invariants.memory_facts import memory_facts, passed_by
from pincer.engines.invariants.relations import explained, relations, slopes
from pincer.engines.invariants.sight import Sight
from pincer.engines.portfolio import Allowance, Going, Idle
from pincer.engines.questions import Questions
from pincer.execution.machine import World
from pincer.logic.bitvectors import state_reads
from pincer.logic.solver import SolverUnknown
from pincer.logic.terms import Term
from pincer.program.control_flow import ControlFlowProgram, Procedure
from pincer.program.effects import ProcedureEffects
from pincer.program.registers import is_global

RELATIONS, PASSED_BY = "relations", "passed by"
PROMPT = (RELATIONS, PASSED_BY)
"""Sources that are cheap, and whose facts are used before more is looked for."""
Source = Callable[[Sight], Iterable[Term]]


class Attempts(Struct):
    """How far the search for facts about a procedure has come: what was tried, by source, and which is next."""

    tried: dict[str, frozenset[Term]] = {}
    turn: int = 0


class Invariants:
    """The strategy: facts for the procedures on the board that are stuck. What it need not spend at once is saved up.

    `program` is the one that regions are about."""

    def __init__(self, board: Board, program: ControlFlowProgram, effects: Mapping[str, ProcedureEffects]) -> None:
        self._board = board
        self._program = program
        self._effects = effects
        self.questions = Questions(board.run, program.layout.slot_bits, LIMITS.ticks, "loop invariants")
        self._filter = Filter(Weakest(program.layout, program.top, effects.__getitem__), self.questions)
        self._attempts: dict[str, Attempts] = {}
        self._work: Asking[Facts] | None = None
        self._credit = 0

    def step(self, budget: Allowance) -> Going | Idle:
        self._credit = min(self._credit + budget.calls, LIMITS.credit)
        before, extra = self.questions.effort, 0
        while self._credit > self.questions.effort - before + extra:
            self._board.run.poll()
            if self._work is None:
                if not self._board.stuck:
                    break
                name = next(iter(self._board.stuck))
                self._work = self._find_facts(self._board.stuck.pop(name))
            try:
                extra += next(self._work)
            except StopIteration as done:
                self._board.add_facts(done.value)
                self._work = None
        spent = self.questions.effort - before + extra
        self._credit -= spent
        return Going(Allowance(0, spent)) if spent or self._work is not None else Idle()

    def _find_facts(self, stuck: StuckProcedure) -> Asking[Facts]:
        """What is inductive in a procedure, whoever calls it; for the entry procedure the initial state is known.

        Facts found earlier stay. Relations come first. The dearer sources take turns, so that one which uses up the
        budget does not keep the others from being asked."""
        sight, bad = stuck.sight, stuck.bad
        procedure = sight.procedure
        attempts = self._attempts.setdefault(procedure.name, Attempts())
        places = {procedure.entry, *(edge.target for edge in procedure.edges)}
        facts: Facts = {place: self._board.facts[place] for place in places if place in self._board.facts}
        known = self._known(procedure)
        sources = self._sources(sight, bad)
        dearer = range(1, len(sources))
        for i in (0, *dearer[attempts.turn :], *dearer[: attempts.turn]) if bad else ():
            name, source = sources[i]
            yield LIMITS.horn_calls if name == "horn" else 0
            guesses = frozenset(ordered := list(dict.fromkeys(source(sight))))
            if guesses <= attempts.tried.get(name, frozenset()):
                continue
            attempts.turn = i % len(dearer)
            filtering = replace(self._filter, over_branches=name not in PROMPT)
            more = yield from filtering.inductive(sight, facts, ordered, known)
            attempts.tried[name] = guesses
            news, facts = more != facts, more
            if (news and name in PROMPT) or self._enough(facts, bad):
                break
        return facts

    def _sources(self, sight: Sight, bad: Mapping[int, Sequence[Term]]) -> list[tuple[str, Source]]:
        """The sources in the order they are asked; the second time, relations are carried back over branches.

        Where regions speak of memory, guesses about it come before other dear ones."""
        others: list[tuple[str, Source]] = [
            ("relations over branches", relations),
            ("slopes", slopes),
            ("explained", explained),
            ("horn", lambda sight: horn_invariants(sight, bad, self._effects)),
        ]
        if any(read.op == "load" for literal in sight.literals for read in state_reads(literal)):
            return [
                (RELATIONS, lambda sight: chain(memory_facts(sight), relations(sight))),
                (PASSED_BY, passed_by),
                *others,
            ]
        return [(RELATIONS, relations), *others]

    def _known(self, procedure: Procedure) -> Callable[[Term], bool]:
        """What is known to hold at the entry of a procedure."""
        initial = procedure.name == self._program.entry
        start = World(self._program).initial_state()
        return lambda formula: initial and all(map(is_global, formula.variables)) and bool(start.value(formula))

    def _enough(self, facts: Facts, bad: Mapping[int, Sequence[Term]]) -> bool:
        return not any(formulas and self._possible(facts.get(head, ()), formulas) for head, formulas in bad.items())

    def _possible(self, known: Sequence[Term], formulas: Iterable[Term]) -> bool:
        try:
            return any(self.questions.core([formula], known) is None for formula in formulas)
        except SolverUnknown:
            return True
