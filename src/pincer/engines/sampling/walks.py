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
from heapq import heappop, heappush

from msgspec import Struct

from pincer.analysis.event_loops import deciding_registers, event_loops
from pincer.engines.board import Board, Inputs, Violated
from pincer.engines.portfolio import Allowance, Ended, Idle
from pincer.engines.sampling.inputs import compared_numbers, drawn_input, is_truth_value
from pincer.engines.sampling.limits import LIMITS
from pincer.engines.violation import violated
from pincer.execution.machine import State, World
from pincer.execution.stepping import Stop
from pincer.execution.testing import Node, Tester
from pincer.logic.bitvectors import width
from pincer.logic.terms import Term, postorder
from pincer.program.control_flow import Assign, Assume, ControlFlowProgram, Edge, Input
from pincer.program.registers import is_global

_ANY_POINTER = "__VERIFIER_nondet_pointer"


class _Start(Struct):
    """A state at the head of a loop, how many walks began there, and how much that was new they have met."""

    node: Node
    walks: int = 0
    news: int = 0

    @property
    def weariness(self) -> float:
        return self.walks / (1 + self.news)


class Walks:
    """The strategy: walks through one program. What they know grows from turn to turn; `steps` counts those of all.

    They never come to an end, so they wait for others: a run in which only walks are left is over."""

    def __init__(self, board: Board) -> None:
        program = board.program
        self._board = board
        self._random = random.Random(1)
        self._numbers = compared_numbers(program)
        self._world = World(program, self._draw, concrete=True)
        self._tester = Tester(self._world)
        self._loops = event_loops(program)
        self._deciding = deciding_registers(program)
        self._compared = _compared_with(program, self._deciding)
        self._addresses = [0]
        self._drawn: list[tuple[Input, int]] = []
        self._telling: dict[Input, list[int]] = {}
        self._met: set[tuple[Edge, tuple[int | None, ...]]] = set()
        self._known: set[int] = set()
        self._queue: list[tuple[float, int, _Start]] = []
        self._order = 0
        self.steps = 0
        self._enqueue(_Start(self._tester.root()))

    def step(self, budget: Allowance) -> Idle | Ended | Violated:
        if not self._loops:
            return Ended("no loop reads inputs")
        until = self.steps + budget.steps
        while self.steps < until:
            self._board.run.poll()
            _, _, start = heappop(self._queue)
            start.walks += 1
            self._drawn.clear()
            before = start.news
            inputs = self._walk(start)
            if inputs is not None and (found := violated(self._board, inputs)) is not None:
                return found
            if start.news > before:
                self._remember_inputs()
            self._enqueue(start)
        return Idle()

    def _enqueue(self, start: _Start) -> None:
        """Among starts that are equally weary, the latest comes first."""
        self._order += 1
        heappush(self._queue, (start.weariness, -self._order, start))

    def _draw(self, label: Input, symbol: Term) -> int:
        value = self._value(label, symbol)
        self._drawn.append((label, value))
        return value

    def _value(self, label: Input, symbol: Term) -> int:
        """Pointers are drawn from the addresses that a pointer from outside was compared with so far, other inputs
        often from the values that led to something new when they were drawn here before."""
        if label.source == _ANY_POINTER:
            return self._random.choice(self._addresses)
        known, draw = self._telling.get(label), self._random.random()
        if known and draw < LIMITS.again:
            return self._random.choice(known)
        if not is_truth_value(label) and draw > 1 - LIMITS.any_bits:
            return self._random.getrandbits(width(symbol))
        return drawn_input(self._random, label, symbol, self._numbers)

    def _remember_inputs(self) -> None:
        for label, value in self._drawn:
            known = self._telling.setdefault(label, [])
            if value not in known and len(known) < LIMITS.telling:
                known.append(value)

    def _walk(self, start: _Start) -> Inputs | None:
        node, turns = start.node, 0
        for _ in range(LIMITS.steps_per_walk):
            self.steps += 1
            following = self._tester.advance(node)
            if isinstance(following, Stop):
                return node.state.values if self._board.is_violation(following) else None
            self._note(start, node, following)
            node = _without_past(following)
            if node.location in self._loops:
                turns += 1
                if self._is_new(node.state) and len(self._queue) < LIMITS.starts:
                    self._enqueue(_Start(node))
                if turns == LIMITS.turns_per_walk:
                    return None
        return None

    def _note(self, start: _Start, node: Node, following: Node) -> None:
        """A decision counts as new when it was never taken while what decides about errors had the same values."""
        edge = following.edge
        if edge is None:
            return
        for other in self._compared.get(edge, ()):
            address = node.state.value(other)
            if address not in self._addresses:
                self._addresses.append(address)
        if isinstance(edge.label, Assume):
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


def _without_past(node: Node) -> Node:
    return Node(node.location, node.state, node.frame, None, node.edge, None)


def _compared_with(program: ControlFlowProgram, registers: tuple[Term, ...]) -> Mapping[Edge, tuple[Term, ...]]:
    """What conditions, and values that may become one, compare the registers that hold pointers with, by edge."""
    pointers = {register for register in registers if width(register) == program.layout.pointer_bits}
    found: dict[Edge, tuple[Term, ...]] = {}
    for edge in program.edges():
        match edge.label:
            case Assume(condition=term) | Assign(value=term) if not pointers.isdisjoint(term.variables):
                equations = [part.args for part in postorder(term) if part.op == "same"]
            case _:
                continue
        found[edge] = tuple(b if a in pointers else a for a, b in equations if (a in pointers) != (b in pointers))
    return found


def _fingerprint(state: State) -> int:
    """A number for the values of global variables and of memory; what is in objects that have ended does not count."""
    places = {found.instance: base for base, found in state.objects.items() if found.live}
    cells = [
        (places[key >> 40], key & (1 << 40) - 1, value) for key, value in state.cells.items() if key >> 40 in places
    ]
    registers = [(name, value) for name, value in state.registers.items() if is_global(name)]
    return hash((frozenset(cells), frozenset(registers)))
