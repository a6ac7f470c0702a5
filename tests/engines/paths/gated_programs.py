"""A device whose errors lie behind what earlier events have left, and executions up to there."""

from __future__ import annotations

from pincer.execution.machine import World
from pincer.execution.stepping import Stop
from pincer.execution.testing import Node
from pincer.execution.testing import Tester as Executor
from pincer.program.control_flow import Assume, ControlFlowProgram, Edge

DEVICE = """
struct device { int started, waiting, requests; } device;
int is_waiting(struct device *d) { if (d->waiting == 3) return 1; return 0; }
int main(void) {
    struct device *d = &device;
    int command;
    while (__VERIFIER_nondet_bool()) {
        command = %s;
        d->requests = command;
        if (%s) reach_error();
        d->waiting = command;
    }
}
"""
STARTED, WAITING = 0, 4
"""Offsets of members."""


def address_of(program: ControlFlowProgram, name: str) -> int:
    """Where a global variable lies."""
    address = next(variable.address for variable in program.variables if variable.name == name)
    assert address is not None
    return int(address.args[0])


def gate_of(program: ControlFlowProgram) -> Edge:
    """The branch that leads to the error."""
    main = program.procedures["main"]
    error = next(edge.source for edge in main.edges if "reach_error" in str(edge.label))
    [gate] = main.incoming[error]
    assert isinstance(gate.label, Assume)
    return gate


def at_the_gate(program: ControlFlowProgram, gate: Edge, command: int = 1) -> Node:
    """Where an execution that reads the same number again and again comes to the gate for the first time."""
    tester = Executor(World(program, lambda label, symbol: command))
    node: Node | Stop = tester.root()
    while not isinstance(node, Stop) and node.location != gate.source:
        node = tester.advance(node)
    assert isinstance(node, Node)
    return node
