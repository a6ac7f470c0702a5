"""Exploration of paths, beside the search: a program with few paths is decided by walking all of them.

The paper's regions shine where paths are many; here they are few, but hard to describe by predicates (lists, arrays
that are filled in a loop with a fixed bound, deep recursion). Paths that turn where few have turned come first, so that
errors are found early, also where there are too many paths to walk them all; random walks (`walks`) look for them as
well then. Where it is known how far errors are, paths that come near them are followed as often, and the search tells
states apart by what has closed ways to an error (`gates`). An exploration can be interrupted and resumed.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from pincer.engines.board import Board, Holds, Inputs, Violated
from pincer.engines.paths.agenda import Agenda, Turn
from pincer.engines.paths.guide import Guide
from pincer.engines.paths.limits import LIMITS
from pincer.engines.portfolio import NOTHING, Allowance, Ended, Going
from pincer.engines.questions import LIMITS as OF_QUESTIONS
from pincer.engines.questions import Infeasible, Questions
from pincer.engines.violation import violated
from pincer.evidence.c_proof.paths import Paths
from pincer.execution.machine import History, World
from pincer.execution.stepping import Stop
from pincer.execution.testing import Node, Tester, extended
from pincer.logic.solver import SolverUnknown
from pincer.logic.terms import Term, negate
from pincer.program.control_flow import Assume


class Exploration:
    """The strategy: the paths of a program. `exhaustive` says whether a proof by paths is still possible.

    `observe` is told every state on the way."""

    def __init__(self, board: Board, exhaustive: bool = True, observe: Callable[[Node], None] | None = None) -> None:
        self._board = board
        self.exhaustive = exhaustive
        self._world = World(board.program, pinned=[])
        self._tester = Tester(self._world, observe)
        self.questions = Questions(board.run, ticks=LIMITS.ticks, purpose="following paths")
        self.paths = self.steps = self._work = 0
        self._outcome: Ended | Holds | Violated | None = None
        self._until = self._hunted_until = NOTHING
        self._agenda = Agenda()
        self._node: Node | None = self._tester.root()
        self._begun_at = self._turns = 0
        self._values: dict[int, set[int]] = {}
        self._guide: Guide | None = None
        self._variables = 0
        self._again: list[Inputs] = []
        self._is_extra = False
        self._extra_steps = 0
        self._postponed: list[Turn] = []
        self._hard: list[Turn] = []

    def step(self, budget: Allowance) -> Going | Ended | Holds | Violated:
        before = Allowance(self._work, self.questions.effort)
        self._until = before + self._share(budget)
        self._hunted_until = before + Allowance(int(LIMITS.hunting * budget.steps), int(LIMITS.hunting * budget.calls))
        while self._outcome is None and not self._is_spent():
            self._board.run.poll()
            if self._guide is not None and self._guide.gates.variables > self._variables:
                self._order_again(self._guide)
            self._some_steps()
        return self._outcome or Going(Allowance(self._work - before.steps, self.questions.effort - before.calls))

    def _share(self, budget: Allowance) -> Allowance:
        """What a turn may cost: more for the first with a guide."""
        distances = self._board.distances
        if self._guide is None and distances is not None:
            self._guide = Guide(self._board.program, distances)
            for turn in self._hard:
                self._agenda.add(turn)
            self._order_again(self._guide)
            edges = sum(1 for _ in self._board.program.edges())
            return budget + Allowance(LIMITS.steps_per_edge * edges, int(LIMITS.calls_per_edge * edges))
        return budget

    def _order_again(self, guide: Guide) -> None:
        """Turn first to where an error is near."""
        self._agenda = self._agenda.guided(guide)
        self._variables = guide.gates.variables

    def _end(self) -> Allowance:
        """Where the turn ends: sooner when it only hunts for errors, and does not know where they are."""
        return self._until if self.exhaustive or self._guide is not None else self._hunted_until

    def _is_spent(self) -> bool:
        return self._work >= self._end().steps or self.questions.effort >= self._end().calls

    def _some_steps(self) -> None:
        for _ in range(LIMITS.steps_at_once):
            if self._node is None:
                self._node = self._next_path()
                self._begun_at, self._turns = self.steps, 0
            if self._node is None:
                return
            self._step(self._node)
            if self._is_too_long():
                self.exhaustive = False
                self._node = None
            if self._agenda.size + len(self._postponed) > LIMITS.turns:
                self._outcome = Ended("there are too many paths")
            if self._outcome is not None:
                return

    def _is_too_long(self) -> bool:
        most = LIMITS.steps_per_path if self.exhaustive else LIMITS.steps_per_hunted_path
        if self._node is not None and self._node.state.inputs_read > LIMITS.inputs_per_path:
            return True
        return self.steps - self._begun_at > most or self._turns > LIMITS.turns_per_path

    def _step(self, node: Node) -> None:
        self.steps += 1
        self._extra_steps += self._is_extra
        self._work += 1 + node.state.inputs_read // LIMITS.inputs_of_easy_steps
        following = self._tester.advance(node)
        self._note_pins(node.location)
        if isinstance(following, Stop):
            self._ended(node, following)
            return
        if following.conditions is not node.conditions:
            self._note_turns(node, following)
        elif self._guide is not None and following.edge is not None:
            self._guide.passed(node, following.edge)
        self._node = following

    def _note_pins(self, location: int) -> None:
        pinned = self._world.pinned
        if pinned:
            self._values.setdefault(location, set()).update(pinned)
            pinned.clear()

    def _note_turns(self, node: Node, following: Node) -> None:
        """The conditions a step has added could have been otherwise."""
        new: list[Term] = []
        history = following.conditions
        while history is not node.conditions and history is not None:
            new.append(history.item)
            history = history.earlier
        assert following.edge is not None
        edges = node.frame.procedure.outgoing.get(node.location, ())
        other = next((edge for edge in edges if edge is not following.edge), following.edge)
        is_barred = other is following.edge and isinstance(following.edge.label, Assume)
        path = node.conditions
        self._turns += len(new)
        for condition in reversed(new):
            self._agenda.add(Turn(other, node, path, negate(condition), is_barred, self._is_extra))
            path = History(condition, path)

    def _ended(self, node: Node, stop: Stop) -> None:
        self.paths += 1
        self._node = None
        if stop.kind == "halt" and stop.edge is None and node.location != node.frame.procedure.exit:
            self._note_blocked(node)
        self.exhaustive &= self.paths <= LIMITS.paths
        if self._board.is_violation(stop):
            found = violated(self._board, node.state.values)
            self._outcome = found or Ended("a violation on a path could not be repeated")
        elif stop.kind == "check":
            self._met_undefined_behaviour(node, stop)
        elif stop.kind == "unsupported":
            self.exhaustive = False

    def _note_blocked(self, node: Node) -> None:
        """No edge could be taken with these inputs: other inputs may take one."""
        for edge in node.frame.procedure.outgoing.get(node.location, ()):
            assert isinstance(edge.label, Assume)
            pins: list[Term] = []
            condition = node.state.symbolic(edge.label.condition, pins)
            path = node.conditions
            for pin in pins:
                self._agenda.add(Turn(edge, node, path, negate(pin), False, self._is_extra))
                path = History(pin, path)
            self._agenda.add(Turn(edge, node, path, condition, False, self._is_extra))
        self._note_pins(node.location)

    def _met_undefined_behaviour(self, node: Node, stop: Stop) -> None:
        """While `assertions` are checked, a path into undefined behaviour makes a proof by paths impossible."""
        self.exhaustive = False
        if not self._board.undefined:
            self._board.ended(stop)
            self._board.inputs.append(node.state.values)

    def _next_path(self) -> Node | None:
        while not self._is_spent():
            if self._again and not self._are_extras_postponed():
                self._is_extra = True
                return self._tester.root(self._again.pop())
            turn = self._next_turn()
            if turn is None:
                done = Holds("paths", execution=self.proof())
                self._outcome = done if self.exhaustive else Ended("not all paths could be followed to their ends")
                return None
            self.questions.ticks = self._patience()
            try:
                answer = self.questions.extend(turn.path, [turn.condition])
            except SolverUnknown:
                self._note_hard(turn)
                continue
            if isinstance(answer, Infeasible):
                self._note_refused(turn)
            else:
                self._is_extra = turn.is_extra
                node, state = turn.node, turn.node.state.under(answer.model)
                conditions = extended(turn.path, [turn.condition])
                return Node(node.location, state, node.frame, node.parent, node.edge, conditions)
        return None

    def _patience(self) -> int:
        """Work of the solver at the next question. One that is not needed for a proof gets no more than is left."""
        if self.exhaustive or self._guide is not None:
            return LIMITS.ticks
        left = self._hunted_until.calls - self.questions.effort
        return min(LIMITS.ticks, left * OF_QUESTIONS.ticks_per_call)

    def _note_hard(self, turn: Turn) -> None:
        """There was no answer in time; with a guide there is more time."""
        if self.questions.ticks < LIMITS.ticks:
            self._hard.append(turn)
        self.exhaustive = False

    def _are_extras_postponed(self) -> bool:
        """While a proof is possible, executions that it does not need have half of the steps at most."""
        return self.exhaustive and 2 * self._extra_steps > self.steps

    def _next_turn(self) -> Turn | None:
        if self._are_extras_postponed():
            while (turn := self._agenda.next()) is not None and turn.is_extra:
                self._postponed.append(turn)
            return turn
        while self._postponed:
            self._agenda.add(self._postponed.pop())
        return self._agenda.next()

    def _note_refused(self, turn: Turn) -> None:
        """What the decisions before a turn exclude may be possible with other ones: the same inputs are tried again,
        but for those that the turn demands."""
        if self._guide is None or turn.is_barred or not self._guide.refused(turn.node, turn.edge):
            return
        with suppress(SolverUnknown):
            answer = self.questions.extend(None, [turn.condition])
            if not isinstance(answer, Infeasible):
                self._again.append({**turn.node.state.values, **answer.model})

    def proof(self) -> Paths:
        """What the checker needs in order to walk the same paths."""
        values = {location: tuple(sorted(found)) for location, found in self._values.items()}
        return Paths(self.paths, self.steps, values)
