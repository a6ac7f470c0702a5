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
from dataclasses import dataclass, field
from functools import partial
from itertools import islice

from pincer.abstraction.preimage import Preimage, StraddlingRead, open_preimage, preimage
from pincer.analysis.error_distances import ErrorDistances
from pincer.analysis.simulation import Simulation
from pincer.engines.dash.errors import ErrorGroup, error_groups
from pincer.engines.dash.exploration import Exploration
from pincer.engines.dash.goals import (
    TARGET,
    Enter,
    Hop,
    PropertyKind,
    Straight,
    one_procedure,
    whole_program,
)
from pincer.engines.dash.hunting import hunt
from pincer.engines.dash.inputs import is_truth_value
from pincer.engines.dash.loops.facts import Attempts, find_facts
from pincer.engines.dash.questions import Feasible, Infeasible, Questions
from pincer.engines.dash.recursion import Recursion
from pincer.engines.dash.regions import Abstraction, Frontier, Region
from pincer.execution.machine import History, State, World
from pincer.execution.stepping import Stop, saved, step
from pincer.execution.testing import Frame, Node, Tester, extended, spread
from pincer.logic import bitvectors
from pincer.logic.bitvector_projection import over_approximate
from pincer.logic.bitvectors import state_reads
from pincer.logic.solver import SolverUnknown
from pincer.logic.terms import FALSE, TRUE, Term, conjunction, equal, negate, substitute
from pincer.program.control_flow import Assume, Call, Check, ControlFlowProgram, Edge, Input, Procedure
from pincer.program.effects import Effects, effects
from pincer.runtime.run import Run

STEPS_PER_TEST = 4_000
STEPS_OF_FIRST_TESTS = 30_000
SPLITS_BEFORE_GENERALISING = 4
DEEPEST_NESTING = 40
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


class ErrorReached(Exception):
    """A test violates the property."""

    def __init__(self, node: Node, stop: Stop) -> None:
        super().__init__(stop.message)
        self.node = node
        self.stop = stop


class UndefinedBehaviourFound(Exception):
    """A test runs into undefined behaviour, so a proof must not rest on executions ending there."""


class AllPathsExplored(Exception):
    """There is no path left on which the property could be violated."""


@dataclass
class Search:
    """One search: its abstraction, and for a nested one the call it is about and the activations it looks at."""

    abstraction: Abstraction
    procedure: str | None = None
    goal: Term | None = None
    call: Edge | None = None
    caller_node: Node | None = None
    frames: set[Frame] = field(default_factory=set)
    reached: Node | None = None
    pending: list[Frontier | Region] = field(default_factory=list)
    not_initial: set[Region] = field(default_factory=set)
    depth: int = 0

    def accepts(self, node: Node) -> bool:
        """Whether a new state belongs to this search's forest."""
        if self.procedure is None:
            return True
        frame = node.frame
        if frame in self.frames:
            return True
        before = frame.call_node
        assert self.caller_node is not None
        if frame.call is not self.call or before is None or before.conditions is not self.caller_node.conditions:
            return False
        self.frames.add(frame)
        return True


@dataclass
class Statistics:
    """What the tables print."""

    iterations: int = 0
    tests: int = 0
    nested: int = 0
    reused: int = 0


