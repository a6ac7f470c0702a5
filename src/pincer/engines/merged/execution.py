"""All executions of a program at once: states in their order, merged where they meet, loops opened round by round."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from heapq import heappop, heappush

from pincer.engines.merged.accesses import Accesses
from pincer.engines.merged.cells import SteeringCells
from pincer.engines.merged.conditions import Conditions
from pincer.engines.merged.evaluation import Evaluation
from pincer.engines.merged.limits import LIMITS
from pincer.engines.merged.merging import Merging
from pincer.engines.merged.order import Key, Order
from pincer.engines.merged.prospects import Prospects
from pincer.engines.merged.state import Activation, GoalKind, Noting, State, Unmodelled
from pincer.engines.merged.steering import Steering
from pincer.engines.merged.stepping import Stepping
from pincer.engines.merged.values import Values
from pincer.evidence.c_proof.merged_claim import LoopRounds, MergedProof
from pincer.logic import terms
from pincer.logic.decision_diagrams import FALSE, TRUE, Function
from pincer.program.control_flow import (
    Assume,
    Call,
    Check,
    ControlFlowProgram,
    Edge,
    Fail,
    Halt,
    LeftAllocated,
    Procedure,
    Unsupported,
)
from pincer.program.thread_labels import ThreadOperation

Possible = Callable[[Function, int], bool]
"""Whether some execution satisfies a guard, in a round of a loop or a depth of calls; may be answered with True when
that is not known."""


class MergedExecution:
    """The executions of a program. `steps` counts what was done, `noting` has what may go wrong."""

    def __init__(self, program: ControlFlowProgram, conditions: Conditions, is_possible: Possible) -> None:
        self.program = program
        self._is_possible = is_possible
        self.conditions = conditions
        self._diagrams = conditions.diagrams
        self.noting = Noting()
        values = Values(conditions, program.layout.slot)
        self.accesses = Accesses(program, values, self.noting)
        self._evaluation = Evaluation(self.accesses)
        self._steering = Steering(program)
        self.cells = SteeringCells(self._steering, self.accesses, self._evaluation.number)
        self.stepping = Stepping(program, self.accesses, self._evaluation, self.noting, self.cells)
        self._merging = Merging(values, self.accesses, self._steering)
        self._orders: dict[str, Order] = {}
        self._waiting: dict[Key, list[State]] = {}
        self._keys: list[Key] = []
        self._rounds: dict[tuple[str, int], int] = {}
        self.prospects = Prospects()
        self._calls = 0
        self._left_over = 0
        self.depth = self.steps = 0
        self._begin()

    def _begin(self) -> None:
        program = self.program
        procedure = program.procedures[program.entry]
        shared = dict(program.initial) | {program.top: program.first_free}
        activation = Activation(procedure, self._order(procedure))
        rounds = (0,) * len(activation.order.places[procedure.entry].loops)
        self._arrived(State(TRUE, activation, procedure.entry, rounds, {}, dict(shared), {}))

    def _order(self, procedure: Procedure) -> Order:
        found = self._orders.get(procedure.name)
        if found is None:
            found = self._orders[procedure.name] = Order(procedure)
        return found

    @property
    def is_done(self) -> bool:
        return not self._keys

    def _arrived(self, state: State) -> None:
        """A state waits until no other can come to its place."""
        key = state.key()
        states = self._waiting.get(key)
        if states is None:
            self._waiting[key] = [state]
            heappush(self._keys, key)
        else:
            states.append(state)

    def advance(self) -> None:
        """Follow the first state until it has to wait; of many at one place, the last ones are merged first."""
        made = self._made()
        key = heappop(self._keys)
        states = self._waiting.pop(key)
        some = states[-LIMITS.met_at_once :]
        merged = [self._met(group) for group in self._grouped(some)] if len(some) > 1 else some
        if len(states) > len(some):
            self._waiting[key] = states[: -len(some)] + merged
            heappush(self._keys, key)
        else:
            self._follow(list(filter(self._is_opened, merged)))
        more, self._left_over = divmod(self._left_over + self._made() - made, LIMITS.nodes_per_step)
        self.steps += more

    def _met(self, group: list[State]) -> State:
        return self._merging.merged(group, self.cells.at(group[0]) if len(group) > 1 else frozenset())

    def _follow(self, states: list[State]) -> None:
        """Go on from the states of one place until they have to wait."""
        if states:
            self._foresee(states)
        for first in states:
            state: State | None = first
            while state is not None:
                self.steps += 1
                state = self._followed(state)

    def _made(self) -> int:
        """Nodes, and terms, whoever made them: only what is new from one look to the next is ours."""
        return self._diagrams.work + terms.made()

    def _grouped(self, states: list[State]) -> list[list[State]]:
        """The states at one place that are to be merged: those that agree in what steers, unless there are too many."""
        activation, location = states[0].activation, states[0].location
        steering = sorted(self._steering.registers(activation.procedure, location), key=lambda register: register.id)
        cells = self.cells.at(states[0])
        groups: dict[object, list[State]] = {}
        for state in states:
            held = (state.registers.get(register, state.shared.get(register)) for register in steering)
            own = tuple(value if isinstance(value, int) else None for value in held)
            groups.setdefault((own, *self.cells.held(state, cells)), []).append(state)
        return list(groups.values()) if len(groups) <= LIMITS.groups else [states]

    def _foresee(self, states: list[State]) -> None:
        """What the states at one place say about the prospects, if a loop begins there. They may have been kept apart
        because of what inputs have done, and go on together whatever those are."""
        state = states[0]
        loop = self._loop(state)
        if loop is not None:
            guard = self.conditions.union([state.guard for state in states])
            inputs, rounds = len(self.stepping.inputs), state.rounds[-1]
            if rounds:
                self.prospects.again(loop, guard, rounds, inputs)
            else:
                self.prospects.entered(loop, guard, inputs)

    @staticmethod
    def _loop(state: State) -> Key | None:
        """The loop whose head a state is at."""
        loops = state.activation.order.places[state.location].loops
        return state.key()[:-2] if loops and loops[-1] == state.location else None

    def _is_opened(self, state: State) -> bool:
        """Whether a loop goes round once more. That is asked in rounds 1, 2, 4, 8...: a loop that has been closed
        meanwhile is found to be so a little later."""
        number = 0 if self._loop(state) is None else state.rounds[-1]
        if not number:
            return True
        if not number & (number - 1) and not self._is_possible(state.guard, number):
            return False
        name = (state.activation.procedure.name, state.location)
        self._rounds[name] = max(self._rounds.get(name, 0), number)
        if number > LIMITS.rounds:
            raise Unmodelled("a loop goes round too often")
        return True

    def _followed(self, state: State) -> State | None:
        """One step; the state after it if it need not wait for others."""
        procedure = state.activation.procedure
        if state.location == procedure.exit:
            self._return(state)
            return None
        going = [branch for branch in self._branches(state) if branch is not None]
        if len(going) == 1 and going[0].location not in going[0].activation.order.meeting:
            return going[0]
        for branch in going:
            self._arrived(branch)
        return None

    def _branches(self, state: State) -> Iterator[State | None]:
        """The states after the edges of a location. An execution takes the first edge that it can take."""
        for edge in state.activation.procedure.outgoing.get(state.location, ()):
            self.noting.edge = edge
            self.cells.note(state, edge)
            if not isinstance(edge.label, Assume):
                yield self._moved(state, edge) if self._step(state, edge) else None
                return
            condition = self._evaluation.condition(state, edge.label.condition)
            taken = self.conditions.both(state.guard, condition)
            left = self.conditions.both(state.guard, condition ^ 1)
            if taken != FALSE:
                branch = state if left == FALSE else state.copy()
                branch.guard = taken
                yield self._moved(branch, edge)
            if left == FALSE:
                return
            state.guard = left

    @staticmethod
    def _moved(state: State, edge: Edge) -> State:
        state.rounds = state.activation.order.rounds_after(edge.source, state.rounds, edge.target)
        state.location = edge.target
        return state

    def _step(self, state: State, edge: Edge) -> bool:
        """Take an edge that decides nothing; whether executions go on behind it."""
        note, label = self.noting.note, edge.label
        match label:
            case Check(_, condition, message):
                holds = self._evaluation.condition(state, condition)
                note(GoalKind.CHECK, self.conditions.both(state.guard, holds ^ 1), message)
                state.guard = self.conditions.both(state.guard, holds)
                return state.guard != FALSE
            case Call():
                self._call(state, edge, label)
                return False
            case Fail(message):
                note(GoalKind.FAIL, state.guard, message)
                return False
            case Halt():
                return False
            case LeftAllocated():
                self._left_allocated(state, label)
                return False
            case Unsupported(what):
                note(GoalKind.UNMODELLED, state.guard, what)
                return False
            case ThreadOperation(function=function):
                note(GoalKind.UNMODELLED, state.guard, f"call of {function} (threads)")
                return False
        self.stepping.step(state, edge)
        return state.guard != FALSE

    def _left_allocated(self, state: State, label: LeftAllocated) -> None:
        """Where nothing is left on the heap, all is well; what can be reached is not looked at."""
        for slot in state.memory.values():
            for when, thing in slot:
                if thing.heap:
                    left = self._diagrams.both(self._diagrams.both(when, thing.live), state.guard)
                    self.noting.note(GoalKind.UNMODELLED, left, label.what)

    def _call(self, state: State, edge: Edge, call: Call) -> None:
        procedure = self.program.procedures[call.procedure]
        caller = state.activation
        if self._is_under_way(procedure, caller) and not self._is_possible(state.guard, caller.depth):
            return
        if caller.depth >= LIMITS.depth:
            raise Unmodelled("calls lead ever deeper")
        registers = {
            parameter: self._evaluation.value(state, argument)
            for parameter, argument in zip(procedure.parameters, call.arguments, strict=False)
        }
        self._calls += 1
        number = caller.procedure.outgoing[edge.source].index(edge)
        order = self._order(procedure)
        activation = Activation(
            procedure,
            order,
            (*state.key(), number, self._calls),
            edge,
            caller,
            state.registers,
            state.rounds,
            caller.depth + 1,
        )
        self.depth = max(self.depth, activation.depth)
        rounds = (0,) * len(order.places[procedure.entry].loops)
        self._arrived(State(state.guard, activation, procedure.entry, rounds, registers, state.shared, state.memory))

    @staticmethod
    def _is_under_way(procedure: Procedure, activation: Activation | None) -> bool:
        while activation is not None:
            if activation.procedure is procedure:
                return True
            activation = activation.caller
        return False

    def _return(self, state: State) -> None:
        activation = state.activation
        if activation.caller is None or activation.call is None:
            return
        call, result = activation.call.label, activation.procedure.result
        assert isinstance(call, Call)
        returned = None if result is None else state.registers.get(result)
        state.activation, state.rounds = activation.caller, activation.rounds
        state.registers = dict(activation.registers)
        if call.result is not None:
            if returned is None:
                held = state.registers if call.result in state.registers else state.shared
                held.pop(call.result, None)
            else:
                self.stepping.set(state, call.result, returned)
        state.location = activation.call.source
        self._arrived(self._moved(state, activation.call))

    def proof(self) -> MergedProof:
        """How often loops were opened, and how deep calls went."""
        rounds = (LoopRounds(name, head, most) for (name, head), most in sorted(self._rounds.items()))
        return MergedProof(tuple(rounds), self.depth, self.conditions.by_words)
