"""The forest F of the paper: all states that tests have passed, each with the path that leads to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from pincer.engines.dash.limits import LIMITS
from pincer.execution.machine import World
from pincer.execution.stepping import Stop
from pincer.execution.testing import ExecutionFrame, Node, Tester
from pincer.logic.terms import Term
from pincer.program.control_flow import ControlFlowProgram
from pincer.runtime.run import Run


class Forest:
    """Tests of one program; `place` is told every new state.

    States are kept by activation, `activation` is the one that a call in a state has led to, and `ends` are the last
    states of tests. `steps` counts the states."""

    def __init__(self, program: ControlFlowProgram, run: Run, place: Callable[[Node], None]) -> None:
        self.world = World(program)
        self.tester = Tester(self.world, self.add)
        self.nodes_of: dict[ExecutionFrame, list[Node]] = {}
        self.activation: dict[Node, ExecutionFrame] = {}
        self.ends: list[Node] = []
        self.steps = 0
        self._run = run
        self._place = place

    def add(self, node: Node) -> None:
        self.steps += 1
        nodes = self.nodes_of.get(node.frame)
        if nodes is None:
            nodes = self.nodes_of[node.frame] = []
            if node.frame.call_node is not None:
                self.activation[node.frame.call_node] = node.frame
        nodes.append(node)
        self._place(node)

    def nodes(self) -> Iterator[Node]:
        """All states, in the order of their activations."""
        for nodes in list(self.nodes_of.values()):
            yield from nodes

    def at(self, locations: Iterable[int]) -> dict[int, list[Node]]:
        """The states at some locations."""
        found: dict[int, list[Node]] = {location: [] for location in locations}
        for node in self.nodes():
            if node.location in found:
                found[node.location].append(node)
        return found

    def run_on(self, node: Node, most_steps: int) -> Stop:
        """Execute from a node, and remember where that ended."""
        last, stop = self.tester.run(node, LIMITS.steps_per_test, self._run.poll)
        left = most_steps - LIMITS.steps_per_test
        if stop.kind == "steps" and left > 0 and last.state.inputs_read <= LIMITS.inputs_of_long_tests:
            last, stop = self.tester.run(last, left, self._run.poll)
        self.ends.append(last)
        return stop

    def under(self, node: Node, model: dict[Term, int]) -> Node:
        """A node like another one, with other inputs that follow the same path."""
        if not model:
            return node
        changed = Node(node.location, node.state.under(model), node.frame, node.parent, node.edge, node.conditions)
        self.add(changed)
        return changed
