"""Is every path of a program harmless? The checker of proofs by merged execution.

The program is executed from its start, all paths at once: where paths meet, their states become one (`merged_state`).
Loops are opened round by round, calls are executed where they stand. A proof says how many rounds and how deep calls
suffice; beyond that nothing may be reached. All that could go wrong on the way is kept as a guard. When everything has
been executed, no such guard may hold for any input: most are seen to be false, the others a solver must refute.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from heapq import heappop, heappush

from msgspec import Struct

from pincer.errors import PincerError, Position
from pincer.evidence.c_proof.diagrams import FALSE, TRUE
from pincer.evidence.c_proof.loop_order import LoopOrder, live_registers
from pincer.evidence.c_proof.merged_claim import MergedProof
from pincer.evidence.c_proof.merged_leaks import HeapAtEnd
from pincer.evidence.c_proof.merged_memory import Memory, Thing, Things
from pincer.evidence.c_proof.merged_state import Evaluator, State
from pincer.evidence.c_proof.operations import Operation
from pincer.evidence.c_proof.paths import Refused
from pincer.evidence.c_proof.program_facts import TOP, ProgramFacts
from pincer.evidence.c_proof.smt import Node, Script
from pincer.evidence.c_proof.straight import Wrong, is_harmless
from pincer.evidence.c_proof.summaries import Summaries, Value, one
from pincer.evidence.c_proof.words import Guard, Words
from pincer.logic.terms import Term
from pincer.program.control_flow import (
    Allocate,
    Assign,
    Assume,
    Begin,
    Call,
    Check,
    Copy,
    Edge,
    End,
    Fail,
    Fill,
    Free,
    Halt,
    Input,
    LeftAllocated,
    Procedure,
    Skip,
    Store,
    Unsupported,
)
from pincer.program.thread_labels import ThreadOperation

STRAIGHT_STEPS = 1_000_000
"""Steps of a program without inputs that are walked at the speed of generated code before paths are merged."""
RECURSION_LIMIT = 50_000


class Plan(Struct, frozen=True, eq=False):
    """A procedure as it is executed: the order of its locations, and the registers that are read after each."""

    procedure: Procedure
    order: LoopOrder
    live: Mapping[int, frozenset[str]]


class Activation(Struct, eq=False):
    """A call under way: the states that wait in it, and the state of the caller and its edge."""

    plan: Plan
    call: Edge | None
    caller: State | None
    waiting: dict[tuple[int, ...], State] = {}
    agenda: list[tuple[int, ...]] = []
    returned: State | None = None


class Claim(Struct, frozen=True):
    """That a guard holds for no input; what is wrong otherwise."""

    guard: Guard
    text: str


class MergedChecker:
    """Executes a program. `asked` is what solvers say of a formula, or one of them quickly: `unsat`, `sat`, or why
    neither is known."""

    def __init__(
        self,
        facts: ProgramFacts,
        script: Script,
        proof: MergedProof,
        asked: Callable[[Node, bool], str],
        poll: Callable[[], None],
    ) -> None:
        layout = facts.program.layout
        self.claims = 0
        self._facts = facts
        self._asked = asked
        self._poll = poll
        self._rounds = {(entry.procedure, entry.location): entry.rounds for entry in proof.rounds}
        self._depth = proof.depth
        self._words = Words(script, poll, proof.by_words)
        self._values = Summaries(self._words, layout.pointer_bits, layout.slot_bits)
        self._memory = Memory(facts, self._values, self._bad_write)
        self._evaluator = Evaluator(self._memory, frozenset(facts.globals))
        self._plans: dict[str, Plan] = {}
        self._stack: list[Activation] = []
        self._open: list[Claim] = []
        self._position = Position(facts.program.file, 0, 0)
        self._steps = 0
        self._in_vain = self._left_out = 0

    def check(self) -> None:
        """Raise Refused when something may go wrong, or is not as claimed."""
        self._poll()
        try:
            if is_harmless(self._facts, STRAIGHT_STEPS, self._poll):
                return
        except Wrong as found:
            raise Refused(str(found)) from None
        # Guards over many inputs are nested as deeply.
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
        try:
            self._execute()
            for claim in self._open:
                self._demand_refuted(claim.guard, claim.text)
        finally:
            sys.setrecursionlimit(limit)

    def _execute(self) -> None:
        self._begin()
        while self._stack:
            self._steps += 1
            if self._steps % 64 == 0:
                self._poll()
            activation = self._stack[-1]
            if activation.agenda:
                self._advance(activation, activation.waiting.pop(heappop(activation.agenda)))
            else:
                self._leave(self._stack.pop())

    def _begin(self) -> None:
        program, values, bits = self._facts.program, self._values, self._facts.program.layout.pointer_bits
        entry = program.procedures[program.entry]
        shared = {
            str(register.args[0]): values.number(value, register.sort.width or 1)
            for register, value in program.initial.items()
        }
        shared[TOP] = values.number(program.first_free, bits)
        things = {
            item.address: self._memory.begun(values.number(item.size, bits), item.contents) for item in program.objects
        }
        self._enter(None, None, entry, State(TRUE, entry.entry, (), {}, shared, things))

    def _plan(self, procedure: Procedure) -> Plan:
        plan = self._plans.get(procedure.name)
        if plan is None:
            live = live_registers(procedure, self._facts.reader)
            plan = self._plans[procedure.name] = Plan(procedure, LoopOrder(procedure), live)
        return plan

    def _enter(self, call: Edge | None, caller: State | None, callee: Procedure, state: State) -> None:
        if not self._is_entered(callee, state.guard):
            return
        plan = self._plan(callee)
        activation = Activation(plan, call, caller)
        self._stack.append(activation)
        state.rounds = (0,) * len(plan.order.heads[callee.entry])
        self._arrived(activation, state)

    def _is_entered(self, callee: Procedure, guard: Guard) -> bool:
        """Whether a call can be: where one of the same procedure is under way, this is asked."""
        deeper = len(self._stack) > self._depth
        if not deeper and all(above.plan.procedure is not callee for above in self._stack):
            return True
        if self._closed(guard, quick=not deeper):
            return False
        if deeper:
            raise Refused(f"{callee.position}: calls go deeper than the {self._depth} that the proof says")
        return True

    def _arrived(self, activation: Activation, state: State) -> None:
        """A state waits for its turn; one that is there already becomes one with it."""
        plan = activation.plan
        key = plan.order.key(state.location, state.rounds)
        other = activation.waiting.get(key)
        if other is None:
            heappush(activation.agenda, key)
        else:
            state = self._evaluator.merged(other, state, plan.live.get(state.location, frozenset()))
        activation.waiting[key] = state

    def _leave(self, activation: Activation) -> None:
        state, caller, call = activation.returned, activation.caller, activation.call
        if state is None or caller is None or call is None:
            return
        assert isinstance(call.label, Call)
        result, into = activation.plan.procedure.result, call.label.result
        following = State(state.guard, caller.location, caller.rounds, caller.own, state.shared, state.things)
        if into is not None:
            value = None if result is None else state.own.get(str(result.args[0]))
            width = into.sort.width or 1
            self._assign(following, str(into.args[0]), value or one(self._words.fresh("result", width)))
        self._go_on(following, call)

    def _go_on(self, state: State, edge: Edge) -> None:
        activation = self._stack[-1]
        state.rounds = activation.plan.order.moved(edge.source, state.rounds, edge.target)
        state.location = edge.target
        self._arrived(activation, state)

    def _closed(self, guard: Guard, quick: bool) -> bool:
        """Whether a guard is seen to hold for no input. Where going on does no harm, a quick look suffices; the more
        such looks have been in vain, the more are left out before the next."""
        if guard == FALSE or self._words.is_exact(guard):
            return guard == FALSE
        if quick and self._left_out < self._in_vain:
            self._left_out += 1
            return False
        self.claims += 1
        is_closed = self._asked(self._words.formula(guard), quick) == "unsat"
        if quick:
            self._in_vain, self._left_out = 0 if is_closed else self._in_vain + 1, 0
        return is_closed

    def _demand(self, guard: Guard, text: str) -> None:
        """That a guard holds for no input: seen now, or to be shown in the end."""
        if guard == FALSE:
            return
        if self._words.is_exact(guard):
            raise Refused(text)
        self._open.append(Claim(guard, text))

    def _demand_refuted(self, guard: Guard, text: str) -> None:
        self._poll()
        self.claims += 1
        said = self._asked(self._words.formula(guard), False)
        if said != "unsat":
            raise Refused(text if said == "sat" else f"{text} (not settled: {said})")

    def _bad_write(self, guard: Guard) -> None:
        self._demand(guard, f"{self._position}: this may write outside of all objects")

    def _advance(self, activation: Activation, state: State) -> None:
        procedure = activation.plan.procedure
        if not self._goes_on(activation.plan, state):
            return
        if state.location == procedure.exit:
            other = activation.returned
            live = activation.plan.live.get(procedure.exit, frozenset())
            activation.returned = state if other is None else self._evaluator.merged(other, state, live)
            return
        edges = procedure.outgoing.get(state.location, ())
        if len(edges) == 1 and not isinstance(edges[0].label, Assume):
            self._taken(state, edges[0])
            return
        for edge, guard in self._sides(state, edges):
            if guard != FALSE:
                branch = state.copy()
                branch.guard = guard
                self._taken(branch, edge)

    def _goes_on(self, plan: Plan, state: State) -> bool:
        """Whether a state can be. At the head of a loop this is asked in rounds 1, 2, 4, 8 and so on, where going on
        does no harm, and in the first one beyond what the proof says."""
        turns = state.rounds[-1] if state.rounds and plan.order.heads[state.location][-1] == state.location else 0
        if turns == 0 or state.guard == FALSE:
            return state.guard != FALSE
        most = self._rounds.get((plan.procedure.name, state.location), 0)
        if turns <= most:
            return bool(turns & (turns - 1)) or not self._closed(state.guard, quick=True)
        if not self._closed(state.guard, quick=False):
            where = f"{plan.procedure.position}: a loop of {plan.procedure.name}"
            raise Refused(f"{where} goes round more often than the {most} times that the proof says")
        return False

    def _sides(self, state: State, edges: tuple[Edge, ...]) -> list[tuple[Edge, Guard]]:
        """The guards of the edges that leave a location. Where two of them can be taken, an input chooses."""
        if any(isinstance(edge.label, Call) for edge in edges):
            raise PincerError("a call is one of several steps", edges[0].position)
        conditions = [edge.label.condition for edge in edges if isinstance(edge.label, Assume)]
        held = iter(self._evaluator.conditions(conditions, state))
        both, sides = self._words.both, list[tuple[Edge, Guard]]()
        for edge in edges:
            guard = both(state.guard, next(held)) if isinstance(edge.label, Assume) else state.guard
            for i, (other, taken) in enumerate(sides):
                if both(guard, taken) != FALSE:
                    chosen = self._chosen_by_input()
                    sides[i] = other, both(taken, both(guard, chosen) ^ 1)
                    guard = both(guard, both(taken, chosen ^ 1) ^ 1)
            sides.append((edge, guard))
        return sides

    def _chosen_by_input(self) -> Guard:
        bit = self._words.fresh("choice", 1)
        return self._words.condition(Operation("same", 0), bit, self._words.constant(1, 1))

    def _taken(self, state: State, edge: Edge) -> None:
        """Take an edge whose condition, if it has one, is part of the state's guard."""
        self._position = edge.position
        match edge.label:
            case Assume():
                pass
            case Check(_, condition, message):
                [held] = self._evaluator.conditions((condition,), state)
                if self._facts.property == "memory":
                    wrong = self._words.both(state.guard, held ^ 1)
                    self._demand(wrong, f"{edge.position}: this may go wrong: {message}")
                state.guard = self._words.both(state.guard, held)
            case Call(procedure, arguments):
                self._called(state, edge, procedure, arguments)
                return
            case Fail() if self._facts.property == "assertions":
                self._demand(state.guard, f"{edge.position}: this fail may be reached")
                return
            case LeftAllocated(lost=True) as label:
                lost = HeapAtEnd(self._facts, self._memory, state).lost(label, self._under_way(state))
                self._demand(lost, f"{edge.position}: an object may be lost at this end of the program")
                return
            case Unsupported() | ThreadOperation():
                self._demand(state.guard, f"{edge.position}: what is not modelled may be reached")
                return
            case Fail() | Halt():
                return
            case _:
                self._changed(state, edge)
        if state.guard != FALSE:
            self._go_on(state, edge)

    def _under_way(self, state: State) -> list[tuple[str, State]]:
        """The procedures of the calls under way, with their states."""
        states = [above.caller for above in self._stack[1:] if above.caller is not None]
        return [
            (activation.plan.procedure.name, place)
            for activation, place in zip(self._stack, (*states, state), strict=True)
        ]

    def _called(self, state: State, edge: Edge, name: str, arguments: tuple[Term, ...]) -> None:
        callee = self._facts.program.procedures[name]
        own = {
            str(parameter.args[0]): self._evaluator.value(argument, state)
            for parameter, argument in zip(callee.parameters, arguments, strict=True)
        }
        self._enter(edge, state, callee, State(state.guard, callee.entry, (), own, dict(state.shared), state.things))

    def _assign(self, state: State, name: str, value: Value) -> None:
        (state.shared if name in self._facts.globals else state.own)[name] = value

    def _changed(self, state: State, edge: Edge) -> None:
        """Labels that change registers or memory."""
        value, memory = self._evaluator.value, self._memory
        match edge.label:
            case Assign(register, term):
                found = self._values.placed(value(term, state), state.guard)
                self._assign(state, str(register.args[0]), found)
            case Input(register):
                fresh = self._words.fresh("input", register.sort.width or 1)
                self._assign(state, str(register.args[0]), one(fresh))
            case Store(address, term):
                stored = self._values.placed(value(term, state), state.guard)
                state.things = memory.store(state.things, value(address, state), stored, state.guard)
            case Copy(target, source, size):
                self._copied(state, value(target, state), value(source, state), value(size, state))
            case Fill(target, size, byte):
                filler = value(byte, state)
                where, much = value(target, state), value(size, state)
                state.things = memory.blocks(state.things, where, much, lambda _: filler, state.guard)
            case Begin(address, extent):
                room = self._values.number(extent, self._facts.program.layout.pointer_bits)
                state.things = {**state.things, address: memory.begun(room, None)}
            case End(address) | Free(address):
                self._ended(state, value(address, state), edge)
            case Allocate():
                self._allocated(state, edge, edge.label)
            case Skip():
                pass
            case label:
                raise PincerError(f"no meaning is known for {type(label).__name__}")

    def _copied(self, state: State, target: Value, source: Value, size: Value) -> None:
        before, here = state.things, state.guard
        bits = self._facts.program.layout.pointer_bits
        taken: dict[int, Value] = {}

        def byte(index: int) -> Value:
            if index not in taken:
                place = self._values.applied(Operation("bvlin", bits, (1, index)), (source,), here)
                taken[index] = self._memory.load(before, place, 1, here)
            return taken[index]

        state.things = self._memory.blocks(before, target, size, byte, here)

    def _ended(self, state: State, address: Value, edge: Edge) -> None:
        """No room is left in the slot of an address."""
        slot, words = self._facts.program.layout.slot, self._words
        numbers, others = self._values.cases(self._values.pruned(address, state.guard), state.guard)
        if others:
            raise Refused(f"{edge.position}: which object ends here is not settled")
        things = dict(state.things)
        only = len(numbers) == 1
        for number, guard in numbers:
            thing = things.get(number - number % slot)
            if thing is not None and words.both(guard, state.guard) != FALSE:
                ended = self._memory.ended(thing, TRUE if only else guard, state.guard)
                things[number - number % slot] = ended
        state.things = things

    def _allocated(self, state: State, edge: Edge, label: Allocate) -> None:
        words, values, layout = self._words, self._values, self._facts.program.layout
        bits, here = layout.pointer_bits, state.guard
        size = self._extended(self._evaluator.value(label.size, state), here)
        most = self._facts.largest_object
        fits = values.holds(Operation("bvule", 0), (size, values.number(most, bits)), here)
        text = f"{edge.position}: this may allocate more than the {most} bytes that are modelled"
        self._demand(words.both(here, fits ^ 1), text)
        here = state.guard = words.both(here, fits)
        top = values.pruned(state.shared[TOP], here)
        heap = label.storage == "heap" and not label.mark
        new = self._memory.begun(size, b"" if label.zero else None, heap)
        state.things = self._placed(state.things, top, new, here, edge)
        state.shared[TOP] = values.applied(Operation("bvlin", bits, (1, layout.slot)), (top,), here)
        self._assign(state, str(label.register.args[0]), top)

    def _extended(self, size: Value, here: Guard) -> Value:
        bits, width = self._facts.program.layout.pointer_bits, size[0][0].width
        if width > bits:
            raise PincerError("a size is wider than an address")
        return self._values.applied(Operation("zero_extend", bits, (bits - width,)), (size,), here)

    def _placed(self, things: Things, top: Value, new: Thing, here: Guard, edge: Edge) -> Things:
        """The objects with a new one in the first free slot, which may be different on different paths."""
        layout, result = self._facts.program.layout, dict(things)
        for node, guard in top:
            if node.value is None or (node.value + layout.slot) >> layout.pointer_bits:
                raise Refused(f"{edge.position}: a path allocates more objects than are modelled")
            if len(top) == 1:
                result[node.value] = new
            else:
                result[node.value] = self._memory.merged(guard, new, things.get(node.value), here)
        return result
