"""What leads an exploration to errors: how far away they are, and what has closed nearer ways so far."""

from __future__ import annotations

from math import inf

from pincer.analysis.error_distances import ErrorDistances
from pincer.engines.paths.gates import Gates
from pincer.execution.testing import ExecutionFrame, Node
from pincer.program.control_flow import Assume, ControlFlowProgram, Edge


class Guide:
    """Distances that a simulation gives, and the gates that an exploration finds on its way."""

    def __init__(self, program: ControlFlowProgram, distances: ErrorDistances) -> None:
        self._distances = distances
        self.gates = Gates(program)

    def distance(self, location: int, node: Node) -> float:
        """How far an error is from a location that a node could go on to."""
        return self._distances.from_location(location, _calls(node.frame), node.state.value)

    def passed(self, node: Node, taken: Edge) -> None:
        """An edge was taken whatever the inputs are: those beside it are closed."""
        if isinstance(taken.label, Assume):
            for edge in node.frame.procedure.outgoing[node.location]:
                if edge is not taken:
                    self.refused(node, edge)

    def refused(self, node: Node, edge: Edge) -> bool:
        """No inputs lead along an edge: whether that is new, and keeps the execution away from an error.

        It does when an error is nearer there than it was when the event began, and nowhere else."""
        if not self.gates.is_news(edge, node):
            return False
        here = self.distance(edge.target, node)
        outgoing = node.frame.procedure.outgoing[node.location]
        beside = min((self.distance(other.target, node) for other in outgoing if other is not edge), default=inf)
        if here >= beside:
            return False
        event = self.gates.event(node)
        if not here < (inf if event is None else self.distance(event.location, event)) <= beside:
            return False
        self.gates.closed(edge, node)
        return True


def _calls(frame: ExecutionFrame) -> tuple[Edge, ...]:
    """The calls that are under way in an activation, the innermost first."""
    calls: list[Edge] = []
    while frame.caller is not None and frame.call is not None:
        calls.append(frame.call)
        frame = frame.caller
    return tuple(calls)
