"""The DASH algorithm (Figs. 10-16 of "Proofs from Tests").

One search works on a forest of tests and an abstraction, in turns: find an abstract transition from a region that tests
have reached into one they have not, on a way to the target (`get_ordered_abstract_trace`); ask the solver once whether
a test can be driven across it (`extend_frontier`); if so run that test, otherwise split the region (`refine_pred`).

Departures from the paper:
- Tests are executed with symbolic values beside the concrete ones, so the symbolic execution of the path to a frontier
  (Fig. 13) is already there when it is needed. A new test starts at the frontier: its state is the old one under the
  model, since it follows the same path.
- The regions on the path are not part of the query (Fig. 13, line 14): a test that follows the path through other
  regions crosses the frontier as well, and without them fewer queries are unsatisfiable.
- Of the target region's literals only those that an unsatisfiable core needs enter the pre-image.
- The error may be inside a callee: the search for errors spans all procedures, with edges from calls to entries. Only
  the question whether a call can *return* in a region is answered by a nested search (Fig. 16). What such a search
  learns is kept per procedure and question: its regions are a not-may summary for all later calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Protocol, TypeAlias

from pincer.abstraction.preimage import Preimage
from pincer.engines.board import Board, Inputs
from pincer.engines.dash.calls import extend_call, extend_entry
from pincer.engines.dash.crossing import preimage_of_hop, specialised, stepped
from pincer.engines.dash.errors import ErrorGroup, error_groups
from pincer.engines.dash.forest import Forest
from pincer.engines.dash.goals import Hop, whole_program
from pincer.engines.dash.limits import LIMITS
from pincer.engines.dash.regions import Abstraction, Frontier, Region
from pincer.engines.dash.searches import (
    ErrorReached,
    Search,
    Searching,
    Statistics,
    Undecided,
    UndefinedBehaviourFound,
)
from pincer.engines.invariants.recursion import Inductive
from pincer.engines.questions import Feasible, Infeasible, Questions
from pincer.execution.machine import History
from pincer.execution.testing import Node, extended, spread
from pincer.logic.solver import SolverUnknown
from pincer.logic.terms import FALSE, Term, conjunction, negate
from pincer.program.control_flow import Call, Check, ControlFlowProgram, Edge, Procedure
from pincer.program.effects import ProcedureEffects, effects

Crossing: TypeAlias = tuple[list[Term], list[Term]]
"""The conditions of crossing a frontier, as formulas and over the inputs of a path."""


class Help(Protocol):
    """What an analysis asks for beyond the paper."""

    @property
    def summaries(self) -> Mapping[str, Inductive]:
        """What every call of a recursive procedure establishes."""

    def loop_is_split(self, search: Search, procedure: Procedure, location: int) -> None:
        """The regions of a loop head multiply."""

    def excludes(self, call: Call, goals: Sequence[Term]) -> Term | None:
        """The states before a call from which it may return in all of the goals, as far as a summary tells."""


class NoHelp:
    """The paper's algorithm alone."""

    @property
    def summaries(self) -> Mapping[str, Inductive]:
        return {}

    def loop_is_split(self, search: Search, procedure: Procedure, location: int) -> None:
        pass

    def excludes(self, call: Call, goals: Sequence[Term]) -> Term | None:
        return None


