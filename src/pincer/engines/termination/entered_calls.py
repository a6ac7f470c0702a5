"""What readers see of an execution in which calls are entered for good: calls, though the program has only jumps."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import Struct
from msgspec.structs import replace

from pincer.engines.violation import Telling, told_steps
from pincer.evidence.c.trace import CALL_OF, CStep
from pincer.execution.testing import Node
from pincer.logic.terms import Term
from pincer.program.control_flow import Assign, ControlFlowProgram, SourceVariable


def entered_steps(
    program: ControlFlowProgram, last: Node, entries: Mapping[int, str], ended: bool = True
) -> tuple[CStep, ...]:
    """The steps of an execution; `entries` are where functions begin whose calls are entered for good.

    What such a function is given is told with its first step. Where the execution has `ended` before that, it is told
    with the call.
    """
    if not entries:
        return told_steps(program, last)
    telling = _Entering(Telling(program, last), entries)
    steps = [step for node in last.path() if node.parent is not None for step in telling.steps(node)]
    return (*steps, *telling.waiting) if ended else tuple(steps)


class _Entering(Struct):
    """Where an execution is: in which function, so many calls deep. `waiting` is what it was given and is not told."""

    telling: Telling
    entries: Mapping[int, str]
    function: str = ""
    depth: int = 0
    waiting: tuple[CStep, ...] = ()

    def steps(self, node: Node) -> list[CStep]:
        """What is told of one step."""
        if node.location in self.entries:
            return self._entered(node)
        if self._passes_on(node):
            return []
        found = [replace(step, depth=step.depth + self.depth) for step in self.telling.steps(node, self._names())]
        entry = self.telling.program.entry
        found = [replace(step, procedure=self.function or entry) if step.procedure == entry else step for step in found]
        return self._with_given(found[0], found) if found else []

    def _with_given(self, first: CStep, found: list[CStep]) -> list[CStep]:
        """The first steps in a function, with what it was given."""
        at = {"position": first.position, "procedure": self.function, "depth": self.depth}
        given = [replace(step, **at) for step in self.waiting]
        self.waiting = ()
        return [*given, *found]

    def _entered(self, node: Node) -> list[CStep]:
        """A call, which leads into its function."""
        assert node.edge is not None
        caller, callee = self.function or self.telling.program.entry, self.entries[node.location]
        told = CStep(node.edge.position, caller, f"{CALL_OF}{callee}", depth=self.depth)
        found = self._with_given(told, [told])
        self.function = callee
        variables = [variable for variable in self._names().values() if _is_given(variable, callee)]
        given = tuple(self.telling.change(node, variable) for variable in variables)
        if given:
            self.waiting = (replace(told, text="", changes=given, scopes=(callee,) * len(given)),)
        self.depth += 1
        return found

    def _passes_on(self, node: Node) -> bool:
        """Whether a step gives a parameter its value on the way into a function."""
        assert node.edge is not None
        outgoing, edge = self.telling.program.procedures[self.telling.program.entry].outgoing, node.edge
        while isinstance(edge.label, Assign) and edge.position == node.edge.position:
            following = outgoing.get(edge.target, ())
            if edge.target in self.entries:
                return True
            if len(following) != 1:
                return False
            edge = following[0]
        return False

    def _names(self) -> Mapping[Term, SourceVariable]:
        """The variables of registers: parameters are in registers that functions share."""
        variables = [variable for variable in self.telling.program.variables if variable.register is not None]
        ordered = sorted(variables, key=lambda variable: variable.scope == self.function)
        return {variable.register: variable for variable in ordered if variable.register is not None}


def _is_given(variable: SourceVariable, function: str) -> bool:
    """Whether a variable is a parameter of a function that is entered for good: others are in registers of its own."""
    return variable.scope == function and variable.register is not None and variable.register.args[0].owner != function
