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

import random
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import islice

from pincer.abstraction.preimage import Preimage
from pincer.analysis.error_distances import ErrorDistances
from pincer.analysis.simulation import Simulation
from pincer.engines.dash.calls import extend_call, extend_entry, finished_calls
from pincer.engines.dash.crossing import preimage_of_hop, specialised, stepped
from pincer.engines.dash.errors import ErrorGroup, error_groups
from pincer.engines.dash.goals import Hop, whole_program
from pincer.engines.dash.regions import Abstraction, Frontier, Region
from pincer.engines.dash.searches import (
    AllPathsExplored,
    ErrorReached,
    Search,
    Statistics,
    Undecided,
    UndefinedBehaviourFound,
)
from pincer.engines.invariants.facts import Attempts, find_facts
from pincer.engines.invariants.recursion import Recursion
from pincer.engines.paths.exploration import Exploration
from pincer.engines.questions import Feasible, Infeasible, Questions
from pincer.engines.sampling.hunting import hunt
from pincer.engines.sampling.inputs import is_truth_value
from pincer.execution.machine import History, World
from pincer.execution.stepping import Stop
from pincer.execution.testing import Frame, Node, Tester, extended, spread
from pincer.logic.solver import SolverUnknown
from pincer.logic.terms import FALSE, Term, conjunction, negate
from pincer.program.control_flow import Call, Check, ControlFlowProgram, Edge, Input
from pincer.program.effects import Effects, effects
from pincer.program.property import PropertyKind
from pincer.runtime.run import Run

STEPS_PER_TEST = 4_000
STEPS_OF_FIRST_TESTS = 30_000
MANY_INPUTS = 100
"""Values that are computed from more inputs than that make the steps of a test slow: it does not go far then."""
SPLITS_BEFORE_GENERALISING = 4
NODES_LOOKED_AT = 8
NODES_TRIED = 20
FRONTIERS_PER_PASS = 32
LONG_PATH = 150
FACTS_SHARE = 0.4
EXPLORATION_SHARE = 0.5
HUNTING_SHARE = 0.25
FIRST_EXPLORATION = 1.0
LATER_EXPLORATION = 0.5
RANDOM_TESTS = (1, 4, 7, 9, 12, 20)
"""The largest inputs of the tests that precede the search for loop invariants."""