class Dash:
    """The analysis of one property of one program, with an exploration of its paths beside it if one is given.

    `simulate` may settle the property after the first tests, with a simulation in which no error is reached; one that
    reaches errors guides the exploration.
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
    ) -> None:
        self.program = program
        self.kind = kind
        self.strict = strict
        self.run = run
        self.questions = Questions(run, program.layout.slot_bits)
        self.statistics = Statistics()
        self.effects = effects(program) if changes is None else changes
        self.world = World(program)
        self.tester = Tester(self.world, self._observe)
        self.main: dict[ErrorGroup, Search] = {}
        self.searches: list[Search] = []
        self.summaries: dict[tuple[str, Term], Abstraction] = {}
        self.recursion = Recursion(program, self.effects, self.questions, self._finished_calls)
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
        self._single_tried: set[tuple[int, Hop, int]] = set()

    def _observe(self, node: Node) -> None:
        """A new state of a test: keep it, and put it into its region in every search that looks at it."""
        nodes = self.nodes_of.get(node.frame)
        if nodes is None:
            nodes = self.nodes_of[node.frame] = []
            if node.frame.call_node is not None:
                self.activation[node.frame.call_node] = node.frame
        nodes.append(node)
        for search in self.searches:
            if search.accepts(node):
                self._place(search, node)

    def _place(self, search: Search, node: Node) -> None:
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
                self._extend_entry(search, frontier)
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
            return self._extend_call(search, frontier, node)
        try:
            goals, symbolic, path = self.execute_symbolic(node, frontier)
        except Undecided as undecided:
            self._give_up(frontier, undecided.reason)
            return None
        try:
            answer = self._cross(node, frontier, symbolic, path)
        except SolverUnknown:
            # A suitable predicate separates the known tests from the goal whether or not another test could cross.
            answer = Infeasible(tuple(range(len(symbolic) - len(frontier.hop.checks))))
        if isinstance(answer, Infeasible):
            return self.refine_pred(search, frontier, node, goals, symbolic, answer)
        if answer is None:
            self._give_up(frontier, "only undefined behaviour keeps executions from going on")
            return None
        self.add_test_to_forest(self._under(node, answer.model))
        if not frontier.target.nodes and frontier.target is not search.abstraction.target:
            self._give_up(frontier, "a test did not take the way its path conditions describe")
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
            self.add_test_to_forest(self._under(node, undefined.model))

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

    def _give_up(self, frontier: Frontier, reason: str) -> None:
        where = f"{reason} ({frontier.hop.edges[-1].position})"
        self.given_up[frontier.source.number, frontier.hop, frontier.target.number] = where

    def execute_symbolic(self, node: Node, frontier: Frontier) -> tuple[list[Term], list[Term], History | None]:
        """Fig. 13, the last step: the conditions of crossing a frontier, as formulas and over the path's inputs.

        The conditions of the hop come after the target's literals, its checks last."""
        pins: list[Term] = []
        after = self._stepped(node, frontier.hop, pins)
        goals = list(frontier.target.literals)
        symbolic = [after.symbolic(goal, pins) for goal in goals]
        for condition in (*frontier.hop.conditions, *frontier.hop.checks):
            goals.append(condition)
            symbolic.append(node.state.symbolic(condition, pins))
        return goals, symbolic, extended(node.conditions, pins)

    def _stepped(self, node: Node, hop: Hop, pins: list[Term]) -> State:
        """The state after a hop of any kind but a call with its return, whether its condition holds or not."""
        label = hop.label
        if isinstance(label, Assume | Check) or hop.target == TARGET:
            return node.state
        if isinstance(label, Enter):
            return _assigned(node.state, zip(label.callee.parameters, label.call.arguments, strict=False), pins)
        if isinstance(label, Straight):
            return _assigned(node.state, label.values.items(), pins)
        after = step(node.state, hop.edges[0], pins)
        if isinstance(after, Stop):
            raise Undecided(after.message)
        return after

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
            before = self._preimage(frontier.hop, formula, condition, node.state)
            if before is None or node.state.value(before.refinement):
                before = self._specialised(frontier.hop, formula, node.state)
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
            self._give_up(frontier, "the pre-image cannot be expressed")
            return None
        if best[2] and best[2][-1] >= len(goals) - len(frontier.hop.checks):
            self.relied |= dict.fromkeys(edge for edge in frontier.hop.edges if isinstance(edge.label, Check))
        inside = self._split(search, frontier, best[1])
        return None if inside is None else (inside, node)

    def _specialised(self, hop: Hop, formula: Term, state: State) -> Preimage | None:
        """A pre-image for states that agree with a given one where it matters, when there is none for all states.

        Asked for where a value that the hop leaves open cannot be projected out; it costs one more query."""
        if isinstance(hop.label, Enter | Straight):
            return None
        try:
            before = open_preimage(hop.label, formula, state)
        except StraddlingRead:
            return None
        written = hop.label.register if isinstance(hop.label, Input) else None
        leaves = [leaf for leaf in (*state_reads(before.formula), *before.formula.variables) if leaf is not written]
        agreeing = [_equals_value(leaf, state) for leaf in leaves if not _is_open(leaf, written)]
        try:
            core = self.questions.core([before.formula], agreeing)
        except SolverUnknown:
            return None
        if core is None:
            return None
        return Preimage(FALSE, (*before.aliases, *(agreeing[i] for i in core)))

    def _about_entry(self, formula: Term, callee: Procedure) -> Term:
        """A formula about a procedure's entry, weakened where it speaks of registers that have no value there."""
        for register in self.tester.own_registers[callee.name]:
            if register in formula.variables and register not in callee.parameters:
                formula = over_approximate(formula, register)
        return formula

    def _preimage(self, hop: Hop, formula: Term, condition: Term, state: State) -> Preimage | None:
        """States before a hop where a condition holds and from which it may lead into a formula."""
        match hop.label:
            case Enter(call, callee):
                formula = self._about_entry(formula, callee)
                return Preimage(substitute(formula, dict(zip(callee.parameters, call.arguments, strict=False))))
            case Straight(values=values):
                return Preimage(conjunction(substitute(formula, values), condition))
            case label:
                try:
                    before = preimage(label, formula, state)
                except StraddlingRead:
                    return None
                return Preimage(conjunction(before.formula, condition), before.aliases)

    def _split(self, search: Search, frontier: Frontier, before: Preimage) -> Region | None:
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
        self._test_at_random()
        with self.questions.at_most(allowed, "loop invariants"):
            known = find_facts(self, search, procedure)
        self._facts_time += time.process_time() - started
        for place, facts in known.items():
            self.facts[place] = tuple(dict.fromkeys((*self.facts.get(place, ()), *facts)))

    def _test_at_random(self) -> None:
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

    def _under(self, node: Node, model: dict[Term, int]) -> Node:
        """A node like another one, with other inputs that follow the same path."""
        if not model:
            return node
        changed = Node(node.location, node.state.under(model), node.frame, node.parent, node.edge, node.conditions)
        self._observe(changed)
        return changed

    def add_test_to_forest(self, node: Node, most_steps: int = STEPS_PER_TEST) -> None:
        """Run a test on from a node. Errors it reaches end the analysis."""
        self.statistics.tests += 1
        last, stop = self.tester.run(node, most_steps, self.run.poll)
        self.last_nodes.append(last)
        if stop.kind == "unsupported" and stop.edge is not None:
            self.unsupported[stop.edge] = f"{stop.message} at {stop.edge.position}"
        elif (stop.kind == "fail" and self.kind == "assertions") or (stop.kind == "check" and self.kind == "memory"):
            raise ErrorReached(last, stop)
        elif stop.kind == "check":
            self.undefined_behaviour = stop
            if not self.strict:
                raise UndefinedBehaviourFound

    def _extend_call(self, search: Search, frontier: Frontier, node: Node) -> tuple[Region, Node] | None:
        """Fig. 16: can the call return in the target region?"""
        call = frontier.hop.label
        assert isinstance(call, Call)
        goals = list(frontier.target.literals)
        kept = [goal for goal in goals if self._keeps(call, goal)]
        try:
            pins: list[Term] = []
            symbolic = [node.state.symbolic(goal, pins) for goal in kept]
            answer = self.questions.extend(extended(node.conditions, pins), symbolic)
        except SolverUnknown as unknown:
            self._give_up(frontier, str(unknown))
            return None
        if isinstance(answer, Infeasible):
            return self.refine_pred(search, frontier, node, kept, symbolic, answer)
        node = self._calling(node, answer.model, [*pins, *symbolic])
        if node not in self.activation:
            self.add_test_to_forest(node)
        if node not in self.activation:
            self._give_up(frontier, "the call could not be executed")
            return None
        changed = [goal for goal in goals if goal not in kept]
        if frontier.target.nodes:
            return None
        before = self.recursion.excludes(call, changed)
        if before is not None and not node.state.value(before):
            inside = self._split(search, frontier, Preimage(before))
            return None if inside is None else (inside, node)
        return self._ask_callee(search, frontier, node, changed)

    def _finished_calls(self, procedure: str) -> list[dict[Term, int]]:
        """Parameters on entry and result of the calls of a procedure in tests that came back."""
        self._test_at_random()
        called = self.program.procedures[procedure]
        assert called.result is not None
        found = []
        for frame, nodes in self.nodes_of.items():
            if frame.procedure is called and nodes[-1].location == called.exit:
                values = {parameter: nodes[0].state.registers[parameter] for parameter in called.parameters}
                found.append({**values, called.result: nodes[-1].state.registers.get(called.result, 0)})
        return found

    def _calling(self, node: Node, model: dict[Term, int], required: Iterable[Term]) -> Node:
        """A node before a call whose path also demands what must hold, unchanged, after the call."""
        required = [condition for condition in required if condition is not TRUE]
        if not model and not required:
            return node
        state = node.state.under(model)
        conditions = extended(node.conditions, required)
        made = Node(node.location, state, node.frame, node.parent, node.edge, conditions)
        self._observe(made)
        return made

    def _keeps(self, call: Call, formula: Term) -> bool:
        """Whether a call cannot change the value of a formula."""
        changes = self.effects[call.procedure]
        if call.result in formula.variables or not changes.registers.isdisjoint(formula.variables):
            return False
        reads = state_reads(formula)
        return not (
            (changes.writes and any(read.op == "load" for read in reads))
            or (changes.objects and any(read.op == "room" for read in reads))
        )  # fmt: skip

    def _ask_callee(
        self, search: Search, frontier: Frontier, node: Node, goals: list[Term]
    ) -> tuple[Region, Node] | None:
        """Run a nested search for one changed literal, or for all literals when one alone was reachable."""
        call = frontier.hop.label
        assert isinstance(call, Call)
        key = (frontier.source.number, frontier.hop, frontier.target.number)
        chosen = goals[-1:] if key not in self._single_tried else goals
        self._single_tried.add(key)
        if len(self.searches) > DEEPEST_NESTING:
            self._give_up(frontier, "calls are nested too deeply")
            return None
        nested = self._nested_search(frontier, node, conjunction(*chosen))
        if any(active.abstraction is nested.abstraction for active in self.searches):
            return self._use_summary(search, frontier, nested, node)
        try:
            self.searches.append(nested)
            for frame in list(nested.frames):
                for other in self.nodes_of[frame]:
                    self._place(nested, other)
            passed = self.dash(nested)
        except Undecided as undecided:
            self.given_up[key] = undecided.reason
            return None
        finally:
            self.searches.pop()
            nested.abstraction.forget_nodes()
        if passed:
            return self._use_summary(search, frontier, nested, node)
        if chosen is goals and not frontier.target.nodes:
            self._give_up(frontier, "a test did not take the way its path conditions describe")
        return None

    def _nested_search(self, frontier: Frontier, node: Node, goal: Term) -> Search:
        call = frontier.hop.label
        assert isinstance(call, Call)
        procedure = self.program.procedures[call.procedure]
        frame = self.activation[node]
        names = self._renamed(procedure.name, frame.depth)
        if call.result is not None and procedure.result is not None:
            names = {**names, call.result: procedure.result}
        goal = substitute(goal, names)
        key = (procedure.name, goal)
        abstraction = self.summaries.get(key)
        self.statistics.nested += 1
        if abstraction is None:
            abstraction = self.summaries[key] = Abstraction(one_procedure(procedure, goal, self.kind))
        else:
            self.statistics.reused += 1
        return Search(abstraction, procedure.name, goal, frontier.hop.edges[0], node, {frame}, depth=frame.depth)

    def _renamed(self, procedure: str, depth: int) -> dict[Term, Term]:
        """The names that a procedure's registers have while a later activation of it runs."""
        if depth == 0:
            return {}
        return {register: saved(register, depth) for register in self.tester.own_registers[procedure]}

    def _use_summary(
        self, search: Search, frontier: Frontier, nested: Search, node: Node
    ) -> tuple[Region, Node] | None:
        """The callee cannot return in the goal from entry states outside of its unsafe entry regions."""
        call = frontier.hop.label
        assert isinstance(call, Call) and nested.procedure is not None and nested.goal is not None
        callee = self.program.procedures[call.procedure]
        unsafe = self._about_entry(nested.abstraction.unsafe().get(callee.entry, FALSE), callee)
        back = {kept: register for register, kept in self._renamed(callee.name, nested.depth).items()}
        before = substitute(unsafe, dict(zip(callee.parameters, call.arguments, strict=False)) | back)
        if node.state.value(before):
            self._give_up(frontier, "a recursive call whose result needs an inductive summary")
            return None
        self.uses.setdefault((search.abstraction, frontier.hop.edges[0]), {})[nested.procedure, nested.goal] = (
            nested.depth
        )
        if frontier.source.sides is not None:
            return None
        inside = self._split(search, frontier, Preimage(before))
        return None if inside is None else (inside, node)

    def _extend_entry(self, search: Search, entry: Region) -> None:
        """Whether the path to the call can enter the callee in a region: a new test, or not an initial region."""
        node, call = search.caller_node, search.call
        assert node is not None and call is not None and isinstance(call.label, Call)
        callee = self.program.procedures[call.label.procedure]
        pins: list[Term] = []
        frame = self.activation[node]
        bound = zip(callee.parameters, call.label.arguments, strict=False)
        entered = self.nodes_of[frame][0].state if frame.depth else _assigned(node.state, bound, pins)
        try:
            symbolic = [entered.symbolic(literal, pins) for literal in entry.literals]
            answer = self.questions.extend(extended(node.conditions, pins), symbolic)
        except SolverUnknown as unknown:
            raise Undecided(str(unknown)) from unknown
        if isinstance(answer, Infeasible):
            search.not_initial.add(entry)
        else:
            self.add_test_to_forest(self._under(node, answer.model))
            if not entry.nodes:
                raise Undecided("a test did not take the way its path conditions describe")


class Undecided(Exception):
    """Some frontier could be neither crossed nor refined; the argument says which and why."""

    @property
    def reason(self) -> str:
        return str(self.args[0])


def _has_come_far(node: Node) -> bool:
    """Whether the conditions of a test's path are so many that questions about them are slow."""
    return node.conditions is not None and next(islice(node.conditions, LONG_PATH, None), None) is not None


def _assigned(state: State, values: Iterable[tuple[Term, Term]], pins: list[Term]) -> State:
    """The state after simultaneous assignments."""
    evaluated = [(register, state.value(value), state.symbolic(value, pins)) for register, value in values]
    for register, number, term in evaluated:
        state = state.with_register(register, number, None if term.op == "bvconst" else term)
    return state


def _is_open(leaf: Term, written: Term | None) -> bool:
    """Whether a leaf is, or is read through, a value that a step leaves open."""
    return any(v is written or str(v.args[0]).startswith("~") for v in leaf.variables)


def _equals_value(leaf: Term, state: State) -> Term:
    return equal(leaf, bitvectors.constant(state.value(leaf), bitvectors.width(leaf)))


def _random_input(rng: random.Random, most: int, label: Input, symbol: Term) -> int:
    return rng.randint(0, 1 if is_truth_value(label) else most)
