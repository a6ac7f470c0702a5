"""Random walks through programs that handle events, without a single question to the solver.

A driver, a server or a state machine reads its next event in a loop. What an event does depends on the state that
earlier ones left, so tests from the start of the program hardly ever get deep. A walk begins where another one stood at
the head of such a loop, takes some turns with inputs drawn at random, and leaves the states it has not seen before as
starts for others. Starts that led to something new are used more often.

Values are concrete only: a walk costs a fraction of a path that is followed for all inputs.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, replace
from heapq import heappop, heappush

from pincer.analysis.event_loops import deciding_registers, event_loops
from pincer.engines.dash.goals import PropertyKind
from pincer.engines.dash.inputs import compared_numbers, drawn_input
from pincer.execution.machine import State, World
from pincer.execution.stepping import Stop
from pincer.execution.testing import Node, Tester
from pincer.logic.terms import Term
from pincer.program.control_flow import Assume, ControlFlowProgram, Edge, Input
from pincer.runtime.run import Run

STEPS_PER_WALK = 3_000
TURNS_PER_WALK = 3
MOST_STARTS = 5_000


@dataclass(slots=True)
class _Start:
    """A state at the head of a loop, how many walks began there, and how much that was new they have met."""

    node: Node
    walks: int = 0
    news: int = 0

    @property
    def weariness(self) -> float:
        return self.walks / (1 + self.news)


class Walks:
    """The walks of one program. What they know grows from call to call of `work`."""

    def __init__(self, program: ControlFlowProgram, kind: PropertyKind, run: Run) -> None:
        self._kind = kind
        self._run = run
        self._random = random.Random(1)
        self._numbers = compared_numbers(program)
        self._world = World(program, self._draw)
        self._tester = Tester(self._world)
        self._loops = event_loops(program)
        self._deciding = deciding_registers(program)
        self._met: set[tuple[Edge, tuple[int | None, ...]]] = set()
        self._known: set[int] = set()
        self._queue: list[tuple[float, int, _Start]] = []
        self._order = 0
        self.walks = 0
        self._enqueue(_Start(self._tester.root()))

    @property
    def are_useful(self) -> bool:
        """Whether there is a loop that reads inputs."""
        return bool(self._loops)

    def work(self, seconds: float) -> Mapping[Term, int] | None:
        """Walk for some time: the inputs of a test that violates the property, if a walk has found one."""
        until = self._run.elapsed() + seconds
        while self._run.elapsed() < until:
            self._run.poll()
            _, _, start = heappop(self._queue)
            start.walks += 1
            found = self._walk(start)
            if found is not None:
                return found
            self._enqueue(start)
        return None

    def _enqueue(self, start: _Start) -> None:
        """Among starts that are equally weary, the latest comes first."""
        self._order += 1
        heappush(self._queue, (start.weariness, -self._order, start))

    def _draw(self, label: Input, symbol: Term) -> int:
        return drawn_input(self._random, label, symbol, self._numbers)

    def _walk(self, start: _Start) -> Mapping[Term, int] | None:
        self.walks += 1
        node, turns = start.node, 0
        for _ in range(STEPS_PER_WALK):
            following = self._tester.advance(node)
            if isinstance(following, Stop):
                violated = following.kind == ("fail" if self._kind == "assertions" else "check")
                return dict(node.state.values) if violated else None
            self._note(start, node, following)
            node = self._concrete(following)
            if node.location in self._loops:
                turns += 1
                if self._is_new(node.state) and len(self._queue) < MOST_STARTS:
                    self._enqueue(_Start(node))
                if turns == TURNS_PER_WALK:
                    return None
        return None

    def _concrete(self, node: Node) -> Node:
        """The node without its past, and with the values of its inputs instead of their symbols."""
        state = node.state
        self._world.has_undefined = False
        if state.symbols:
            symbols = state.symbols
            for key in list(symbols):
                symbols = symbols.delete(key)
            state = replace(state, symbols=symbols)
        return Node(node.location, state, node.frame, None, node.edge, None)

    def _note(self, start: _Start, node: Node, following: Node) -> None:
        """A decision counts as new when it was never taken while what decides about errors had the same values."""
        edge = following.edge
        if edge is not None and isinstance(edge.label, Assume):
            registers = node.state.registers
            decision = edge, tuple(registers.get(register) for register in self._deciding)
            if decision not in self._met:
                self._met.add(decision)
                start.news += 1

    def _is_new(self, state: State) -> bool:
        """Whether no walk has been in this state before."""
        print_ = _fingerprint(state)
        if print_ in self._known:
            return False
        self._known.add(print_)
        return True


def _fingerprint(state: State) -> int:
    """A number for the values of global variables and of memory; what is in objects that have ended does not count."""
    places = {found.instance: base for base, found in state.objects.items() if found.live}
    cells = [(places[key >> 40], key & (1 << 40) - 1, value) for key, value in state.cells.items() if key >> 40 in places]
    registers = [(name, value) for name, value in state.registers.items() if "::" not in str(name.args[0])]
    return hash((frozenset(cells), frozenset(registers)))
