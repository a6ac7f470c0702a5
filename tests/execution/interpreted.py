"""Programs run once to their end, for tests of all that makes or changes programs."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct

from pincer.execution.machine import State, World
from pincer.execution.stepping import Stop
from pincer.execution.testing import Tester
from pincer.logic.terms import Term
from pincer.program.control_flow import ControlFlowProgram


class Outcome(Struct, frozen=True):
    """How an execution ended."""

    state: State
    stop: Stop
    steps: int

    def global_value(self, name: str) -> int:
        """The value of a scalar global variable at the end."""
        program = self.state.world.program
        for variable in program.variables:
            if variable.name == name and variable.scope is None:
                if variable.register is not None:
                    return self.state.registers[variable.register]
                address = variable.address
                if address is not None and address.op == "bvconst":
                    base = int(address.args[0])
                    return self.state.load(base, self.state.room(base))
        raise KeyError(name)


def interpret(
    program: ControlFlowProgram, planned: Mapping[Term, int] | None = None, max_steps: int = 10_000_000
) -> Outcome:
    """Run a program once, keeping only the current state."""
    tester = Tester(World(program))
    node = tester.root(planned)
    for count in range(max_steps):
        following = tester.advance(node)
        if isinstance(following, Stop):
            return Outcome(node.state, following, count)
        node = following
        node.parent = None
        node.conditions = None
    return Outcome(node.state, Stop("steps", f"stopped after {max_steps} steps"), max_steps)
