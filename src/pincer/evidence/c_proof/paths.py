"""Are all paths of a program harmless? The checker of proofs by exploration.

Such a proof claims that the program has finitely many paths. The checker follows all of them by itself: where a
condition depends on inputs both sides are taken, unless a solver shows that one is impossible. Addresses and sizes that
depend on inputs take the values that the proof lists for their location, after it is shown that there are no others. A
single path that depends on no input is walked without symbols (`straight`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from msgspec import Struct

from pincer.errors import PincerError, Position
from pincer.evidence.c_proof.left_allocated import lost_object
from pincer.evidence.c_proof.path_state import BadWrite, OpenAddress, PathState, initial_state
from pincer.evidence.c_proof.program_facts import TOP, ProgramFacts
from pincer.evidence.c_proof.smt import Node, Script
from pincer.evidence.c_proof.straight import Wrong, is_harmless
from pincer.evidence.c_proof.term_data import extended
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
    Skip,
    Store,
    Unsupported,
)
from pincer.program.thread_labels import ThreadOperation
from pincer.runtime.codec import Natural

STEPS_BEYOND = 4
"""The checker may need this many times the steps that the proof claims: it simplifies less."""


class Paths(Struct, frozen=True):
    """A proof by exploration: how many paths and steps there are, and by location the values of addresses and sizes."""

    paths: Natural
    steps: Natural
    values: Mapping[int, tuple[Natural, ...]] = {}


class Refused(Exception):
    """Something on a path is not as claimed."""


class PathChecker(Struct):
    """Follows all paths. `refuted` says whether a solver shows that a formula has no model."""

    facts: ProgramFacts
    script: Script
    proof: Paths
    refuted: Callable[[Node], bool]
    poll: Callable[[], None]
    claims: int = 0

    def check(self) -> None:
        """Raise Refused when some path is not harmless, or there are too many."""
        most = STEPS_BEYOND * self.proof.steps + 1_000
        if self._is_straight(most):
            return
        waiting, steps = [initial_state(self.script, self.facts)], 0
        while waiting:
            state: PathState | None = waiting.pop()
            while state is not None:
                steps += 1
                if steps > most:
                    raise Refused("there are more paths, or longer ones, than the proof says")
                if steps % 64 == 0:
                    self.poll()
                following = list(self._advance(state))
                state = following.pop() if following else None
                waiting += following

    def _is_straight(self, most: int) -> bool:
        """Whether the program is one harmless path without inputs; otherwise paths are walked with symbols."""
        try:
            return is_harmless(self.facts, most, self.poll)
        except Wrong as found:
            raise Refused(str(found)) from None

    def _advance(self, state: PathState) -> Iterator[PathState]:
        """The states after one step."""
        if state.location == state.procedure.exit:
            yield from self._returned(state)
            return
        edges = state.procedure.outgoing.get(state.location, ())
        for edge in edges:
            branch = state.copy() if len(edges) > 1 else state
            try:
                if self._taken(branch, edge):
                    yield branch
            except OpenAddress as address:
                yield from self._cases(state, address.node, edge.position)
                return
            except BadWrite:
                raise Refused(f"{edge.position}: this may write outside of all objects") from None

    def _cases(self, state: PathState, node: Node, position: Position) -> Iterator[PathState]:
        """The state with each of the values that the proof lists for an address; there must be no others.

        Nothing has happened in it: labels evaluate before they change anything."""
        script, values = self.script, self.proof.values.get(state.location, ())
        listed = [script.equal(node, script.constant(value, node.width)) for value in values]
        self._claim(state, script.disjunction(listed), f"{position}: an address has values that are not listed")
        for value, condition in zip(values, listed, strict=True):
            if self._possible(state, condition):
                case = state.copy()
                self._assume(case, condition)
                case.fixed[node] = value & ((1 << node.width) - 1)
                yield case

    @staticmethod
    def _assume(state: PathState, condition: Node) -> None:
        if not condition.is_true:
            state.conditions = (*state.conditions, condition)

    def _possible(self, state: PathState, condition: Node) -> bool:
        """Whether a condition may hold at the end of a path: False only when a solver refutes it."""
        if condition.value is not None:
            return condition.is_true
        self.claims += 1
        return not self.refuted(self.script.conjunction([*_connected(state.conditions, condition), condition]))

    def _claim(self, state: PathState, condition: Node, otherwise: str) -> None:
        if self._possible(state, self.script.negation(condition)):
            raise Refused(otherwise)

    def _returned(self, state: PathState) -> Iterator[PathState]:
        if not state.stack:
            return
        result, call = state.procedure.result, state.stack[-1].call.label
        assert isinstance(call, Call)
        state.leave(None if result is None else state.registers.get(str(result.args[0])), call.result)
        yield state

    def _taken(self, state: PathState, edge: Edge) -> bool:
        """Take an edge; whether the path goes on."""
        match edge.label:
            case Assume(condition):
                if not self._passes(state, state.value(condition)):
                    return False
            case Check(_, condition, message):
                if not self._checked(state, edge, state.value(condition), message):
                    return False
            case Call(procedure, arguments):
                callee = self.facts.program.procedures[procedure]
                state.enter(edge, callee, [state.value(argument) for argument in arguments])
                return True
            case Fail() if self.facts.property == "assertions":
                raise Refused(f"{edge.position}: this fail may be reached")
            case LeftAllocated(lost=True) as label:
                problem = lost_object(state, label)
                if problem:
                    raise Refused(f"{edge.position}: {problem} at this end of the program")
                return False
            case Unsupported() | ThreadOperation():
                raise Refused(f"{edge.position}: what is not modelled may be reached")
            case Fail() | Halt():
                return False
            case _:
                self._changed(state, edge)
        state.location = edge.target
        return True

    def _passes(self, state: PathState, condition: Node) -> bool:
        possible = self._possible(state, condition)
        if possible:
            self._assume(state, condition)
        return possible

    def _checked(self, state: PathState, edge: Edge, condition: Node, message: str) -> bool:
        if self.facts.property == "memory":
            self._claim(state, condition, f"{edge.position}: this may go wrong: {message}")
            return True
        return self._passes(state, condition)

    def _changed(self, state: PathState, edge: Edge) -> None:
        """Labels that change registers or memory."""
        match edge.label:
            case Assign(register, value):
                state.registers[str(register.args[0])] = state.value(value)
            case Input(register):
                state.registers[str(register.args[0])] = state.fresh("input", register.sort.width or 1)
            case Store(address, value):
                written = state.value(value)
                state.store(state.number(state.value(address)), written)
            case Copy(target, source, size):
                numbers = [state.number(state.value(term)) for term in (target, source, size)]
                if numbers[2]:
                    state.copy_bytes(*numbers)
            case Fill(target, size, byte):
                filler, room = state.value(byte), state.number(state.value(size))
                where = state.number(state.value(target))
                if room:
                    state.fill(where, room, filler)
            case Begin(address, extent):
                state.begin(address, state.address(extent), None)
            case End(address) | Free(address):
                state.end(state.number(state.value(address)))
            case Allocate():
                self._allocated(state, edge, edge.label)
            case Skip():
                pass
            case label:
                raise PincerError(f"no meaning is known for {type(label).__name__}")

    def _allocated(self, state: PathState, edge: Edge, label: Allocate) -> None:
        script, layout = self.script, self.facts.program.layout
        size = extended(script, state.bits, state.value(label.size))
        most = self.facts.largest_object
        fits = script.at_most(size, state.address(most))
        self._claim(state, fits, f"{edge.position}: this may allocate more than the {most} bytes that are modelled")
        base = state.number(state.registers[TOP])
        if (base + layout.slot) >> layout.pointer_bits:
            raise Refused(f"{edge.position}: a path allocates more objects than are modelled")
        state.begin(base, size, b"" if label.zero else None, label.storage == "heap" and not label.mark)
        state.registers[TOP] = state.address(base + layout.slot)
        state.registers[str(label.register.args[0])] = state.address(base)


def _connected(conditions: tuple[Node, ...], goal: Node) -> list[Node]:
    """The conditions that share variables with the goal, directly or through others."""
    about, waiting = set(goal.variables), list(conditions)
    found: list[Node] = []
    changed = True
    while changed:
        changed, rest = False, []
        for condition in waiting:
            if condition.variables.isdisjoint(about):
                rest.append(condition)
            else:
                about |= condition.variables
                found.append(condition)
                changed = True
        waiting = rest
    return found