class Dash:
    """The analysis of one property of one program, with an exploration of its paths beside it if one is given.

    `simulate` may settle the property after the first tests, with a simulation in which no error is reached; one that
    reaches errors guides the exploration. At a location, loop invariants do not speak of `hidden` registers.
    While `assertions` are checked, executions end where behaviour is undefined. A strict analysis does not argue with
    that: its proofs also cover executions that go on as if memory were one large array."""

    def __init__(
        self,
        program: ControlFlowProgram,
        kind: PropertyKind,
        run: Run,
        changes: Mapping[str, Effects] | None = None,
        exploration: Exploration | None = None,
        strict: bool = False,
        simulate: Callable[[], Simulation | None] | None = None,
        hidden: Mapping[int, frozenset[Term]] | None = None,
    ) -> None:
        self.program = program
        self.kind = kind
        self.strict = strict
        self.hidden = hidden or {}
        self.run = run
        self.questions = Questions(run, program.layout.slot_bits)
        self.statistics = Statistics()
        self.effects = effects(program) if changes is None else changes
        self.world = World(program)
        self.tester = Tester(self.world, self.observe)
        self.main: dict[ErrorGroup, Search] = {}
        self.searches: list[Search] = []
        self.summaries: dict[tuple[str, Term], Abstraction] = {}
        self.recursion = Recursion(program, self.effects, self.questions, partial(finished_calls, self))
        self.uses: dict[tuple[Abstraction, Edge], dict[tuple[str, Term], int]] = {}
        self.nodes_of: dict[Frame, list[Node]] = {}
        self.activation: dict[Node, Frame] = {}
        self.last_nodes: list[Node] = []
        self.given_up: dict[tuple[int, Hop, int], str] = {}
        self.unsupported: dict[Edge, str] = {}
        self.undefined_behaviour: Stop | None = None
        # Every proof relies on copies that do not overlap: the model copies in one order, machines in any.
        copies = (edge for edge in program.edges() if isinstance(edge.label, Check) and edge.label.kind == "overlap")
        self.relied: dict[Edge, None] = dict.fromkeys(copies)
        self.facts: dict[int, tuple[Term, ...]] = {}
        self.needed: dict[int, dict[Term, None]] = {}
        self._splits: dict[int, int] = {}
        self.fact_attempts: dict[str, Attempts] = {}
        self._facts_time = 0.0
        self.simulation: Simulation | None = None
        self._simulate = simulate
        self._exploration = exploration
        self._exploration_time = 0.0
        self._tested_at_random = False
        self._loop_heads = {head: p for p in program.procedures.values() for head in p.loop_heads}
        self.single_tried: set[tuple[int, Hop, int]] = set()

    def observe(self, node: Node) -> None:
        """A new state of a test: keep it, and put it into its region in every search that looks at it."""
        nodes = self.nodes_of.get(node.frame)
        if nodes is None:
            nodes = self.nodes_of[node.frame] = []
            if node.frame.call_node is not None:
                self.activation[node.frame.call_node] = node.frame
        nodes.append(node)
        for search in self.searches:
            if search.accepts(node):
                self.place(search, node)

    def place(self, search: Search, node: Node) -> None:
        search.abstraction.add(node)
        if search.goal is not None and node.location == node.frame.procedure.exit and node.state.value(search.goal):
            search.reached = node

    def dash_main(self, planned: Iterable[Mapping[Term, int]] = ()) -> None:
        """Fig. 15. Returns when the abstractions exclude all errors; raises ErrorReached with a test that shows one."""
        for values in (*planned, {}):
            self.add_test_to_forest(self.tester.root(values), STEPS_OF_FIRST_TESTS)
        if self._exploration is not None:
            catch = hunt(self.program, self.kind, self.run)
            for values in catch.covering if catch.violating is None else (catch.violating,):
                self.add_test_to_forest(self.tester.root(values))
        self._explore(FIRST_EXPLORATION)
        simulation = self._simulate() if self._simulate is not None else None
        if simulation is not None and not simulation.reached:
            self.simulation = simulation
            return
        if simulation is not None and self._exploration is not None:
            self._exploration.be_guided(ErrorDistances(simulation))
        undecided = [reason for group in error_groups(self.program, self.kind) if (reason := self._excluded(group))]
        self._try_relied_checks()
        while undecided and self._exploration is not None:
            self._explore(LATER_EXPLORATION)
        if undecided:
            raise Undecided(undecided[0])

    def _excluded(self, group: ErrorGroup) -> str | None:
        """Search for some errors: None when there are none, otherwise why that is not known."""
        entered = None if group.call is None else (group.procedure, group.call)
        search = Search(Abstraction(whole_program(self.program, self.kind, group.errors, group.apart, entered)))
        self.main[group] = search
        self.searches = [search]
        for nodes in list(self.nodes_of.values()):
            for node in nodes:
                search.abstraction.add(node)
        try:
            self.dash(search)
        except Undecided as undecided:
            return undecided.reason
        search.abstraction.forget_nodes()
        return None

    def _explore(self, seconds: float) -> None:
        """Let the exploration of paths go on for a while, and draw the conclusion when it has ended."""
        exploration = self._exploration
        if exploration is None:
            return
        started = self.run.elapsed()
        progress = exploration.work(seconds)
        self._exploration_time += self.run.elapsed() - started
        if progress == "all paths":
            raise AllPathsExplored
        if progress in ("error", "given up"):
            self._exploration = None
        if progress in ("error", "undefined behaviour"):
            self.add_test_to_forest(self.tester.root(exploration.inputs), exploration.steps + 1)

    def _explore_at_times(self) -> None:
        exploration = self._exploration
        if exploration is None:
            return
        share = EXPLORATION_SHARE if exploration.exhaustive or exploration.is_guided else HUNTING_SHARE
        if self._exploration_time < share * self.run.elapsed() - LATER_EXPLORATION:
            self._explore(LATER_EXPLORATION)

    def dash(self, search: Search) -> bool:
        """Fig. 10 for one search: True when the target is unreachable, False when a test reached it.

        Raises Undecided when the remaining frontiers could be neither crossed nor refined."""
        refined: tuple[Region, Node] | None = None
        while search.reached is None:
            self.run.poll()
            self._explore_at_times()
            frontier = (refined and self._one_step_back(search, *refined)) or self.get_ordered_abstract_trace(search)
            if frontier is None:
                return True
            self.statistics.iterations += 1
            if isinstance(frontier, Region):
                extend_entry(self, search, frontier)
                refined = None
            else:
                refined = self.extend_frontier(search, frontier)
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
        if region.dead or (hop, inside) in region.blocked or before not in region.nodes[-NODES_LOOKED_AT:]:
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
        search.pending = list(islice(self._frontiers(search), FRONTIERS_PER_PASS))[::-1]
        return search.pending.pop() if search.pending else None

    def _frontiers(self, search: Search) -> Iterator[Frontier | Region]:
        left_out: str | None = None
        found = False
        entry = None if search.procedure is None else self.program.procedures[search.procedure].entry
        for before, hop, after in search.abstraction.backward(False, self._alive):
            if hop.edges[-1] in self.unsupported:
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
            and hop.edges[-1] not in self.unsupported
        )  # fmt: skip

    def _alive(self, region: Region) -> bool:
        """Whether a region without tests is compatible with the facts known at its location (asked once)."""
        if region.dead or region.nodes or region.checked == len(self.facts.get(region.location, ())):
            return not region.dead
        facts = self.facts[region.location]
        region.checked = len(facts)
        try:
            core = self.questions.core(region.literals, facts)
        except SolverUnknown:
            return True
        if core is not None:
            region.dead = True
            self.needed.setdefault(region.location, {}).update(dict.fromkeys(facts[i] for i in core))
        return not region.dead

    def extend_frontier(self, search: Search, frontier: Frontier) -> tuple[Region, Node] | None:
        """Figs. 12 and 16: drive a test across a frontier, or refine the region before it.

        After a split: the part that may still cross the frontier, and the node at which the region was split."""
        node = frontier.node or frontier.source.nodes[-1]
        if _has_come_far(node):
            node = frontier.source.nodes[0]
        if isinstance(frontier.hop.label, Call):
            return extend_call(self, search, frontier, node)
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
            return self.refine_pred(search, frontier, node, goals, symbolic, answer)
        if answer is None:
            self.give_up(frontier, "only undefined behaviour keeps executions from going on")
            return None
        self.add_test_to_forest(self.under(node, answer.model))
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
        if self.undefined_behaviour is None:
            self.add_test_to_forest(self.under(node, undefined.model))

    def _try_relied_checks(self) -> None:
        """Before a proof is given that relies on checks: try to violate them from where tests have passed them."""
        nodes: dict[int, list[Node]] = {}
        sources = {edge.source for edge in self.relied}
        for made in self.nodes_of.values():
            for node in made:
                if node.location in sources:
                    nodes.setdefault(node.location, []).append(node)
        for edge in self.relied:
            assert isinstance(edge.label, Check)
            for node in spread(nodes.get(edge.source, []), NODES_TRIED):
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
        self, search: Search, frontier: Frontier, node: Node, goals: list[Term], symbolic: list[Term],
        answer: Infeasible,
    ) -> tuple[Region, Node] | None:  # fmt: skip
        """Fig. 14, with section 5's preference for predicates that ignore the branch condition."""
        literals = len(goals) if isinstance(frontier.hop.label, Call) else len(frontier.target.literals)
        refuted = [i for i in range(literals) if symbolic[i] is FALSE]
        usable = len(goals) - (len(frontier.hop.checks) if self.strict else 0)
        choices = [*((i,) for i in reversed(refuted)), answer.core, tuple(range(usable))]
        best: tuple[int, Preimage, tuple[int, ...]] | None = None
        for choice in choices:
            formula = conjunction(*(goals[i] for i in choice if i < literals))
            condition = conjunction(*(goals[i] for i in choice if i >= literals))
            before = preimage_of_hop(frontier.hop, formula, condition, node.state, self.tester.own_registers)
            if before is None or node.state.value(before.refinement):
                before = specialised(frontier.hop, formula, node.state, self.questions)
                if before is None:
                    continue
            still = sum(
                bool(other.state.value(before.refinement)) for other in frontier.source.nodes[-NODES_LOOKED_AT:]
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
            self._generalise(search, source.location)
            inside, outside = search.abstraction.refine(source, before.refinement, without)
        for after in target.sides or (target,):
            search.abstraction.block(outside, frontier.hop, after)
        return inside

    def _generalise(self, search: Search, location: int) -> None:
        """When the regions of a loop head multiply, look for invariants of its procedure."""
        procedure = self._loop_heads.get(location)
        if procedure is None:
            return
        count = self._splits[location] = self._splits.get(location, 0) + 1
        if count < SPLITS_BEFORE_GENERALISING or count & (count - 1):
            return
        allowed = FACTS_SHARE * self.run.elapsed() + 2.0 - self._facts_time
        if allowed <= 0:
            return
        started = time.process_time()
        self.test_at_random()
        with self.questions.at_most(allowed, "loop invariants"):
            known = find_facts(self, search, procedure)
        self._facts_time += time.process_time() - started
        for place, facts in known.items():
            self.facts[place] = tuple(dict.fromkeys((*self.facts.get(place, ()), *facts)))

    def test_at_random(self) -> None:
        """Some tests with small random inputs, once: relations between variables show only where they vary."""
        if self._tested_at_random:
            return
        self._tested_at_random = True
        rng, usual = random.Random(1), self.world.default_input
        try:
            for most in RANDOM_TESTS:
                self.world.default_input = partial(_random_input, rng, most)
                self.add_test_to_forest(self.tester.root())
        finally:
            self.world.default_input = usual

    def under(self, node: Node, model: dict[Term, int]) -> Node:
        """A node like another one, with other inputs that follow the same path."""
        if not model:
            return node
        changed = Node(node.location, node.state.under(model), node.frame, node.parent, node.edge, node.conditions)
        self.observe(changed)
        return changed

    def add_test_to_forest(self, node: Node, most_steps: int = STEPS_PER_TEST) -> None:
        """Run a test on from a node. Errors it reaches end the analysis."""
        self.statistics.tests += 1
        last, stop = self.tester.run(node, STEPS_PER_TEST, self.run.poll)
        if stop.kind == "steps" and most_steps > STEPS_PER_TEST and last.state.inputs_read <= MANY_INPUTS:
            last, stop = self.tester.run(last, most_steps - STEPS_PER_TEST, self.run.poll)
        self.last_nodes.append(last)
        if stop.kind == "unsupported" and stop.edge is not None:
            self.unsupported[stop.edge] = f"{stop.message} at {stop.edge.position}"
        elif (stop.kind == "fail" and self.kind == "assertions") or (stop.kind == "check" and self.kind == "memory"):
            raise ErrorReached(last, stop)
        elif stop.kind == "check":
            self.undefined_behaviour = stop
            if not self.strict:
                raise UndefinedBehaviourFound


def _has_come_far(node: Node) -> bool:
    """Whether the conditions of a test's path are so many that questions about them are slow."""
    return node.conditions is not None and next(islice(node.conditions, LONG_PATH, None), None) is not None


def _random_input(rng: random.Random, most: int, label: Input, symbol: Term) -> int:
    return rng.randint(0, 1 if is_truth_value(label) else most)