class Dash:
    """The analysis of one property of one program. Facts on the board exclude regions that contradict them.

    While `assertions` are checked, executions end where behaviour is undefined. A strict analysis does not argue with
    that: its proofs also cover executions that go on as if memory were one large array.

    Work that may take long comes in steps (`Searching`): after each of them it can be interrupted."""

    def __init__(
        self, program: ControlFlowProgram, board: Board, changes: Mapping[str, ProcedureEffects] | None = None,
        strict: bool = False,
    ) -> None:  # fmt: skip
        self.program = program
        self.board = board
        self.strict = strict
        self.effects = effects(program) if changes is None else changes
        self.questions = Questions(board.run, program.layout.slot_bits)
        self.statistics = Statistics()
        self.forest = Forest(program, board.run, self.place_everywhere)
        self.help: Help = NoHelp()
        self.main: dict[ErrorGroup, Search] = {}
        self.searches: list[Search] = []
        self.summaries: dict[tuple[str, Term], Abstraction] = {}
        self.uses: dict[tuple[Abstraction, Edge], dict[tuple[str, Term], int]] = {}
        self.given_up: dict[tuple[int, Hop, int], str] = {}
        self.single_tried: set[tuple[int, Hop, int]] = set()
        # Every proof relies on copies that do not overlap: the model copies in one order, machines in any.
        copies = (edge for edge in program.edges() if isinstance(edge.label, Check) and edge.label.kind == "overlap")
        self.relied: dict[Edge, None] = dict.fromkeys(copies)
        self.needed: dict[int, dict[Term, None]] = {}
        self._loop_heads = {head: p for p in program.procedures.values() for head in p.loop_heads}

    def place_everywhere(self, node: Node) -> None:
        """A new state of a test: put it into its region in every search that looks at it."""
        for search in self.searches:
            if search.accepts(node):
                self.place(search, node)

    @staticmethod
    def place(search: Search, node: Node) -> None:
        search.abstraction.add(node)
        if search.goal is not None and node.location == node.frame.procedure.exit and node.state.value(search.goal):
            search.reached = node

    def dash_main(self, planned: Iterable[Inputs] = ()) -> Searching[None]:
        """Fig. 15. Returns when the abstractions exclude all errors; raises ErrorReached with a test that shows one."""
        for values in (*planned, {}):
            self.add_test_to_forest(self.forest.tester.root(values), LIMITS.steps_of_first_tests)
        groups = list(error_groups(self.program, self.board.kind))
        if groups or any(error_groups(self.board.program, self.board.kind)):
            yield
        undecided = []
        for group in groups:
            reason = yield from self._excluded(group)
            if reason is not None:
                undecided.append(reason)
        self._try_relied_checks()
        if undecided:
            raise Undecided(undecided[0])

    def _excluded(self, group: ErrorGroup) -> Searching[str | None]:
        """Search for some errors: None when there are none, otherwise why that is not known."""
        entered = None if group.call is None else (group.procedure, group.call)
        graph = whole_program(self.program, self.board.kind, group.errors, group.apart, entered)
        search = self.main[group] = Search(Abstraction(graph))
        self.searches = [search]
        for node in self.forest.nodes():
            search.abstraction.add(node)
        try:
            yield from self.dash(search)
        except Undecided as undecided:
            return undecided.reason
        search.abstraction.forget_nodes()
        return None

    def dash(self, search: Search) -> Searching[bool]:
        """Fig. 10 for one search: True when the target is unreachable, False when a test reached it.

        Raises Undecided when the remaining frontiers could be neither crossed nor refined."""
        refined: tuple[Region, Node] | None = None
        while search.reached is None:
            self.board.run.poll()
            frontier = (refined and self._one_step_back(search, *refined)) or self.get_ordered_abstract_trace(search)
            if frontier is None:
                return True
            self.statistics.iterations += 1
            if isinstance(frontier, Region):
                extend_entry(self, search, frontier)
                refined = None
            else:
                refined = yield from self.extend_frontier(search, frontier)
            yield
        return False

    def _one_step_back(self, search: Search, inside: Region, node: Node) -> Frontier | None:
        """After a split at a node: the frontier into the side without tests that lies one step back on its path.

        It is on an abstract error trace like the one before it, and no search is needed to find it."""
        if inside.nodes or node.edge is None or node.parent is None:
            return None
        abstraction, before = search.abstraction, node.parent
        hop = abstraction.arriving.get(node.edge)
        if before.frame is node.frame and hop is not None:
            before = node.before(len(hop.edges))
        elif before.frame.caller is node.frame and before.frame.call_node is not None:
            before = before.frame.call_node
        else:
            hop = abstraction.entering.get(node.edge)
        if hop is None or hop.target != node.location:
            return None
        region = abstraction.region_of(before)
        if region.dead or (hop, inside) in region.blocked or before not in region.nodes[-LIMITS.nodes_looked_at :]:
            return None
        if (region.number, hop, inside.number) in self.given_up:
            return None
        return Frontier(region, hop, inside, before)

    def get_ordered_abstract_trace(self, search: Search) -> Frontier | Region | None:
        """The frontier of an ordered abstract error trace: a region with tests, then none up to the target.

        In a nested search it may be a region of the entry instead, before which there is only the call. One pass over
        the abstraction finds several frontiers; later ones are used while they are still frontiers."""
        while search.pending:
            frontier = search.pending.pop()
            if self._is_frontier(search, frontier):
                return frontier
        search.pending = list(islice(self._frontiers(search), LIMITS.frontiers_per_pass))[::-1]
        return search.pending.pop() if search.pending else None

    def _frontiers(self, search: Search) -> Iterator[Frontier | Region]:
        left_out: str | None = None
        found = False
        entry = None if search.procedure is None else self.program.procedures[search.procedure].entry
        for before, hop, after in search.abstraction.backward(False, self._alive):
            if hop.edges[-1] in self.board.unsupported:
                continue
            if before.nodes:
                reason = self.given_up.get((before.number, hop, after.number))
                if reason is None:
                    found = True
                    yield Frontier(before, hop, after)
                left_out = reason
            elif before.location == entry and before not in search.not_initial:
                found = True
                yield before
        if left_out is not None and not found:
            raise Undecided(left_out)

    def _is_frontier(self, search: Search, frontier: Frontier | Region) -> bool:
        if isinstance(frontier, Region):
            return frontier.sides is None and not frontier.nodes and frontier not in search.not_initial
        before, hop, after = frontier.source, frontier.hop, frontier.target
        return (
            before.sides is None and bool(before.nodes) and after.sides is None and not after.nodes
            and (hop, after) not in before.blocked and (before.number, hop, after.number) not in self.given_up
            and hop.edges[-1] not in self.board.unsupported
        )  # fmt: skip

    def _alive(self, region: Region) -> bool:
        """Whether a region without tests is compatible with the facts known at its location (asked once)."""
        if region.dead or region.nodes or region.checked == len(self.board.facts.get(region.location, ())):
            return not region.dead
        facts = self.board.facts[region.location]
        region.checked = len(facts)
        try:
            core = self.questions.core(region.literals, facts)
        except SolverUnknown:
            return True
        if core is not None:
            region.dead = True
            self.needed.setdefault(region.location, {}).update(dict.fromkeys(facts[i] for i in core))
        return not region.dead

    def extend_frontier(self, search: Search, frontier: Frontier) -> Searching[tuple[Region, Node] | None]:
        """Figs. 12 and 16: drive a test across a frontier, or refine the region before it.

        After a split: the part that may still cross the frontier, and the node at which the region was split."""
        node = frontier.node or frontier.source.nodes[-1]
        if _has_come_far(node):
            node = frontier.source.nodes[0]
        if isinstance(frontier.hop.label, Call):
            return (yield from extend_call(self, search, frontier, node))
        try:
            goals, symbolic, path = self.execute_symbolic(node, frontier)
        except Undecided as undecided:
            self.give_up(frontier, undecided.reason)
            return None
        try:
            answer = self._cross(node, frontier, symbolic, path)
        except SolverUnknown:
            # A suitable predicate separates the known tests from the goal whether or not another test could cross.
            answer = Infeasible(tuple(range(len(symbolic) - len(frontier.hop.checks))))
        if isinstance(answer, Infeasible):
            return self.refine_pred(search, frontier, node, (goals, symbolic), answer.core)
        if answer is None:
            self.give_up(frontier, "only undefined behaviour keeps executions from going on")
            return None
        self.add_test_to_forest(self.forest.under(node, answer.model))
        if not frontier.target.nodes and frontier.target is not search.abstraction.target:
            self.give_up(frontier, "a test did not take the way its path conditions describe")
        return None

    def _cross(
        self, node: Node, frontier: Frontier, symbolic: list[Term], path: History | None
    ) -> Feasible | Infeasible | None:
        """Ask whether a test can cross a frontier; None when only undefined behaviour prevents it."""
        checks = len(symbolic) - len(frontier.hop.checks)
        answer = self.questions.extend(path, symbolic)
        if isinstance(answer, Feasible) or not any(i >= checks for i in answer.core):
            return answer
        unchecked = self.questions.extend(path, symbolic[:checks])
        if isinstance(unchecked, Infeasible):
            return unchecked
        self._run_into(node, unchecked)
        return None

    def _run_into(self, node: Node, undefined: Feasible) -> None:
        """Run a test into undefined behaviour, unless one that ends there is known."""
        if not self.board.undefined:
            self.add_test_to_forest(self.forest.under(node, undefined.model))

    def _try_relied_checks(self) -> None:
        """Before a proof is given that relies on checks: try to violate them from where tests have passed them."""
        nodes = self.forest.at(edge.source for edge in self.relied)
        for edge in self.relied:
            assert isinstance(edge.label, Check)
            for node in spread(nodes[edge.source], LIMITS.nodes_tried):
                pins: list[Term] = []
                violated = negate(node.state.symbolic(edge.label.condition, pins))
                try:
                    answer = self.questions.extend(extended(node.conditions, pins), [violated])
                except SolverUnknown:
                    continue
                if isinstance(answer, Feasible):
                    self._run_into(node, answer)

    def give_up(self, frontier: Frontier, reason: str) -> None:
        where = f"{reason} ({frontier.hop.edges[-1].position})"
        self.given_up[frontier.source.number, frontier.hop, frontier.target.number] = where

    def execute_symbolic(self, node: Node, frontier: Frontier) -> tuple[list[Term], list[Term], History | None]:
        """Fig. 13, the last step: the conditions of crossing a frontier, as formulas and over the path's inputs.

        The conditions of the hop come after the target's literals, its checks last."""
        pins: list[Term] = []
        after = stepped(node, frontier.hop, pins)
        goals = list(frontier.target.literals)
        symbolic = [after.symbolic(goal, pins) for goal in goals]
        for condition in (*frontier.hop.conditions, *frontier.hop.checks):
            goals.append(condition)
            symbolic.append(node.state.symbolic(condition, pins))
        return goals, symbolic, extended(node.conditions, pins)

    def refine_pred(
        self, search: Search, frontier: Frontier, node: Node, crossing: Crossing, core: tuple[int, ...]
    ) -> tuple[Region, Node] | None:
        """Fig. 14, with section 5's preference for predicates that ignore the branch condition."""
        goals, symbolic = crossing
        literals = len(goals) if isinstance(frontier.hop.label, Call) else len(frontier.target.literals)
        refuted = [i for i in range(literals) if symbolic[i] is FALSE]
        usable = len(goals) - (len(frontier.hop.checks) if self.strict else 0)
        choices = [*((i,) for i in reversed(refuted)), core, tuple(range(usable))]
        best: tuple[int, Preimage, tuple[int, ...]] | None = None
        for choice in choices:
            formula = conjunction(*(goals[i] for i in choice if i < literals))
            condition = conjunction(*(goals[i] for i in choice if i >= literals))
            before = preimage_of_hop(frontier.hop, formula, condition, node.state, self.forest.tester.own_registers)
            if before is None or node.state.value(before.refinement):
                before = specialised(frontier.hop, formula, node.state, self.questions)
                if before is None:
                    continue
            still = sum(
                bool(other.state.value(before.refinement)) for other in frontier.source.nodes[-LIMITS.nodes_looked_at :]
            )
            if best is None or still < best[0]:
                best = still, before, choice
            if still == 0:
                break
        if best is None:
            self.give_up(frontier, "the pre-image cannot be expressed")
            return None
        if best[2] and best[2][-1] >= len(goals) - len(frontier.hop.checks):
            self.relied |= dict.fromkeys(edge for edge in frontier.hop.edges if isinstance(edge.label, Check))
        inside = self.split(search, frontier, best[1])
        return None if inside is None else (inside, node)

    def split(self, search: Search, frontier: Frontier, before: Preimage) -> Region | None:
        """The template of Fig. 11: the part of the source that keeps the transition, None if nothing was split."""
        source, target = frontier.source, frontier.target
        without = (*before.aliases, negate(before.formula))
        inside, outside = None, source
        if not all(literal in source.literals for literal in without):
            looping = self._loop_heads.get(source.location)
            if looping is not None:
                self.help.loop_is_split(search, looping, source.location)
            inside, outside = search.abstraction.refine(source, before.refinement, without)
        for after in target.sides or (target,):
            search.abstraction.block(outside, frontier.hop, after)
        return inside

    def add_test_to_forest(self, node: Node, most_steps: int = LIMITS.steps_per_test) -> None:
        """Run a test on from a node. Errors it reaches end the analysis."""
        self.statistics.tests += 1
        stop = self.forest.run_on(node, most_steps)
        if self.board.is_violation(stop):
            raise ErrorReached(self.forest.ends[-1], stop)
        self.board.ended(stop)
        if stop.kind == "check" and not self.strict:
            raise UndefinedBehaviourFound


def _has_come_far(node: Node) -> bool:
    """Whether the conditions of a test's path are so many that questions about them are slow."""
    return node.conditions is not None and next(islice(node.conditions, LIMITS.long_path, None), None) is not None
