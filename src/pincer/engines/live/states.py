"""The states of a program together with those of an automaton, one by one, as far as they go."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from pincer.engines.live.components import LiveEdge, LiveGraph
from pincer.engines.live.limits import LIMITS
from pincer.engines.live.question import Question
from pincer.execution.concrete import compile_successors
from pincer.execution.symbolic import few_instances, initial_states
from pincer.logic import terms
from pincer.logic.evaluation import argument_names, compile_source, evaluate, python_source, unpacking
from pincer.logic.queries import Queries
from pincer.program.automaton import Automaton, Guard, holds
from pincer.program.guarded import RANGE_PROPERTY
from pincer.program.lowering import formula_terms
from pincer.program.transition_system import Nondet, State, TransitionSystem


@dataclass
class StateGraph:
    """Product nodes (a state and a node of the automaton), numbered as they are found, initial ones first.

    `parents` leads from each node back to an initial one. `complete` when nothing was left out; `ended` are nodes in
    which the run ends and violates the property, `certain` those from which it does whatever follows. `out_of_range`
    is a state with a step that leaves the type of a variable.
    """

    nodes: list[tuple[State, int]] = field(default_factory=list)
    parents: list[LiveEdge | None] = field(default_factory=list)
    edges: list[LiveEdge] = field(default_factory=list)
    enabled: list[frozenset[int]] = field(default_factory=list)
    complete: bool = True
    ended: int | None = None
    certain: int | None = None
    out_of_range: State | None = None

    def live(self, question: Question) -> LiveGraph:
        """What peeling needs to know."""
        automaton = question.automaton
        accepting = [automaton.accepting[q] for _, q in self.nodes]
        expanded = len(self.enabled)
        edges = [edge for edge in self.edges if edge.target < expanded]
        return live_graph(question, accepting, self.enabled, edges)

    def path(self, node: int) -> list[LiveEdge]:
        """The edges from an initial node."""
        found: list[LiveEdge] = []
        while (edge := self.parents[node]) is not None:
            found.append(edge)
            node = edge.source
        return found[::-1]


def live_graph(
    question: Question, accepting: list[bool], enabled: list[frozenset[int]], edges: list[LiveEdge]
) -> LiveGraph:
    numbers = {transition.name: number for number, transition in enumerate(question.program.transitions)}
    groups = tuple(frozenset(numbers[name] for name in group.transitions) for group in question.fairness)
    return LiveGraph(accepting, enabled, edges, groups, tuple(group.strong for group in question.fairness))


class StateStepper:
    """Steps of concrete states, with generated code; and what the automaton sees in them."""

    def __init__(self, question: Question, system: TransitionSystem) -> None:
        self.system = system
        self.automaton = question.automaton
        self._successors = compile_successors(system)
        self._numbers = {transition.name: number for number, transition in enumerate(question.program.transitions)}
        self._choosing = [case for case in system.transitions if not case.deterministic]
        program = question.program
        self._names = [name for name, _ in question.wanted.propositions]
        wanted = [formula for _, formula in question.wanted.propositions]
        self._letters = self._test(formula_terms(program, wanted))
        self._guards = self._test(formula_terms(program, [transition.guard for transition in program.transitions]))
        ranges = [terms.negate(item.formula) for item in system.properties if item.name == RANGE_PROPERTY]
        self.out_of_range = self._test(ranges)

    def _test(self, formulas: list[terms.Term]) -> Callable[[State], list[int]]:
        """A function from a state to the numbers of the formulas that hold in it."""
        names = argument_names(self.system.variables)
        body = unpacking(names, "state") + "    found = []\n"
        for number, formula in enumerate(formulas):
            body += f"    if {python_source(formula, names)}: found.append({number})\n"
        found: Any = compile_source(f"def test(state):\n{body}    return found\n", "test")
        return found  # type: ignore[no-any-return]

    def letter(self, state: State) -> frozenset[str]:
        return frozenset(self._names[number] for number in self._letters(state))

    def enabled(self, state: State) -> frozenset[int]:
        """The numbers of the transitions whose guards hold."""
        return frozenset(self._guards(state))

    def successors(self, state: State) -> tuple[list[tuple[int, State]], bool]:
        """Steps as transition and next state, and whether these are all."""
        found = [(self._numbers[self.system.transitions[case].name], after) for case, after in self._successors(state)]
        complete = True
        for case in self._choosing:
            values = dict(zip(self.system.variables, state, strict=True))
            if evaluate(case.guard, values):
                options, whole = self._options(case.data_updates, values)
                complete = complete and whole
                control = list(state[: len(self.system.domains)])
                for position, update in case.control_updates:
                    control[position] = evaluate(update, values)
                found += ((self._numbers[case.name], (*control, *data)) for data in product(*options))
        return found, complete

    def _options(
        self, updates: tuple[tuple[int, terms.Term | Nondet], ...], values: dict[terms.Term, int]
    ) -> tuple[list[tuple[int, ...]], bool]:
        """For each data variable the values it may have next."""
        options: list[tuple[int, ...]] = [(values[variable],) for variable in self.system.data_variables]
        complete = True
        for position, update in updates:
            if not isinstance(update, Nondet):
                options[position] = (evaluate(update, values),)
            elif update.low is None or update.high is None or update.high - update.low >= LIMITS.chosen:
                complete = False
                low = update.low
                high = update.high
                inside = [v for v in LIMITS.samples if (low is None or v >= low) and (high is None or v <= high)]
                options[position] = tuple(dict.fromkeys((*inside, *(b for b in (low, high) if b is not None))))
            else:
                options[position] = tuple(range(update.low, update.high + 1))
        return options, complete

    def follow(self, node: int, letter: frozenset[str]) -> Iterator[int]:
        """The nodes of the automaton after a state with this letter."""
        for edge in self.automaton.leaving(node):
            if holds(edge.guard, letter):
                yield edge.target


def explore(question: Question, system: TransitionSystem, queries: Queries, most: int = LIMITS.states) -> StateGraph:
    """Breadth first over at most `most` nodes; ends early at a violation that needs no cycle."""
    graph = StateGraph()
    stepper = StateStepper(question, system)
    automaton = question.automaton
    certain = automaton.certain()
    numbers: dict[tuple[State, int], int] = {}
    queue: deque[int] = deque()

    def arrive(node: tuple[State, int], edge: LiveEdge | None) -> int | None:
        number = numbers.get(node)
        if number is None:
            if len(numbers) >= most:
                graph.complete = False
                return None
            number = numbers[node] = len(graph.nodes)
            graph.nodes.append(node)
            graph.parents.append(edge)
            queue.append(number)
        return number

    for state in _initial(graph, system, queries):
        for q in automaton.initial:
            arrive((state, q), None)
    leaving = {q: _compiled(automaton, q) for q in range(automaton.size)}
    while queue:
        number = queue.popleft()
        queries.run.poll()
        state, q = graph.nodes[number]
        if q == certain:
            graph.certain = number
            return graph
        if stepper.out_of_range(state):
            graph.out_of_range = state
        letter, enabled = stepper.letter(state), stepper.enabled(state)
        graph.enabled.append(enabled)
        if not enabled and holds(automaton.ends[q], letter):
            graph.ended = number
            return graph
        successors, complete = stepper.successors(state)
        graph.complete = graph.complete and complete
        targets = [target for guard, target in leaving[q] if holds(guard, letter)]
        for transition, after in successors:
            for target in targets:
                found = arrive((after, target), LiveEdge(number, transition, len(graph.nodes)))
                if found is not None:
                    graph.edges.append(LiveEdge(number, transition, found))
    return graph


def _compiled(automaton: Automaton, node: int) -> list[tuple[Guard, int]]:
    return [(edge.guard, edge.target) for edge in automaton.leaving(node)]


def _initial(graph: StateGraph, system: TransitionSystem, queries: Queries) -> Iterator[State]:
    """All initial states, or some of those that stand for too many."""
    room = LIMITS.initial_states
    for symbolic in initial_states(system, queries):
        instances = few_instances(symbolic, room)
        if instances is None:
            graph.complete = False
            instances = _some(system, symbolic.control, queries)
        room -= len(instances)
        yield from instances
        if room <= 0:
            graph.complete = False
            return


def _some(system: TransitionSystem, control: State, queries: Queries) -> list[State]:
    """One initial state with these control values, and those that differ from it by sample values."""
    fixed = dict(zip(system.control_variables, map(terms.integer, control), strict=True))
    initial = terms.substitute(system.initial, fixed)
    found: dict[State, None] = {}
    for variable in (None, *system.data_variables):
        for value in LIMITS.samples if variable is not None else (0,):
            also = terms.TRUE if variable is None else terms.equal(variable, terms.integer(value))
            model = queries.model([initial, also], "initial states")
            if model is not None:
                found[control + tuple(model.get(v, 0) for v in system.data_variables)] = None
    return list(found)
